import DataSourceContracts
import Foundation
import Migrations
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("A file with another schema is migrated, or refused with the reason")
struct SQLiteMigrationTests {
    /// The program's migrations, to which tests add newer ones.
    private static let steps = Migration.sqlite
    private static let newest = steps.count
    private static let next = step(1, "next", "ALTER TABLE cash ADD COLUMN note TEXT")

    /// A migration after the program's; the second one needs programs that know the first.
    private static func step(_ place: Int, _ name: String, _ sql: String) -> Migration {
        let file = "-- runs-with: \(newest + place - 1)\n\(sql);\n"
        let number = newest + place
        return Migration(number: number, name: "000\(number)_\(name)", file: Array(file.utf8))
    }

    private static func store(
        _ path: String,
        _ steps: some Sequence<Migration>,
        at time: Int64 = 1
    ) -> SQLiteStore {
        var settings = SQLiteStoreSettings()
        settings.steps = Array(steps)
        return SQLiteStore(path: path, settings: settings) { time }
    }

    private static func error(
        of body: () async throws(StoreError) -> some Any
    ) async -> StoreError? {
        do throws(StoreError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Older files

    @Test("a file of each earlier schema keeps its data", arguments: 1...Migration.sqlite.count)
    func earlier(count: Int) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
        let row = StoredCandlesDTO.Row(
            openTime: 60_000_000,
            open: "1",
            high: "4",
            low: "0.5",
            close: "3",
            volume: "9",
            fetchedAt: 8
        )
        let span = StoredCandlesDTO.Span(from: 0, to: 120_000_000)
        let candles = StoredCandlesDTO(series: series, rows: [row], spans: [span])
        let names = StoredNamesDTO(
            rows: [.init(symbol: "BTC", korean: "비트코인", english: "Bitcoin")],
            readAt: 5
        )

        let old = Self.store(path, Self.steps.prefix(count), at: 11)
        try await old.open()
        let record = try Self.fill(path)
        if count >= 2 { try await old.saveCandles(candles) }
        if count >= 3 { try await old.saveNames(names, feed: "live") }
        let journal = try await old.journal(user: 1, newest: 99)
        #expect(journal.count == 5)
        // Not closed: contents of the write-ahead log must be copied as well.

        let new = Self.store(path, Self.steps + [Self.next], at: 12)
        try await new.open()
        #expect(try await new.record(of: 1) == record)
        #expect(try await new.journal(user: 1, newest: 99) == journal)
        #expect(try await new.changeCount(of: 1) == 5)
        let kept = try await new.candles(of: series, newest: 9)
        #expect(kept == (count >= 2 ? candles : .init(series: series, rows: [], spans: [])))
        #expect(try await new.names(feed: "live") == (count >= 3 ? names : nil))
        let migrations = try await new.migrations()
        #expect(migrations.map(\.number) == Array(1...Self.newest + 1))
        #expect(migrations.allSatisfy { $0.state == .applied })
        #expect(migrations.map(\.appliedAt) == (1...Self.newest + 1).map { $0 <= count ? 11 : 12 })
        #expect(try await new.check().problems == [])

        // The copy has the complete earlier state.
        await old.close()
        await new.close()
        let copy = "hoga.sqlite.before-000\(count + 1)"
        #expect(try folder.names == ["hoga.sqlite", copy])
        let before = Self.store("\(folder.path)/\(copy)", Self.steps.prefix(count))
        #expect(try await before.migrations().count == count)
        #expect(try await before.verifyMigrations().allSatisfy { $0.state == .applied })
        await before.close()
        let restored = Self.store("\(folder.path)/\(copy)", Self.steps)
        #expect(try await restored.record(of: 1) == record)
    }

    /// Writes a record into a file of any schema, as programs of the first one did.
    private static func fill(_ path: String) throws -> UserRecordDTO {
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero).execute(
            """
            INSERT INTO favorites (user_id, market, position) VALUES (1, 'BTC_KRW', 0);
            INSERT INTO settings (
                user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
            ) VALUES (
                1, 'changeRate', 'asc', 'BTC', 'favorites', 1, 'MID', '6h', 'line', '3,7,99', 17,
                'high-contrast', 'western', 'en'
            );
            INSERT INTO holdings (user_id, asset, quantity, average_price)
            VALUES (1, 'ETH', '2', '7');
            INSERT INTO cash (user_id, amount) VALUES (1, '12.5');
            UPDATE users SET
                display_name = '이름', profile_revision = 1, favorites_revision = 1,
                settings_revision = 1, holdings_revision = 1, cash_revision = 1;
            INSERT INTO journal (user_id, number, at, kind, subject) VALUES
                (1, 1, 21, 'favorite.add', 'BTC_KRW'), (1, 2, 22, 'cash.put', NULL),
                (1, 3, 23, 'settings.put', NULL), (1, 4, 24, 'holding.put', 'ETH'),
                (1, 5, 25, 'profile.put', NULL);
            UPDATE changes SET count = 5;
            """
        )
        var record = UserRecordDTO(name: "local")
        record.displayName = "이름"
        record.favorites = ["BTC_KRW"]
        record.settings = UserRecordSamples.settings
        record.settings?.marketLayout = nil
        record.holdings = [.init(asset: "ETH", quantity: "2", averagePrice: "7")]
        record.cash = "12.5"
        record.revisions.profile = 1
        record.revisions.favorites = 1
        record.revisions.settings = 1
        record.revisions.holdings = 1
        record.revisions.cash = 1
        return record
    }

