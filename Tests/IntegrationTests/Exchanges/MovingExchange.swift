import Domain
import ExchangeSimulator
import Foundation
import Repositories

@testable import App

/// A simulated exchange in this process for a hoga in a terminal.
struct MovingExchange: Sendable {
    let simulator: ExchangeSimulator

    /// The flags that make `hoga watch` follow it.
    var arguments: String { simulator.watchArguments }

    /// Runs a job beside the exchange.
    ///
    /// - Parameters:
    ///   - rate: frames per second; few, so that the order of the list stays.
    ///   - job: the work beside it.
    /// - Returns: what the job returns.
    /// - Throws: what the job throws, or why the exchange cannot listen.
    static func run<Result: Sendable>(
        rate: Int = 20,
        _ job: @escaping @Sendable (MovingExchange) async throws -> Result
    ) async throws -> Result {
        var simulation = ExchangeSimulator.Simulation(seed: 1, framesPerSecond: rate)
        simulation.wonMarkets = 40
        simulation.bookFramesPerSecond = 4
        simulation.names = EmbeddedCoinNames().names()
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .simulation(simulation)
        )
        configuration.acknowledgementDelay = .milliseconds(1)...(.milliseconds(50))
        let simulator = try ExchangeSimulator(configuration, now: SystemSources.now)
        return try await simulator.running { try await job(MovingExchange(simulator: $0)) }
    }
}

extension ExchangeSimulator {
    /// The flags that make `hoga watch` follow this exchange.
    var watchArguments: String { "--rest-url \(restURL) --ws-url \(streamURL)" }

    /// Runs a job while this exchange runs, then ends the exchange.
    func running<Result: Sendable>(
        _ job: @escaping @Sendable (ExchangeSimulator) async throws -> Result
    ) async throws -> Result {
        let outcome = await Lifecycle.run(
            services: [{ @Sendable in await self.run() }]
        ) { () async -> Swift.Result<Result, any Error> in
            do { return .success(try await job(self)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
