import Concurrency
import DataSourceContracts

extension PoolStateMachine {
    // MARK: Events

    /// Stores that a connection was opened.
    mutating func connected(_ id: ConnectionID, at now: Duration) {
        guard case .connecting = connections[id]?.activity else { return }
        backoff.succeeded()
        isFirstAttemptOver = true
        attemptsFrom = now
        outage = nil
        free(id, at: now)
    }

    /// Stores that a connection could not be opened.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - error: the cause.
    ///   - now: the time.
    ///   - random: uniformly random bits.
    mutating func failedToConnect(
        _ id: ConnectionID,
        because error: StoreError,
        at now: Duration,
        random: UInt64
    ) {
        guard case .connecting = connections[id]?.activity else { return }
        connections[id] = nil
        isFirstAttemptOver = true
        attemptsFrom = now + backoff.failed(at: now, random: random)
        if connections.isEmpty { outage = (outage?.since ?? now, error) }
        expireWaiting(at: now)
        distribute(at: now)
    }

    /// Stores the end of a query, or of an idle connection.
    ///
    /// - Returns: the request whose caller gets the result of the server; nil if there is none, if
    ///   a command fails it, or if it is sent once more.
    mutating func ended(
        _ id: ConnectionID,
        _ outcome: Outcome,
        at now: Duration
    ) -> RequestID? {
        guard let connection = connections[id] else { return nil }
        let request: Waiting?
        switch connection.activity {
        case .running(let running, _): request = running
        case .stopping(let running, _): request = running
        case .connecting, .idle, .resting, .settling, .rollingBack: request = nil
        }
        switch outcome {
        case .answered(let isInTransaction):
            settle(id, isInTransaction: isInTransaction, at: now)
        case .refused(let isInTransaction):
            // The caller of a refused opening does not know the connection.
            if request?.kind == .opening { connections[id]?.isHeld = false }
            settle(id, isInTransaction: isInTransaction, at: now)
        case .readOnly:
            // All open connections may lead to the old primary.
            generation += 1
            close(id)
            for old in idle { close(old) }
            distribute(at: now)
        case .broken(let error):
            close(id)
            if let request { repeatOrFail(request, because: error, at: now) }
            distribute(at: now)
            return nil
        }
        return request?.id
    }

    /// Stores that a cancel request reached the server, or never will.
    mutating func stopWasSent(_ id: ConnectionID, at now: Duration) {
        guard let connection = connections[id] else { return }
        connections[id]?.isBeingStopped = false
        if case .settling = connection.activity { settled(id, at: now) }
    }

    // MARK: Connections

    /// Assigns free connections to waiting requests, and opens another one if needed.
    mutating func distribute(at now: Duration) {
        while waitingCount > 0, let id = idle.popLast() {
            send(urgent.isEmpty ? waiting.removeFirst() : urgent.removeFirst(), on: id, at: now)
        }
        guard wantsConnection, !isConnecting, now >= attemptsFrom else { return }
        lastConnectionNumber += 1
        let id = ConnectionID(number: lastConnectionNumber)
        connections[id] = Connection(activity: .connecting, generation: generation)
        commands.append(.connect(id))
    }

    /// Whether a further connection would help a waiting request or end an outage.
    var wantsConnection: Bool {
        // In an outage calls fail at once, so the pool itself looks for the server.
        (waitingCount > 0 || outage != nil) && idle.isEmpty
            && connections.count < bounds.connectionsMax
    }

    var isConnecting: Bool {
        connections.values.contains { connection in
            if case .connecting = connection.activity { true } else { false }
        }
    }

    mutating func send(_ request: Waiting, on id: ConnectionID, at now: Duration) {
        noteWait(of: request, at: now)
        connections[id]?.activity = .running(request, deadline: now + request.timeLimit)
        if case .opening = request.kind { connections[id]?.isHeld = true }
        commands.append(.send(request.id, id))
    }

    /// Cancels the statement of a connection on the server.
    mutating func stop(_ id: ConnectionID, for request: Waiting?, at now: Duration) {
        connections[id]?.activity = .stopping(request, deadline: now + bounds.stopMax)
        connections[id]?.isBeingStopped = true
        commands.append(.cancel(id))
    }

    mutating func rollBack(_ id: ConnectionID, at now: Duration) {
        connections[id]?.activity = .rollingBack(deadline: now + bounds.stopMax)
        commands.append(.rollBack(id))
    }

