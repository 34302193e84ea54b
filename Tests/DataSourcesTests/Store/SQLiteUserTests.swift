import DataSourceContracts
import Migrations
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("The SQLite store has one user, whose tokens are stored as hashes")
struct SQLiteUserTests {
    private static func token(_ byte: UInt8, expiresAt: Int64? = nil) -> NewTokenDTO {
        NewTokenDTO(
            sha256: Array(repeating: byte, count: 32),
            scope: "write",
            madeAt: 5,
            expiresAt: expiresAt
        )
    }

    @Test("a new file has one user; users cannot be added, removed, disabled or enabled")
    func onePerson() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 7 }
        #expect(
            try await store.users()
                == [UserDTO(number: 1, name: "local", addedAt: 7, isDisabled: false)]
        )
        for call in 0..<4 {
            let code = await StoreSubject.code { () async throws(StoreError) in
                switch call {
                case 0: _ = try await store.addUser(name: "kim", at: 1)
                case 1: try await store.removeUser(name: "local")
                case 2: try await store.setUser(name: "local", isDisabled: true)
                default: try await store.setUser(name: "local", isDisabled: false)
                }
            }
            #expect(code == .refused)
        }
        #expect(try await store.users().count == 1)
    }

    @Test("the use of a token is recorded once a minute, also after the clock was set back")
    func use() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 7 }
        _ = try await store.addToken(Self.token(3), of: "local", limit: 1)
        for (at, noted) in [
            (100, 100), (60_000_099, 100), (60_000_100, 60_000_100), (50, 50), (51, 50),
        ] as [(Int64, Int64)] {
            let grant = try await store.grant(
                sha256: Array(repeating: 3, count: 32),
                at: at
            )
            #expect(grant?.user == 1 && grant?.name == "local" && grant?.scope == "write")
            #expect(try await store.tokens(of: "local").map(\.usedAt) == [noted])
        }
    }

    @Test("a token is valid while the store cannot be written")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let made = SQLiteStore(path: path) { 7 }
        _ = try await made.addToken(Self.token(3), of: "local", limit: 1)
        // Another connection holds the write lock.
        let other = try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
        try other.execute("BEGIN IMMEDIATE")
        let store = SQLiteStore(path: path) { 8 }
        #expect(try await store.grant(sha256: Array(repeating: 3, count: 32), at: 9) != nil)
        try other.execute("ROLLBACK")
        #expect(try await store.tokens(of: "local").map(\.usedAt) == [nil])
    }

    @Test("an older program goes on to add, list and revoke tokens beside one that has notes")
    func olderBeside() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var settings = SQLiteStoreSettings()
        settings.steps = Array(Migration.sqlite.prefix(4))
        let old = SQLiteStore(path: path, settings: settings) { 11 }
        try await old.open()
        let new = SQLiteStore(path: path) { 12 }
        var noted = Self.token(1)
        noted.note = "노트북"
        _ = try await new.addToken(noted, of: "local", limit: 9)
        // The statement of 0.1.0.
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero).execute(
            """
            INSERT INTO api_tokens (user_id, token_sha256, scope, made_at, expires_at)
            VALUES (1, '\(String(repeating: "02", count: 32))', 'read', 13, NULL)
            """
        )
        #expect(try await old.grant(sha256: Array(repeating: 2, count: 32), at: 14) != nil)
        try await old.revokeToken(number: 1, at: 15)
        let tokens = try await new.tokens(of: "local")
        #expect(tokens.map(\.note) == ["노트북", nil])
        #expect(tokens.map(\.revokedAt) == [15, nil])
    }

    @Test("a file from before tokens keeps the time at which its user was added")
    func older() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var settings = SQLiteStoreSettings()
        settings.steps = Array(Migration.sqlite.prefix(3))
        let old = SQLiteStore(path: path, settings: settings) { 11 }
        try await old.open()
        try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
            .execute("INSERT INTO cash (user_id, amount) VALUES (1, '5')")
        await old.close()
        let new = SQLiteStore(path: path) { 99 }
        #expect(try await new.users().map(\.addedAt) == [11])
        #expect(try await new.export(name: "local").personal.cash == "5")
        #expect(try folder.names.contains("hoga.sqlite.before-0004"))
        // The older program can still write the migrated file.
        #expect(try await old.write(.putCash("6"), user: 1, at: 13).cash == "6")
    }
}
