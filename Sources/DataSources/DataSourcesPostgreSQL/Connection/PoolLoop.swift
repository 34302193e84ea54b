import Concurrency
import DataSourceContracts
import Glibc

/// The one thread on which libpq works: it sends, receives and waits for all connections.
actor PoolLoop {
    /// The longest wait without any event; the signal ends it sooner.
    private static let waitMax = Duration.seconds(60)

    private struct Session {
        let connection: PostgreSQLConnection
        var exchange: Exchange?
    }

    private nonisolated let executor = BlockingExecutor(label: "hoga.postgresql")
    private let mailbox: PoolQueue
    private let connector: Connector
    private let canceller: QueryCanceller
    private var sessions: [PoolStateMachine.ConnectionID: Session] = [:]
    private var isStarted = false
    /// A connection broke since the last orders were taken: there are more.
    private var hasBroken = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a loop that does not run yet.
    init(mailbox: PoolQueue, connector: Connector, canceller: QueryCanceller) {
        self.mailbox = mailbox
        self.connector = connector
        self.canceller = canceller
    }

    /// Blocks this actor's thread until the mailbox ends.
    func run() {
        precondition(!isStarted, "A pool runs once.")
        isStarted = true
        while true {
            let orders = mailbox.takeOrders()
            if orders.hasEnded { break }
            for (id, open) in orders.arrivals {
                sessions[id] = Session(connection: open.connection)
            }
            hasBroken = false
            for order in orders.orders { obey(order) }
            wait(for: hasBroken ? .zero : orders.wait ?? Self.waitMax)
        }
        sessions = [:]
    }

    private func obey(_ order: PoolQueue.Order) {
        switch order {
        case .connect(let id):
            connector.open { [mailbox] result in mailbox.arrived(id, result) }
        case .send(let outgoing, let id): send(outgoing, on: id)
        case .rollBack(let id): send(.batch([.rollback]), on: id)
        case .cancel(let id):
            guard let cancellation = sessions[id]?.connection.makeCancellation() else { return }
            canceller.send(cancellation) { [mailbox] in mailbox.stopWasSent(id) }
        case .close(let id): sessions[id] = nil
        }
    }

    private func send(_ outgoing: OutgoingQuery, on id: PoolStateMachine.ConnectionID) {
        guard let connection = sessions[id]?.connection else { return }
        do throws(StoreError) {
            sessions[id]?.exchange = try Exchange(outgoing, on: connection)
        } catch {
            end(id, with: error)
        }
    }

    /// Waits for sockets and goes on with those that can.
    private func wait(for time: Duration) {
        let ids = Array(sessions.keys)
        var entries = [mailbox.signal.entry]
        for id in ids {
            guard let session = sessions[id] else { continue }
            entries.append(
                SocketPoll.entry(
                    for: session.connection.descriptor,
                    output: session.exchange?.hasOutput ?? false
                )
            )
        }
        SocketPoll.wait(&entries, for: time)
        if entries[0].revents != 0 { mailbox.signal.clear() }
        for (id, entry) in zip(ids, entries.dropFirst()) where entry.revents != 0 { advance(id) }
    }

    private func advance(_ id: PoolStateMachine.ConnectionID) {
        guard let connection = sessions[id]?.connection else { return }
        do throws(StoreError) {
            try connection.receive()
            guard let state = try sessions[id]?.exchange?.advance(on: connection) else { return }
            switch state {
            case .underway: return
            case .done(let rows):
                sessions[id]?.exchange = nil
                let outcome = PoolStateMachine.Outcome.answered(
                    isInTransaction: connection.isInTransaction
                )
                mailbox.ended(id, outcome, .success(rows))
            case .refused(let words):
                sessions[id]?.exchange = nil
                refuse(id, words)
            }
        } catch {
            end(id, with: error)
        }
    }

    private func refuse(
        _ id: PoolStateMachine.ConnectionID,
        _ words: StoreError.PostgreSQLErrorFields
    ) {
        guard let connection = sessions[id]?.connection else { return }
        let error = StoreError(postgreSQL: words, at: connection.location)
        switch words.end {
        case .staysOpen:
            let outcome = PoolStateMachine.Outcome.refused(
                isInTransaction: connection.isInTransaction
            )
            mailbox.ended(id, outcome, .failure(error))
        case .isReadOnly: mailbox.ended(id, .readOnly, .failure(error))
        case .breaks: end(id, with: error)
        }
    }

    /// Forgets a connection that is of no use any more.
    private func end(_ id: PoolStateMachine.ConnectionID, with error: StoreError) {
        sessions[id] = nil
        hasBroken = true
        mailbox.ended(id, .broken(error), .failure(error))
    }
}
