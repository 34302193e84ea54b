import Concurrency
import DataSourceContracts
import Synchronization

/// Passes queries from tasks to libpq's thread, and results back.
///
/// Decides under the lock and acts after it: waiters are resumed and the loop is woken without it.
///
/// Bound: the requests that ``PoolStateMachine`` accepts. A request beyond that is not queued; its
/// waiter is resumed at once with `busy`.
final class PoolQueue: Sendable {
    /// The results of a query, and the connection that a transaction holds.
    struct Reply: Sendable {
        let rows: [PostgreSQLRows]
        let connection: PoolStateMachine.ConnectionID
    }
    /// A caller that waits for a result.
    typealias Waiter = CheckedContinuation<Result<Reply, StoreError>, Never>

    /// An order for the loop.
    enum Order: Sendable {
        case connect(PoolStateMachine.ConnectionID)
        case send(OutgoingQuery, PoolStateMachine.ConnectionID)
        case cancel(PoolStateMachine.ConnectionID)
        case rollBack(PoolStateMachine.ConnectionID)
        case close(PoolStateMachine.ConnectionID)
    }

    /// The orders and new connections for the loop.
    struct Orders: Sendable {
        var orders: [Order] = []
        var arrivals: [(PoolStateMachine.ConnectionID, OpenConnection)] = []
        /// The time until the next deadline; nil without one.
        var wait: Duration?
        var hasEnded = false
    }

    /// Links a request, which has no identifier before it is submitted, with its cancellation.
    final class Ticket: Sendable {
        fileprivate let state = Mutex<(id: PoolStateMachine.RequestID?, isCancelled: Bool)>(
            (nil, false)
        )
    }

    private struct State {
        var plan: PoolStateMachine
        var entries: [PoolStateMachine.RequestID: (outgoing: OutgoingQuery, waiter: Waiter)] = [:]
        var arrivals: [(PoolStateMachine.ConnectionID, OpenConnection)] = []
        /// Why the loop ended; requests are refused from then on.
        var ending: StoreError?
        /// Whether the loop waits, or is about to wait, without a wake-up.
        var isLoopAsleep = true
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch
    private let random: @Sendable () -> UInt64
    /// Ends the wait of the loop.
    let event: EventDescriptor

    /// Makes an empty queue.
    ///
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    init(
        bounds: PoolStateMachine.Bounds,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        event = try SocketPoll.makeEvent()
        state = Mutex(State(plan: PoolStateMachine(bounds: bounds)))
        stopwatch = Stopwatch(clock)
        self.random = random
    }

    // MARK: Callers

    /// Passes a request to the loop; the waiter is resumed exactly once.
    func submit(
        _ outgoing: OutgoingQuery,
        as kind: PoolStateMachine.Kind,
        within timeLimit: Duration?,
        on ticket: Ticket,
        for waiter: Waiter
    ) {
        let refusal = change { state -> StoreError? in
            if let ending = state.ending { return ending }
            // The ticket's lock is only taken inside this one.
            return ticket.state.withLock { ticket -> StoreError? in
                guard !ticket.isCancelled else { return .taskCancelled }
                do throws(StoreError) {
                    let id = try state.plan.submit(
                        kind,
                        timeLimit: timeLimit,
                        at: stopwatch.elapsed
                    )
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

    /// Fails the caller at once and cancels its statement on the server.
    func cancel(_ ticket: Ticket) {
        let waiter = change { state -> Waiter? in
            let id = ticket.state.withLock { ticket in
                ticket.isCancelled = true
                return ticket.id
            }
            guard let id, let entry = state.entries.removeValue(forKey: id) else { return nil }
            state.plan.abandon(id, at: stopwatch.elapsed)
            return entry.waiter
        }
        waiter?.resume(returning: .failure(.taskCancelled))
    }

    /// Releases the connection of a transaction that was not committed.
    func release(_ connection: PoolStateMachine.ConnectionID) {
        change { $0.plan.release(connection, at: stopwatch.elapsed) }
    }

    /// Fails every current and later caller with this error and stops the loop.
    func end(because error: StoreError) {
        let waiters = change { state in
            state.ending = state.ending ?? error
            defer { state.entries = [:] }
            return state.entries.values.map(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
        event.signal()
    }

    /// The waits of calls for a connection.
    var waits: PostgreSQLPool.Waits {
        let now = stopwatch.elapsed
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

    /// Stores the result of an attempt to connect.
    func arrived(
        _ id: PoolStateMachine.ConnectionID,
        _ result: Result<OpenConnection, StoreError>
    ) {
        change { state in
            // A connection that arrives after the end is closed.
            guard state.ending == nil else { return }
            switch result {
            case .success(let connection): state.arrivals.append((id, connection))
            case .failure(let error):
                state.plan.failedToConnect(
                    id,
                    because: error,
                    at: stopwatch.elapsed,
                    random: random()
                )
            }
        }
        event.signal()
    }

    /// Stores that a cancel request reached the server.
    func stopWasSent(_ id: PoolStateMachine.ConnectionID) {
        change { $0.plan.stopWasSent(id, at: stopwatch.elapsed) }
    }

    // MARK: The loop

    /// Takes the next orders for the loop, and the longest wait after them.
    func takeOrders() -> Orders {
        var failures: [(Waiter, StoreError)] = []
        let orders = state.withLock { state in
            var orders = Orders()
            guard state.ending == nil else {
                orders.hasEnded = true
                return orders
            }
            let now = stopwatch.elapsed
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
                    failures.append((entry.waiter, error))
                }
            }
            orders.wait = state.plan.nextDeadline.map { max(.zero, $0 - now) }
            state.isLoopAsleep = true
            return orders
        }
        for (waiter, error) in failures { waiter.resume(returning: .failure(error)) }
        return orders
    }

    /// Stores the end of a query and resumes its caller.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - outcome: how the query ended.
    ///   - result: the result for the caller, if it gets the server's.
    func ended(
        _ id: PoolStateMachine.ConnectionID,
        _ outcome: PoolStateMachine.Outcome,
        _ result: Result<[PostgreSQLRows], StoreError>
    ) {
        let waiter = state.withLock { state -> Waiter? in
            guard let request = state.plan.ended(id, outcome, at: stopwatch.elapsed) else {
                return nil
            }
            return state.entries.removeValue(forKey: request)?.waiter
        }
        waiter?.resume(returning: result.map { Reply(rows: $0, connection: id) })
    }

    /// Changes the state and wakes the loop if it waits.
    private func change<Value>(_ body: (inout sending State) -> sending Value) -> sending Value {
        var mustWake = false
        let value = state.withLock { state in
            let value = body(&state)
            mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return value
        }
        if mustWake { event.signal() }
        return value
    }
}
