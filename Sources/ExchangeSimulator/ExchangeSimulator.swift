public import Domain
import HTTPServer

/// A server that speaks as the exchange does: a feature of the program and the bench of its tests.
///
/// One port serves REST (`/public/ticker/…`), the stream (`/pub/ws`) and its own control
/// (`/simulator/…`). REST answers as soon as it is made; the stream and the market move while
/// ``run()`` runs. Served of REST: `ticker`, `orderbook`, `transaction_history`, `candlestick` and
/// `assetsstatus` of API 1.x, `market/all` and `market/virtual_asset_warning` of API 2.x; of the
/// stream: `ticker`, `transaction`, `orderbookdepth` and `orderbooksnapshot`.
public final class ExchangeSimulator: Sendable {
    /// Where REST is served, `http://127.0.0.1:8900`.
    public let restURL: String
    /// Where the stream is served, `ws://127.0.0.1:8900/pub/ws`.
    public let streamURL: String
    /// The port it listens on, never 0.
    public let port: UInt16

    private let control: SimulatorControl
    private let status: SimulatorStatus
    private let poller: SocketPoller
    private let streams: StreamServer
    private let server: HTTPServer

    /// The HTTP side's own bounds: a bench, not a public server.
    private static let httpThreads = 2
    private static let httpConnectionsMax = 1_024

    /// Makes up the markets or opens the recording, and begins to listen.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, what to play, what to bound.
    ///   - now: the wall clock; the market's time and pace come from it. If it is set back, a
    ///     simulated market stands still until it has caught up.
    /// - Throws: ``ExchangeSimulatorError``.
    public init(
        _ configuration: Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) {
        let feed = try Self.feed(of: configuration, now: now)
        let status = SimulatorStatus()
        let control = SimulatorControl(feed: feed, status: status)
        do throws(HTTPServerError) {
            let poller = try SocketPoller()
            let inbox = StreamAcceptQueue(
                connectionsMax: configuration.streamConnectionsMax,
                poller: poller
            )
            let service = RESTService(
                feed: feed,
                status: status,
                limiter: RateLimiter(perSecond: configuration.requestsPerSecondMax),
                refusal: configuration.refusal,
                inbox: inbox,
                control: ControlService(simulator: control),
                now: now
            )
            streams = StreamServer(
                StreamLoop(
                    feed: feed,
                    configuration: configuration,
                    status: status,
                    inbox: inbox,
                    poller: poller,
                    now: now
                )
            )
            server = try HTTPServer(
                HTTPServer.Configuration(
                    host: configuration.host,
                    port: configuration.port,
                    threads: Self.httpThreads,
                    connectionsMax: Self.httpConnectionsMax,
                    connectionsPerClientMax: Self.httpConnectionsMax,
                    idleTimeoutSeconds: 60,
                    sentBytesPerSecondMin: 16_384,
                    requestSecondsMax: 10,
                    headerBytesMax: 16_384,
                    bodyBytesMax: 65_536,
                    stopSecondsMax: 5
                ),
                handler: service.reply
            )
            self.poller = poller
        } catch {
            throw .cannotListen(error.description)
        }
        self.status = status
        self.control = control
        port = server.port
        let address = Self.address(of: configuration.host, port: port)
        restURL = "http://\(address)"
        streamURL = "ws://\(address)/pub/ws"
    }

    /// Moves the market and serves the stream until the task is cancelled or ``stop()`` is called.
    ///
    /// Then everything is closed. To be called once.
    public func run() async {
        await withTaskCancellationHandler {
            await streams.run(then: server.stop)
        } onCancel: {
            requestStop()
        }
    }

    /// Ends ``run()`` and stops listening, waiting for REST requests in flight; idempotent.
    public func stop() {
        requestStop()
        server.stop()
    }

    private func requestStop() {
        status.stop()
        poller.wake()
    }

    // MARK: Control

    /// What was sent and where the markets stand.
    public func report() -> SimulatorReport { control.report() }

    /// Holds the market and the stream still; greetings and answers to subscriptions still come.
    public func pause() { control.setPaused(true) }

