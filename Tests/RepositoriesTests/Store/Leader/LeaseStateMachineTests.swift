import DataSourceContracts
import TestSupport
import Testing

@testable import Repositories

@Suite("The lease is requested often enough, and never assumed after its loss")
struct LeaseStateMachineTests {
    private static let lease = LeaseDTO(feed: "live", holder: "a", epoch: 7)

    @Test("the lease is acquired at once, then renewed each second")
    func renewing() {
        var plan = LeaseStateMachine()
        #expect(plan.next(at: .zero) == .take)
        plan.took(Self.lease, askedAt: .zero, at: .milliseconds(20))
        #expect(plan.lease(at: .milliseconds(20)) == Self.lease)
        #expect(plan.next(at: .milliseconds(20)) == .wait(until: .seconds(1)))
        #expect(plan.next(at: .seconds(1)) == .renew(Self.lease))
        plan.renewed(true, Self.lease, askedAt: .seconds(1), at: .milliseconds(1_010))
        #expect(plan.lease(at: .milliseconds(3_999)) == Self.lease)
        #expect(plan.lease(at: .seconds(4)) == nil)
    }

    @Test("while another process holds the lease, it is requested four times a second")
    func following() {
        var plan = LeaseStateMachine()
        plan.took(nil, askedAt: .zero, at: .milliseconds(10))
        #expect(plan.isLedByAnother)
        #expect(plan.next(at: .milliseconds(10)) == .wait(until: .milliseconds(260)))
        #expect(plan.next(at: .milliseconds(260)) == .take)
    }

    @Test("a failed renewal is repeated soon; without success the lease expires")
    func failing() {
        var plan = LeaseStateMachine()
        plan.took(Self.lease, askedAt: .zero, at: .zero)
        plan.failed(at: .seconds(1))
        #expect(plan.next(at: .seconds(1)) == .wait(until: .milliseconds(1_250)))
        #expect(plan.next(at: .milliseconds(1_250)) == .renew(Self.lease))
        plan.failed(at: .milliseconds(2_900))
        #expect(plan.next(at: .milliseconds(2_900)) == .wait(until: .seconds(3)))
        #expect(plan.next(at: .seconds(3)) == .take)
        #expect(plan.lease(at: .milliseconds(2_999)) == nil)
    }

    @Test("an answer that took as long as the lease is ignored")
    func lateAnswer() {
        var plan = LeaseStateMachine()
        plan.took(Self.lease, askedAt: .zero, at: .seconds(3))
        #expect(plan.lease(at: .seconds(3)) == nil)
        #expect(plan.next(at: .seconds(3)) == .take)
    }

    @Test("a refused write ends the lease; one of an older lease does not")
    func fenced() {
        var plan = LeaseStateMachine()
        plan.took(Self.lease, askedAt: .zero, at: .zero)
        plan.lose(LeaseDTO(feed: "live", holder: "a", epoch: 6), at: .seconds(1))
        #expect(plan.lease(at: .seconds(1)) == Self.lease)
        plan.lose(Self.lease, at: .seconds(1))
        #expect(plan.lease(at: .seconds(1)) == nil)
        #expect(plan.next(at: .seconds(1)) == .wait(until: .milliseconds(1_250)))
        plan.renewed(true, Self.lease, askedAt: .seconds(1), at: .seconds(1))
        #expect(plan.lease(at: .seconds(1)) == nil)
    }

    /// One process: its state, whether it is suspended, and its call in flight.
    private struct Process {
        var plan = LeaseStateMachine()
        var isStopped = false
        var call: (asked: Duration, action: LeaseStateMachine.Action, answer: Answer?)?

        enum Answer {
            case taken(LeaseDTO?)
            case renewed(Bool)
        }
    }

    @Test("with lost, late and stopped calls, only the holder assumes the lease, and one soon does")
    func agreement() {
        for seed in UInt64(0)..<60 {
            var generator = SeededGenerator(seed: seed)
            var processes = (0..<4).map { _ in Process() }
            var held: (lease: LeaseDTO, until: Duration)?
            var epoch: Int64 = 0
            var calm: Duration = .zero
            for tick in 0..<3_000 {
                let now: Duration = .milliseconds(tick * 10)
                // Failures come and go; there are none in the last ten seconds.
                let isQuiet = tick >= 2_000
                if isQuiet, calm == .zero { calm = now }
                for place in processes.indices {
                    if Int.random(in: 0..<400, using: &generator) == 0, !isQuiet {
                        processes[place].isStopped.toggle()
                    }
                    if isQuiet { processes[place].isStopped = false }
                    let isLost = !isQuiet && Int.random(in: 0..<8, using: &generator) == 0
                    let name = "\(place)"
                    // The store answers a call at any moment, even one of a suspended process.
                    if let call = processes[place].call, call.answer == nil,
                        Int.random(in: 0..<3, using: &generator) == 0
                    {
                        switch call.action {
                        case .take:
                            if let lease = held, lease.until > now, lease.lease.holder != name {
                                processes[place].call?.answer = .taken(nil)
                            } else {
                                epoch += 1
                                let lease = LeaseDTO(feed: "live", holder: name, epoch: epoch)
                                held = (lease, now + LeaseStateMachine.duration)
                                processes[place].call?.answer = .taken(lease)
                            }
                        case .renew(let lease):
                            let isHeld = held.map { $0.lease == lease && $0.until > now } ?? false
                            if isHeld { held = (lease, now + LeaseStateMachine.duration) }
                            processes[place].call?.answer = .renewed(isHeld)
                        case .wait: Issue.record("waiting is no call")
                        }
                    }
                    guard !processes[place].isStopped else { continue }
                    advance(&processes[place], now, isLost: isLost)
                    if let lease = processes[place].plan.lease(at: now) {
                        #expect(held?.lease == lease, "seed \(seed) at \(now)")
                        #expect(held.map { $0.until > now } ?? false, "seed \(seed) at \(now)")
                    }
                }
                if isQuiet, now - calm > .seconds(5) {
                    let leaders = processes.count { $0.plan.lease(at: now) != nil }
                    #expect(leaders == 1, "seed \(seed) at \(now)")
                }
            }
        }
    }

    private func advance(_ process: inout Process, _ now: Duration, isLost: Bool) {
        if let call = process.call {
            if isLost || now - call.asked >= LeaseStateMachine.callLimit {
                process.plan.failed(at: now)
                process.call = nil
            } else if let answer = call.answer {
                process.call = nil
                switch (answer, call.action) {
                case (.taken(let lease), _):
                    process.plan.took(lease, askedAt: call.asked, at: now)
                case (.renewed(let isHeld), .renew(let lease)):
                    process.plan.renewed(isHeld, lease, askedAt: call.asked, at: now)
                case (.renewed, _): Issue.record("nothing was to be renewed")
                }
            }
        }
        guard process.call == nil else { return }
        switch process.plan.next(at: now) {
        case .wait: return
        case .take: process.call = (now, .take, nil)
        case .renew(let lease): process.call = (now, .renew(lease), nil)
        }
    }
}
