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
            let news = PostgreSQLChangeNotifications(pool: stand.app, listener: nil, clock: clock)
            let told = ToldNews()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await news.run { item in told.news.withLock { $0.append(item) } }
                }
                let next = { () async -> [ChangeNotificationDTO] in
                    await clock.untilSleeping()
                    defer { clock.advance(by: .seconds(1)) }
                    return told.news.withLock { news in
                        defer { news = [] }
                        return news
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
                    var heard: [ChangeNotificationDTO] = []
                    for _ in 0..<3 { heard += await next() }
                    #expect(heard == [.users([1])])
                }
                var heard: [ChangeNotificationDTO] = []
                for _ in 0..<3 { heard += await next() }
                #expect(heard == [.users([2])])
                group.cancelAll()
            }
        }
    }
}

/// Delivered notifications that the test has not read.
private final class ToldNews: Sendable {
    let news = Mutex<[ChangeNotificationDTO]>([])
}
