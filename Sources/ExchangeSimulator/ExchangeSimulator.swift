public import Domain
import HTTPServer

/// A server that behaves like the exchange, for demos and tests.
///
/// One port serves REST and the stream of both versions of the API, and its own control
/// (`/simulator/…`). REST answers as soon as the simulator exists; the streams and the market run
/// while ``run()`` runs. Both versions show the same market.
///
/// - API 1.x, REST at `/public/…`: `ticker`, `orderbook`, `transaction_history`, `candlestick` and
///   `assetsstatus`. Stream at `/pub/ws`: `ticker`, `transaction`, `orderbookdepth` and
///   `orderbooksnapshot`.
/// - API 2.x, REST at `/v1/…`: `ticker`, `orderbook`, `trades/ticks`, `candles/…`, `market/all` and
///   `market/virtual_asset_warning`. Stream at `/websocket/v1`: `ticker`, `trade` and `orderbook`.
public final class ExchangeSimulator: Sendable {
    /// The REST address, `http://127.0.0.1:8900`.
    public let restURL: String
    /// The stream address of API 1.x, `ws://127.0.0.1:8900/pub/ws`.
    public let streamURL: String
    /// The stream address of API 2.x, `ws://127.0.0.1:8900/websocket/v1`.
    public let marketStreamURL: String
    /// The port it listens on, never 0.
    public let port: UInt16

    private let control: SimulatorControl
    private let status: SimulatorStatus
    private let poller: SocketPoller
    private let streams: StreamServer
    private let server: HTTPServer

    /// Bounds of the HTTP server, for tests rather than for the public.
    private static let httpThreads = 2
    private static let httpConnectionsMax = 1_024

    /// Generates the markets or opens the recording, and begins to listen.
    ///
    /// - Parameters:
    ///   - configuration: address, feed and bounds.
    ///   - now: the wall clock, which sets the market's time and pace. If it is set back, a
    ///     simulated market stands still until the clock has caught up.
    /// - Throws: ``ExchangeSimulatorError``.
    public init(
        _ configuration: Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) {
        let parts = try SimulatorParts(configuration, now: now)
        do throws(HTTPServerError) {
            streams = StreamServer(parts.loop(configuration, now: now))
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
                handler: parts.service.reply
            )
        } catch {
            throw .cannotListen(error.description)
        }
        poller = parts.poller
        status = parts.status
        control = parts.control
        port = server.port
        let address = Self.address(of: configuration.host, port: port)
        restURL = "http://\(address)"
        streamURL = "ws://\(address)\(APIVersion.v1.streamPath)"
        marketStreamURL = "ws://\(address)\(APIVersion.v2.streamPath)"
    }

    /// Runs the market and serves the stream until the task is cancelled or ``stop()`` is called.
    ///
    /// Then it closes everything. Call it once.
    public func run() async {
        await withTaskCancellationHandler {
            await streams.run(then: server.stop)
        } onCancel: {
            requestStop()
        }
    }

    /// Ends ``run()`` and stops listening after REST requests in flight; idempotent.
    public func stop() {
        requestStop()
        server.stop()
    }

    private func requestStop() {
        status.stop()
        poller.wake()
    }

    // MARK: Control

    /// Counts and markets.
    public func report() -> SimulatorReport { control.report() }

    /// Pauses the market and the stream; greetings and answers to subscriptions are still sent.
    public func pause() { control.setPaused(true) }

    /// Resumes the market and the stream.
    public func resume() { control.setPaused(false) }

    /// The faults in force.
    public var faults: [SimulatorFault] { control.faults }

    /// Starts a fault, or makes it happen once.
    public func start(_ fault: SimulatorFault) { control.start(fault) }

    /// Ends a kind of fault; a suspended coin trades again.
    public func end(_ kind: SimulatorFault.Kind) { control.end(kind) }

    // MARK: Markets

    /// Lists a coin: its key appears and it trades, with a new price and no history.
    ///
    /// A suspended or delisted coin continues as it was.
    /// - Throws: `recording`, `tooManyMarkets`.
    public func list(_ id: MarketID) throws(SimulatorControlError) { try control.apply(.list(id)) }

    /// Suspends a coin: an empty list describes it and it stops trading.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func suspend(_ id: MarketID) throws(SimulatorControlError) {
        try control.apply(.suspend(id))
    }

    /// Delists a coin: its key disappears, and REST answers that it is not listed.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func delist(_ id: MarketID) throws(SimulatorControlError) {
        try control.apply(.delist(id))
    }

    /// Renames a coin: the old key disappears and the new one appears, with price, trades and
    /// charts.
    ///
    /// Clients must subscribe to the new name to get its frames.
    ///
    /// - Throws: `recording`, `unknownMarket`, `nameTaken`, `otherQuote`.
    public func rename(_ id: MarketID, to new: MarketID) throws(SimulatorControlError) {
        try control.apply(.rename(id, to: new))
    }

    /// Sets the market's clock to `duration` before the next 00:00 in Seoul.
    ///
    /// All times of REST and of the stream follow; the skipped time has no trades. A clock that is
    /// already later is unchanged. Clients that compare frames with the `date` of listings need
    /// time to read a listing before midnight.
    /// - Throws: `recording`.
    public func crossMidnight(after duration: Duration) throws(SimulatorControlError) {
        try control.crossMidnight(after: duration)
    }

    // MARK: Deposits, withdrawals, warnings

    /// Sets deposits and withdrawals of a coin; nil leaves a value unchanged.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func set(
        deposit: Bool?,
        withdrawal: Bool?,
        of asset: Asset
    ) throws(SimulatorControlError) {
        try control.apply(.asset(asset, deposit: deposit, withdrawal: withdrawal))
    }

    /// 유의: sets or removes an investment warning.
    ///
    /// - Throws: `recording`, `unknownMarket`.
    public func setWarning(_ isOn: Bool, of id: MarketID) throws(SimulatorControlError) {
        try control.apply(.warning(id, isOn: isOn))
    }

    /// 경보: adds a `PRICE_SUDDEN_FLUCTUATION` warning of step `CAUTION` for a limited time.
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

    // MARK: Addresses

    /// Host and port as a client on this machine writes them.
    private static func address(of host: String, port: UInt16) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        default: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
