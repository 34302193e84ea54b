import DataSourceContracts
import DataSourcesSQLite
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

/// A kind of store with user accounts and tokens.
enum UserStoreSubject: String, CustomTestStringConvertible, Sendable {
    case sqlite
    case memory
    case postgresql

    var testDescription: String { rawValue }

    /// The stores that are available here.
    static var allCases: [UserStoreSubject] {
        TestDatabase.isAvailable ? [.sqlite, .memory, .postgresql] : [.sqlite, .memory]
    }

    /// The stores with several users.
    static var shared: [UserStoreSubject] { allCases.filter { $0 != .sqlite } }

    /// Runs the body with a store that has the user `local`.
    func with(_ body: (UserStand) async throws -> Void) async throws {
        switch self {
        case .sqlite:
            let folder = try TemporaryFolder()
            defer { folder.clear() }
            let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
            try await body(UserStand(users: store, tokens: store, personal: store))
        case .memory:
            let store = InMemoryStore()
            try await body(UserStand(users: store, tokens: store, personal: store))
        case .postgresql:
            try await SharedStand.with(users: ["local"]) { stand async throws in
                let store = stand.store
                let users = PostgreSQLUserAccounts(pool: stand.owner)
                try await body(UserStand(users: users, tokens: store, personal: store))
            }
        }
    }
}

/// A store through its administration source and through the program's sources.
struct UserStand {
    /// The time that tests pass in, in microseconds since 1970.
    static let now: Int64 = 1_700_000_000_000_000

    let users: any UserAccountSource
    let tokens: any TokenStoreSource
    let personal: any UserRecordSource

    /// Whether a token is valid now.
    func opens(_ byte: UInt8) async throws -> Bool {
        try await tokens.grant(
            sha256: Array(repeating: byte, count: 32),
            at: Self.now
        ) != nil
    }
}
