import DataSourceContracts

/// The transfers of a transport and the waiters for their results: a pure state machine.
///
/// A request is reserved, submitted, started and completed; it can be cancelled at any point. Each
/// waiter is returned exactly once. `Waiter` is the receiver of a result.
///
/// Bound: `requestsMax` requests, cancelled ones included until libcurl has dropped them. Reserving
/// throws beyond that.
struct PendingTransfers<Waiter> {
    /// Identifies a request.
    struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// A command for the loop.
    enum Command {
        case start(ID, HTTPRequest)
        case drop(ID)
        /// The stream's buffer, which was full, has room again.
        case resume(ID)
    }

    private enum Entry {
        /// A place is reserved; a cancellation may come before the request.
        case reserved
        case cancelledEarly
        /// Waiting for the loop.
        case submitted(HTTPRequest, Waiter)
        /// In the loop.
        case started(Waiter)
    }

    private let requestsMax: Int
    private var entries: [ID: Entry] = [:]
    /// Requests that wait for the loop, in order of arrival.
    private var arrivals: [ID] = []
    /// Requests that the loop must drop.
    private var drops: [ID] = []
    /// Streams in flight whose buffers have room again, each once.
    private var resumptions: [ID] = []
    private var lastNumber: UInt64 = 0

    /// Why the loop ended; requests are refused from then on.
    private var ending: TransportError?

    /// Makes a state without requests.
    init(requestsMax: Int) {
        self.requestsMax = requestsMax
    }

    /// Whether the loop ended.
    var hasEnded: Bool { ending != nil }

    // MARK: Callers

    /// Reserves a place for a request.
    ///
    /// - Throws: `other` when all places are taken; after the end its reason.
    mutating func reserve() throws(TransportError) -> ID {
        if let ending { throw ending }
        guard entries.count + drops.count < requestsMax else {
            throw TransportError(.other, "\(requestsMax) requests are in flight: try again later")
        }
        lastNumber += 1
        let id = ID(number: lastNumber)
        entries[id] = .reserved
        return id
    }

    /// Submits the request of a reserved place.
    ///
    /// - Returns: the reason for a refusal, when the request was cancelled or the loop ended
    ///   meanwhile; the waiter is not kept then.
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

    /// Cancels a request; has no effect on a complete one.
    ///
    /// - Returns: the waiter to fail, if there is one.
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

    /// Resumes a stream whose buffer has room again; has no effect on a complete one.
    ///
    /// - Returns: whether the loop has something to do.
    mutating func resume(_ id: ID) -> Bool {
        guard case .started = entries[id] else { return false }
        if !resumptions.contains(id) { resumptions.append(id) }
        return true
    }

    // MARK: The loop

    /// The waiter of a started request; nil when it was cancelled meanwhile.
    func waiter(of id: ID) -> Waiter? {
        guard case .started(let waiter) = entries[id] else { return nil }
        return waiter
    }

    /// Takes the next commands for the loop, in order.
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

    /// Completes a transfer.
    ///
    /// - Returns: the waiter to resume; nil when the request was cancelled meanwhile.
    mutating func complete(_ id: ID) -> Waiter? {
        guard case .started(let waiter) = entries[id] else {
            drops.removeAll { $0 == id }
            return nil
        }
        entries[id] = nil
        resumptions.removeAll { $0 == id }
        return waiter
    }

    /// Ends all requests; the first reason counts.
    ///
    /// - Returns: the waiters of all submitted requests.
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
