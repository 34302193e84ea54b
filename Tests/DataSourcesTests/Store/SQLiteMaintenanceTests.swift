import DataSourceContracts
import Foundation
import Migrations
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("A store can be copied and checked while others write")
struct SQLiteMaintenanceTests {
    @Test("each copy has every change acknowledged before it")
    func backupWhileWriting() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        // One thread at a time reads from it: the test waits for each.
        nonisolated(unsafe) let writer = try StoreWriterProcess.start(["write", path, "W"])
        for number in 0..<10 {
            let line = try await onBlockingThread {
                var line = ""
                repeat { line = try unsafe writer.readLine() } while !line.hasPrefix("holding ")
                return line
            }
            let acknowledged = try #require(Int64(line.dropFirst("holding ".count)))
            let copyPath = "\(folder.path)/copy-\(number)"
            let byteCount = try await SQLiteStore(path: path, now: { 1 }).backup(to: copyPath)
            #expect(byteCount == StoreFile(path: copyPath).byteCount)
            let copy = SQLiteStore(path: copyPath) { 1 }
            #expect(try await copy.check().problems == [])
            let holding = try #require(try await copy.record(of: 1).holdings.first)
            #expect(try #require(Int64(holding.quantity)) >= acknowledged)
            await copy.close()
        }
        _ = unsafe writer.killAtOnce()
        let names = try folder.names.filter { !$0.hasPrefix("hoga.sqlite") }
        #expect(names == (0..<10).map { "copy-\($0)" })
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/copy-0")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test("a copy never replaces a file, and needs a store and a folder")
    func backupRefusals() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        let code = { (target: String) async -> StoreError.Code? in
            await StoreSubject.code { () throws(StoreError) in
                try await store.backup(to: "\(folder.path)/\(target)")
            }
        }
        #expect(await code("copy") == .unavailable)
        try await store.open()
        let old = Data("mine".utf8)
        try old.write(to: URL(filePath: "\(folder.path)/mine"))
        #expect(await code("mine") == .unavailable)
        #expect(await code("hoga.sqlite") == .unavailable)
        #expect(await code("nowhere/copy") == .unavailable)
        #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/mine")) == old)
        #expect(try folder.names == ["hoga.sqlite", "hoga.sqlite-shm", "hoga.sqlite-wal", "mine"])
    }

    @Test("a check reports the contents")
    func check() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
        let missing = await StoreSubject.code { () throws(StoreError) in try await store.check() }
        #expect(missing == .unavailable)
        _ = try await store.write(.replaceFavorites(["A", "B"], expecting: nil), user: 1, at: 1)
        let minute: Int64 = 60_000_000
        let series = CandleSeriesDTO(feed: "live", market: "A_KRW", interval: "3m")
        let rows = [0, 3, 12, 15, 21].map { number in
            StoredCandlesDTO.Row(
                openTime: number * minute,
                open: "1",
                high: "1",
                low: "1",
                close: "1",
                volume: "1",
                fetchedAt: 1
            )
        }
        // Minutes 9 to 12 are unknown; from 18 to 21 there was no trade.
        let spans = [
            StoredCandlesDTO.Span(from: 0, to: 9 * minute),
            StoredCandlesDTO.Span(from: 15 * minute, to: 24 * minute),
        ]
        try await store.saveCandles(.init(series: series, rows: rows, spans: spans))
        let check = try await store.check()
        #expect(check.isSound)
        #expect(check.migrations.count == Migration.sqlite.count)
        let counts = check.tables.filter { $0.rows > 0 }.map { "\($0.name) \($0.rows)" }
        let expected = ["users 1", "favorites 2", "journal 1", "candles 5", "candle_spans 2"]
        #expect(counts == expected)
        #expect(check.tables.count == 19)
        #expect(
            check.series == [
                StoreCheck.Series(
                    series: series,
                    candles: 5,
                    oldest: 0,
                    newest: 21 * minute,
                    gapCount: 1,
                    gaps: [.init(from: 9 * minute, to: 12 * minute)]
                )
            ]
        )
        #expect(check.size.total > 0)
    }

    @Test("rows with violated foreign keys are found")
    func orphans() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        try await store.open()
        let connection = try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
        try connection.execute(
            "PRAGMA foreign_keys = OFF; INSERT INTO cash (user_id, amount) VALUES (8, '1')"
        )
        let problems = try await store.check().problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("cash") == true)
    }

    @Test(
        "missing tables, columns and required rows are reported",
        arguments: [
            ("DROP TABLE favorites", "table favorites"), ("DROP TABLE changes", "table changes"),
            ("DROP TABLE readings", "table readings"), ("DROP TABLE candles", "table candles"),
            ("DROP TABLE candle_spans", "table candle_spans"),
            ("ALTER TABLE holdings DROP COLUMN average_price", "column average_price"),
            ("DELETE FROM changes", "table changes"), ("DELETE FROM users", "table users"),
        ]
    )
    func losses(sql: String, name: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        try await store.open()
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero).execute(sql)
        let problems = try await store.check().problems
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains(name) == true, "\(problems)")
        #expect(problems.first?.hasSuffix("is missing") == true, "\(problems)")
    }

    @Test("a migration with a lost record is reported, and not applied again", arguments: 0...3)
    func lostRecord(number: Int) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await SQLiteStore(path: path, now: { 1 }).open()
        // 0 stands for all.
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
            .execute("DELETE FROM schema_migrations WHERE number = \(number) OR \(number) = 0")
        let store = SQLiteStore(path: path) { 1 }
        let name = Migration.sqlite[max(0, number - 1)].name
        let problems = try await store.check().problems
        #expect(problems.contains { $0.contains("migration \(name) is ") }, "\(problems)")
        for call in 0..<3 {
            do throws(StoreError) {
                switch call {
                case 0: _ = try await store.verifyMigrations()
                case 1: _ = try await store.migrate()
                default: _ = try await store.record(of: 1)
                }
                Issue.record("call \(call) found nothing")
            } catch {
                #expect(error.code == .incompatible)
                #expect(error.detail.contains("migration \(name) is "), "\(error.detail)")
            }
        }
    }

    @Test("a store without its migration table is named as such")
    func lostTable() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await SQLiteStore(path: path, now: { 1 }).open()
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
            .execute("DROP TABLE schema_migrations")
        do throws(StoreError) {
            _ = try await SQLiteStore(path: path, now: { 1 }).check()
            Issue.record("nothing was found")
        } catch {
            #expect(error.code == .incompatible)
            #expect(error.detail.contains("schema_migrations is missing"))
        }
    }

    @Test("an older schema is checked unchanged")
    func olderSchema() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var settings = SQLiteStoreSettings()
        settings.steps = Array(Migration.sqlite.prefix(1))
        try await SQLiteStore(path: path, settings: settings, now: { 1 }).open()
        let check = try await SQLiteStore(path: path, now: { 1 }).check()
        #expect(check.isSound)
        let pending = Migration.sqlite.dropFirst().map { _ in StoreMigration.State.pending }
        #expect(check.migrations.map(\.state) == [.applied] + pending)
        #expect(check.series == [])
    }
}

