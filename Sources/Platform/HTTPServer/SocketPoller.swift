internal import CHTTPParser
internal import Glibc

/// Waits for many handed-over sockets at once; another thread may wake it.
///
/// Level-triggered: a socket is reported as long as there is something to read or room to write.
/// Source: epoll(7), eventfd(2). Thread-safe, because the kernel is; one thread waits at a time.
public final class SocketPoller: Sendable {
    /// What a socket is ready for.
    public struct Event: Sendable, Hashable {
        /// The number given with the socket.
        public var token: UInt64
        /// Whether reading gives something, which may be the end.
        public var isReadable: Bool
        /// Whether writing takes something; told only where it was asked for.
        public var isWritable: Bool
    }

    private let poll: Int32
    private let wakeUp: Int32

    /// How many events one wait hands out; the others come with the next one.
    private static let eventsMax = 64
    /// The number of the poller's own event descriptor, which no socket may have.
    private static let wakeToken = UInt64.max

    /// Makes a poller.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    public init() throws(HTTPServerError) {
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard poll >= 0, wakeUp >= 0 else {
            throw HTTPServerError(.system(errno), address: "")
        }
        control(EPOLL_CTL_ADD, wakeUp, token: Self.wakeToken, awaitsRoom: false)
    }

    deinit {
        close(poll)
        close(wakeUp)
    }

    /// Begins to watch a socket; it is forgotten when the socket is closed.
    ///
    /// - Parameters:
    ///   - socket: one that is not watched yet.
    ///   - token: the number by which events name it, below `UInt64.max`.
    public func watch(_ socket: borrowing UpgradedSocket, token: UInt64) {
        control(EPOLL_CTL_ADD, socket.descriptor, token: token, awaitsRoom: false)
    }

    /// Changes whether room to write is reported for a socket that is watched.
    public func setAwaitsRoom(
        _ awaitsRoom: Bool,
        of socket: borrowing UpgradedSocket,
        token: UInt64
    ) {
        control(EPOLL_CTL_MOD, socket.descriptor, token: token, awaitsRoom: awaitsRoom)
    }

    /// Blocks until something happens, the time is over, or ``wake()`` was called.
    ///
    /// - Returns: at most 64 events; none when the time was over or somebody woke it.
    public func wait(milliseconds: Int) -> [Event] {
        var raw = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        let count = unsafe epoll_wait(
            poll,
            &raw,
            Int32(Self.eventsMax),
            Int32(clamping: max(0, milliseconds))
        )
        var events: [Event] = []
        for index in 0..<Int(max(0, count)) {
            let token = unsafe raw[index].data.u64
            if token == Self.wakeToken {
                var counter: UInt64 = 0
                _ = unsafe read(wakeUp, &counter, MemoryLayout<UInt64>.size)
                continue
            }
            let bits = unsafe raw[index].events
            events.append(
                Event(
                    token: token,
                    // An error or a hang-up is told by the next read.
                    isReadable: bits & ~EPOLLOUT.rawValue != 0,
                    isWritable: bits & EPOLLOUT.rawValue != 0
                )
            )
        }
        return events
    }

    /// Ends the present or the next wait at once; any thread may call it.
    public func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        token: UInt64,
        awaitsRoom: Bool
    ) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue | (awaitsRoom ? EPOLLOUT.rawValue : 0)
        unsafe event.data.u64 = token
        _ = unsafe epoll_ctl(poll, operation, descriptor, &event)
    }
}
