@testable import App
import DataSourceContracts
import DataSourcesRemote
import Domain
import Foundation
import PresentationTerminal
import Repositories
import TestSupport
import Testing
import ViewStates

/// A `hoga serve` of a simulated exchange on a port that a test chose, with a store of its own.
final class RemoteRigService: Sendable {
    private let program: RunningProgram

    /// Starts a service and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: where it listens.
    ///   - folder: where its store is.
    ///   - rate: frames of the simulated exchange in a second.
    ///   - wonMarkets: its won markets, besides 13 bitcoin markets.
    ///   - exchange: the flags that name another exchange.
    /// - Throws: an error if the program cannot be started or has ended.
    init(
        port: UInt16,
        folder: String,
        rate: Int = 50,
        wonMarkets: Int = 480,
        exchange: [String]? = nil
    ) throws {
        let simulated = [
            "--exchange", "simulated", "--rate", "\(rate)", "--book-rate", "\(rate)",
            "--krw-markets", "\(wonMarkets)", "--btc-markets", "13",
        ]
        program = try .hoga(
            ["serve"] + (exchange ?? simulated)
                + ["--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0"]
                // A test asks until something holds, on slow machines for long.
                + ["--requests-per-client", "1000000"],
            environment: ["XDG_DATA_HOME": folder]
        )
        try program.text(with: "admin http://")
    }

    deinit { stop() }

    /// Suspends the process, so that requests wait, or continues it.
    func setHeld(_ isHeld: Bool) {
        program.signal(isHeld ? SIGSTOP : SIGCONT)
    }

    /// Ends it by SIGTERM or SIGKILL.
    func stop(kills: Bool = false) {
        program.end(by: kills ? SIGKILL : SIGTERM)
    }
}

/// The screen model of `hoga watch --server`, without a terminal.
struct RemoteRig: Sendable {
    let server: RemoteServer
    let screens: RemoteDocuments
    let session: RemoteUserState
    let model: RemoteScreenModel

    /// Creates the model of a terminal.
    init(port: UInt16, token: String?, language: Language = .korean) throws {
        let configuration = try ConfigurationSources(
            flags: [.server: "http://127.0.0.1:\(port)"],
            environment: token.map { ["HOGA_TOKEN": $0] } ?? [:],
            file: nil
        ).resolve()
        let program = Program(
            environment: [:],
            configuration: configuration,
            isTerminal: false,
            log: SilentLog()
        )
        server = try #require(try RemoteServer(program, [:]))
        screens = RemoteDocuments(server.client, server.environment) { _ in }
        session = RemoteUserState(
            token == nil
                ? nil : RemoteUserRepository(server.client, server.environment),
            clock: ContinuousClock()
        )
        model = RemoteScreenModel(
            screens: screens,
            session: session,
            names: EmbeddedCoinNames().names(),
            files: ScreenFiles(folder: "/nowhere")
        )
    }

    /// Runs a body while the model reads from the service.
    func running<Success: Sendable>(
        _ body: @escaping @Sendable (RemoteRig) async throws -> Success
    ) async throws -> Success {
        async let _: Void = server.run()
        async let _: Void = screens.run()
        async let _: Void = session.run()
        return try await body(self)
    }

    /// Asks for a value until there is one.
    func until<Value: Sendable>(
        _ expected: String,
        _ look: () async throws -> Value?
    ) async throws -> Value {
        do {
            return try await eventually(look)
        } catch is CancellationError {
            throw TerminalFailure(description: "never: \(expected)")
        }
    }

    /// Fetches a document.
    func get<State: DocumentState>(
        _ type: Document<State>.Type,
        _ target: RemoteTarget
    ) async throws -> Document<State> {
        var target = target
        target.path = target.isPersonal ? "/v1/me/portfolio" : target.path
        // The path selects the document.
        target.parameters.removeAll { $0.name == "documents" }
        let response = try await server.client.send(server.client.request(target))
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    /// Fetches a stored document of the user.
    func kept<State: DocumentState>(
        _ type: State.Type,
        _ path: String
    ) async throws -> State {
        let target = RemoteTarget(path: path, isPersonal: true)
        let response = try await server.client.send(server.client.request(target))
        return try JSONDecoder().decode(StoredDocument<State>.self, from: Data(response.body)).state
    }

    /// A token of the only user of a file store.
    static func token(folder: String, scope: String = "write") throws -> String {
        let outcome = try HogaProcess.run(
            ["user", "token", "new", "local", "--scope", scope],
            environment: ["XDG_DATA_HOME": folder]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A folder for a store.
    static func folder() -> String {
        NSTemporaryDirectory() + "hoga-remote-\(UUID().uuidString)"
    }
}

extension RemoteScreenModel {
    /// In Korean.
    func order(for state: MarketListScreenState) -> [MarketID] {
        order(for: state, language: .korean)
    }

    /// In Korean.
    func document(for state: MarketListScreenState) -> MarketListDocument {
        document(for: state, language: .korean)
    }
}
