import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

/// A server and callers that do whatever the plan of a pool may meet, in random order, and look at
/// each of its commands.
struct PoolStateMachineModel {
    typealias Plan = PoolStateMachine

    /// The work of the server for a connection: a caller's batch, or a rollback.
    private struct Work {
        var kind: Plan.Kind?
    }

    private struct Caller {
        let kind: Plan.Kind
        var sentCount = 0
    }

    private(set) var plan: Plan
    private var generator: SeededGenerator
    private(set) var now = Duration.zero
    private var connecting: Set<Plan.ConnectionID> = []
    /// Open connections, and what the server does for them.
    private var open: [Plan.ConnectionID: Work?] = [:]
    private var inTransaction: Set<Plan.ConnectionID> = []
    /// Requests to stop that are on their way.
    private var stops: Set<Plan.ConnectionID> = []
    private var callers: [Plan.RequestID: Caller] = [:]
    /// Transactions that callers know of.
    private var held: Set<Plan.ConnectionID> = []
    private(set) var answeredCount = 0
    /// The number of urgent requests sent while others waited.
    private(set) var overtakingCount = 0

    init(bounds: Plan.Bounds, seed: UInt64) {
        plan = Plan(bounds: bounds)
        generator = SeededGenerator(seed: seed)
    }

    var openCount: Int { open.count + connecting.count }
    var waitingCallers: Int { callers.count }

    private var urgentWaiting: [Plan.RequestID] {
        callers.filter { $0.value.kind == .urgent && $0.value.sentCount == 0 }.map(\.key)
    }

    // MARK: Random events

