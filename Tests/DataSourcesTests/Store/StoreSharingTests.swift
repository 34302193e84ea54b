import DataSourceContracts
import DataSourcesSQLite
import Foundation
import TestSupport
import Testing

@Suite("Processes share one file", .tags(.threads))
struct StoreSharingTests {
    /// The duration of the writes; `HOGA_STORE_SECONDS=60` for a thorough run.
    private static let seconds = ProcessInfo.processInfo.environment["HOGA_STORE_SECONDS"] ?? "3"

    @Test("two processes write, open and close concurrently without errors or lost changes")
    func twoWriters() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let names = ["LEFT", "RIGHT"]
        let results = try await withThrowingTaskGroup(of: [String].self) { group in
            for name in names {
                group.addTask {
                    try await StoreWriterProcess.run(["share", path, name, Self.seconds])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for lines in results {
            #expect(lines.count == 1 && lines[0].hasPrefix("done "), "\(lines)")
        }
        let store = SQLiteStore(path: path) { 1 }
        let record = try await store.record(of: 1)
        #expect(record.holdings.map(\.asset) == names)
        for holding in record.holdings {
            let rounds = try #require(Int64(holding.quantity))
            let own = record.favorites.filter { $0.hasPrefix(holding.asset) }
            let kept = (max(1, rounds - 19)...rounds).map { "\(holding.asset)_\($0)" }
            #expect(own == kept)
            let series = CandleSeriesDTO(feed: "live", market: holding.asset, interval: "1m")
            let candles = try await store.candles(of: series, newest: .max)
            #expect(candles.rows.count == Int(rounds) + 1)
            #expect(candles.spans == [.init(from: 0, to: (rounds + 1) * 60_000_000)])
        }
        // Every change of both was counted.
        let revisions = record.revisions
        #expect(try await store.changeCount(of: 1) == revisions.favorites + revisions.holdings)
        #expect(try await store.check().problems == [])
    }

    @Test("many processes create the same missing file at once")
    func manyBegin() async throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            defer { folder.clear() }
            let path = "\(folder.path)/new/hoga.sqlite"
            let names = (0..<6).map { "N\($0)" }
            try await withThrowingTaskGroup { group in
                for name in names {
                    group.addTask {
                        let store = SQLiteStore(path: path) { 1 }
                        _ = try await store.write(.addFavorite(name, limit: 9), user: 1, at: 1)
                    }
                }
                try await group.waitForAll()
            }
            let store = SQLiteStore(path: path) { 1 }
            #expect(try await Set(store.record(of: 1).favorites) == Set(names))
            #expect(try await store.migrations().allSatisfy { $0.state == .applied })
        }
    }
}
