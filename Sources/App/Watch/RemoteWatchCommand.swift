import Concurrency
import DataSourceContracts
import DataSourcesRemote
import Domain
import UseCases
import ViewStates
import PresentationTerminal
import Repositories

/// `hoga watch --server`: the screens or printed data of another hoga server.
struct RemoteWatchCommand: Sendable {
    /// The time limit of the first frame's wait for the user's saved language.
    static let settingsLimit: Duration = .milliseconds(500)
    /// The time limit for unsaved changes at the end of the program.
    static let endLimit: Duration = .seconds(5)

    let program: Program
    let server: RemoteServer
    /// The screens or the printed data.
    let plan: WatchOptions

    func run() async throws(ProgramError) {
        try await Lifecycle.attempt(services: [server.run]) { () async throws(ProgramError) in
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
        }
    }

    private func watch() async throws(ProgramError) {
        let log = program.log
        let screens = RemoteDocuments(server.client, server.environment) { connection in
            RemoteLog.write(connection, to: log)
        }
        let repository =
            server.client.token == nil
            ? nil : RemoteUserRepository(server.client, server.environment)
        let session = RemoteUserState(repository, clock: server.environment.clock)
        let alerts = program.alertCommandRunner(for: session.user.state)
        let services: [@Sendable () async -> Void] =
            [screens.run, session.run] + (alerts.map { [$0.run] } ?? [])
        let error = await Lifecycle.outcome(services: services) { () async throws(ProgramError) in
            try await Lifecycle.run(
                beside: server.check,
                job: { () async throws(ProgramError) in try await show(screens, session) }
            )
        }
        if let loss = await Self.end(session) {
            Console.note("hoga: \(loss)")
            log.write(.error, loss)
        }
        if let error { throw error }
    }

    private func show(
        _ screens: RemoteDocuments,
        _ session: RemoteUserState
    ) async throws(ProgramError) {
        await waitUntilRead(session)
        let names = EmbeddedCoinNames().names()
        try await program.showScreens(
            of: RemoteScreenModel(
                screens: screens,
                session: session,
                names: names,
                files: program.screenFiles
            ),
            at: plan.opening
        ) { wake in
            screens.changes.onChange(wake)
            session.user.state.onChange(wake)
        }
    }

    /// Waits for the user's record within a limit.
    private func waitUntilRead(_ session: RemoteUserState) async {
        await session.user.state.first(within: Self.settingsLimit, clock: ContinuousClock()) {
            $0.status != .opening
        }
    }

    /// Saves waiting changes within a limit and returns a message about unsaved ones.
    private static func end(_ session: RemoteUserState) async -> String? {
        let answer = await withTimeout(endLimit, clock: ContinuousClock()) { await session.end() }
        return answer ?? "the server does not answer; changes may be lost"
    }
}

/// Log lines about the connection to a server.
enum RemoteLog {
    /// Writes a change of the connection.
    static func write(_ connection: EventStreamClientState.Connection, to log: any Log) {
        switch connection {
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
