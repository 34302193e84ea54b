@testable import App
import DataSourceContracts
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
    ///   - exchange: the flags that name another exchange.
    /// - Throws: what Foundation says when it cannot be started, or that it ended.
    init(port: UInt16, folder: String, rate: Int = 50, exchange: [String]? = nil) throws {
        let simulated = [
            "--exchange", "simulated", "--rate", "\(rate)", "--book-rate", "\(rate)",
        ]
        program = try .hoga(
            ["serve"] + (exchange ?? simulated)
                + ["--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0"],
            environment: ["XDG_DATA_HOME": folder]
        )
        try program.text(with: "admin http://")
    }

    deinit { stop() }

    /// Holds it still, so that whoever asks waits for an answer, or lets it go on.
    func setHeld(_ isHeld: Bool) {
        program.signal(isHeld ? SIGSTOP : SIGCONT)
    }

    /// Ends it, with a goodbye or without.
    func stop(kills: Bool = false) {
        program.end(by: kills ? SIGKILL : SIGTERM)
    }
}

/// A remote terminal without its device: the model that `hoga watch --server` draws from.
struct RemoteRig: Sendable {
    let server: RemoteServer
    let screens: RemoteDocuments
    let keeping: RemoteUserState
    let model: RemoteScreenModel

    /// How long something may take on a busy machine.
    static let patience: Duration = .seconds(120)

    /// Wires a terminal.
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
        server = try RemoteServer(program, [:])
        screens = RemoteDocuments(server.service, server.sources) { _ in }
        keeping = RemoteUserState(
            token == nil
                ? MissingTokenRepository() : RemoteUserRepository(server.service, server.sources),
            clock: ContinuousClock()
        )
        model = RemoteScreenModel(
            screens: screens,
            keeping: keeping,
            names: EmbeddedCoinNames().names()
        )
    }

    /// Does something while the terminal reads.
    func running<Success: Sendable>(
        _ body: @escaping @Sendable (RemoteRig) async throws -> Success
    ) async throws -> Success {
        async let _: Void = server.run()
        async let _: Void = screens.run()
        async let _: Void = keeping.run()
        return try await body(self)
    }

    /// Looks again and again until there is something to be seen.
    func until<Value: Sendable>(
        _ words: String,
        _ look: () async throws -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while ContinuousClock.now < deadline {
            if let value = try await look() { return value }
            try await Task.sleep(for: .milliseconds(5))
        }
        let value = try await look()
        return try #require(value, "\(words)")
    }

    /// A document as anybody fetches it.
    func get<State: DocumentState>(
        _ type: Document<State>.Type,
        _ target: RemoteTarget
    ) async throws -> Document<State> {
        var target = target
        target.path = target.isPersonal ? "/v1/me/portfolio" : target.path
        // Whose address says which document it is.
        target.parameters.removeAll { $0.name == "documents" }
        let response = try await server.service.send(server.service.request(target))
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    /// What is kept, as the service tells it.
    func kept<State: DocumentState>(
        _ type: State.Type,
        _ path: String
    ) async throws -> State {
        let target = RemoteTarget(path: path, isPersonal: true)
        let response = try await server.service.send(server.service.request(target))
        return try JSONDecoder().decode(StoredDocument<State>.self, from: Data(response.body)).state
    }

    /// A token of the one person of a store.
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
