internal import CHTTPParser
internal import Glibc

/// A thread that serves some of a server's connections.
///
/// Unchecked: everything but the mailbox is touched by the loop's own thread alone, from its start
/// to its end.
@safe
final class EventLoop: @unchecked Sendable {
    let mailbox: LoopQueue
    let service: ServerContext
    var connections: [ServerConnection?] = []
    private var generations: [UInt32] = []
    private var freePlaces: [Int] = []
    private(set) var connectionCount = 0

    private let poll: Int32
    /// Where new connections come from; nil for a loop that is handed them.
    let acceptor: ConnectionAcceptor?
    var timers = LoopTimers()
    var headReader = HeadReader()
    var headWriter = HeadWriter()
    /// Where bytes are received, before they are a connection's.
    var scratch = [UInt8](repeating: 0, count: 65_536)
    var knownHeads = RequestHeadCache()
    /// Where answers that stand are written: what an answer needs no longer than until it is sent
    /// stays in the processor's cache.
    var standingFields = HTTPFieldWriter()
    var standingHead: [UInt8] = []
    /// Milliseconds on a clock that never goes back, read once a wake-up.
    private(set) var now: Int64 = 0
    /// When everything is cut off; nil while serving.
    private(set) var stopBy: Int64?
    private var nextSweep: Int64 = 0
    private var patience = BusyPollPolicy()

    /// What a wake-up handles at the most: few enough that others have their turn soon.
    private static let eventsMax = 64
    /// From so many on, whoever waits for this processor has a turn before the next wake-up:
    /// readers on the same machine then find what was written still in its cache (a tenth more
    /// answers a second to 512 connections); where nobody waits, it costs a third of a microsecond.
    private static let busyEvents = 8
    /// After so many bytes, too, in the midst of a wake-up.
    ///
    /// What was written is then read before the next answers take its place in the cache: a
    /// twentieth to a sixth more answers a second to 64 and 512 connections. Half a MiB is too
    /// little: turns then cost more than they bring.
    private static let turnBytesMax = 2 << 20
    /// What was sent since others had their turn.
    var bytesSinceTurn = 0
    /// Often enough that a limit of a second means about that.
    private static let sweepMilliseconds: Int64 = 250

    /// Makes a loop; it does nothing before ``run()``.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    init(_ service: ServerContext, acceptor: ConnectionAcceptor?) throws(HTTPServerError) {
        self.service = service
        self.acceptor = acceptor
        mailbox = try LoopQueue()
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw HTTPServerError(.system(errno), address: "") }
        control(EPOLL_CTL_ADD, mailbox.descriptor, EPOLLIN.rawValue, Self.mailToken)
    }

    deinit { Glibc.close(poll) }

    /// Serves until it was stopped and everybody has left.
    func run() {
        if let acceptor { listen(acceptor) }
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        while true {
            let count = unsafe wait(for: &events)
            for place in 0..<count {
                let (token, bits) = unsafe (events[place].data.u64, events[place].events)
                handle(token, bits)
                if bytesSinceTurn >= Self.turnBytesMax { letOthersGo() }
            }
            while let (id, wait) = timers.take(at: now) { resume(id, wait: wait) }
            if now >= nextSweep { sweep() }
            if let stopBy, connectionCount == 0 || now >= stopBy { break }
            if count >= Self.busyEvents { letOthersGo() }
        }
        for connection in connections.compactMap({ $0 }) { close(connection) }
    }

    /// Waits until something happened, or has to; how many events there are then.
    private func wait(for events: inout [epoll_event]) -> Int {
        let start = Self.clock()
        var end = start
        var count: Int32 = 0
        while count == 0, patience.asksAgain(after: end - start) {
            count = unsafe epoll_wait(poll, &events, Int32(Self.eventsMax), 0)
            end = Self.clock()
        }
        if count == 0 {
            now = end / 1_000_000
            count = unsafe epoll_wait(poll, &events, Int32(Self.eventsMax), timeout)
            end = Self.clock()
        }
        now = end / 1_000_000
        patience.note(waited: end - start)
        return Int(max(0, count))
    }

    /// Gives whoever waits for this processor its turn.
    private func letOthersGo() {
        bytesSinceTurn = 0
        sched_yield()
    }

    /// Nanoseconds on a clock that never goes back.
    private static func clock() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Until something has to be looked at, in milliseconds; without connections nothing has.
    private var timeout: Int32 {
        if connectionCount == 0, stopBy == nil, acceptor?.isListening ?? true { return -1 }
        var next = nextSweep
        if let due = timers.next { next = min(next, due) }
        if let stopBy { next = min(next, stopBy) }
        return Int32(clamping: max(0, next - now))
    }

    private func handle(_ token: UInt64, _ bits: UInt32) {
        switch token {
        case Self.mailToken:
            for mail in mailbox.take() { handle(mail) }
        case Self.acceptorToken:
            if let acceptor { accept(from: acceptor) }
        default:
            guard let connection = connection(ConnectionID(bits: token)) else { return }
            happened(to: connection, bits)
        }
    }

    func handle(_ mail: LoopMessage) {
        switch mail {
        case .adopt(let descriptor, let client): adopt(descriptor, client)
        case .wake(let id):
            if let connection = connection(id) { wake(connection) }
        case .turn(let id):
            if let connection = connection(id) { resumeTurn(connection) }
        case .resume(let id, let wait): resume(id, wait: wait)
        case .takeMore:
            if let acceptor, !acceptor.isListening, stopBy == nil { listen(acceptor) }
        case .stop(let secondsMax): beginStop(secondsMax)
        }
    }

    /// Closes whose time is over, lets the idle ones forget, and takes up listening where
    /// descriptors had run out.
    private func sweep() {
        nextSweep = now + Self.sweepMilliseconds
        for case .some(let connection) in connections {
            if connection.isOverdue(at: now, service.limits) {
                close(connection)
            } else {
                connection.releaseIfIdle(at: now)
            }
        }
        knownHeads.forgetOver()
        if let acceptor, !acceptor.isListening, stopBy == nil { listen(acceptor) }
    }

    private func beginStop(_ secondsMax: Int) {
        guard stopBy == nil else { return }
        stopBy = now + Int64(secondsMax) * 1_000
        if let acceptor {
            unlisten(acceptor)
            acceptor.close()
        }
        for case .some(let connection) in connections { endSoon(connection) }
    }
}