    mutating func step() {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: submit(.batch(isRepeatable: Bool.random(using: &generator)))
        case 2: submit(Bool.random(using: &generator) ? .urgent : .batch(isRepeatable: true))
        case 3: submit(.opening)
        case 4: useHeld()
        case 5: abandon()
        case 6: connect()
        case 7, 8, 9: finish()
        case 10:
            if let id = stops.sorted(by: { $0.number < $1.number }).first {
                stops.remove(id)
                plan.stopWasSent(id, at: now)
            }
        default: now += .milliseconds(Int.random(in: 0..<600, using: &generator))
        }
        plan.advance(to: now)
        obey()
    }

    private mutating func submit(_ kind: Plan.Kind) {
        do throws(StoreError) {
            let id = try plan.submit(kind, timeLimit: nil, at: now)
            #expect(callers[id] == nil)
            callers[id] = Caller(kind: kind)
        } catch {
            #expect(error.code == .busy || error.code == .unavailable)
            // Urgent requests have a bound of their own.
            if kind == .urgent, error.code == .busy {
                #expect(urgentWaiting.count == plan.bounds.urgentMax)
            }
        }
    }

    private mutating func useHeld() {
        guard let id = held.sorted(by: { $0.number < $1.number }).randomElement(using: &generator)
        else { return }
        if Bool.random(using: &generator) {
            held.remove(id)
            plan.release(id, at: now)
        } else if !callers.values.contains(where: { $0.kind == .step(id) }) {
            submit(.step(id))
        }
    }

    private mutating func abandon() {
        let ids = callers.keys.sorted { $0.number < $1.number }
        guard let id = ids.randomElement(using: &generator), let caller = callers[id] else {
            return
        }
        callers[id] = nil
        plan.abandon(id, at: now)
        // A transaction's connection is released once its body has thrown.
        if case .step(let connection) = caller.kind {
            held.remove(connection)
            plan.release(connection, at: now)
        }
    }

    private mutating func connect() {
        guard let id = connecting.popFirst() else { return }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let error = StoreError(.unavailable, "not there")
            plan.failedToConnect(id, because: error, at: now, random: generator.next())
        } else {
            open[id] = .some(nil)
            plan.connected(id, at: now)
        }
    }

    private mutating func finish() {
        let ids = open.keys.sorted { $0.number < $1.number }
        guard let id = ids.randomElement(using: &generator), let work = open[id] else { return }
        // An abandoned request still runs to its end.
        let kind = work?.kind
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            open[id] = nil
            end(id, .broken(StoreError(.unavailable, "broken")))
        case 1 where work != nil:
            // The plan closes it.
            end(id, .readOnly)
        case 2, 3:
            guard work != nil else { return }
            if kind == .opening { inTransaction.insert(id) }
            open[id] = .some(nil)
            end(id, .refused(isInTransaction: inTransaction.contains(id)))
        default:
            guard work != nil else { return }
            switch kind {
            case .opening: inTransaction.insert(id)
            case .batch, .urgent: inTransaction.remove(id)
            // A step may be the last one.
            case .step: if Bool.random(using: &generator) { inTransaction.remove(id) }
            case nil: inTransaction.remove(id)
            }
            open[id] = .some(nil)
            end(id, .answered(isInTransaction: inTransaction.contains(id)))
        }
    }

    private mutating func end(_ id: Plan.ConnectionID, _ outcome: Plan.Outcome) {
        guard let request = plan.ended(id, outcome, at: now) else { return }
        // Only who still waits gets an answer, and once.
        guard let caller = callers.removeValue(forKey: request) else {
            Issue.record("An answer for nobody.")
            return
        }
        answeredCount += 1
        if case .answered(let isInTransaction) = outcome {
            switch caller.kind {
            case .batch, .urgent: break
            case .opening, .step:
                if isInTransaction { held.insert(id) } else { held.remove(id) }
            }
        } else if case .step = caller.kind {
            held.remove(id)
            plan.release(id, at: now)
        }
    }

    // MARK: Commands

    private mutating func obey() {
        for command in plan.takeCommands() {
            switch command {
            case .connect(let id):
                #expect(connecting.isEmpty)
                #expect(open[id] == nil)
                connecting.insert(id)
            case .send(let request, let id): send(request, on: id)
            case .cancel(let id):
                #expect(open[id].flatMap { $0 } != nil)
                stops.insert(id)
            case .rollBack(let id):
                expectFree(id)
                #expect(inTransaction.contains(id))
                open[id] = Work(kind: nil)
            case .close(let id):
                // A broken connection is already removed.
                open[id] = nil
                inTransaction.remove(id)
                held.remove(id)
            case .answer(let request, _):
                guard let caller = callers.removeValue(forKey: request) else {
                    Issue.record("An answer for nobody.")
                    continue
                }
                answeredCount += 1
                if case .step(let connection) = caller.kind {
                    held.remove(connection)
                    plan.release(connection, at: now)
                }
            }
        }
        #expect(openCount <= plan.bounds.connectionsMax)
        #expect(
            plan.waitingCount <= plan.bounds.waitingMax + plan.bounds.urgentMax
                + plan.bounds.connectionsMax
        )
    }

    private mutating func send(_ request: Plan.RequestID, on id: Plan.ConnectionID) {
        expectFree(id)
        guard var caller = callers[request] else {
            Issue.record("Work for nobody.")
            return
        }
        caller.sentCount += 1
        switch caller.kind {
        case .batch(isRepeatable: true): #expect(caller.sentCount <= 2)
        case .batch(isRepeatable: false), .urgent, .opening: #expect(caller.sentCount == 1)
        case .step(let own):
            #expect(own == id)
            #expect(caller.sentCount == 1)
        }
        if case .step = caller.kind {
            #expect(inTransaction.contains(id))
        } else {
            #expect(!inTransaction.contains(id))
            // Urgent requests go first, in order of arrival.
            let first = urgentWaiting.min { $0.number < $1.number }
            #expect(first == nil || first == request)
            if first == request, plan.waitingCount > 0 { overtakingCount += 1 }
        }
        callers[request] = caller
        open[id] = Work(kind: caller.kind)
    }

    /// Expects an idle connection without a pending cancel request.
    private func expectFree(_ id: Plan.ConnectionID) {
        guard let work = open[id] else {
            Issue.record("A connection that is not open.")
            return
        }
        #expect(work == nil)
        #expect(!stops.contains(id))
    }

    // MARK: The end

    /// Ends all work: callers release, the server answers, time passes.
    mutating func drain() {
        for _ in 0..<200 {
            for id in held { plan.release(id, at: now) }
            held = []
            for id in stops {
                stops.remove(id)
                plan.stopWasSent(id, at: now)
            }
            for id in connecting {
                connecting.remove(id)
                open[id] = .some(nil)
                plan.connected(id, at: now)
            }
            for (id, work) in open where work != nil {
                inTransaction.remove(id)
                open[id] = .some(nil)
                end(id, .answered(isInTransaction: false))
            }
            now += .seconds(1)
            plan.advance(to: now)
            obey()
        }
    }
}
