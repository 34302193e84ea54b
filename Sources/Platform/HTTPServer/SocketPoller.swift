internal import CHTTPParser
internal import Concurrency
internal import Glibc

/// Waits for many upgraded sockets at once; another thread may wake it.
///
/// Level-triggered: a socket is reported while it is readable or writable. Thread-safe, as the
/// kernel's calls are; one thread waits at a time. Source: epoll(7).
public final class SocketPoller: Sendable {
    /// The readiness of a socket.
    public struct Event: Sendable, Hashable {
        /// The token of the socket.
        public var token: UInt64
        /// Whether a read returns bytes or the end.
        public var isReadable: Bool
        /// Whether a write takes bytes; reported only on request.
        public var isWritable: Bool
    }

    private let poll: Int32
    private let wakeUp: EventDescriptor

    /// Events per wait; the rest are returned by the next.
    private static let eventsMax = 64
    /// The token of the poller's own event, which no socket may have.
    private static let wakeToken = UInt64.max

    /// Makes a poller.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    public init() throws(HTTPServerError) {
        guard let wakeUp = EventDescriptor() else {
            throw HTTPServerError(.system(errno), address: "")
        }
        self.wakeUp = wakeUp
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw HTTPServerError(.system(errno), address: "") }
        guard control(EPOLL_CTL_ADD, wakeUp.descriptor, token: Self.wakeToken, awaitsRoom: false)
        else { throw HTTPServerError(.system(errno), address: "") }
    }

    deinit { close(poll) }

    /// Watches a socket until it is closed.
    ///
    /// - Parameters:
    ///   - socket: a socket that is not watched yet.
    ///   - token: identifies the socket in events; below `UInt64.max`.
    /// - Returns: false if the kernel has no memory to watch another socket.
    public func watch(_ socket: borrowing UpgradedSocket, token: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, socket.descriptor, token: token, awaitsRoom: false)
    }

    /// Sets whether writability is reported for a watched socket.
    public func setAwaitsRoom(
        _ awaitsRoom: Bool,
        of socket: borrowing UpgradedSocket,
        token: UInt64
    ) {
        _ = control(EPOLL_CTL_MOD, socket.descriptor, token: token, awaitsRoom: awaitsRoom)
    }

    /// Blocks until an event, the time-out, or a call of ``wake()``.
    ///
    /// - Returns: at most 64 events; none after the time-out or ``wake()``.
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
                wakeUp.clear()
                continue
            }
            let bits = unsafe raw[index].events
            events.append(
                Event(
                    token: token,
                    // The next read reports an error or hang-up.
                    isReadable: bits & ~EPOLLOUT.rawValue != 0,
                    isWritable: bits & EPOLLOUT.rawValue != 0
                )
            )
        }
        return events
    }

    /// Ends the current or next wait; any thread may call it.
    public func wake() { wakeUp.signal() }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        token: UInt64,
        awaitsRoom: Bool
    ) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue | (awaitsRoom ? EPOLLOUT.rawValue : 0)
        unsafe event.data.u64 = token
        return unsafe epoll_ctl(poll, operation, descriptor, &event) == 0
    }
}
