import Domain
import ExchangeSimulator
import Repositories

@testable import App

/// A simulated exchange paused at a fixed time, so that its screens can be literal.
struct PausedExchange: Sendable {
    let simulator: ExchangeSimulator

    /// 2026-11-03, 12:34:00 in Seoul.
    static let moment = Timestamp(milliseconds: 1_793_676_840_000)

    /// The flags that make `hoga watch` follow it.
    var arguments: String { simulator.watchArguments }

    /// Runs a job beside the exchange.
    ///
    /// - Parameters:
    ///   - markets: the number of won markets.
    ///   - isStill: whether it is paused. Otherwise it starts at the beginning of a minute, because
    ///     a listing shows changes at a minute's end also after a pause.
    ///   - job: the work beside it.
    /// - Returns: what the job returns.
    /// - Throws: what the job throws.
    static func run<Result: Sendable>(
        markets: Int = 10,
        isStill: Bool = true,
        _ job: @escaping @Sendable (PausedExchange) async throws -> Result
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
        let minute = Timestamp(milliseconds: begin.second / 60 * 60_000)
        let simulator = try ExchangeSimulator(configuration) {
            // Its clock advances slowly, because responses are due by it, but no minute ends.
            let elapsed = SystemSources.now().duration(since: begin)
            return isStill ? moment.advanced(by: elapsed / 100) : minute.advanced(by: elapsed)
        }
        if isStill { simulator.pause() }
        return try await simulator.running { try await job(PausedExchange(simulator: $0)) }
    }
}
