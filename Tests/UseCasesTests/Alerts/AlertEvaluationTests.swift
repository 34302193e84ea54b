import Domain
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Alerts are stored by the process that leads", .tags(.threads))
struct AlertEvaluationTests {
    /// What the evaluation told.
    private final class Notes: Sendable {
        let failures = Mutex<[StoreFailure?]>([])
        let users = Mutex<[UserID]>([])
    }

    /// An evaluation whose board and clock a test drives.
    private final class Bench {
        let tasks = SteppedTasks()
        let repository = ScriptedAlerts()
        let details = DetailInterests()
        let notes = Notes()
        let evaluation: AlertEvaluation
        private var board = MarketBoard(kind: .live)

        init(term: Int64? = 1) throws {
            let notes = notes
            evaluation = AlertEvaluation(
                repository: repository,
                feed: .live,
                interests: AlertInterests(
                    details: details,
                    periods: PeriodInterests(),
                    assets: AssetInterests()
                ),
                clock: tasks.clock,
                onFailure: { failure in notes.failures.withLock { $0.append(failure) } }
            )
            repository.change { $0.term = term }
            try setRule("A > 1010 again 1s")
        }

        var now: Timestamp { .noon(plus: tasks.clock.now.offset) }

        func setRule(_ text: String, feed: FeedKind = .live) throws {
            let rule = try AlertRule.parse(text, feed: feed)
            let owner = AlertOwner(
                id: .local,
                rules: [UserAlertRule(number: 1, rule: rule, createdAt: .noon(-1))]
            )
            repository.change { state in
                state.owners[.local] = owner
                state.changed = (state.changed ?? []).union([.local])
            }
        }

        func drive(_ drive: () throws -> Void) async throws {
            let evaluation = evaluation
            let notes = notes
            evaluation.onStored { users in notes.users.withLock { $0 += users } }
            try await tasks.running({ await evaluation.run() }, drive: drive)
        }

        func receive(_ events: [MarketEvent]) {
            let batch = MarketEventBatch(events: events, receivedAt: now, frameCount: 1)
            _ = board.apply(batch)
            evaluation.receive(batch, board)
            tasks.settle()
        }

        /// Lets the price cross the level of the rule upwards.
        func cross(at price: FixedDecimal = "1010") {
            let prices: [FixedDecimal] = ["1000", price]
            receive(prices.map { .trade(Trade("A_KRW", price: $0, at: now)) })
        }

        /// Lets the leading process save values that it has from the same data.
        func saveByLeader() {
            let values = evaluation.state.withLock { $0.observer.book.watchedValues }
            repository.change { $0.values = values }
        }

        var storedPrices: [FixedDecimal] { repository.now.stored.map(\.alert.value) }
    }

    @Test("an alert is stored at once, and its user is told once")
    func stored() async throws {
        let bench = try Bench()
        try await bench.drive {
            bench.cross()
            #expect(bench.storedPrices == ["1010"])
            #expect(bench.notes.users.withLock(\.self) == [.local])
            let status = bench.evaluation.status
            #expect(status.isLeading && status.rules == 1 && status.pending == 0)
            bench.tasks.advance(by: .seconds(2))
            bench.cross(at: "1011")
            #expect(bench.storedPrices == ["1010", "1011"])
        }
    }

