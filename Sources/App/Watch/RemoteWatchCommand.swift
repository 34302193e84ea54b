import DataSourceContracts
import Domain
import UseCases
import ViewStates
import PresentationTerminal
import Repositories

/// `hoga watch --server`: the same screens from another hoga, or what they would show as text.
struct RemoteWatchCommand: Sendable {
    /// How long the first picture waits for the language that the user has kept.
    static let settingsLimit: Duration = .milliseconds(500)
    /// How long the end of the program waits for changes on their way.
    static let endLimit: Duration = .seconds(5)

    let program: Program
    let server: RemoteServer
    /// Whether screens are opened, or what is printed.
    let plan: WatchOptions

    func run() async throws(ProgramError) {
        let error: ProgramError? = await Lifecycle.run(services: [server.run]) {
            do throws(ProgramError) {
                if let form = plan.form {
                    try await RemoteWatchPrinter(
                        plan: plan,
                        language: program.configuration.printedLanguage,
                        characters: program.configuration.terminal.characters,
                        server: server
                    ).run(form)
                } else {
                    try await watch()
                }
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    private func watch() async throws(ProgramError) {
        let log = program.log
        let screens = RemoteDocuments(server.service, server.sources) { line in
            RemoteLog.write(line, to: log)
        }
        let repository: any UserRepository =
            server.service.token == nil
            ? MissingTokenRepository() : RemoteUserRepository(server.service, server.sources)
        let keeping = RemoteUserState(repository, clock: server.sources.clock)
        let error: ProgramError? = await Lifecycle.run(services: [screens.run, keeping.run]) {
            do throws(ProgramError) {
                try await Lifecycle.run(
                    beside: server.check,
                    job: { () async throws(ProgramError) in try await show(screens, keeping) }
                )
                return nil
            } catch {
                return error
            }
        }
        if let loss = await Self.end(keeping) {
            Console.note("hoga: \(loss)")
            log.write(.error, loss)
        }
        if let error { throw error }
    }

    private func show(
        _ screens: RemoteDocuments,
        _ keeping: RemoteUserState
    ) async throws(ProgramError) {
        await waitUntilRead(keeping)
        let names = EmbeddedCoinNames().names()
        try await program.showScreens(
            of: RemoteScreenModel(screens: screens, keeping: keeping, names: names)
        ) { wake in
            screens.news.onChange(wake)
            keeping.latest.onChange(wake)
        }
    }

    /// Waits for what is kept, if the service tells it in time.
    private func waitUntilRead(_ keeping: RemoteUserState) async {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: Self.settingsLimit)
        while keeping.latest.value.status == .opening, clock.now < deadline, !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(5))
        }
    }

    /// Has made what waits, but waits for nobody for ever.
    private static func end(_ keeping: RemoteUserState) async -> String? {
        await withTaskGroup { group in
            group.addTask { await keeping.end() }
            group.addTask {
                try? await ContinuousClock().sleep(for: endLimit)
                return "the server does not answer: changes may not be kept"
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// Says in the log how the connection to a service stands.
enum RemoteLog {
    /// Writes a change.
    static func write(_ line: ReadingPlan.Line, to log: any Log) {
        switch line {
        case .connecting: log.write(.info, "server connecting")
        case .live: log.write(.info, "server live")
        case .lost(let failure, let attempt, _):
            log.write(
                .warning,
                "server lost code=\(failure.code.rawValue) attempt=\(attempt): \(failure.detail)"
            )
        }
    }
}
