import ExchangeSimulator

extension Command {
    static let exchangeSimulate = Command(
        "exchange simulate",
        "Run a simulated exchange server with seeded markets",
        settings: [
            .listen, .simulatorSeed, .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate,
            .simulatorBookRate,
        ],
        action: .run { _, program throws(ProgramError) in
            let configuration = program.configuration
            await ExchangeCommand(
                program: program,
                server: try ExchangeServers.simulated(configuration, at: configuration.listen)
            ).run()
        }
    )

    static let exchangeReplay = Command(
        "exchange replay",
        "Run an exchange server that replays a recording",
        operands: [CommandOperand("PATH", "a recording: a .jsonl file or a folder", .path())],
        settings: [.listen, .replaySpeed],
        action: .run { invocation, program throws(ProgramError) in
            let configuration = program.configuration
            await ExchangeCommand(
                program: program,
                server: try ExchangeServers.replay(
                    invocation.required(0),
                    speed: configuration.replaySpeed,
                    at: configuration.listen
                )
            ).run()
        }
    )
}

/// `hoga exchange simulate` and `hoga exchange replay`: an exchange server for other programs.
struct ExchangeCommand: Sendable {
    let program: Program
    let server: ExchangeSimulator

    func run() async {
        program.log.write(
            .info,
            "exchange rest=\(server.restURL) stream=\(server.streamURL)"
                + " market-stream=\(server.marketStreamURL)"
        )
        await Lifecycle.run(services: [server.run]) {
            await Lifecycle.termination()
        }
        program.log.write(.info, "ended")
    }
}
