import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

/// A simulated exchange and the markets of a hoga that follows it over sockets.
struct ConnectedExchange: Sendable {
    let simulator: ExchangeSimulator
    let markets: Markets

    /// Runs a job beside both; `api` is the setting of the same name, `alerts` a file with rules.
    static func run<Result: Sendable>(
        _ feed: ExchangeSimulator.Feed,
        api: String = "1",
        faults: [SimulatorFault] = [],
        alerts: String? = nil,
        _ job: @escaping @Sendable (ConnectedExchange) async throws -> Result
    ) async throws -> Result {
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: feed
        )
        configuration.acknowledgementDelay = .milliseconds(1)...(.milliseconds(50))
        let simulator = try ExchangeSimulator(configuration, now: SystemSources.now)
        for fault in faults { simulator.start(fault) }
        let markets = try Self.markets(of: simulator, api: api, alerts: alerts)
        let followed = ConnectedExchange(simulator: simulator, markets: markets)
        let outcome = await Lifecycle.run(
            services: [
                { @Sendable in await simulator.run() }, { @Sendable in await markets.run() },
            ]
        ) { () async -> Swift.Result<Result, any Error> in
            do { return .success(try await job(followed)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The markets of a hoga that follows a simulated exchange.
    static func markets(
        of simulator: ExchangeSimulator,
        api: String,
        alerts: String? = nil
    ) throws -> Markets {
        let settings = try ConfigurationSources(
            flags: [
                .api: api, .restURL: simulator.restURL, .wsURL: simulator.streamURL,
                .ws2URL: simulator.marketStreamURL,
            ],
            environment: [:],
            file: nil
        ).resolve()
        let endpoint = try ExchangeEndpoint.make(.bithumb, settings, standardSpeed: .maximum)
        let source = alerts.flatMap { FileStore(path: $0).alerts }
        return try Markets(
            endpoint,
            configuration: settings,
            log: SilentLog(),
            alerts: source.map { source in
                AlertStore(source: source, holder: SystemSources.instanceName(), webhooks: nil)
            }
        )
    }

    /// Waits for a snapshot that meets a condition; records an issue when the test is cancelled.
    func snapshot(
        _ what: Comment,
        where isMet: @escaping @Sendable (BoardSnapshot) -> Bool
    ) async throws -> BoardSnapshot {
        do {
            return try await eventually {
                let snapshot = markets.latest.value
                return isMet(snapshot) ? snapshot : nil
            }
        } catch {
            let (feed, report) = (markets.latest.value.board.feed, simulator.report())
            let sent = "at rest: \(report.isAtRest), \(report.connections)"
            Issue.record(error, "\(what): \(feed), \(sent)")
            throw error
        }
    }

    /// Waits until the feed is live.
    func live() async throws -> BoardSnapshot {
        try await snapshot("the feed goes live") { $0.board.feed.connection == .live }
    }

    /// Pauses the exchange and waits until hoga has counted every frame sent.
    func settled() async throws -> (snapshot: BoardSnapshot, report: SimulatorReport) {
        simulator.pause()
        let simulator = simulator
        let last = try await snapshot("everything sent is counted") {
            let (report, feed) = (simulator.report(), $0.board.feed)
            // Both generations may be connected, in any order; one alone tells prices and trades.
            let api = feed.api == .v1 ? APIVersion.v1 : .v2
            let sent = report.connections.lazy.filter { $0.api == api }.map(\.frames)
            return report.isAtRest && feed.framesReceived == sent.reduce(0, +)
        }
        return (last, simulator.report())
    }
}

extension ExchangeSimulator.Feed {
    /// Simulated markets from a seed.
    static func markets(
        won: Int,
        bitcoin: Int,
        rate: Int,
        seed: UInt64 = 11
    ) -> ExchangeSimulator.Feed {
        var simulation = ExchangeSimulator.Simulation(seed: seed, framesPerSecond: rate)
        simulation.wonMarkets = won
        simulation.bitcoinMarkets = bitcoin
        simulation.suspendedMarkets = 0
        return .simulation(simulation)
    }
}
