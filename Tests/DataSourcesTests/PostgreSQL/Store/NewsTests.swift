import DataSourceContracts
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("Change notifications name every changed user", .tags(.threads))
struct NewsTests {
    @Test("each change is delivered once, in any order of commits")
    func plan() {
        var plan = ChangeDeduplicator()
        #expect(plan.take(.init(mark: "10", newest: [:])) == .anybody)
        #expect(plan.mark == "10")
        #expect(plan.take(.init(mark: "10", newest: [2: 1, 1: 4])) == .users([1, 2]))
        // An older transaction is in flight: the poll repeats the change.
        #expect(plan.take(.init(mark: "10", newest: [2: 1, 1: 4])) == nil)
        #expect(plan.take(.init(mark: "10", newest: [2: 2, 1: 4])) == .users([2]))
        #expect(plan.take(.init(mark: "12", newest: [:])) == nil)
        #expect(plan.take(.init(mark: "13", newest: [2: 2])) == .users([2]))
    }

    @Test(
        "a change is found while other transactions are in flight",
        .enabled(if: TestDatabase.isAvailable)
    )
    func overlapping() async throws {
        try await SharedStand.with(users: ["a", "b"]) { stand async throws in
            let clock = ManualClock()
            let source = PostgreSQLChangeNotifications(
                pool: stand.app,
                listener: nil,
                clock: clock
            )
            let delivered = DeliveredNotifications()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await source.run { item in delivered.items.withLock { $0.append(item) } }
                }
                let next = { () async -> [ChangeNotificationDTO] in
                    await clock.untilSleeping()
                    defer { clock.advance(by: .seconds(1)) }
                    return delivered.items.withLock { items in
                        defer { items = [] }
                        return items
                    }
                }
                // The first poll may be too early on a slow machine.
                var first: [ChangeNotificationDTO] = []
                _ = try await eventually {
                    first = await next()
                    return !first.isEmpty
                }
                #expect(first == [.anybody])
                let store = stand.store
                // b's change begins first and ends last.
                try await stand.app.transaction { transaction async throws(StoreError) in
                    let patience = PostgreSQLStore.TransactionTimeouts(
                        statement: .seconds(9),
                        lock: .seconds(9),
                        idle: .seconds(99)
                    )
                    _ = try await transaction.perform([
                        Statements.settleUser(values: [.text("2")] + patience.values(times: 1)),
                        Statements.appendJournal(.integer(2), .time(1), .text("cash.put"), .null),
                    ])
                    _ = try await store.write(.putCash("1"), user: 1, at: 1)
                    var received: [ChangeNotificationDTO] = []
                    for _ in 0..<3 { received += await next() }
                    #expect(received == [.users([1])])
                }
                var received: [ChangeNotificationDTO] = []
                for _ in 0..<3 { received += await next() }
                #expect(received == [.users([2])])
                group.cancelAll()
            }
        }
    }
}

/// Delivered notifications that the test has not read.
private final class DeliveredNotifications: Sendable {
    let items = Mutex<[ChangeNotificationDTO]>([])
}
