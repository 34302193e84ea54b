internal import CHTTPParser
internal import Glibc
internal import NetworkAddresses

/// A thread that serves a share of a server's connections over epoll.
///
/// Unchecked: the queue is shared; everything else is used by the loop's own thread alone.
@safe
final class EventLoop: @unchecked Sendable {
    let queue: LoopQueue
    let context: ServerContext
    var connections: [ServerConnection?] = []
    private var generations: [UInt32] = []
    private var freeSlots: [Int] = []
    private(set) var connectionCount = 0

    private let poll: Int32
    /// Accepts connections; nil for a loop that receives them through its queue.
    let acceptor: ConnectionAcceptor?
    var timers = LoopTimers()
    var headReader = HeadReader()
    var headWriter: HeadWriter
    /// The receive buffer of all connections of the loop.
    var scratch = [UInt8](repeating: 0, count: 65_536)
    /// Milliseconds on the monotonic clock, read once per wake-up.
    private(set) var now: Int64 = 0
    /// When a stopping loop closes what is left; nil while serving.
    private(set) var stopBy: Int64?
    private var nextSweep: Int64 = 0

    /// Events handled per wake-up; the rest are returned by the next wait.
    private static let eventsMax = 64
    /// Precision of time limits, all of which are whole seconds.
    private static let sweepMilliseconds: Int64 = 250

    /// Makes a loop; ``run()`` starts it.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    init(_ context: ServerContext, acceptor: ConnectionAcceptor?) throws(HTTPServerError) {
        self.context = context
        self.acceptor = acceptor
        headWriter = HeadWriter(second: context.second)
        queue = try LoopQueue()
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw HTTPServerError(.system(errno), address: "") }
        guard control(EPOLL_CTL_ADD, queue.descriptor, EPOLLIN.rawValue, Self.queueToken) else {
            throw HTTPServerError(.system(errno), address: "")
        }
    }

    deinit { Glibc.close(poll) }

    /// Serves until the loop is stopped and its last connection is closed.
    func run() {
        if let acceptor { listen(acceptor) }
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        now = Self.milliseconds()
        while true {
            let count = unsafe epoll_wait(poll, &events, Int32(Self.eventsMax), timeout)
            now = Self.milliseconds()
            for index in 0..<Int(max(0, count)) {
                let (token, bits) = unsafe (events[index].data.u64, events[index].events)
                handle(token, bits)
            }
            while let (id, wait) = timers.popDue(at: now) { resume(id, wait: wait) }
            if now >= nextSweep { sweep() }
            if let stopBy, connectionCount == 0 || now >= stopBy { break }
        }
        for connection in connections.compactMap({ $0 }) { close(connection) }
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds until the next timer or sweep; -1, no limit, without connections.
    private var timeout: Int32 {
        if connectionCount == 0, stopBy == nil, acceptor?.isListening ?? true { return -1 }
        var next = nextSweep
        if let due = timers.next { next = min(next, due) }
        if let stopBy { next = min(next, stopBy) }
        return Int32(clamping: max(0, next - now))
    }

    private func handle(_ token: UInt64, _ bits: UInt32) {
        switch token {
        case Self.queueToken:
            for message in queue.drain() { handle(message) }
        case Self.acceptorToken:
            if let acceptor { accept(from: acceptor) }
        default:
            guard let connection = connection(ConnectionID(bits: token)) else { return }
            handleEvents(bits, on: connection)
        }
    }

    func handle(_ message: LoopMessage) {
        switch message {
        case .adopt(let descriptor, let client): adopt(descriptor, client)
        case .wake(let id):
            if let connection = connection(id) { wake(connection) }
        case .turn(let id):
            if let connection = connection(id) { resumeTurn(connection) }
        case .resume(let id, let wait): resume(id, wait: wait)
        case .drop(let id, let output):
            // The output may have been sent since it was dropped from the budget.
            if let connection = connection(id), connection.unsentNumber == output {
                close(connection)
            }
        case .listen:
            if let acceptor, !acceptor.isListening, stopBy == nil { listen(acceptor) }
        case .stop(let secondsMax): beginStop(secondsMax)
        }
    }

    /// Closes overdue connections, releases buffers of idle ones, and listens again after the
    /// process ran out of descriptors.
    private func sweep() {
        nextSweep = now + Self.sweepMilliseconds
        for case .some(let connection) in connections {
            if connection.isOverdue(at: now, context.limits) {
                close(connection)
            } else {
                connection.releaseIfIdle(at: now)
            }
        }
        if let acceptor, !acceptor.isListening, stopBy == nil { listen(acceptor) }
    }

    private func beginStop(_ secondsMax: Int) {
        guard stopBy == nil else { return }
        stopBy = now + Int64(secondsMax) * 1_000
        if let acceptor {
            unlisten(acceptor)
            acceptor.close()
        }
        for case .some(let connection) in connections { beginStop(of: connection) }
    }
}

// MARK: - Connections by id

extension EventLoop {
    fileprivate static let queueToken = UInt64.max
    fileprivate static let acceptorToken = UInt64.max - 1

    /// The connection with this id; nil if it is closed.
    func connection(_ id: ConnectionID) -> ServerConnection? {
        guard id.slot < connections.count, generations[id.slot] == id.generation else {
            return nil
        }
        return connections[id.slot]
    }

    /// Starts serving an accepted connection.
    func adopt(_ descriptor: Int32, _ client: NetworkAddress) {
        let slot = freeSlots.popLast() ?? connections.count
        if slot == connections.count {
            connections.append(nil)
            generations.append(0)
        }
        let id = ConnectionID(slot: slot, generation: generations[slot])
        let connection = ServerConnection(
            id: id,
            descriptor: descriptor,
            client: client,
            now: now
        )
        connections[slot] = connection
        connectionCount += 1
        if stopBy != nil { return close(connection) }
        // Edge-triggered: one registration serves the connection's whole life.
        if !control(EPOLL_CTL_ADD, descriptor, hoga_epoll_edges(), id.bits) { close(connection) }
    }

    /// Closes a connection in any phase.
    func close(_ connection: ServerConnection) {
        guard remove(connection) else { return }
        Glibc.close(connection.descriptor)
        connection.completeResponse(isComplete: false)
        finishStream(connection)
    }

    /// Stops serving a connection without closing its socket; false if it was closed before.
    func remove(_ connection: ServerConnection) -> Bool {
        if case .closed = connection.phase { return false }
        connection.phase = .closed
        connection.wait = nil
        discountUnsent(connection)
        connections[connection.id.slot] = nil
        generations[connection.id.slot] &+= 1
        freeSlots.append(connection.id.slot)
        connectionCount -= 1
        if context.counts.release(connection.client) { context.notifyCapacity() }
        return true
    }

    /// Unregisters a socket that another owner takes over.
    func unwatch(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, 0, 0) }

    private func listen(_ acceptor: ConnectionAcceptor) {
        guard context.counts.hasCapacity else { return }
        // Without memory for it the next sweep listens.
        acceptor.isListening =
            control(EPOLL_CTL_ADD, acceptor.descriptor, EPOLLIN.rawValue, Self.acceptorToken)
    }

    func unlisten(_ acceptor: ConnectionAcceptor) {
        guard acceptor.isListening else { return }
        acceptor.isListening = false
        _ = control(EPOLL_CTL_DEL, acceptor.descriptor, 0, 0)
    }

    /// Changes what the loop waits for; false if the kernel has no memory for an addition.
    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        _ bits: UInt32,
        _ token: UInt64
    ) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = bits
        unsafe event.data.u64 = token
        return unsafe epoll_ctl(poll, operation, descriptor, &event) == 0
    }
}
