import ExchangeSimulator
import Repositories

/// Makes the exchange servers that run in this process.
enum ExchangeServers {
    /// A simulated exchange.
    ///
    /// - Throws: ``ProgramError`` `unavailable` if the address cannot be bound.
    static func simulated(
        _ configuration: Configuration,
        at address: ListenAddress
    ) throws(ProgramError) -> ExchangeSimulator {
        var simulation = ExchangeSimulator.Simulation(
            seed: configuration.simulatorSeed,
            framesPerSecond: configuration.simulatorRate
        )
        simulation.bookFramesPerSecond = configuration.simulatorBookRate
        simulation.wonMarkets = configuration.simulatorMarketsKRW
        simulation.bitcoinMarkets = configuration.simulatorMarketsBTC
        // Small simulations have no quiet coins: every market trades.
        if configuration.simulatorMarketsKRW < 10 { simulation.quietWonMarkets = 0 }
        if configuration.simulatorMarketsBTC < 10 { simulation.quietBitcoinMarkets = 0 }
        // The configured counts are trading markets; faults suspend them.
        simulation.suspendedMarkets = 0
        simulation.names = EmbeddedCoinNames().names()
        return try make(.simulation(simulation), at: address)
    }

    /// A replay of a recording.
    ///
    /// - Throws: ``ProgramError``: `usage` for an invalid recording, naming file and line;
    ///   `unavailable` if the address cannot be bound.
    static func replay(
        _ path: String,
        speed: ReplaySpeed,
        at address: ListenAddress
    ) throws(ProgramError) -> ExchangeSimulator {
        let factor: ExchangeSimulator.Speed =
            switch speed {
            case .automatic: .times(1)
            case .times(let factor): .times(factor)
            case .maximum: .maximum
            }
        return try make(.replay(.init(path: path, speed: factor)), at: address)
    }

    private static func make(
        _ feed: ExchangeSimulator.Feed,
        at address: ListenAddress
    ) throws(ProgramError) -> ExchangeSimulator {
        do throws(ExchangeSimulatorError) {
            return try ExchangeSimulator(
                .init(host: address.host, port: address.port, feed: feed),
                now: SystemSources.now
            )
        } catch {
            switch error {
            case .cannotListen(let text): throw ProgramError(.unavailable, text)
            case .badRecording(let text), .badConfiguration(let text):
                throw ProgramError(.usage, text)
            }
        }
    }
}