@Suite("Candle gaps are times without a candle or span")
struct CandleGapsTests {
    @Test("gaps equal a set of moments", arguments: Array(0..<200) as [UInt64])
    func naive(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let length = Int64.random(in: 1...4, using: &random)
        let opens = (0..<Int64.random(in: 0...12, using: &random))
            .map { _ in Int64.random(in: 0...15, using: &random) * length }
        let sorted = Array(Set(opens)).sorted()
        var spans: [StoredCandlesDTO.Span] = []
        var from = Int64.random(in: -9...3, using: &random)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let to = from + Int64.random(in: 1...20, using: &random)
            spans.append(.init(from: from, to: to))
            from = to + Int64.random(in: 1...20, using: &random)
        }
        let gaps = CandleGaps.gaps(opens: sorted, spans: spans, length: length)
        var missing = Set<Int64>()
        if let first = sorted.first, let last = sorted.last {
            missing = Set(first..<last)
            for open in sorted { missing.subtract(open..<open + length) }
            for span in spans { missing.subtract(span.from..<span.to) }
        }
        #expect(Set(gaps.flatMap { $0.from..<$0.to }) == missing)
        #expect(gaps.allSatisfy { $0.from < $0.to })
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.to < $1.from })
    }

    @Test(
        "an interval is a number of minutes or hours",
        arguments: [
            ("1m", 60), ("30m", 1_800), ("1h", 3_600), ("24h", 86_400), ("1mo", nil), ("", nil),
            ("m", nil), ("0m", nil), ("-1m", nil), ("9223372036854775807h", nil), ("1w", nil),
        ] as [(String, Int64?)]
    )
    func lengths(text: String, seconds: Int64?) {
        #expect(CandleGaps.length(of: text) == seconds.map { $0 * 1_000_000 })
    }
}
