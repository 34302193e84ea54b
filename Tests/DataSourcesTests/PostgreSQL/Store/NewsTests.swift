import DataSourceContracts
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "News name every change once",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct NewsTests {
    /// Reads news as an instance does.
    private final class Reader: Sendable {
        private let stand: SharedStand
        private let mark = Mutex<String?>(nil)

        init(_ stand: SharedStand) { self.stand = stand }

        func next() async throws -> [ChangeNotificationDTO] {
            let known = mark.withLock(\.self)
            let answers = try await stand.app.perform(
                [stand.store.settle(.short), Statements.readNews(.text(ifAny: known))],
                as: .reading
            )
            let news = try News(answers[1])
            mark.withLock { $0 = news.mark }
            return news.notifications
        }
    }

    private static let patience = PostgreSQLStore.TransactionTimeouts(
        statement: .seconds(99),
        lock: .seconds(99),
        idle: .seconds(99)
    )

    @Test("each change is named once, in any order of commits")
    func overlapping() async throws {
        try await SharedStand.with(users: ["a", "b"]) { stand async throws in
            let reader = Reader(stand)
            #expect(try await reader.next() == [.anybody])
            #expect(try await reader.next() == [])
            // b's change begins first and ends last.
            try await stand.app.transaction { transaction async throws(StoreError) in
                _ = try await transaction.perform([
                    Statements.settleUser(values: [.text("2")] + Self.patience.values(times: 1)),
                    Statements.recordChange(
                        values: [.integer(2), .time(1), .text("cash.put"), .null]
                            + [0, 0, 0, 0, 1, 0].map(PostgreSQLValue.integer)
                    ),
                ])
                do {
                    _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
                    #expect(try await reader.next() == [.users([1])])
                    // The transaction in flight does not repeat what came after it.
                    #expect(try await reader.next() == [])
                    _ = try await stand.store.write(.putCash("2"), user: 1, at: 1)
                    #expect(try await reader.next() == [.users([1])])
                } catch {
                    throw StoreError(.refused, "\(error)")
                }
            }
            #expect(try await reader.next() == [.users([2])])
            #expect(try await reader.next() == [])
        }
    }

    @Test("a mark of another cluster or timeline means that anybody may have changed")
    func timeline() async throws {
        try await SharedStand.with(users: ["a"]) { stand async throws in
            for mark in ["7-00000001/5:5:", "7-standby/5:5:", "5", ""] {
                let rows = try await stand.app.perform(
                    [Statements.readNews(.text(mark))],
                    as: .reading
                )[0]
                let news = try News(rows)
                #expect(news.notifications == [.anybody], "\(mark)")
                #expect(news.mark.contains("-00000001/"))
            }
        }
    }

    @Test("a change has its age by the server's clock, whatever time the instance named")
    func ages() async throws {
        try await SharedStand.with(users: ["a", "b", "c"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner)
            let start = try await stand.database.time("clock_timestamp()")
            var rows = try await stand.app.perform([Statements.readNews(.null)], as: .reading)[0]
            let mark = try News(rows).mark
            for user in Int64(1)...2 {
                // The instance's clock is far ahead.
                let time = Int64(user) * 4_000_000_000_000_000
                _ = try await stand.store.write(.putCash("1"), user: user, at: time)
            }
            try await accounts.setUser(name: "c", isDisabled: true)
            try await stand.database.execute(
                "UPDATE hoga.journal SET written_at = now() - interval '1 hour' WHERE user_id = 1"
            )
            rows = try await stand.app.perform(
                [Statements.readNews(.text(mark))],
                as: .reading
            )[0]
            let end = try await stand.database.time("clock_timestamp()")
            let news = try News(rows)
            #expect(news.notifications == [.access([3]), .users([1, 2])])
            #expect(Set(news.ages.keys) == [1, 2], "changes of access have no age")
            let longest = Duration.microseconds(end - start)
            for (user, past) in [(Int64(1), Duration.seconds(3_600)), (2, .zero)] {
                let age = try #require(news.ages[user])
                #expect(age >= past && age <= past + longest, "\(user)")
            }
            // The server's clock was set back.
            try await stand.database.execute(
                "UPDATE hoga.journal SET written_at = now() + interval '1 hour' WHERE user_id = 2"
            )
            rows = try await stand.app.perform(
                [Statements.readNews(.text(mark))],
                as: .reading
            )[0]
            #expect(try News(rows).ages[2] == .zero)
        }
    }

    @Test("a change of access is named, whichever program or person makes it")
    func access() async throws {
        try await SharedStand.with(users: ["a", "b", "c"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner)
            let reader = Reader(stand)
            _ = try await reader.next()
            for number in UInt8(1)...3 {
                let token = NewTokenDTO(
                    sha256: [UInt8](repeating: number, count: 32),
                    scope: "read",
                    madeAt: 1,
                    expiresAt: nil
                )
                let name = ["a", "b", "c"][Int(number) - 1]
                _ = try await accounts.addToken(token, of: name, limit: 9)
            }
            _ = try await stand.store.grants(
                sha256s: [[UInt8](repeating: 1, count: 32)],
                at: 1
            )
            #expect(try await reader.next() == [], "made and used tokens change no access")
            try await accounts.revokeToken(number: 1, at: 2)
            #expect(try await reader.next() == [.access([1])])
            try await accounts.revokeToken(number: 1, at: 3)
            #expect(try await reader.next() == [], "it was revoked before")
            try await accounts.setUser(name: "b", isDisabled: true)
            #expect(try await reader.next() == [.access([2])])
            try await accounts.setUser(name: "b", isDisabled: false)
            _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
            #expect(try await reader.next() == [.access([2]), .users([1])])
            try await accounts.removeUser(name: "c")
            #expect(try await reader.next() == [.access([3])])
            try await stand.database.execute("DELETE FROM hoga.api_tokens WHERE user_id = 1")
            #expect(try await reader.next() == [.access([1])])
        }
    }

    @Test("the service role reads changes of access only through the function")
    func rights() async throws {
        try await SharedStand.with { stand async throws in
            for statement in [
                "SELECT * FROM hoga.access_changes", "DELETE FROM hoga.access_changes",
                "INSERT INTO hoga.access_changes (user_id) VALUES (1)",
            ] {
                await #expect(throws: ChildProcess.Failure.self) {
                    try await stand.database.execute(statement, as: "hoga_app_login")
                }
            }
        }
    }

    @Test("changes are delivered each second while a session delivers no notice")
    func polling() async throws {
        try await SharedStand.with(users: ["a"]) { stand async throws in
            let pooler = try TestPooler(to: stand.database.port, serverConnectionsMax: 2)
            let url = "postgresql://hoga_owner@127.0.0.1:\(pooler.port)/\(stand.database.name)"
            let clock = ManualClock()
            let source = PostgreSQLChangeNotifications(
                pool: stand.app,
                listener: try testListener(url, pool: stand.app),
                clock: clock
            )
            let delivered = DeliveredNotifications()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await source.run { item in
                        switch item {
                        case .current, .ages: return
                        case .users, .access, .anybody: break
                        }
                        delivered.items.withLock { $0.append(item) }
                    }
                }
                let arrives = { (item: ChangeNotificationDTO) async throws -> Bool in
                    try await eventually {
                        clock.advance(by: .seconds(1))
                        return delivered.items.withLock { $0.contains(item) }
                    }
                }
                #expect(try await arrives(.anybody))
                _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
                #expect(try await arrives(.users([1])))
                group.cancelAll()
            }
            withExtendedLifetime(pooler) {}
        }
    }

    // MARK: Notices

    @Test("a change sends no notice itself; the sender names its user as 0.1.0 does")
    func sender() async throws {
        try await SharedStand.with(users: ["a", "b"]) { stand async throws in
            let sender = ChangeNoticeSender(pool: stand.app, clock: ManualClock())
            let events = Inbox<PostgreSQLListener.Event>()
            let listener = try testListener(stand.database.appURL, pool: stand.app)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listener.run(channel: "hoga_personal") { events.put($0) } }
                #expect(await events.next() == .connected)
                _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
                let store = PostgreSQLStore(pool: stand.app, notices: sender, slowness: 30)
                _ = try await store.write(.putCash("1"), user: 2, at: 1)
                #expect(await sender.flush())
                #expect(await events.next() == .notifications(["2"]))
                group.cancelAll()
            }
        }
    }

    @Test("notices of changes within 50 ms are one, and unsent ones wait")
    func batches() async throws {
        try await SharedStand.with { stand async throws in
            let clock = ManualClock()
            let sender = ChangeNoticeSender(pool: stand.app, clock: clock)
            let events = Inbox<PostgreSQLListener.Event>()
            let listener = try testListener(stand.database.appURL, pool: stand.app)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listener.run(channel: "hoga_personal") { events.put($0) } }
                #expect(await events.next() == .connected)
                group.addTask { await sender.run() }
                sender.add(1)
                #expect(await events.next() == .notifications(["1"]))
                // The sender pauses from now on.
                await clock.untilSleeping()
                for user in [Int64(2), 3, 2] { sender.add(user) }
                clock.advance(by: ChangeNoticeSender.spacing)
                #expect(await events.next() == .notifications(["2", "3"]))
                group.cancelAll()
            }
        }
        let away = try testPool("postgresql://me@127.0.0.1:1/none") { $0.waitMax = .zero }
        let sender = ChangeNoticeSender(pool: away, clock: ManualClock())
        sender.add(4)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await away.run() }
            #expect(await !sender.flush())
            #expect(await !sender.flush(), "the user waits again")
            group.cancelAll()
        }
    }
}

/// The notifications of a source.
private final class DeliveredNotifications: Sendable {
    let items = Mutex<[ChangeNotificationDTO]>([])
}