    @Test("a failed migration leaves the file unchanged")
    func failing() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let old = Self.store(path, Self.steps)
        let record = try await old.write(.putCash("5"), user: 1, at: 1)
        let bad = Self.step(2, "bad", "DELETE FROM cash; ALTER TABLE nothing ADD COLUMN x TEXT")
        let new = Self.store(path, Self.steps + [Self.next, bad])
        let error = await Self.error { () throws(StoreError) in try await new.open() }
        #expect(error?.code == .incompatible)
        #expect(try await new.migrations().map(\.state).suffix(2) == [.applied, .pending])
        #expect(try await old.record(of: 1) == record)
        #expect(try folder.names.contains("hoga.sqlite.before-000\(Self.newest + 1)"))
    }

    // MARK: Refusals

    @Test("an altered migration is named")
    func altered() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await Self.store(path, Self.steps).open()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let second = Self.steps[1]
        let changed = Migration(
            number: 2,
            name: second.name,
            file: Array((second.sql + "\n").utf8)
        )
        let store = Self.store(path, [Self.steps[0], changed] + Self.steps[2...] + [Self.next])
        for call in 0..<2 {
            let error = await Self.error { () throws(StoreError) in
                switch call {
                case 0: _ = try await store.record(of: 1)
                default: _ = try await store.verifyMigrations()
                }
            }
            #expect(error?.code == .incompatible)
            #expect(error?.detail.contains(second.name) == true)
        }
        #expect(
            try await store.migrations().map(\.state) == [
                .applied, .altered, .applied, .applied, .applied, .applied, .applied, .applied,
                .pending,
            ]
        )
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test("a newer schema is used if it is compatible")
    func newer() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await Self.store(path, Self.steps + [Self.next]).open()
        // The next one is compatible with programs that know the one before.
        let older = Self.store(path, Self.steps)
        _ = try await older.write(.putCash("7"), user: 1, at: 1)
        #expect(try await older.verifyMigrations().map(\.state).last == .newer)

        let later = Self.step(2, "later", "ALTER TABLE cash ADD COLUMN more TEXT")
        try await Self.store(path, Self.steps + [Self.next, later]).open()
        let refused = Self.store(path, Self.steps)
        let error = await Self.error { () throws(StoreError) in
            try await refused.record(of: 1)
        }
        #expect(error?.code == .incompatible)
        let words =
            "created by a newer hoga (schema \(Self.newest + 2), needs program schema "
            + "\(Self.newest + 1) or newer): upgrade hoga"
        #expect(error?.detail == "\(path): \(words)")
        let nextKnown = Self.store(path, Self.steps + [Self.next])
        #expect(try await nextKnown.record(of: 1).cash == "7")
    }

    @Test("a program of the schema before changes settings and keeps a market's layout")
    func olderSettings() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = Self.store(path, Self.steps)
        var settings = UserRecordSamples.settings
        _ = try await store.write(.putSettings(settings, expecting: nil), user: 1, at: 1)
        // A part of the statement of 0.1.0.
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero).execute(
            """
            INSERT INTO settings (
                user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
            ) VALUES (1, '', '', '', '', 1, '', '', '', '', 1, 'dark', '', '')
            ON CONFLICT (user_id) DO UPDATE SET theme = excluded.theme
            """
        )
        settings.theme = "dark"
        #expect(try await store.record(of: 1).settings == settings)
        let older = Self.store(path, Self.steps.dropLast())
        #expect(try await older.verifyMigrations().map(\.state).last == .newer)
    }

    @Test("a program of the schema before changes a record and keeps alerts")
    func olderRecord() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = Self.store(path, Self.steps)
        let rule = UserRecordSamples.rule
        var expected = try await store.write(.putAlertRule(rule), user: 1, at: 1)
        expected = try await store.write(.seeAlerts(4), user: 1, at: 2)
        // Its statements for a change of cash.
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero).execute(
            """
            INSERT INTO cash (user_id, amount) VALUES (1, '5');
            UPDATE users SET
                profile_revision = profile_revision + 0,
                favorites_revision = favorites_revision + 0,
                settings_revision = settings_revision + 0,
                holdings_revision = holdings_revision + 0,
                cash_revision = cash_revision + 1
            WHERE id = 1
            """
        )
        expected.cash = "5"
        expected.revisions.cash = 1
        #expect(try await store.record(of: 1) == expected)
        #expect(try await store.changeCount(of: 1) == 3)
    }

    @Test("a running program stops writing when a newer one changes the schema")
    func changedWhileOpen() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let running = Self.store(path, Self.steps)
        let record = try await running.write(.putCash("7"), user: 1, at: 1)
        try await Self.store(path, Self.steps + [Self.next]).open()
        #expect(try await running.record(of: 1) == record)
        let later = Self.step(2, "later", "ALTER TABLE cash ADD COLUMN more TEXT")
        let newer = Self.store(path, Self.steps + [Self.next, later])
        try await newer.open()
        let error = await Self.error { () throws(StoreError) in
            try await running.write(.putCash("8"), user: 1, at: 1)
        }
        #expect(error?.code == .incompatible)
        #expect(try await newer.record(of: 1) == record)
    }

    @Test(
        "the database of another program is refused and unchanged",
        arguments: [
            "CREATE TABLE things (id INTEGER)",
            "PRAGMA application_id = 7",
            "PRAGMA journal_mode = WAL; CREATE TABLE things (id INTEGER)",
            "CREATE TABLE schema_migrations (number, name, sha256, runs_with, applied_at)",
            "PRAGMA application_id = \(MigrationTable.applicationID); CREATE TABLE users (id)",
        ]
    )
    func foreign(sql: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/other.db"
        try StoreFile(path: path).makeEmpty()
        do {
            let connection = try SQLiteConnection(
                path: path,
                access: .readWrite,
                patience: .zero
            )
            try connection.execute(sql)
        }
        let bytes = try Data(contentsOf: URL(filePath: path))
        let store = SQLiteStore(path: path) { 1 }
        for call in 0..<3 {
            let error = await Self.error { () throws(StoreError) in
                switch call {
                case 0: _ = try await store.write(.putCash("1"), user: 1, at: 1)
                case 1: _ = try await store.migrations()
                default: _ = try await store.backup(to: path + ".copy")
                }
            }
            #expect(error?.code == .incompatible)
            #expect(error?.detail.contains(path) == true)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        // Reading a WAL database needs two files beside it, which stay empty.
        #expect(try Set(folder.names).isSubset(of: ["other.db", "other.db-shm", "other.db-wal"]))
        #expect(StoreFile(path: path + "-wal").byteCount == 0)
    }

    // MARK: Looking

    @Test("inspecting a missing store does not create it; migrating does, once")
    func looking() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/a/hoga.sqlite") { 4 }
        #expect(try await store.migrations().allSatisfy { $0.state == .pending })
        #expect(try await store.verifyMigrations().count == Self.newest)
        #expect(try folder.names == [])
        let applied = try await store.migrate()
        #expect(applied.map(\.name) == Self.steps.map(\.name))
        #expect(applied.allSatisfy { $0.appliedAt == 4 })
        #expect(try await store.migrate() == [])
    }

    @Test("the migrations equal their files, are numbered without gaps, and never change")
    func shipped() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../migrations/sqlite").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        #expect(Self.steps.map { $0.name + ".sqlite.sql" } == files)
        #expect(Self.steps.map(\.number) == Array(1...files.count))
        for step in Self.steps {
            #expect(step.name.hasPrefix("000\(step.number)_"))
            #expect(step.runsWith <= step.number)
        }
        #expect(
            Self.steps.map { String($0.sha256.prefix(16)) } == [
                "6a6e06977a1a5f24", "96462a4572115ac5", "fba8d3192c18a5bb",
                "7cff159ea76fb262", "82306b95478fd0c8", "f7d8c5aa4263fece",
                "df281f1bd133065a", "f0128af544bdd3d9",
            ]
        )
    }
}
