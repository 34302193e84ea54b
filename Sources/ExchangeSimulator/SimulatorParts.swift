import Domain
import HTTPServer

/// The parts of a simulator, without a listener and without a thread.
struct SimulatorParts: Sendable {
    let control: SimulatorControl
    let status: SimulatorStatus
    let poller: SocketPoller
    let service: RESTService
    let feed: StreamServer.Feed
    private let inbox: StreamAcceptQueue

    /// Generates the markets or opens the recording.
    ///
    /// - Throws: ``ExchangeSimulatorError``.
    init(
        _ configuration: ExchangeSimulator.Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) {
        feed = try Self.makeFeed(of: configuration, now: now)
        status = SimulatorStatus()
        control = SimulatorControl(feed: feed, status: status)
        do throws(HTTPServerError) {
            poller = try SocketPoller()
        } catch {
            throw .cannotListen(error.description)
        }
        inbox = StreamAcceptQueue(
            connectionsMax: configuration.streamConnectionsMax,
            poller: poller
        )
        service = RESTService(
            feed: feed,
            status: status,
            limiter: RateLimiter(perSecond: configuration.requestsPerSecondMax),
            refusal: configuration.refusal,
            compression: configuration.compression,
            inbox: inbox,
            control: ControlService(simulator: control),
            now: now
        )
    }

    /// The loop of the streams, made once.
    func loop(
        _ configuration: ExchangeSimulator.Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) -> StreamLoop {
        StreamLoop(
            feed: feed,
            configuration: configuration,
            status: status,
            inbox: inbox,
            poller: poller,
            now: now
        )
    }

    private static func makeFeed(
        of configuration: ExchangeSimulator.Configuration,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) -> StreamServer.Feed {
        switch configuration.feed {
        case .simulation(let simulation):
            guard simulation.wonMarkets > 0, simulation.framesPerSecond >= 0,
                simulation.bitcoinMarkets >= 0, simulation.suspendedMarkets >= 0,
                simulation.illiquidWonMarkets >= 0, simulation.bookFramesPerSecond ?? 1 > 0
            else {
                throw .badConfiguration(
                    "invalid simulation: it needs at least one won market, no negative numbers, "
                        + "and at least one book frame a second"
                )
            }
            return .simulated(SimulatedFeed(simulation, clock: SimulatorClock(now)))
        case .replay(let replay):
            return .replay(try ReplayFeed(replay))
        }
    }
}
