import Concurrency
import DataSourceContracts
import Glibc

/// The thread on which libpq works: it sends, receives and waits for all connections.
///
/// ``run()`` occupies this actor until the pool ends; no other method is called meanwhile.
actor PoolLoop {
    /// The longest wait without an event; the queue's event ends it sooner.
    private static let waitMax = Duration.seconds(60)

    private struct Session {
        let connection: PostgreSQLConnection
        var roundTrip: RoundTrip?
    }

    private nonisolated let executor = BlockingExecutor(label: "hoga.postgresql")
    private let queue: PoolQueue
    private let connector: Connector
    private let canceler: QueryCanceler
    private var sessions: [PoolStateMachine.ConnectionID: Session] = [:]
    private var isStarted = false
    /// A connection broke since the last orders, so more orders follow.
    private var hasBroken = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a loop that does not run yet.
    init(queue: PoolQueue, connector: Connector, canceler: QueryCanceler) {
        self.queue = queue
        self.connector = connector
        self.canceler = canceler
    }

    /// Blocks this actor's thread until the queue ends.
    func run() {
        precondition(!isStarted, "A pool runs once.")
        isStarted = true
        while true {
            let orders = queue.takeOrders()
            if orders.hasEnded { break }
            for (id, open) in orders.arrivals {
                sessions[id] = Session(connection: open.connection)
            }
            hasBroken = false
            for order in orders.orders { perform(order) }
            wait(for: hasBroken ? .zero : orders.wait ?? Self.waitMax)
        }
        sessions = [:]
    }

    private func perform(_ order: PoolQueue.Order) {
        switch order {
        case .connect(let id):
            connector.open { [queue] result in queue.arrived(id, result) }
        case .send(let outgoing, let id): send(outgoing, on: id)
        case .rollBack(let id): send(.batch([.rollback]), on: id)
        case .cancel(let id):
            guard let cancellation = sessions[id]?.connection.makeCancellation() else { return }
            canceler.send(cancellation) { [queue] in queue.stopWasSent(id) }
        case .close(let id): sessions[id] = nil
        }
    }

    private func send(_ outgoing: OutgoingQuery, on id: PoolStateMachine.ConnectionID) {
        guard let connection = sessions[id]?.connection else { return }
        do throws(StoreError) {
            sessions[id]?.roundTrip = try RoundTrip(outgoing, on: connection)
        } catch {
            end(id, with: error)
        }
    }

    /// Waits for sockets and continues with the ready ones.
    private func wait(for time: Duration) {
        let ids = Array(sessions.keys)
        var entries = [SocketPoll.entry(for: queue.event)]
        for id in ids {
            guard let session = sessions[id] else { continue }
            entries.append(
                SocketPoll.entry(
                    for: session.connection.descriptor,
                    output: session.roundTrip?.hasOutput ?? false
                )
            )
        }
        SocketPoll.wait(&entries, for: time)
        if entries[0].revents != 0 { queue.event.clear() }
        for (id, entry) in zip(ids, entries.dropFirst()) where entry.revents != 0 { advance(id) }
    }

    private func advance(_ id: PoolStateMachine.ConnectionID) {
        guard let connection = sessions[id]?.connection else { return }
        do throws(StoreError) {
            try connection.receive()
            guard let state = try sessions[id]?.roundTrip?.advance(on: connection) else { return }
            switch state {
            case .inFlight: return
            case .done(let rows):
                sessions[id]?.roundTrip = nil
                let outcome = PoolStateMachine.Outcome.answered(
                    isInTransaction: connection.isInTransaction
                )
                queue.ended(id, outcome, .success(rows))
            case .refused(let fields):
                sessions[id]?.roundTrip = nil
                refuse(id, fields)
            }
        } catch {
            end(id, with: error)
        }
    }

    private func refuse(
        _ id: PoolStateMachine.ConnectionID,
        _ fields: StoreError.PostgreSQLErrorFields
    ) {
        guard let connection = sessions[id]?.connection else { return }
        let error = StoreError(postgreSQL: fields, at: connection.location)
        switch fields.end {
        case .staysOpen:
            let outcome = PoolStateMachine.Outcome.refused(
                isInTransaction: connection.isInTransaction
            )
            queue.ended(id, outcome, .failure(error))
        case .isReadOnly: queue.ended(id, .readOnly, .failure(error))
        case .breaks: end(id, with: error)
        }
    }

    /// Drops a broken connection.
    private func end(_ id: PoolStateMachine.ConnectionID, with error: StoreError) {
        sessions[id] = nil
        hasBroken = true
        queue.ended(id, .broken(error), .failure(error))
    }
}
