import Concurrency
import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("A pool state machine assigns connections to requests")
struct PoolStateMachineTests {
    @Test("random events answer every call once without leaks", arguments: 0..<60)
    func properties(seed: Int) {
        var bounds = PoolStateMachine.Bounds()
        bounds.connectionsMax = 1 + seed % 5
        bounds.waitingMax = 1 + seed % 7
        bounds.urgentMax = 1 + seed % 3
        bounds.timeLimit = .seconds(2)
        var model = PoolStateMachineModel(bounds: bounds, seed: UInt64(seed))
        for _ in 0..<2_000 { model.step() }
        #expect(model.answeredCount > 50)
        #expect(model.overtakingCount > 0)
        model.drain()
        #expect(model.waitingCallers == 0)
        #expect(model.plan.waitingCount == 0)
        // One connection stays, idle; nothing else is due.
        #expect(model.openCount <= 1)
        #expect(model.plan.nextDeadline == nil)
    }

    private let zero = Duration.zero

    /// A plan with so many idle connections.
    private func plan(
        _ count: Int,
        bounds: PoolStateMachine.Bounds = PoolStateMachine.Bounds()
    ) throws -> (PoolStateMachine, [PoolStateMachine.ConnectionID]) {
        var plan = PoolStateMachine(bounds: bounds)
        var ids: [PoolStateMachine.ConnectionID] = []
        for _ in 0..<count { _ = try plan.submit(.opening, timeLimit: nil, at: zero) }
        while ids.count < count {
            for command in plan.takeCommands() {
                if case .connect(let id) = command {
                    ids.append(id)
                    plan.connected(id, at: zero)
                }
            }
        }
        for id in ids { _ = plan.ended(id, .answered(isInTransaction: false), at: zero) }
        _ = plan.takeCommands()
        return (plan, ids)
    }

