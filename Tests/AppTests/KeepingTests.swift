import DataSources
import Domain
import Foundation
import Testing

@testable import App
@testable import DataSourcesSQLite

@Suite("A store that another program holds keeps no command from starting")
struct KeepingTests {
    private struct NoLog: Log {
        func write(_ level: LogLevel, _ message: String) {}
    }

    @Test("What an address last served is asked without making the store itself wait")
    func expecting() async throws {
        let folder = NSTemporaryDirectory() + "hoga-keeping-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/hoga.sqlite"
        let made = SQLiteStore(path: path) { 1 }
        try await made.keepCloses(
            [CloseDTO(market: "BTC_KRW", price: "1", at: 1, tradeValue24h: nil)],
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
        let place = StorePlace.file(StorePlace.store(at: path))
        let keeping = try Keeping(place: place, token: nil, log: NoLog(), clock: ContinuousClock())
        var other: SQLiteConnection? = try SQLiteConnection(
            path: path,
            access: .readWrite,
            patience: .zero
        )
        try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(await keeping.expecting(exchange).expectedKind == .live)
        try other?.execute("COMMIT")
        other = nil
        // A call that had failed would be remembered for a second.
        guard case .file(let store) = place else { return }
        #expect(try await store.personal(user: 1).name == "local")
        #expect(await keeping.expecting(exchange).expectedKind == .simulated)
    }
}
