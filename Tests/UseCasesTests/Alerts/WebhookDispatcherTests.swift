import Domain
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Alerts are delivered to webhooks by the process that leads", .tags(.threads))
struct WebhookDispatcherTests {
    /// A dispatcher whose sender, store and clock a test drives.
    private final class Bench {
        let tasks = SteppedTasks()
        let webhooks = ScriptedWebhooks()
        let dispatcher: WebhookDispatcher
        private let term: TermBox
        private let notes: Notes

        final class TermBox: Sendable {
            let value = Mutex<WebhookDispatcher.Term?>(nil)
        }

        final class Notes: Sendable {
            let failures = Mutex<[StoreFailure?]>([])
        }

        init(leads: Bool = true) {
            let term = TermBox()
            let notes = Notes()
            self.term = term
            self.notes = notes
            term.value.withLock { $0 = leads ? .init(feed: .live, number: 1) : nil }
            let clock = tasks.clock
            dispatcher = WebhookDispatcher(
                .init(
                    repository: webhooks,
                    sender: webhooks,
                    term: { term.value.withLock(\.self) },
                    clock: clock,
                    now: { .noon(plus: clock.now.offset) },
                    // The whole wait.
                    random: { 1_024 },
                    onFailure: { failure in notes.failures.withLock { $0.append(failure) } }
                )
            )
        }

        var failures: [StoreFailure?] { notes.failures.withLock(\.self) }
        var requests: [String] { webhooks.now.requests }

        func lead(_ number: Int64?) {
            term.value.withLock { $0 = number.map { .init(feed: .live, number: $0) } }
        }

        /// Adds waiting alerts of a user whose receiver accepted the last one.
        func add(_ numbers: [Int64], of user: Int64, failures: Int? = 0) {
            webhooks.change { state in
                state.waiting[UserID(user), default: []] += numbers
                state.failures[UserID(user)] = failures
            }
        }

        /// Tells of stored alerts.
        func tell(_ users: Int64...) {
            dispatcher.lookUp(users.map { UserID($0) })
            tasks.settle()
        }

        func answer(_ user: Int64, _ result: WebhookResult = .accepted) {
            webhooks.answer(user, result)
            tasks.settle()
        }

        func drive(_ drive: () throws -> Void) async throws {
            let dispatcher = dispatcher
            try await tasks.running({ await dispatcher.run() }, drive: drive)
        }
    }

    private static let broken = WebhookResult.failed("status 500", retryAfter: nil)

    @Test("waiting alerts are delivered in order, one request of a user at a time")
    func order() async throws {
        let bench = Bench()
        bench.add([1, 2], of: 1)
        bench.add([7], of: 2)
        try await bench.drive {
            #expect(bench.requests == ["1-1", "2-7"])
            bench.tell(1)
            #expect(bench.requests == ["1-1", "2-7"])
            bench.answer(1)
            #expect(bench.requests == ["1-1", "2-7", "1-2"])
            bench.answer(1)
            bench.answer(2)
            #expect(bench.dispatcher.status.accepted == 3)
            #expect(bench.dispatcher.status.inFlight == 0)
            bench.add([3], of: 1)
            bench.tell(1)
            #expect(bench.requests.last == "1-3")
        }
    }

