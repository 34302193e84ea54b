import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL
@testable import DataSourcesSQLite

/// A kind of store that must fulfill the contract.
enum StoreSubject: String, CustomTestStringConvertible, Sendable {
    case sqlite
    case memory
    case postgresql
    /// The same, with the oldest schema that this program accepts.
    case postgresqlBefore

    var testDescription: String { rawValue }

    /// The kinds that can be tested here: a shared store needs a server.
    static var allCases: [StoreSubject] {
        TestDatabase.isAvailable
            ? [.sqlite, .memory, .postgresql]
                + (MigratedDatabase.hasOlder ? [.postgresqlBefore] : [])
            : [.sqlite, .memory]
    }
}

/// An empty store of some kind, with a user `local`.
struct StoreStand {
    let store: any UserRecordSource
    /// The same store, with permission to write market data.
    let market: any MarketStoreSource
    private let database: TestDatabase?

    /// Runs the body with its own store.
    static func with(
        _ subject: StoreSubject,
        _ body: (StoreStand) async throws -> Void
    ) async throws {
        switch subject {
        case .sqlite:
            let folder = try TemporaryFolder()
            defer { folder.clear() }
            let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
            try await body(StoreStand(store: store, market: store, database: nil))
        case .memory:
            let store = InMemoryStore()
            try await body(StoreStand(store: store, market: store, database: nil))
        case .postgresql, .postgresqlBefore:
            let age: MigratedDatabase.Age = subject == .postgresql ? .newest : .oldest
            try await SharedStand.with(users: ["local"], schema: age, connections: 2) {
                stand async throws in
                try await body(
                    StoreStand(
                        store: stand.store,
                        market: AnyFeedWriter(store: stand.store),
                        database: stand.database
                    )
                )
            }
        }
    }

    /// Writes rows into the journal of user 1, each at the time of its number.
    func fillJournal(upTo number: Int64) async throws {
        if let database {
            try await database.execute(
                """
                INSERT INTO hoga.journal (user_id, number, at, kind)
                SELECT 1, n, timestamptz 'epoch' + n * interval '1 microsecond', 'cash.put'
                FROM generate_series(1, \(number)) AS n
                """
            )
            return
        }
        guard let sqlite = store as? SQLiteStore else {
            for time in 1...number {
                _ = try await store.write(.putCash("\(time)"), user: 1, at: time)
            }
            return
        }
        // In one transaction: each on its own would wait for the disk.
        try await sqlite.open()
        let connection = try SQLiteConnection(
            path: sqlite.path,
            access: .readWrite,
            patience: .seconds(5)
        )
        try connection.run(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?1)
            INSERT INTO journal (user_id, number, at, kind, subject)
            SELECT 1, n, n, 'cash.put', NULL FROM numbers
            """,
            [.integer(number)]
        )
    }
}

/// The bytes of everything in a value; Swift treats canonically equivalent spellings as equal.
func bytes(of value: some Sendable) -> [UInt8] {
    Array(String(reflecting: value).utf8)
}

extension StoredCandlesDTO.Row {
    /// The first candle of 1970 with one price and one traded coin.
    init(allOf price: String, fetchedAt: Int64 = 1) {
        self.init(
            openTime: 0,
            open: price,
            high: price,
            low: price,
            close: price,
            volume: "1",
            fetchedAt: fetchedAt
        )
    }
}

/// Texts that are easily changed on the way into a database and back.
let difficultTexts = [
    "", " ", "\0", "a\0b", "\0\0", "호가", "👩‍👩‍👧‍👦🇰🇷", "e\u{301}", "\u{e9}", "\u{feff}x",
    "'; DROP TABLE users --",
    "\"?1 :a @b $c", "line\r\nend\t\u{1b}", "\u{10ffff}\u{fffd}", "NULL", "0012.50", "1e400",
]

/// Canonical decimals that are easily changed on the way into a database and back.
let difficultDecimals = [
    "0", "1", "-1", "10000", "9999", "0.0001", "0.00001", "0.000000000000000001", "100000000",
    "12345678.90625", "-0.5", "91000000.25", "10000.0001",
    "20000000000000000000.000000000000000001",
    "99999999999999999999.999999999999999999", "1000000000000", "0.1", "0.01", "0.001", "4000.4",
]

/// Times that every kind of store can hold, of the years 1 to 9999.
let storedTimes: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

extension StoreSubject {
    /// The code of an error, whatever its text.
    static func code(
        of body: () async throws(StoreError) -> some Any
    ) async -> StoreError.Code? {
        do throws(StoreError) {
            _ = try await body()
            return nil
        } catch {
            return error.code
        }
    }
}
