import DataSourceContracts

/// Who gets which connection, and what becomes of it: a pure state machine without threads, without
/// sockets and without a clock of its own.
///
/// Times are spans since a start of the caller's choice and never go back. What is to be done comes
/// out of ``takeCommands()``. A request ends with exactly one `answer`, unless it was abandoned.
///
/// Bounds: `connectionsMax` connections, of which one is being opened at a time; `waitingMax`
/// requests that wait for one, and beside them `urgentMax` that go before those. Requests that have
/// a connection are as many as connections.
struct PoolStateMachine {
    /// Names a request.
    struct RequestID: Hashable, Sendable {
        let number: UInt64
    }

    /// Names a connection; never used again for another.
    struct ConnectionID: Hashable, Sendable {
        let number: UInt64
    }

    /// Which connection a request wants, and what becomes of that afterwards.
    enum Kind: Hashable, Sendable {
        /// Any; it is free afterwards. What may be repeated is sent once more when it breaks.
        case batch(isRepeatable: Bool)
        /// Any, and before all others that wait; it is free afterwards.
        case urgent
        /// Any; it is held for a transaction afterwards.
        case opening
        /// The one that is held.
        case step(ConnectionID)
    }

    /// What is to be done, in order.
    enum Command: Hashable, Sendable {
        case connect(ConnectionID)
        case send(RequestID, ConnectionID)
        /// Have the server stop what this connection runs.
        case cancel(ConnectionID)
        case rollBack(ConnectionID)
        case close(ConnectionID)
        /// The request has failed; its connection, if it had one, is dealt with apart.
        case answer(RequestID, StoreError)
    }

    /// How work of a connection came to its end.
    enum Outcome: Hashable, Sendable {
        /// The answer is there, and the connection is in a transaction or not.
        case answered(isInTransaction: Bool)
        /// A statement was refused, and the connection is in a transaction or not.
        case refused(isInTransaction: Bool)
        /// The server can only be read: it is not the one that is meant any more.
        case readOnly
        /// The connection is of no use any more.
        case broken(StoreError)
    }

    /// The bounds of a plan.
    struct Bounds: Sendable {
        var connectionsMax = 8
        var waitingMax = 1_024
        /// How many urgent requests wait beside them: a process holds a lease or asks for one,
        /// one call at a time.
        var urgentMax = 16
        /// How long a request waits for a connection.
        var waitMax = Duration.seconds(2)
        /// How long a request is given that says nothing else.
        var patience = Duration.seconds(5)
        /// How long stopping or rolling back may take before the connection is closed.
        var stopMax = Duration.seconds(1)
        /// How long a connection may lie idle that is not the last one.
        var idleMax = Duration.seconds(30)
    }

    struct Waiting {
        let id: RequestID
        let kind: Kind
        let patience: Duration
        let deadline: Duration
        let wasSent: Bool
    }

    /// What a connection is doing.
    enum Activity {
        case connecting
        case idle(since: Duration)
        /// Held for a transaction that does nothing just now.
        case resting
        case running(Waiting, deadline: Duration)
        /// It was asked to stop; nil when nobody waits for the answer any more.
        case stopping(Waiting?, deadline: Duration)
        /// Its work is over, but a request to stop may still be on its way to the server.
        case settling(deadline: Duration)
        case rollingBack(deadline: Duration)
    }

    struct Connection {
        var activity: Activity
        /// A transaction may hold it.
        var isHeld = false
        /// The server has a transaction open on it, as far as was heard.
        var isInTransaction = false
        /// A request to stop is on its way to the server.
        var isBeingStopped = false
        /// Before it, the servers may have changed their roles.
        var generation: Int
    }

    let bounds: Bounds
    /// Urgent requests that wait for a connection, in order of their deadlines.
    var urgent: [Waiting] = []
    /// All others that wait for one, in order of their deadlines.
    var waiting: [Waiting] = []
    var connections: [ConnectionID: Connection] = [:]
    /// Idle connections; the last one was used last and is used next, so that what is beyond need
    /// grows old.
    var idle: [ConnectionID] = []
    var commands: [Command] = []
    private var lastNumber: UInt64 = 0
    var lastConnectionNumber: UInt64 = 0
    /// How often the servers are known to have changed their roles.
    var generation = 0
    /// How long requests waited for connections.
    var waits = PoolWaitTimes()

    // Attempts to connect.
    var backoff = ConnectBackoff()
    /// No attempt before this.
    var attemptsFrom = Duration.zero
    /// Since when no connection could be opened while there was none, and why.
    var away: (since: Duration, reason: StoreError)?

    /// Makes a plan without connections.
    init(bounds: Bounds) {
        precondition(bounds.connectionsMax > 0, "A pool has at least one connection.")
        self.bounds = bounds
    }

    /// How many connections are open or being opened.
    var connectionCount: Int { connections.count }

    /// How many requests wait for a connection.
    var waitingCount: Int { urgent.count + waiting.count }