    @Test("a process that does not lead delivers nothing, and the next leader everything")
    func leading() async throws {
        let bench = Bench(leads: false)
        bench.add([1], of: 1)
        try await bench.drive {
            bench.tell(1)
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.requests == [])
            #expect(bench.webhooks.now.lookups.isEmpty)
            bench.lead(2)
            bench.tell(1)
            #expect(bench.requests == ["1-1"])
            // The dispatcher records accepted alerts even after its term.
            bench.lead(nil)
            bench.answer(1)
            #expect(bench.webhooks.now.recorded.map(\.count) == [1])
            bench.add([2], of: 1)
            bench.tell(1)
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.requests == ["1-1"])
        }
    }

    @Test("a receiver that fails rests for 5 s, 15 s, 45 s, and then goes on at once")
    func resting() async throws {
        let bench = Bench()
        bench.add([1, 2], of: 1)
        try await bench.drive {
            var count = 1
            for wait in [5, 15, 45] {
                bench.answer(1, Self.broken)
                bench.tell(1)
                bench.tasks.advance(by: .seconds(wait - 1))
                #expect(bench.requests.count == count)
                #expect(bench.dispatcher.status.waiting == 1)
                bench.tasks.advance(by: .seconds(2))
                count += 1
                #expect(bench.requests.count == count)
            }
            bench.answer(1)
            #expect(bench.requests.last == "1-2")
            #expect(bench.dispatcher.status.failed == 3)
        }
    }

    @Test("an alert is a dead letter when its next attempt would be after a day")
    func deadLetter() async throws {
        let bench = Bench()
        bench.add([1], of: 1)
        try await bench.drive {
            for _ in 0..<40 where !bench.webhooks.now.sent.isEmpty {
                bench.answer(1, Self.broken)
                bench.tasks.advance(by: .seconds(3_601))
            }
            let failures = bench.webhooks.now.recorded.flatMap(\.self).compactMap(\.failure)
            #expect(failures.map(\.attempts) == Array(1...failures.count))
            #expect(failures.dropLast().allSatisfy { $0.retryAt != nil })
            #expect(failures.last?.retryAt == nil)
            #expect(bench.webhooks.now.waiting[UserID(1)] == [])
            #expect(bench.dispatcher.status.deadLetters == 1)
            // About one attempt an hour.
            #expect((20...30).contains(failures.count))
        }
    }

    @Test("receivers that fail or are new, however many, keep no place of those that work")
    func lanes() async throws {
        let bench = Bench()
        let laneMax = WebhookDispatcher.laneMax
        for user in 1...Int64(1_000) {
            bench.add([1], of: user, failures: [4, nil, 1][Int(user % 3)])
        }
        try await bench.drive {
            #expect(bench.webhooks.now.sent.count == 2 * laneMax)
            #expect(bench.dispatcher.status.waiting == 1_000 - 2 * laneMax)
            bench.add([1], of: 2_000)
            bench.tell(2_000)
            #expect(bench.requests.last == "2000-1")
            bench.answer(2_000)
            // A place that becomes free goes to the one that waited longest.
            let failing = bench.webhooks.now.sent.map(\.delivery.user.number).filter { $0 % 3 == 0 }
            let next = (failing.max() ?? 0) + 3
            bench.answer(failing[5], Self.broken)
            #expect(bench.requests.last == "\(next)-1")
            bench.answer(failing[0], Self.broken)
            #expect(bench.requests.last == "\(next + 3)-1")
            // Those whose rest is over wait behind them.
            bench.tasks.advance(by: .seconds(4_000))
            bench.answer(failing[1], Self.broken)
            #expect(bench.requests.last == "\(next + 6)-1")
        }
    }

    @Test("a receiver that answers slowly leaves the lane of those that work, until it is quick")
    func slow() async throws {
        let bench = Bench()
        let laneMax = Int64(WebhookDispatcher.laneMax)
        for user in 1...laneMax { bench.add([1, 2, 3], of: user) }
        try await bench.drive {
            bench.tasks.advance(by: .seconds(9))
            bench.add([1], of: 2_000)
            bench.tell(2_000)
            #expect(bench.requests.count == Int(laneMax))
            for user in 1...laneMax { bench.answer(user) }
            // They are in the other lane now.
            #expect(bench.requests.contains("2000-1"))
            #expect(bench.webhooks.now.sent.count == Int(laneMax) + 1)
            bench.answer(2_000)
            for user in 1...laneMax { bench.answer(user) }
            #expect(bench.requests.last == "\(laneMax)-3")
        }
    }

    @Test("a webhook that is replaced during a request is looked up after it, whatever its outcome")
    func replaced() async throws {
        let bench = Bench()
        bench.add([1], of: 1, failures: 9)
        try await bench.drive {
            bench.tell(1)
            #expect(bench.requests == ["1-1"])
            // The store skips the outcome of the old one.
            bench.webhooks.change { $0.skipsOutcomes = true }
            bench.answer(1, Self.broken)
            #expect(bench.requests == ["1-1", "1-1"])
        }
    }

    @Test("a request that this process could not send counts for nobody and is repeated")
    func unsent() async throws {
        let bench = Bench()
        bench.add([1], of: 1)
        try await bench.drive {
            bench.answer(1, .unsent)
            #expect(bench.webhooks.now.recorded.isEmpty)
            bench.tasks.advance(by: .seconds(4))
            #expect(bench.requests == ["1-1"])
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.requests == ["1-1", "1-1"])
            #expect(bench.dispatcher.status.failed == 0)
        }
    }

    @Test("all users of a large batch are looked up at once, also those without a webhook")
    func batches() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.dispatcher.lookUp((1...2_000).map { UserID($0) })
            bench.add([1], of: 1_999)
            bench.tell()
            #expect(bench.requests == ["1999-1"])
            #expect(bench.webhooks.now.lookups.compactMap(\.self).map(\.count).max() == 500)
        }
    }

    @Test("outcomes wait for a store that fails; nothing is sent twice meanwhile")
    func storeFailure() async throws {
        let bench = Bench()
        bench.add([1], of: 1)
        try await bench.drive {
            let failure = StoreFailure(.unavailable, "away")
            bench.webhooks.change { $0.failure = failure }
            bench.answer(1)
            bench.add([1], of: 2)
            bench.tell(1, 2)
            bench.tasks.advance(by: .seconds(3))
            #expect(bench.requests == ["1-1"])
            #expect(bench.failures == [failure])
            bench.webhooks.change { $0.failure = nil }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.webhooks.now.recorded.map(\.count) == [1])
            #expect(bench.requests == ["1-1", "2-1"])
            #expect(bench.failures == [failure, nil])
        }
    }

    @Test("a store that fails at the begin of a term is asked for all users again")
    func failingBegin() async throws {
        let bench = Bench()
        bench.add([1], of: 1)
        bench.webhooks.change { $0.failure = StoreFailure(.busy, "later") }
        try await bench.drive {
            bench.webhooks.change { $0.failure = nil }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.requests == ["1-1"])
        }
    }

    @Test("a request that is cancelled has no outcome; one that ended is recorded at the end")
    func ending() async throws {
        let bench = Bench()
        bench.add([1], of: 1)
        bench.add([1], of: 2)
        try await bench.drive {
            bench.webhooks.change { $0.failure = StoreFailure(.busy, "later") }
            bench.answer(2)
        }
        #expect(bench.webhooks.now.recorded.isEmpty)
        bench.webhooks.change { $0.failure = nil }
        await bench.dispatcher.flush()
        let recorded = bench.webhooks.now.recorded.flatMap(\.self)
        #expect(recorded.map(\.user) == [UserID(2)])
        #expect(recorded.map(\.failure) == [nil])
    }
}
