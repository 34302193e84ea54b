import Domain
import ExchangeSimulator
import Foundation
import Repositories

@testable import App

/// A simulated exchange in this process, for a hoga that is started in a window.
struct MovingExchange: Sendable {
    let simulator: ExchangeSimulator

    /// What makes `hoga watch` follow it.
    var arguments: String { simulator.watchArguments }

    /// Runs a job beside the exchange.
    ///
    /// - Parameters:
    ///   - rate: frames in a second: few, so that the order of the list stays.
    ///   - job: what is done meanwhile.
    /// - Returns: what the job does.
    /// - Throws: what the job does, or that nothing can listen.
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
    /// What makes `hoga watch` follow this exchange.
    var watchArguments: String { "--rest-url \(restURL) --ws-url \(streamURL)" }

    /// Does a job while this exchange runs, and ends it afterwards.
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

extension TmuxTerminal {
    /// Keeps holdings, by commands in the shell.
    func hold(_ holdings: [String]) async throws {
        for holding in holdings {
            try run("clear; $HOGA holdings put \(holding) && echo kept $((1 + 1))")
            try await picture("\(holding) kept") { $0.contains("kept 2") }
        }
    }
}