    // MARK: Requests

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - kind: which connection it wants.
    ///   - patience: how long it may take once it is sent; nil for the usual.
    ///   - now: the time.
    /// - Returns: its name.
    /// - Throws: ``StoreError``: `busy` when too many wait, `unavailable` when the server has been
    ///   away for longer than requests wait, or the connection that was held is gone.
    mutating func submit(
        _ kind: Kind,
        patience: Duration?,
        at now: Duration
    ) throws(StoreError) -> RequestID {
        lastNumber += 1
        let request = Waiting(
            id: RequestID(number: lastNumber),
            kind: kind,
            patience: patience ?? bounds.patience,
            deadline: now + bounds.waitMax,
            wasSent: false
        )
        switch kind {
        case .step(let id):
            guard let connection = connections[id], connection.isHeld else {
                throw StoreError(
                    .unavailable,
                    "the connection of the transaction broke, nothing was changed: try again"
                )
            }
            switch connection.activity {
            case .resting: send(request, on: id, at: now)
            case .settling:
                // The step before came through, but too late.
                close(id)
                throw Self.tooLong(request)
            case .connecting, .idle, .running, .stopping, .rollingBack:
                preconditionFailure("A transaction does one thing at a time.")
            }
        case .batch, .opening:
            if let away, now >= away.since + bounds.waitMax { throw away.reason }
            guard waiting.count < bounds.waitingMax || hasFreeConnection else {
                throw StoreError.crowded("\(waiting.count) calls wait for a connection")
            }
            waiting.append(request)
            distribute(at: now)
        case .urgent:
            if let away, now >= away.since + bounds.waitMax { throw away.reason }
            guard urgent.count < bounds.urgentMax || hasFreeConnection else {
                throw StoreError.crowded("\(urgent.count) urgent calls wait for a connection")
            }
            urgent.append(request)
            distribute(at: now)
        }
        return request.id
    }

    private var hasFreeConnection: Bool { waitingCount == 0 && !idle.isEmpty }

    /// Gives a request up whose caller has gone: it gets no answer any more.
    mutating func abandon(_ request: RequestID, at now: Duration) {
        if let place = waiting.firstIndex(where: { $0.id == request }) {
            waiting.remove(at: place)
            return
        }
        if let place = urgent.firstIndex(where: { $0.id == request }) {
            urgent.remove(at: place)
            return
        }
        for (id, connection) in connections {
            switch connection.activity {
            case .running(let running, _) where running.id == request:
                // Nobody learns the name of what an opening holds.
                if case .opening = running.kind { connections[id]?.isHeld = false }
                stop(id, for: nil, at: now)
                return
            case .stopping(let running?, let deadline) where running.id == request:
                if case .opening = running.kind { connections[id]?.isHeld = false }
                connections[id]?.activity = .stopping(nil, deadline: deadline)
                return
            case .connecting, .idle, .resting, .running, .stopping, .settling, .rollingBack: break
            }
        }
    }

    /// Lets a held connection go whose transaction was not committed: it is rolled back.
    mutating func release(_ id: ConnectionID, at now: Duration) {
        guard let connection = connections[id], connection.isHeld else { return }
        connections[id]?.isHeld = false
        switch connection.activity {
        case .resting: rollBack(id, at: now)
        // It is rolled back once it has stopped.
        case .connecting, .idle, .running, .stopping, .settling, .rollingBack: break
        }
    }

    // MARK: Time

    /// Does what is due.
    mutating func advance(to now: Duration) {
        expireWaiting(at: now)
        for (id, connection) in connections {
            switch connection.activity {
            case .running(let request, let deadline) where deadline <= now:
                stop(id, for: request, at: now)
            case .stopping(let request, let deadline) where deadline <= now:
                if let request { fail(request, with: Self.tooLong(request)) }
                close(id)
            case .settling(let deadline) where deadline <= now: close(id)
            case .rollingBack(let deadline) where deadline <= now: close(id)
            case .connecting, .idle, .resting, .running, .stopping, .settling, .rollingBack: break
            }
        }
        closeIdle(at: now)
        distribute(at: now)
    }

    /// When ``advance(to:)`` has something to do at the latest; nil when never.
    var nextDeadline: Duration? {
        var next = waiting.first.map(deadline(of:))
        func consider(_ time: Duration) { next = min(next ?? time, time) }
        if let first = urgent.first { consider(deadline(of: first)) }
        for connection in connections.values {
            switch connection.activity {
            case .running(_, let deadline), .stopping(_, let deadline), .settling(let deadline),
                .rollingBack(let deadline):
                consider(deadline)
            case .connecting, .idle, .resting: break
            }
        }
        if idle.count > 1, let oldest = idle.first, let since = idleSince(oldest) {
            consider(since + bounds.idleMax)
        }
        if wantsConnection, !isConnecting { consider(attemptsFrom) }
        return next
    }

    /// What is to be done now, in order; each command is handed out once.
    mutating func takeCommands() -> [Command] {
        defer { commands = [] }
        return commands
    }
}
