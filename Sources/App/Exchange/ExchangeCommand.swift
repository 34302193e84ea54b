import ExchangeSimulator

/// `hoga exchange simulate` and `hoga exchange replay`: an exchange for other programs.
struct ExchangeCommand: Sendable {
    let program: Program
    let server: ExchangeSimulator

    func run() async {
        program.log.write(
            .info,
            "exchange rest=\(server.restURL) stream=\(server.streamURL)"
        )
        await Lifecycle.run(services: [server.run]) {
            await Lifecycle.termination()
        }
        program.log.write(.info, "ended")
    }
}
