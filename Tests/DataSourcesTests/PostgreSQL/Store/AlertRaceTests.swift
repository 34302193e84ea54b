import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Alerts of many users are stored beside the users' own changes",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct AlertRaceTests {
    /// Runs the body with users who have rule 1 each, and the lease.
    private static func with(
        users count: Int,
        connections: Int = 4,
        _ body: (SharedStand, LeaseDTO) async throws -> Void
    ) async throws {
        try await SharedStand.with(connections: connections) { stand async throws in
            try await stand.database.execute(
                """
                INSERT INTO hoga.users (name, added_at, alerts_revision)
                SELECT 'user' || n, now(), 1 FROM generate_series(1, \(count)) AS n ORDER BY n;
                INSERT INTO hoga.alert_rules (user_id, number, text, feed, created_at)
                SELECT id, 1, 'rule 1', 'live', 'epoch'::timestamptz + interval '10 microseconds'
                FROM hoga.users;
                INSERT INTO hoga.journal (user_id, number, at, kind)
                SELECT id, 1, 'epoch', 'alert.add' FROM hoga.users
                """
            )
            let lease = try #require(try await stand.store.takeLease(holder: "a"))
            try await body(stand, lease)
        }
    }

    /// Repeats a call that a busy machine did not finish within the statement's time limit.
    ///
    /// The server has rolled it back. A deadlock has another code and fails the test.
    private static func unlessTooSlow<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        while true {
            do throws(StoreError) {
                return try await call()
            } catch {
                guard error.detail.contains("SQLSTATE 57014") else { throw error }
            }
        }
    }

    @Test("alerts in any order and changes at once do not deadlock, and each is stored once")
    func races() async throws {
        let users = 1...6 as ClosedRange<Int64>
        let rounds = 1...12 as ClosedRange<Int64>
        try await Self.with(users: 6, connections: 8) { stand, lease async throws in
            let store = stand.store
            try await withThrowingTaskGroup(of: Int.self) { group in
                // Each batch is stored by two instances, in opposite orders of users.
                for isReversed in [false, true] {
                    group.addTask {
                        var count = 0
                        for round in rounds {
                            let alerts = users.map { NewAlertDTO(1, at: 10 + round, of: $0) }
                            count += try await Self.unlessTooSlow { () throws(StoreError) in
                                try await store.storeAlerts(
                                    isReversed ? alerts.reversed() : alerts,
                                    at: round,
                                    under: lease
                                )
                            }
                        }
                        return count
                    }
                }
                for user in users {
                    group.addTask {
                        for round in rounds {
                            try await Self.unlessTooSlow { () throws(StoreError) in
                                _ = try await store.write(
                                    .putCash("\(round)"),
                                    user: user,
                                    at: round
                                )
                            }
                        }
                        return 0
                    }
                }
                let stored = try await group.reduce(0, +)
                #expect(stored == 6 * 12)
            }
            for user in users {
                let record = try await store.record(of: user)
                #expect(record.alertLog.map(\.alert.at) == (11...22).reversed())
                #expect(record.alertLog.map(\.number) == (1...12).reversed())
                #expect(record.revisions.alerts == 13)
                #expect(record.cash == "12" && record.revisions.cash == 12)
                let journal = try await store.journal(user: user, newest: 99)
                #expect(journal.map(\.number) == (1...25).reversed())
            }
        }
    }

    @Test("a change that is in progress for long refuses alerts as busy; they are stored later")
    func stalled() async throws {
        try await Self.with(users: 2) { stand, lease async throws in
            // With real time limits, which end it.
            let store = PostgreSQLStore(pool: stand.app)
            let alerts = [NewAlertDTO(1, at: 20), NewAlertDTO(1, at: 20, of: 2)]
            try await stand.app.transaction { transaction async throws(StoreError) in
                let settle = Statements.settleUser(
                    values: [.text("2")]
                        + PostgreSQLStore.TransactionTimeouts.long.values(times: 30)
                )
                _ = try await transaction.perform([settle, Statements.lockUser(.integer(2))])
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await store.storeAlerts(alerts, at: 1, under: lease)
                }
                #expect(code == .busy)
            }
            #expect(try await stand.store.record(of: 1).alertLog == [])
            #expect(try await stand.store.storeAlerts(alerts, at: 1, under: lease) == 2)
        }
    }

    @Test("owners are read in pages, each user once")
    func manyOwners() async throws {
        try await Self.with(users: 2_001) { stand, _ async throws in
            let owners = try await stand.store.alertOwners(nil, feed: "live")
            #expect(owners.map(\.user) == Array(1...2_001))
            #expect(owners.allSatisfy { $0.record.alertRules.count == 1 && $0.states == [] })
            let some = try await stand.store.alertOwners([2_001, 5, 9_999], feed: "live")
            #expect(some.map(\.user) == [5, 2_001])
        }
    }

    @Test("after a mark of another server all users with alerts may have changed")
    func otherServer() async throws {
        try await Self.with(users: 2) { stand, _ async throws in
            let store = stand.store
            try await stand.database.execute(
                "INSERT INTO hoga.users (name, added_at) VALUES ('without', now())"
            )
            let mark = try await store.alertChanges(after: nil).mark
            let changes = try await store.alertChanges(after: "1-00000001/1:1:")
            #expect(changes.users == [1, 2])
            let servers = [mark, changes.mark].map { $0.prefix { $0 != "/" } }
            #expect(servers[0] == servers[1])
            #expect(try await store.alertChanges(after: changes.mark).users == [])
        }
    }

    @Test("alerts prune the journal as changes do")
    func journal() async throws {
        try await Self.with(users: 1) { stand, lease async throws in
            try await stand.database.execute(
                """
                INSERT INTO hoga.journal (user_id, number, at, kind)
                SELECT 1, n, now(), 'cash.put' FROM generate_series(2, 10001) AS n
                """
            )
            func numbers() async throws -> String {
                try await stand.database.execute(
                    "SELECT min(number) || ' ' || max(number) FROM hoga.journal"
                )
            }
            let alerts = (1...20).map { NewAlertDTO(1, at: 10 + $0) }
            let few = Array(alerts.prefix(9))
            #expect(try await stand.store.storeAlerts(few, at: 1, under: lease) == 9)
            #expect(try await numbers() == "1 10010")
            #expect(try await stand.store.storeAlerts(alerts, at: 1, under: lease) == 11)
            #expect(try await numbers() == "22 10021")
        }
    }

    @Test("the users of stored alerts are named to other instances")
    func notices() async throws {
        try await Self.with(users: 3) { stand, lease async throws in
            let sender = ChangeNoticeSender(pool: stand.app, clock: ManualClock())
            let store = PostgreSQLStore(pool: stand.app, notices: sender, slowness: 30)
            let events = Inbox<PostgreSQLListener.Event>()
            let listener = try testListener(stand.database.appURL, pool: stand.app)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listener.run(channel: "hoga_personal") { events.put($0) } }
                #expect(await events.next() == .connected)
                let first = [NewAlertDTO(1, at: 20, of: 2)]
                _ = try await stand.store.storeAlerts(first, at: 1, under: lease)
                let alerts = first + [NewAlertDTO(1, at: 20, of: 3)]
                #expect(try await store.storeAlerts(alerts, at: 1, under: lease) == 1)
                #expect(await sender.flush())
                #expect(await events.next() == .notifications(["3"]))
                group.cancelAll()
            }
        }
    }

    @Test(
        "the service's role writes alerts only through the functions",
        arguments: [
            "INSERT INTO hoga.alert_log SELECT * FROM hoga.alert_log",
            "UPDATE hoga.alert_log SET lateness = NULL", "DELETE FROM hoga.alert_log",
            "UPDATE hoga.alert_states SET state = ''", "SELECT * FROM hoga.alert_values",
            "INSERT INTO hoga.alert_states SELECT * FROM hoga.alert_states",
            "UPDATE hoga.users SET alerts_logged = 9",
        ]
    )
    func role(sql: String) async throws {
        try await Self.with(users: 1) { stand, _ async throws in
            await #expect(throws: ChildProcess.Failure.self) {
                try await stand.database.execute(
                    "SET app.user_id = '1'; \(sql)",
                    as: "hoga_app_login"
                )
            }
        }
    }
}
