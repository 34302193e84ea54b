import Concurrency
import DataSourceContracts

/// Assigns connections to requests: a pure state machine without threads, sockets or a clock.
///
/// Times are durations since any fixed moment and never go back. ``takeCommands()`` returns the
/// commands for the loop. A request ends with exactly one `answer`, unless it was abandoned.
///
/// Bounds: `connectionsMax` connections, of which one is being opened at a time; `waitingMax`
/// waiting requests and `urgentMax` urgent ones, which go first. A further request is refused with
/// `busy`. Each connection serves at most one request.
struct PoolStateMachine {
    /// Identifies a request.
    struct RequestID: Hashable, Sendable {
        let number: UInt64
    }

    /// Identifies a connection; never reused.
    struct ConnectionID: Hashable, Sendable {
        let number: UInt64
    }

    /// The connection that a request needs, and its state afterwards.
    enum Kind: Hashable, Sendable {
        /// Any connection, free afterwards. A repeatable request is sent once more if it breaks.
        case batch(isRepeatable: Bool)
        /// Any connection before all waiting requests, free afterwards.
        case urgent
        /// Any connection, held for a transaction afterwards.
        case opening
        /// The connection that the transaction holds.
        case step(ConnectionID)
    }

    /// A command for the loop.
    enum Command: Hashable, Sendable {
        case connect(ConnectionID)
        case send(RequestID, ConnectionID)
        /// Cancel the statement of this connection on the server.
        case cancel(ConnectionID)
        case rollBack(ConnectionID)
        case close(ConnectionID)
        /// Fail the request; its connection gets commands of its own.
        case answer(RequestID, StoreError)
    }

    /// How the query of a connection ended.
    enum Outcome: Hashable, Sendable {
        /// The query succeeded.
        case answered(isInTransaction: Bool)
        /// A statement was refused.
        case refused(isInTransaction: Bool)
        /// The server is read-only: it is no longer the primary.
        case readOnly
        /// The connection is broken.
        case broken(StoreError)
    }

    /// The bounds of a pool.
    struct Bounds: Sendable {
        var connectionsMax = 8
        var waitingMax = 1_024
        /// Urgent requests that wait beside them: a process takes or renews leases one call at a
        /// time.
        var urgentMax = 16
        /// The longest wait of a request for a connection.
        var waitMax = Duration.seconds(2)
        /// The longest wait of a request for the result of the pool's first attempt to connect.
        var firstWaitMax = Duration.seconds(10)
        /// The default time limit of a request.
        var timeLimit = Duration.seconds(5)
        /// The longest cancellation or rollback before the connection is closed.
        var stopMax = Duration.seconds(1)
        /// The longest idle time of a connection that is not the last one.
        var idleMax = Duration.seconds(30)
    }

    struct Waiting {
        let id: RequestID
        let kind: Kind
        let timeLimit: Duration
        let deadline: Duration
        let wasSent: Bool
    }

    /// The activity of a connection.
    enum Activity {
        case connecting
        case idle(since: Duration)
        /// Held for a transaction that is idle.
        case resting
        case running(Waiting, deadline: Duration)
        /// Its statement is being cancelled; nil if no caller waits any more.
        case stopping(Waiting?, deadline: Duration)
        /// Its query ended, but a cancel request may still be on its way to the server.
        case settling(deadline: Duration)
        case rollingBack(deadline: Duration)
    }

    struct Connection {
        var activity: Activity
        /// A transaction may hold it.
        var isHeld = false
        /// Whether the server has a transaction open on it.
        var isInTransaction = false
        /// Whether a cancel request is on its way to the server.
        var isBeingStopped = false
        /// The number of failovers known when it was opened.
        var generation: Int
    }

    let bounds: Bounds
    /// Urgent requests that wait for a connection, in order of their deadlines.
    var urgent: [Waiting] = []
    /// All others that wait for one, in order of their deadlines.
    var waiting: [Waiting] = []
    var connections: [ConnectionID: Connection] = [:]
    /// Idle connections; the last used one is used next, so that surplus ones grow old.
    var idle: [ConnectionID] = []
    var commands: [Command] = []
    private var lastNumber: UInt64 = 0
    var lastConnectionNumber: UInt64 = 0
    /// The number of known failovers.
    var generation = 0
    /// The waits of requests for connections.
    var waits = PoolWaitTimes()

    // Attempts to connect.
    var backoff = Backoff(.postgreSQL)
    /// No attempt before this.
    var attemptsFrom = Duration.zero
    /// Since when there is no connection and none can be opened, and why.
    var outage: (since: Duration, reason: StoreError)?
    /// Whether the first attempt to connect has ended.
    var isFirstAttemptOver = false

    /// Makes a state without connections.
    init(bounds: Bounds) {
        precondition(bounds.connectionsMax > 0, "A pool has at least one connection.")
        self.bounds = bounds
    }

    /// The connections that are open or being opened.
    var connectionCount: Int { connections.count }

    /// The requests that wait for a connection.
    var waitingCount: Int { urgent.count + waiting.count }

    // MARK: Requests

    /// Accepts a request.
    ///
    /// - Parameters:
    ///   - kind: the connection that it needs.
    ///   - timeLimit: the longest time from sending; nil for the default.
    ///   - now: the time.
    /// - Returns: its identifier.
    /// - Throws: ``StoreError``: `busy` when too many wait; `unavailable` in an outage longer than
    ///   `waitMax`, or when the held connection broke.
    mutating func submit(
        _ kind: Kind,
        timeLimit: Duration?,
        at now: Duration
    ) throws(StoreError) -> RequestID {
        lastNumber += 1
        let request = Waiting(
            id: RequestID(number: lastNumber),
            kind: kind,
            timeLimit: timeLimit ?? bounds.timeLimit,
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
                // The previous step succeeded, but too late.
                close(id)
                throw Self.tooLong(request)
            case .connecting, .idle, .running, .stopping, .rollingBack:
                preconditionFailure("A transaction does one thing at a time.")
            }
        case .batch, .opening:
            if let outage, now >= outage.since + bounds.waitMax { throw outage.reason }
            guard waiting.count < bounds.waitingMax || hasFreeConnection else {
                throw StoreError.crowded("\(waiting.count) calls wait for a connection")
            }
            waiting.append(request)
            distribute(at: now)
        case .urgent:
            if let outage, now >= outage.since + bounds.waitMax { throw outage.reason }
            guard urgent.count < bounds.urgentMax || hasFreeConnection else {
                throw StoreError.crowded("\(urgent.count) urgent calls wait for a connection")
            }
            urgent.append(request)
            distribute(at: now)
        }
        return request.id
    }

    private var hasFreeConnection: Bool { waitingCount == 0 && !idle.isEmpty }

    /// Abandons a request whose caller was cancelled; it gets no answer.
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
                // The caller never learns the identifier of the held connection.
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

    /// Releases a held connection; its transaction is rolled back.
    mutating func release(_ id: ConnectionID, at now: Duration) {
        guard let connection = connections[id], connection.isHeld else { return }
        connections[id]?.isHeld = false
        switch connection.activity {
        case .resting: rollBack(id, at: now)
        // Rolled back once its query ended.
        case .connecting, .idle, .running, .stopping, .settling, .rollingBack: break
        }
    }

    // MARK: Time

    /// Acts on the deadlines that have passed.
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

    /// The next deadline of ``advance(to:)``; nil without one.
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

    /// Takes the commands in order; each is returned once.
    mutating func takeCommands() -> [Command] {
        defer { commands = [] }
        return commands
    }
}