// MARK: - Connections by their names

extension EventLoop {
    fileprivate static let mailToken = UInt64.max
    fileprivate static let acceptorToken = UInt64.max - 1

    /// A connection that is still there.
    func connection(_ id: ConnectionID) -> ServerConnection? {
        guard id.place < connections.count, generations[id.place] == id.generation else {
            return nil
        }
        return connections[id.place]
    }

    /// Serves a connection from now on.
    func adopt(_ descriptor: Int32, _ client: NetworkAddress) {
        let place = freePlaces.popLast() ?? connections.count
        if place == connections.count {
            connections.append(nil)
            generations.append(0)
        }
        let id = ConnectionID(place: place, generation: generations[place])
        let connection = ServerConnection(
            id: id,
            descriptor: descriptor,
            client: client,
            now: now
        )
        connections[place] = connection
        connectionCount += 1
        if stopBy != nil { return close(connection) }
        // Told once of everything that changes: no further call is needed for this connection.
        control(EPOLL_CTL_ADD, descriptor, hoga_epoll_edges(), id.bits)
    }

    /// Ends a connection, wherever it stands.
    func close(_ connection: ServerConnection) {
        guard forget(connection) else { return }
        Glibc.close(connection.descriptor)
        connection.endAnswer(isWhole: false)
        finishStream(connection)
    }

    /// Serves a connection no longer, whose socket stays open; false if it was over before.
    func forget(_ connection: ServerConnection) -> Bool {
        if case .closed = connection.phase { return false }
        connection.phase = .closed
        connection.wait = nil
        connections[connection.id.place] = nil
        generations[connection.id.place] &+= 1
        freePlaces.append(connection.id.place)
        connectionCount -= 1
        // A loop without connections looks after nothing until somebody comes.
        if connectionCount == 0 { knownHeads.forgetAll() }
        if service.room.leave(connection.client) { service.notifyCapacity() }
        return true
    }

    /// Watches no longer a socket that goes on elsewhere.
    func unwatch(_ descriptor: Int32) { control(EPOLL_CTL_DEL, descriptor, 0, 0) }

    private func listen(_ acceptor: ConnectionAcceptor) {
        guard service.room.hasRoom else { return }
        acceptor.isListening = true
        control(EPOLL_CTL_ADD, acceptor.descriptor, EPOLLIN.rawValue, Self.acceptorToken)
    }

    func unlisten(_ acceptor: ConnectionAcceptor) {
        guard acceptor.isListening else { return }
        acceptor.isListening = false
        control(EPOLL_CTL_DEL, acceptor.descriptor, 0, 0)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ bits: UInt32, _ token: UInt64) {
        var event = unsafe epoll_event()
        unsafe event.events = bits
        unsafe event.data.u64 = token
        _ = unsafe epoll_ctl(poll, operation, descriptor, &event)
    }
}
