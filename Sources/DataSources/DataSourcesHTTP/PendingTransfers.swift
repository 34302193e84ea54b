import DataSourceContracts

/// Who waits for which transfer: a pure state machine without threads and without libcurl.
///
/// A request is reserved, then submitted, then started, then completed; it can be cancelled at any
/// point. Each waiter is handed out exactly once. `Waiter` is whatever must be told the result.
///
/// Bound: `requestsMax` requests, counting those that were cancelled while libcurl still worked on
/// them and have not been dropped there yet. When it is reached, reserving throws.
struct PendingTransfers<Waiter> {
    /// Names a request.
    struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// What the loop is to do.
    enum Command {
        case start(ID, HTTPRequest)
        case drop(ID)
        /// Its reader, which had no room, has some again.
        case resume(ID)
    }

    private enum Entry {
        /// Announced; a cancellation may come before the request.
        case reserved
        case cancelledEarly
        /// Waiting for the loop.
        case submitted(HTTPRequest, Waiter)
        /// In the loop's hands.
        case started(Waiter)
    }

    private let requestsMax: Int
    private var entries: [ID: Entry] = [:]
    /// Requests that wait for the loop, in order of their arrival.
    private var arrivals: [ID] = []
    /// Requests that the loop must forget.
    private var drops: [ID] = []
    /// Requests under way whose readers have room again, each once.
    private var resumptions: [ID] = []
    private var lastNumber: UInt64 = 0

    /// Why the loop ended: nothing is taken any more.
    private var ending: TransportError?

    /// Makes an empty ledger.
    init(requestsMax: Int) {
        self.requestsMax = requestsMax
    }

    /// Whether the loop ended.
    var hasEnded: Bool { ending != nil }

    // MARK: Callers

    /// Announces a request.
    ///
    /// - Throws: `other` when the ledger is full; why it ended when it has.
    mutating func reserve() throws(TransportError) -> ID {
        if let ending { throw ending }
        guard entries.count + drops.count < requestsMax else {
            throw TransportError(.other, "\(requestsMax) requests are under way: try again later")
        }
        lastNumber += 1
        let id = ID(number: lastNumber)
        entries[id] = .reserved
        return id
    }

    /// Hands in the request that was announced.
    ///
    /// - Returns: why it is not taken, when it was cancelled or the ledger ended meanwhile; the
    ///   waiter is not kept then.
    mutating func submit(
        _ request: HTTPRequest,
        as id: ID,
        for waiter: Waiter
    ) -> TransportError? {
        switch entries[id] {
        case .reserved:
            entries[id] = .submitted(request, waiter)
            arrivals.append(id)
            return nil
        case .cancelledEarly, nil:
            entries[id] = nil
            return ending ?? .taskCancelled
        case .submitted, .started:
            preconditionFailure("A request is submitted once.")
        }
    }

    /// Gives a request up; without effect on one that is complete.
    ///
    /// - Returns: the waiter to tell, if there is one.
    mutating func cancel(_ id: ID) -> Waiter? {
        switch entries[id] {
        case .reserved:
            entries[id] = .cancelledEarly
            return nil
        case .submitted(_, let waiter):
            entries[id] = nil
            arrivals.removeAll { $0 == id }
            return waiter
        case .started(let waiter):
            entries[id] = nil
            resumptions.removeAll { $0 == id }
            drops.append(id)
            return waiter
        case .cancelledEarly, nil:
            return nil
        }
    }

    /// Notes that the reader of an answer has room again; without effect on one that is complete.
    ///
    /// - Returns: whether the loop has something to do.
    mutating func resume(_ id: ID) -> Bool {
        guard case .started = entries[id] else { return false }
        if !resumptions.contains(id) { resumptions.append(id) }
        return true
    }

    // MARK: The loop

    /// Who waits for a request that the loop has; `nil` when it was cancelled meanwhile.
    func waiter(of id: ID) -> Waiter? {
        guard case .started(let waiter) = entries[id] else { return nil }
        return waiter
    }

    /// What the loop is to do next, in order.
    mutating func takeCommands() -> [Command] {
        var commands = drops.map(Command.drop) + resumptions.map(Command.resume)
        resumptions = []
        for id in arrivals {
            guard case .submitted(let request, let waiter) = entries[id] else { continue }
            entries[id] = .started(waiter)
            commands.append(.start(id, request))
        }
        drops = []
        arrivals = []
        return commands
    }

    /// Notes that a transfer is over.
    ///
    /// - Returns: the waiter to tell; `nil` when it was cancelled meanwhile.
    mutating func complete(_ id: ID) -> Waiter? {
        guard case .started(let waiter) = entries[id] else {
            drops.removeAll { $0 == id }
            return nil
        }
        entries[id] = nil
        resumptions.removeAll { $0 == id }
        return waiter
    }

    /// Ends everything; the first reason stays.
    ///
    /// - Returns: the waiters of all that was submitted.
    mutating func end(because error: TransportError) -> [Waiter] {
        ending = ending ?? error
        let waiters = entries.values.compactMap { entry -> Waiter? in
            switch entry {
            case .submitted(_, let waiter), .started(let waiter): waiter
            case .reserved, .cancelledEarly: nil
            }
        }
        entries = [:]
        arrivals = []
        drops = []
        resumptions = []
        return waiters
    }
}

extension TransportError {
    /// The calling task was cancelled.
    static var taskCancelled: Self { Self(.cancelled, "the task was cancelled") }
}
