import DataSourceContracts
import Synchronization

/// The way between the tasks that wait for answers and the thread that libpq runs on.
///
/// Everything is decided under the lock and done after it: waiters are resumed and the loop is
/// woken without holding it.
final class PoolQueue: Sendable {
    /// What the server answered, and the connection that is held for more.
    struct Answer: Sendable {
        let rows: [PostgreSQLRows]
        let connection: PoolStateMachine.ConnectionID
    }
    /// What a caller waits for.
    typealias Waiter = CheckedContinuation<Result<Answer, StoreError>, Never>

    /// What the loop is to do.
    enum Order: Sendable {
        case connect(PoolStateMachine.ConnectionID)
        case send(OutgoingQuery, PoolStateMachine.ConnectionID)
        case cancel(PoolStateMachine.ConnectionID)
        case rollBack(PoolStateMachine.ConnectionID)
        case close(PoolStateMachine.ConnectionID)
    }

    /// What the loop is told.
    struct Orders: Sendable {
        var orders: [Order] = []
        var arrivals: [(PoolStateMachine.ConnectionID, OpenConnection)] = []
        /// How long nothing will be due; nil when nothing is.
        var wait: Duration?
        var hasEnded = false
    }

    /// Links a request, which has no number before it is submitted, with its cancellation.
    final class Ticket: Sendable {
        fileprivate let state = Mutex<(id: PoolStateMachine.RequestID?, isCancelled: Bool)>(
            (nil, false)
        )
    }

    private struct State {
        var plan: PoolStateMachine
        var entries: [PoolStateMachine.RequestID: (outgoing: OutgoingQuery, waiter: Waiter)] = [:]
        var arrivals: [(PoolStateMachine.ConnectionID, OpenConnection)] = []
        /// Why the loop ended: nothing is taken any more.
        var ending: StoreError?
        /// The loop waits, or is about to, and was not woken yet.
        var isLoopAsleep = true
    }

    private let state: Mutex<State>
    private let clock: Elapsed
    private let random: @Sendable () -> UInt64
    /// Ends the wait of the loop.
    let signal = WakeSignal()

    /// Makes an empty mailbox.
    init(bounds: PoolStateMachine.Bounds, clock: Elapsed, random: @escaping @Sendable () -> UInt64)
    {
        state = Mutex(State(plan: PoolStateMachine(bounds: bounds)))
        self.clock = clock
        self.random = random
    }

    // MARK: Callers

    /// Hands a request to the loop; the waiter is resumed exactly once.
    func submit(
        _ outgoing: OutgoingQuery,
        as kind: PoolStateMachine.Kind,
        within patience: Duration?,
        on ticket: Ticket,
        for waiter: Waiter
    ) {
        let refusal = change { state -> StoreError? in
            if let ending = state.ending { return ending }
            // The ticket's lock is only ever taken inside this one.
            return ticket.state.withLock { ticket -> StoreError? in
                guard !ticket.isCancelled else { return .taskCancelled }
                do throws(StoreError) {
                    let id = try state.plan.submit(kind, patience: patience, at: clock.now)
                    ticket.id = id
                    state.entries[id] = (outgoing, waiter)
                    return nil
                } catch {
                    return error
                }
            }
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    /// Answers the caller at once, and has the server stop what it runs.
    func cancel(_ ticket: Ticket) {
        let waiter = change { state -> Waiter? in
            let id = ticket.state.withLock { ticket in
                ticket.isCancelled = true
                return ticket.id
            }
            guard let id, let entry = state.entries.removeValue(forKey: id) else { return nil }
            state.plan.abandon(id, at: clock.now)
            return entry.waiter
        }
        waiter?.resume(returning: .failure(.taskCancelled))
    }

    /// Lets a connection go whose transaction was not committed.
    func release(_ connection: PoolStateMachine.ConnectionID) {
        change { $0.plan.release(connection, at: clock.now) }
    }

    /// Answers every caller with this error, now and from now on, and stops the loop.
    func end(because error: StoreError) {
        let waiters = change { state in
            state.ending = state.ending ?? error
            defer { state.entries = [:] }
            return state.entries.values.map(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
        signal.give()
    }

    /// How long calls waited for connections.
    var waits: PostgreSQLPool.Waits {
        let now = clock.now
        return state.withLock { state in
            let waits = state.plan.waits
            return PostgreSQLPool.Waits(
                count: waits.count,
                total: waits.total,
                longestInLastMinute: waits.longest(at: now)
            )
        }
    }

    // MARK: The connector

    /// Takes what came of an attempt to connect.
    func arrived(
        _ id: PoolStateMachine.ConnectionID,
        _ result: Result<OpenConnection, StoreError>
    ) {
        change { state in
            // What comes after the end is closed again.
            guard state.ending == nil else { return }
            switch result {
            case .success(let connection): state.arrivals.append((id, connection))
            case .failure(let error):
                state.plan.failedToConnect(id, because: error, at: clock.now, random: random())
            }
        }
        signal.give()
    }

    /// Notes that a request to stop reached the server.
    func stopWasSent(_ id: PoolStateMachine.ConnectionID) {
        change { $0.plan.stopWasSent(id, at: clock.now) }
    }

    // MARK: The loop

    /// What the loop is to do next, and how long it may wait then.
    func takeOrders() -> Orders {
        var answers: [(Waiter, StoreError)] = []
        let orders = state.withLock { state in
            var orders = Orders()
            guard state.ending == nil else {
                orders.hasEnded = true
                return orders
            }
            let now = clock.now
            state.plan.advance(to: now)
            for (id, _) in state.arrivals { state.plan.connected(id, at: now) }
            orders.arrivals = state.arrivals
            state.arrivals = []
            for command in state.plan.takeCommands() {
                switch command {
                case .connect(let id): orders.orders.append(.connect(id))
                case .send(let request, let id):
                    guard let entry = state.entries[request] else { continue }
                    orders.orders.append(.send(entry.outgoing, id))
                case .cancel(let id): orders.orders.append(.cancel(id))
                case .rollBack(let id): orders.orders.append(.rollBack(id))
                case .close(let id): orders.orders.append(.close(id))
                case .answer(let request, let error):
                    guard let entry = state.entries.removeValue(forKey: request) else { continue }
                    answers.append((entry.waiter, error))
                }
            }
            orders.wait = state.plan.nextDeadline.map { max(.zero, $0 - now) }
            state.isLoopAsleep = true
            return orders
        }
        for (waiter, error) in answers { waiter.resume(returning: .failure(error)) }
        return orders
    }

    /// Notes that work of a connection came to its end, and answers the caller.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - outcome: how the work ended.
    ///   - result: what the caller is told, if it gets the server's answer.
    func ended(
        _ id: PoolStateMachine.ConnectionID,
        _ outcome: PoolStateMachine.Outcome,
        _ result: Result<[PostgreSQLRows], StoreError>
    ) {
        let waiter = state.withLock { state -> Waiter? in
            guard let request = state.plan.ended(id, outcome, at: clock.now) else { return nil }
            return state.entries.removeValue(forKey: request)?.waiter
        }
        waiter?.resume(returning: result.map { Answer(rows: $0, connection: id) })
    }

    /// Changes the state, and wakes the loop when there is something for it to do.
    private func change<Value>(_ body: (inout sending State) -> sending Value) -> sending Value {
        var mustWake = false
        let value = state.withLock { state in
            let value = body(&state)
            mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return value
        }
        if mustWake { signal.give() }
        return value
    }
}
