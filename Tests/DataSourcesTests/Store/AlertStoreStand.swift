import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL
@testable import DataSourcesSQLite

/// A kind of store with alerts of users.
enum AlertStoreSubject: String, CustomTestStringConvertible, Sendable {
    case sqlite
    case memory
    case postgresql

    var testDescription: String { rawValue }

    /// The stores that are available here.
    static var allCases: [AlertStoreSubject] {
        TestDatabase.isAvailable ? [.sqlite, .memory, .postgresql] : [.sqlite, .memory]
    }

    /// The stores with several users.
    static var shared: [AlertStoreSubject] { allCases.filter { $0 != .sqlite } }

    /// Runs the body with an empty store that has the user `local`, and `other` if it is shared.
    func with(_ body: (AlertStoreStand) async throws -> Void) async throws {
        let clock = StoreClock()
        switch self {
        case .sqlite:
            let folder = try TemporaryFolder()
            defer { folder.clear() }
            let path = "\(folder.path)/hoga.sqlite"
            let store = SQLiteStore(path: path) { clock.now }
            try await body(
                AlertStoreStand(store: store, users: store, path: path) {
                    clock.advance(by: 7_200_000_000)
                }
            )
        case .memory:
            let store = InMemoryStore(users: ["local", "other"]) { clock.now }
            try await body(
                AlertStoreStand(store: store, users: store, path: nil) {
                    clock.advance(by: 7_200_000_000)
                }
            )
        case .postgresql:
            try await SharedStand.with(users: ["local", "other"]) { stand async throws in
                let users = PostgreSQLUserAccounts(pool: stand.owner)
                try await body(
                    AlertStoreStand(store: stand.store, users: users, path: nil) {
                        try await stand.database.execute(
                            "UPDATE hoga.instance_lease SET expires_at = clock_timestamp()"
                        )
                    }
                )
            }
        }
    }
}

/// A store of alerts.
struct AlertStoreStand {
    let store: any AlertStoreSource & UserRecordSource & WebhookStoreSource
    /// The store through its administration.
    let users: any UserAccountSource
    /// The file of an embedded store.
    let path: String?
    /// Lets the lease expire.
    let runOut: @Sendable () async throws -> Void

    /// Takes the lease of a feed.
    func lease(_ feed: String = "live") async throws -> LeaseDTO {
        try #require(try await store.takeLease(holder: "a", feed: feed))
    }

    /// Adds a rule of a user.
    func add(
        _ number: Int64,
        of user: Int64 = 1,
        feed: String = "live",
        books: String? = nil,
        createdAt: Int64 = 10
    ) async throws {
        let rule = AlertRuleDTO(
            number: number,
            text: "rule \(number)",
            feed: feed,
            books: books,
            createdAt: createdAt
        )
        _ = try await store.write(.putAlertRule(rule), user: user, at: 1)
    }
}

extension NewAlertDTO {
    /// An alert of a rule that was made at 10.
    init(
        _ rule: Int64,
        at: Int64,
        of user: Int64 = 1,
        market: String? = "BTC_KRW",
        value: String = "5.5",
        isRise: Bool = true,
        lateness: String? = nil,
        createdAt: Int64 = 10
    ) {
        self.init(
            user: user,
            alert: AlertDTO(
                rule: rule,
                market: market,
                at: at,
                value: value,
                isRise: isRise,
                lateness: lateness
            ),
            createdAt: createdAt,
            state: "state \(at)"
        )
    }

    /// The row of the log.
    func logged(_ number: Int64, at storedAt: Int64, feed: String = "live") -> AlertLogDTO {
        AlertLogDTO(
            number: number,
            alert: alert,
            text: "rule \(alert.rule)",
            feed: feed,
            storedAt: storedAt
        )
    }
}
