import DataSources
import TestSupport
import Testing

@testable import DataSourcesSQLite

/// A kind of store that has to keep the promises of the contract.
enum StoreSubject: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case sqlite
    case memory

    var testDescription: String { rawValue }
}

/// An empty store of some kind, and what it lies in.
struct StoreStand {
    let store: any PersonalStoreSource & MarketStoreSource
    private let folder: TemporaryFolder?

    init(_ subject: StoreSubject) throws {
        switch subject {
        case .sqlite:
            let folder = try TemporaryFolder()
            self.folder = folder
            store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
        case .memory:
            folder = nil
            store = InMemoryStore()
        }
    }

    /// Writes so many rows into the journal of user 1, each at the time of its number.
    func fillJournal(upTo number: Int64) async throws {
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

    /// Removes what is on the disk.
    func clear() { folder?.clear() }
}

/// The bytes of everything in a value: Swift alone takes two spellings of one letter for equal.
func bytes(of value: some Sendable) -> [UInt8] {
    Array(String(reflecting: value).utf8)
}

/// Texts that are easily lost on the way into a database and back.
let difficultTexts = [
    "", " ", "\0", "a\0b", "\0\0", "호가", "👩‍👩‍👧‍👦🇰🇷", "e\u{301}", "\u{e9}", "\u{feff}x",
    "'; DROP TABLE users --",
    "\"?1 :a @b $c", "line\r\nend\t\u{1b}", "\u{10ffff}\u{fffd}", "NULL", "0012.50", "1e400",
]

extension StoreSubject {
    /// What an error of the contract is, whatever its words.
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