    /// Lets the market and the stream go on.
    public func resume() { control.setPaused(false) }

    /// The faults in force.
    public var faults: [SimulatorFault] { control.faults }

    /// Starts a fault, or makes it happen once.
    public func start(_ fault: SimulatorFault) { control.start(fault) }

    /// Ends a kind of fault; a suspended coin is traded again.
    public func end(_ kind: SimulatorFault.Kind) { control.end(kind) }

    // MARK: Markets

    /// Lists a coin: its key appears and it trades, from a price of its own and without a history.
    ///
    /// One that was suspended or taken off comes back as it was.
    /// - Throws: `recording`, `tooManyMarkets`.
    public func list(_ id: MarketID) throws(SimulatorControlError) { try control.apply(.list(id)) }

    /// Suspends a coin: it is described by an empty list and trades no more.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func suspend(_ id: MarketID) throws(SimulatorControlError) {
        try control.apply(.suspend(id))
    }

    /// Takes a coin off: its key vanishes, and REST answers that it is not listed.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func delist(_ id: MarketID) throws(SimulatorControlError) {
        try control.apply(.delist(id))
    }

    /// Renames a coin: the old key vanishes and the new one appears, with price, trades and charts.
    ///
    /// Who wants its frames subscribes to the new name.
    ///
    /// - Throws: `recording`, `unknownMarket`, `nameTaken`, `otherQuote`.
    public func rename(_ id: MarketID, to new: MarketID) throws(SimulatorControlError) {
        try control.apply(.rename(id, to: new))
    }

    /// Sets the market's clock forward to so long before the next 00:00 in Seoul; all times of REST
    /// and of the stream follow, and nothing was traded in between.
    ///
    /// A market that is closer to midnight already goes on as it is. Clients that judge frames by
    /// the `date` of the listings should have time to read one before midnight.
    /// - Throws: `recording`.
    public func crossMidnight(after duration: Duration) throws(SimulatorControlError) {
        try control.crossMidnight(after: duration)
    }

    // MARK: Deposits, withdrawals, warnings

    /// Opens or stops deposits and withdrawals of a coin; nil leaves a half as it is.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func set(
        deposit: Bool?,
        withdrawal: Bool?,
        of asset: Asset
    ) throws(SimulatorControlError) {
        try control.apply(.asset(asset, deposit: deposit, withdrawal: withdrawal))
    }

    /// 유의: puts an investment warning on a market, or takes it off.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func setWarning(_ isOn: Bool, of id: MarketID) throws(SimulatorControlError) {
        try control.apply(.warning(id, isOn: isOn))
    }

    /// 경보: adds a warning that ends after a while, `PRICE_SUDDEN_FLUCTUATION` and `CAUTION`.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func alert(
        _ id: MarketID,
        type: String,
        step: String,
        lasting duration: Duration
    ) throws(SimulatorControlError) {
        try control.apply(.alert(id, type: type, step: step, lasting: duration))
    }

    /// Ends all 경보 of a market.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func endAlerts(of id: MarketID) throws(SimulatorControlError) {
        try control.apply(.noAlerts(id))
    }

    // MARK: Making

    private static func feed(
        of configuration: Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) -> StreamServer.Feed {
        switch configuration.feed {
        case .simulation(let simulation):
            guard simulation.wonMarkets > 0, simulation.framesPerSecond >= 0,
                simulation.bitcoinMarkets >= 0, simulation.suspendedMarkets >= 0,
                simulation.illiquidWonMarkets >= 0, simulation.bookFramesPerSecond ?? 1 > 0
            else {
                throw .badConfiguration(
                    "a simulation has at least one won market, no negative figures, and at "
                        + "least one book frame a second"
                )
            }
            return .simulated(SimulatedFeed(simulation, clock: SimulatorClock(now)))
        case .replay(let replay):
            return .replay(try ReplayFeed(replay))
        }
    }

    /// Host and port as a client on this machine writes them.
    private static func address(of host: String, port: UInt16) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        default: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
