import DataSourceContracts
import Domain
import Foundation
import Synchronization
import Testing
import UseCases

@testable import App
@testable import DataSourcesSQLite

@Suite("A locked store does not delay the start of a command", .tags(.threads))
struct StoreSessionTests {
    private struct NoLog: Log {
        func write(_ level: LogLevel, _ message: String) {}
    }

    @Test("the last kind of feed is read without blocking the store")
    func expecting() async throws {
        let folder = NSTemporaryDirectory() + "hoga-session-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/hoga.sqlite"
        let made = SQLiteStore(path: path) { 1 }
        try await made.savePrices(
            [StoredPriceDTO(market: "BTC_KRW", price: "1", at: 1, tradeValue24h: nil)],
            feed: "simulated"
        )
        await made.close()
        let configuration = try ConfigurationSources(
            flags: [.restURL: "http://127.0.0.1:9"],
            environment: [:],
            file: nil
        )
        .resolve()
        let exchange = try ExchangeEndpoint.make(.bithumb, configuration, standardSpeed: .maximum)
        let place = FileStore(path: path)
        let session = try StoreSession(
            place: place,
            token: nil,
            log: NoLog(),
            clock: ContinuousClock()
        )
        var other: SQLiteConnection? = try SQLiteConnection(
            path: path,
            access: .readWrite,
            patience: .zero
        )
        try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let hasty = await session.expecting(exchange, within: .milliseconds(100))
        #expect(hasty.expectedKind == .live)
        try other?.execute("COMMIT")
        other = nil
        // A call that had failed would be remembered for a second.
        #expect(try await place.store.record(of: 1).name == "local")
        let patient = await session.expecting(exchange, within: .seconds(600))
        #expect(patient.expectedKind == .simulated)
    }

    @Test("a session that nothing keeps is freed, with the state of its user")
    func release() throws {
        weak var state: UserStatePublisher?
        do {
            let session = try StoreSession(
                place: FileStore(path: "/nowhere/hoga.sqlite"),
                token: nil,
                log: NoLog(),
                clock: ContinuousClock()
            )
            state = session.user.state
            #expect(state != nil)
        }
        #expect(state == nil)
    }

    private final class KeptLog: Log {
        private let lines = Mutex<[String]>([])
        var warnings: [String] { lines.withLock(\.self) }

        func write(_ level: LogLevel, _ message: String) {
            if level == .warning { lines.withLock { $0.append(message) } }
        }
    }

    @Test("an unused token causes one warning and is never shown", arguments: [false, true])
    func unusedToken(hasDatabase: Bool) throws {
        let token = "hoga_" + String(repeating: "A", count: 43)
        for (isGiven, store) in [(true, "none"), (true, "/nowhere/hoga.sqlite"), (false, "none")] {
            var environment: [String: String] = [:]
            if isGiven { environment["HOGA_TOKEN"] = token }
            if hasDatabase {
                environment["HOGA_DATABASE_URL"] = "postgresql://hoga@127.0.0.1:9/hoga"
            } else {
                environment["HOGA_STORE"] = store
            }
            let log = KeptLog()
            let program = Program(
                environment: environment,
                configuration: try ConfigurationSources(
                    flags: [:],
                    environment: environment,
                    file: nil
                )
                .resolve(),
                isTerminal: false,
                log: log
            )
            // Without a token there is nothing in a database.
            if isGiven || !hasDatabase { _ = try program.storeSession() }
            let expected = isGiven && !hasDatabase ? 1 : 0
            #expect(log.warnings.count == expected)
            #expect(log.warnings.allSatisfy { $0.contains("HOGA_TOKEN is unused") })
            #expect(!log.warnings.contains { $0.contains(token) })
        }
    }
}
