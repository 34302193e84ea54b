import Domain
import ExchangeSimulator
import Repositories

@testable import App

/// A simulated exchange that stands still at one moment, so that pictures of it can be written
/// down.
struct StillExchange: Sendable {
    let simulator: ExchangeSimulator

    /// 2026-11-03, 12:34:56 in Seoul.
    static let moment = Timestamp(milliseconds: 1_793_676_896_000)

    /// What `hoga watch` is told to find it.
    var arguments: String {
        "--rest-url \(simulator.restURL) --ws-url \(simulator.streamURL)"
    }

    /// Runs a job beside the exchange.
    ///
    /// - Parameters:
    ///   - markets: how many there are in won.
    ///   - isStill: whether it stands still; else it moves, by its own seed.
    ///   - job: what is done with it.
    /// - Returns: what the job returns.
    /// - Throws: what the job throws.
    static func run<Result: Sendable>(
        markets: Int = 10,
        isStill: Bool = true,
        _ job: @escaping @Sendable (StillExchange) async throws -> Result
    ) async throws -> Result {
        var simulation = ExchangeSimulator.Simulation(seed: 11, framesPerSecond: 200)
        simulation.wonMarkets = markets
        simulation.bitcoinMarkets = 2
        simulation.suspendedMarkets = 0
        simulation.names = EmbeddedCoinNames().names()
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .simulation(simulation)
        )
        configuration.acknowledgementDelay = .milliseconds(1)...(.milliseconds(2))
        let begin = SystemSources.now()
        let simulator = try ExchangeSimulator(configuration) {
            // Its clock goes on: answers are due by it.
            let now = SystemSources.now()
            return isStill ? moment.advanced(by: now.duration(since: begin)) : now
        }
        if isStill { simulator.pause() }
        let exchange = StillExchange(simulator: simulator)
        let outcome = await Lifecycle.run(
            services: [{ @Sendable in await simulator.run() }]
        ) { () async -> Swift.Result<Result, any Error> in
            do { return .success(try await job(exchange)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