    mutating func close(_ id: ConnectionID) {
        guard connections.removeValue(forKey: id) != nil else { return }
        idle.removeAll { $0 == id }
        commands.append(.close(id))
    }

    /// Continues with a connection whose query ended.
    private mutating func settle(_ id: ConnectionID, isInTransaction: Bool, at now: Duration) {
        guard let connection = connections[id] else { return }
        connections[id]?.isInTransaction = isInTransaction
        if !isInTransaction { connections[id]?.isHeld = false }
        // Otherwise the cancel request could hit the next statement.
        if connection.isBeingStopped {
            connections[id]?.activity = .settling(deadline: now + bounds.stopMax)
        } else {
            settled(id, at: now)
        }
    }

    private mutating func settled(_ id: ConnectionID, at now: Duration) {
        guard let connection = connections[id] else { return }
        if connection.isHeld {
            connections[id]?.activity = .resting
        } else if connection.isInTransaction {
            if case .rollingBack = connection.activity { close(id) } else { rollBack(id, at: now) }
        } else {
            free(id, at: now)
        }
    }

    private mutating func free(_ id: ConnectionID, at now: Duration) {
        guard connections[id]?.generation == generation else {
            close(id)
            distribute(at: now)
            return
        }
        connections[id]?.activity = .idle(since: now)
        idle.append(id)
        distribute(at: now)
    }

    func idleSince(_ id: ConnectionID) -> Duration? {
        guard case .idle(let since) = connections[id]?.activity else { return nil }
        return since
    }

    /// Closes connections that were idle for too long, except the last one.
    mutating func closeIdle(at now: Duration) {
        while idle.count > 1, let oldest = idle.first, let since = idleSince(oldest),
            since + bounds.idleMax <= now
        {
            close(oldest)
        }
    }

    // MARK: Requests

    /// When a waiting request expires; the time since the start of an outage counts.
    func deadline(of request: Waiting) -> Duration {
        let deadline = request.deadline - bounds.waitMax + wait
        guard let outage else { return deadline }
        return min(deadline, outage.since + bounds.waitMax)
    }

    /// The longest wait of a request.
    ///
    /// Only the end of the first attempt tells a slow server from one that does not run.
    private var wait: Duration {
        isFirstAttemptOver ? bounds.waitMax : max(bounds.waitMax, bounds.firstWaitMax)
    }

    mutating func expireWaiting(at now: Duration) {
        while let first = waiting.first, deadline(of: first) <= now {
            waiting.removeFirst()
            noteWait(of: first, at: now)
            fail(first, with: outage?.reason ?? noConnection)
        }
        while let first = urgent.first, deadline(of: first) <= now {
            urgent.removeFirst()
            noteWait(of: first, at: now)
            fail(first, with: outage?.reason ?? noConnection)
        }
    }

    /// Records the wait of a request for a connection.
    private mutating func noteWait(of request: Waiting, at now: Duration) {
        switch request.kind {
        case .batch, .urgent, .opening:
            waits.note(now - (request.deadline - bounds.waitMax), at: now)
        case .step: break
        }
    }

    private var noConnection: StoreError {
        let isOpen = connections.values.contains { connection in
            if case .connecting = connection.activity { false } else { true }
        }
        return isOpen
            ? StoreError.crowded("no connection became free within \(bounds.waitMax)")
            : StoreError(
                .unavailable,
                "no connection was opened within \(wait): check that the server runs"
            )
    }

    mutating func fail(_ request: Waiting, with error: StoreError) {
        commands.append(.answer(request.id, error))
    }

    /// Sends a request once more if it is repeatable, else fails it.
    private mutating func repeatOrFail(
        _ request: Waiting,
        because error: StoreError,
        at now: Duration
    ) {
        switch request.kind {
        case .batch(isRepeatable: true) where !request.wasSent:
            waiting.append(
                Waiting(
                    id: request.id,
                    kind: request.kind,
                    timeLimit: request.timeLimit,
                    deadline: now + bounds.waitMax,
                    wasSent: true
                )
            )
        case .batch(isRepeatable: true), .opening: fail(request, with: error)
        case .batch(isRepeatable: false), .urgent, .step:
            // A commit may have succeeded although its response was lost.
            var error = error
            error.detail += "; the change may have been saved: read it again"
            fail(request, with: error)
        }
    }

    static func tooLong(_ request: Waiting) -> StoreError {
        StoreError(
            .busy,
            "the server did not answer within \(request.timeLimit) or react to the cancellation; "
                + "the change may have been saved: read it again"
        )
    }
}