    @Test("urgent requests go before waiting ones, within their own bound")
    func urgent() throws {
        var bounds = PoolStateMachine.Bounds()
        bounds.waitingMax = 3
        bounds.urgentMax = 1
        bounds.connectionsMax = 1
        var (plan, ids) = try plan(1, bounds: bounds)
        let running = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        var waiting: [PoolStateMachine.RequestID] = []
        for _ in 0..<3 {
            waiting.append(try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero))
        }
        #expect(throws: StoreError.self) {
            try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        }
        let urgent = try plan.submit(.urgent, timeLimit: nil, at: zero)
        #expect(throws: StoreError.self) { try plan.submit(.urgent, timeLimit: nil, at: zero) }
        #expect(plan.takeCommands() == [.send(running, ids[0])])
        for (done, next) in zip([running, urgent] + waiting, [urgent] + waiting) {
            #expect(plan.ended(ids[0], .answered(isInTransaction: false), at: zero) == done)
            #expect(plan.takeCommands() == [.send(next, ids[0])])
        }
    }

    @Test("connections open one at a time, and only for waiting requests")
    func connectsOneByOne() throws {
        var plan = PoolStateMachine(bounds: PoolStateMachine.Bounds())
        plan.advance(to: zero)
        #expect(plan.takeCommands().isEmpty)
        let first = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        let second = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        let a = PoolStateMachine.ConnectionID(number: 1)
        let b = PoolStateMachine.ConnectionID(number: 2)
        #expect(plan.takeCommands() == [.connect(a)])
        plan.connected(a, at: zero)
        #expect(plan.takeCommands() == [.send(first, a), .connect(b)])
        #expect(plan.ended(a, .answered(isInTransaction: false), at: zero) == first)
        #expect(plan.takeCommands() == [.send(second, a)])
        plan.connected(b, at: zero)
        #expect(plan.takeCommands().isEmpty)
    }

    @Test("in an outage calls wait first, then fail at once with the reason")
    func away() throws {
        var plan = PoolStateMachine(bounds: PoolStateMachine.Bounds())
        let id = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        let gone = StoreError(.unavailable, "refused")
        let first = PoolStateMachine.ConnectionID(number: 1)
        #expect(plan.takeCommands() == [.connect(first)])
        plan.failedToConnect(first, because: gone, at: zero, random: 1_024)
        #expect(plan.takeCommands().isEmpty)
        // The next attempt comes by itself, after a wait.
        #expect(plan.nextDeadline == .milliseconds(100))
        plan.advance(to: .milliseconds(99))
        #expect(plan.takeCommands().isEmpty)
        plan.advance(to: .milliseconds(100))
        let second = PoolStateMachine.ConnectionID(number: 2)
        #expect(plan.takeCommands() == [.connect(second)])
        plan.failedToConnect(second, because: gone, at: .seconds(2), random: 1_024)
        #expect(plan.takeCommands() == [.answer(id, gone)])
        #expect(throws: gone) {
            try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: .seconds(2))
        }
        // The pool looks for the server although no call waits.
        plan.advance(to: .seconds(3))
        let third = PoolStateMachine.ConnectionID(number: 3)
        #expect(plan.takeCommands() == [.connect(third)])
        plan.connected(third, at: .seconds(3))
        let later = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: .seconds(3))
        #expect(plan.takeCommands() == [.send(later, third)])
    }

    @Test("calls wait longer for the first attempt to connect, and two seconds once it failed")
    func firstAttempt() throws {
        var plan = PoolStateMachine(bounds: PoolStateMachine.Bounds())
        let first = PoolStateMachine.ConnectionID(number: 1)
        let slow = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        #expect(plan.takeCommands() == [.connect(first)])
        #expect(plan.nextDeadline == .seconds(10))
        plan.advance(to: .seconds(9))
        #expect(plan.takeCommands().isEmpty)
        plan.connected(first, at: .seconds(9))
        #expect(plan.takeCommands() == [.send(slow, first)])

        plan = PoolStateMachine(bounds: PoolStateMachine.Bounds())
        let refused = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        _ = plan.takeCommands()
        let gone = StoreError(.unavailable, "refused")
        plan.failedToConnect(first, because: gone, at: .seconds(1), random: 1_024)
        plan.advance(to: .seconds(2))
        #expect(plan.takeCommands().contains(.answer(refused, gone)))

        plan = PoolStateMachine(bounds: PoolStateMachine.Bounds())
        let silent = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        _ = plan.takeCommands()
        plan.advance(to: .seconds(10))
        guard case .answer(silent, let error)? = plan.takeCommands().first else {
            Issue.record("A call that waited too long is answered.")
            return
        }
        #expect(error.detail.contains("within 10.0 seconds"))
    }

    @Test("waits between attempts double up to five seconds, with jitter")
    func backoff() {
        var generator = SeededGenerator(seed: 3)
        var backoff = Backoff(.postgreSQL)
        var whole = Duration.milliseconds(100)
        for _ in 0..<20 {
            let wait = backoff.failed(at: .zero, random: generator.next())
            #expect((whole / 2...whole).contains(wait))
            whole = min(whole * 2, .seconds(5))
        }
        backoff.succeeded()
        #expect(backoff.failed(at: .zero, random: 1_024) == .milliseconds(100))
    }

    @Test("a read-only server loses all its connections")
    func readOnly() throws {
        var (plan, ids) = try plan(3)
        let batch = try plan.submit(.batch(isRepeatable: false), timeLimit: nil, at: zero)
        let reading = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        #expect(plan.takeCommands() == [.send(batch, ids[2]), .send(reading, ids[1])])
        #expect(plan.ended(ids[2], .readOnly, at: zero) == batch)
        #expect(plan.takeCommands() == [.close(ids[2]), .close(ids[0])])
        // Running calls may end; their connections are not reused.
        #expect(plan.ended(ids[1], .answered(isInTransaction: false), at: zero) == reading)
        #expect(plan.takeCommands() == [.close(ids[1])])
    }

    @Test("a reading batch is sent once more on another connection, a writing one is not")
    func repeats() throws {
        var (plan, ids) = try plan(3)
        let broken = StoreError(.unavailable, "broken")
        let reading = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        #expect(plan.takeCommands() == [.send(reading, ids[2])])
        #expect(plan.ended(ids[2], .broken(broken), at: zero) == nil)
        #expect(plan.takeCommands() == [.close(ids[2]), .send(reading, ids[1])])
        #expect(plan.ended(ids[1], .broken(broken), at: zero) == nil)
        #expect(plan.takeCommands() == [.close(ids[1]), .answer(reading, broken)])
        let writing = try plan.submit(.batch(isRepeatable: false), timeLimit: nil, at: zero)
        #expect(plan.takeCommands() == [.send(writing, ids[0])])
        #expect(plan.ended(ids[0], .broken(broken), at: zero) == nil)
        guard case .answer(writing, let error) = plan.takeCommands().last else {
            Issue.record("A writing batch is answered.")
            return
        }
        #expect(error.detail.contains("may have been saved"))
    }

    @Test("a query beyond its limit is cancelled, then its connection is closed")
    func deadlines() throws {
        var (plan, ids) = try plan(1)
        let id = try plan.submit(.batch(isRepeatable: true), timeLimit: .seconds(1), at: zero)
        #expect(plan.takeCommands() == [.send(id, ids[0])])
        #expect(plan.nextDeadline == .seconds(1))
        plan.advance(to: .seconds(1))
        #expect(plan.takeCommands() == [.cancel(ids[0])])
        #expect(plan.nextDeadline == .seconds(2))
        plan.advance(to: .seconds(2))
        let commands = plan.takeCommands()
        #expect(commands.count == 2)
        #expect(commands.last == .close(ids[0]))
        guard case .answer(id, let error) = commands.first else {
            Issue.record("Who waits is told.")
            return
        }
        #expect(error.code == .busy)
    }

    @Test("a connection is not reused before its cancel request reached the server")
    func lateStop() throws {
        var (plan, ids) = try plan(1)
        let first = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        plan.abandon(first, at: zero)
        let second = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: zero)
        let next = PoolStateMachine.ConnectionID(number: ids[0].number + 1)
        #expect(
            plan.takeCommands() == [.send(first, ids[0]), .cancel(ids[0]), .connect(next)]
        )
        #expect(plan.ended(ids[0], .answered(isInTransaction: false), at: zero) == nil)
        #expect(plan.takeCommands().isEmpty)
        plan.stopWasSent(ids[0], at: zero)
        #expect(plan.takeCommands() == [.send(second, ids[0])])
    }

    @Test("the last used idle connection is used next, and old ones are closed")
    func idle() throws {
        var (plan, ids) = try plan(3)
        for second in 1...40 {
            let now = Duration.seconds(second)
            plan.advance(to: now)
            _ = try plan.submit(.batch(isRepeatable: true), timeLimit: nil, at: now)
            _ = plan.ended(ids[2], .answered(isInTransaction: false), at: now)
        }
        let closed = plan.takeCommands().filter { command in
            if case .close = command { true } else { false }
        }
        #expect(closed == [.close(ids[0]), .close(ids[1])])
        plan.advance(to: .seconds(1_000))
        // The last one stays for who comes next.
        #expect(plan.connectionCount == 1)
    }
}