    @Test("a new leader stores the newest alerts that the old one did not")
    func newTerm() async throws {
        let bench = try Bench(term: nil)
        bench.repository.change { $0.isLedByAnother = true }
        try await bench.drive {
            for price in ["1010", "1011", "1012"] as [FixedDecimal] {
                bench.cross(at: price)
                bench.saveByLeader()
                bench.tasks.advance(by: .seconds(3))
            }
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.storedPrices.isEmpty)
            #expect(bench.evaluation.status.pending == 1, "the leader had data for the others")
            bench.repository.change { state in
                state.isLedByAnother = false
                state.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == ["1012"])
        }
    }

    @Test("an alert that a living leader does not store holds up no later one")
    func notStoredByLeader() async throws {
        let bench = try Bench(term: nil)
        try bench.setRule("A > 1005 again 10s")
        bench.repository.change { $0.isLedByAnother = true }
        try await bench.drive {
            bench.cross(at: "1010")
            bench.tasks.advance(by: .seconds(1))
            bench.cross(at: "1001")
            bench.saveByLeader()
            bench.tasks.advance(by: .seconds(6))
            #expect(bench.evaluation.status.pending == 0)
            bench.cross(at: "1011")
            bench.repository.change { state in
                state.isLedByAnother = false
                state.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == ["1011"])
        }
    }

    @Test("an alert is kept while the leader has no data for it, by the values that it saves")
    func leaderWithoutData() async throws {
        let bench = try Bench(term: nil)
        bench.repository.change { $0.isLedByAnother = true }
        try await bench.drive {
            bench.receive([.trade(Trade("A_KRW", price: "1000", at: bench.now))])
            bench.saveByLeader()
            let readings = bench.repository.now.valueReadings
            bench.tasks.advance(by: .seconds(1))
            bench.cross()
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.evaluation.status.pending == 1)
            // Values of another feed tell nothing.
            let values = bench.repository.now.values
            bench.repository.change { $0.values = AlertBookState(feed: .simulated) }
            bench.tasks.advance(by: .seconds(10))
            bench.repository.change { $0.values = values }
            #expect(bench.evaluation.status.pending == 1)
            #expect((1...14).contains(bench.repository.now.valueReadings - readings))
            bench.repository.change { state in
                state.isLedByAnother = false
                state.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == ["1010"])
        }
    }

    @Test("an alert that a leader without data does not store is taken back after ten minutes")
    func leaderWithoutDataForLong() async throws {
        let bench = try Bench(term: nil)
        bench.repository.change { $0.isLedByAnother = true }
        try await bench.drive {
            bench.cross()
            for (seconds, count) in [(600, 1), (2, 0)] {
                bench.tasks.advance(by: .seconds(seconds))
                #expect(bench.evaluation.status.pending == count)
            }
        }
    }

    @Test("while nobody leads, alerts wait however long")
    func noLeader() async throws {
        let bench = try Bench(term: nil)
        try await bench.drive {
            for price in ["1010", "1011"] as [FixedDecimal] {
                bench.cross(at: price)
                bench.tasks.advance(by: .seconds(300))
            }
            bench.repository.change { $0.term = 2 }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == ["1010", "1011"])
        }
    }

    /// Whether the leader before told what crossed while this process had no data.
    enum Told: CaseIterable {
        /// The leader told it and goes on.
        case byLeader
        /// The leader told it before the leader was lost.
        case beforeLoss
        /// The leader did not tell it.
        case never
    }

    @Test(
        "what crossed while a leader had data and this process had none is told unless it told it",
        arguments: Told.allCases
    )
    func interrupted(told: Told) async throws {
        let bench = try Bench(term: nil)
        bench.repository.change { $0.isLedByAnother = true }
        try await bench.drive {
            bench.receive([.trade(Trade("A_KRW", price: "1000", at: bench.now))])
            bench.receive([.feed(.subscribed)])
            bench.tasks.advance(by: .seconds(2))
            let firing = AlertState(firedAt: bench.now, value: "1010")
            bench.tasks.advance(by: .seconds(2))
            bench.receive([.trade(Trade("A_KRW", price: "1011", at: bench.now))])
            switch told {
            case .byLeader:
                bench.tasks.advance(by: .seconds(1))
                bench.receive([.trade(Trade("A_KRW", price: "1012", at: bench.now))])
                bench.saveByLeader()
                bench.tasks.advance(by: .seconds(10))
                #expect(bench.evaluation.status.pending == 0)
                return
            case .beforeLoss:
                bench.repository.change { state in
                    state.owners[.local]?.fired = [1: [AlertSubject("A_KRW"): firing]]
                }
            case .never: break
            }
            bench.repository.change { state in
                state.isLedByAnother = false
                state.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == (told == .never ? ["1011"] : []))
        }
    }

    @Test("changed rules whose reading failed are read again")
    func unread() async throws {
        let bench = try Bench()
        try await bench.drive {
            try bench.setRule("A spread > 50bp")
            bench.repository.change { $0.ownersFailure = StoreFailure(.busy, "busy") }
            bench.tasks.advance(by: .seconds(3))
            #expect(bench.details.wanted.contains { $0.facet == .book } == false)
            bench.repository.change { $0.ownersFailure = nil }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.details.wanted == [DetailInterest(market: "A_KRW", facet: .book)])
        }
    }

    @Test("a new term forgets users who are gone")
    func goneUser() async throws {
        let bench = try Bench()
        try await bench.drive {
            bench.repository.change { state in
                state.owners = [:]
                state.changed = []
                state.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.evaluation.status.rules == 0)
        }
    }

    @Test("a new leader stores nothing that the old one has stored")
    func storedBefore() async throws {
        let bench = try Bench(term: nil)
        try await bench.drive {
            bench.cross()
            let subject = AlertSubject("A_KRW")
            let state = AlertState(firedAt: bench.now, value: "1010")
            bench.repository.change { repository in
                repository.owners[.local]?.fired = [1: [subject: state]]
                repository.term = 2
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices.isEmpty)
            bench.cross(at: "1020")
            #expect(bench.storedPrices == ["1020"])
        }
    }

    @Test("alerts wait for a store that fails, and a refused one does not keep the others")
    func failures() async throws {
        let bench = try Bench()
        let failure = StoreFailure(.unavailable, "no answer")
        try await bench.drive {
            bench.repository.change { $0.failure = failure }
            bench.cross()
            bench.tasks.advance(by: .seconds(2))
            bench.cross(at: "1011")
            bench.tasks.advance(by: .seconds(2))
            bench.cross(at: "1012")
            #expect(bench.storedPrices.isEmpty)
            #expect(bench.evaluation.status.failure == failure)
            bench.repository.change { state in
                state.failure = nil
                state.refused = ["1011"]
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.storedPrices == ["1010", "1012"])
            #expect(bench.evaluation.status.dropped == 1)
            #expect(bench.notes.failures.withLock(\.self).first == failure)
            #expect(bench.notes.failures.withLock(\.self).last == .some(nil))
        }
    }

    @Test("changed rules count within a second, and at once after a hint")
    func changedRules() async throws {
        let bench = try Bench()
        try await bench.drive {
            try bench.setRule("A > 2000 again 1s")
            bench.tasks.advance(by: .seconds(1))
            bench.cross(at: "1500")
            #expect(bench.storedPrices.isEmpty)
            try bench.setRule("A spread > 50bp")
            bench.evaluation.hurry()
            bench.tasks.advance(by: AlertEvaluation.hintInterval)
            #expect(bench.details.wanted == [DetailInterest(market: "A_KRW", facet: .book)])
        }
    }

    @Test("hints do not read rules more often than their interval")
    func hints() async throws {
        let bench = try Bench()
        try await bench.drive {
            let before = bench.repository.now.readings
            for _ in 0..<100 {
                bench.repository.change { $0.changed = [.local] }
                bench.evaluation.hurry()
                bench.tasks.advance(by: .milliseconds(1))
            }
            #expect((1...3).contains(bench.repository.now.readings - before))
        }
    }

    @Test("another kind of feed has its own rules, and alerts of the first one are dropped")
    func otherFeed() async throws {
        let bench = try Bench(term: nil)
        try await bench.drive {
            bench.cross()
            #expect(bench.evaluation.status.pending == 1)
            bench.receive([.feed(.identified(.simulated))])
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.evaluation.status.pending == 0)
            #expect(bench.evaluation.status.rules == 0)
            bench.repository.change { $0.term = 2 }
            try bench.setRule("A > 1010", feed: .simulated)
            bench.tasks.advance(by: .seconds(2))
            bench.cross()
            #expect(bench.storedPrices == ["1010"])
        }
    }

    @Test("beyond the bound the oldest alerts are dropped and counted")
    func bound() {
        let alert = Alert(
            rule: AlertRuleID(1, of: .local),
            subject: AlertSubject("A_KRW"),
            at: .noon(),
            value: .one,
            direction: .up
        )
        let state = AlertState(firedAt: .noon(), value: .one)
        let fired = (1...7).map { second in
            var alert = alert
            alert.at = .noon(second)
            return FiredAlert(alert: alert, createdAt: .noon(), state: state)
        }
        var pending = PendingAlerts()
        pending.append(Array(fired[..<4]), at: .seconds(1), max: 5)
        pending.append(Array(fired[4...]), at: .seconds(2), max: 5)
        #expect(pending.rows.map(\.alert) == Array(fired[2...]))
        #expect((pending.dropped, pending.first) == (2, 2))
        // A transaction that began before takes only what is left of its rows.
        pending.remove(before: 3)
        #expect(pending.rows.map(\.alert) == Array(fired[3...]))
        #expect(pending.found(before: .seconds(2)) == [fired[3]])
        pending.filter { $0 != fired[3] }
        #expect((pending.rows.map(\.alert), pending.first) == (Array(fired[4...]), 4))
    }

    @Test("values are saved while rules exist, and a crossing between two starts is told as such")
    func values() async throws {
        let bench = try Bench()
        try await bench.drive {
            bench.receive([.trade(Trade("A_KRW", price: "1000", at: bench.now))])
            bench.tasks.advance(by: .seconds(11))
        }
        await bench.evaluation.flush()
        let saved = try #require(bench.repository.now.saved.last)
        let next = try Bench()
        next.repository.change { $0.values = saved }
        try await next.drive {
            next.tasks.advance(by: .seconds(100))
            next.receive([.trade(Trade("A_KRW", price: "1010", at: next.now))])
            #expect(next.repository.now.stored.map(\.alert.lateness) == [.away])
        }
    }
}
