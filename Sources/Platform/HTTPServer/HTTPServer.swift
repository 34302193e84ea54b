internal import Glibc
public import NetworkAddresses
internal import Synchronization

/// An HTTP/1.1 server over epoll: each thread serves a share of the connections.
///
/// libhttp_parser reads heads; bodies, sockets, limits, time-outs and responses belong to this
/// module. The handler runs on the server's threads, concurrently, and must not block. Malformed
/// requests (RFC 9112) never reach it.
public final class HTTPServer: Sendable {
    /// The port it listens on, never 0.
    public let port: UInt16

    /// The bytes that clients may leave unsent unless the caller sets a budget: 128 MiB.
    public static let unsentBytesMax = 128 << 20

    /// The system's time, in Unix seconds.
    public static let systemSecond: @Sendable () -> Int = { time(nil) }

    private let stopSecondsMax: Int
    private let threads: Mutex<[LoopThread]>

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - configuration: the address and the limits.
    ///   - unsent: the budget of bytes that clients have not taken; servers may share it.
    ///   - second: the time for `Date`, in Unix seconds; the system's by default.
    ///   - rejection: makes the response to a request that the handler may not see, from the reason
    ///     and the peer; the connection is closed after it.
    ///   - handler: answers a request, on a thread of the server.
    /// - Throws: `addressInUse`, `notPermitted`, `badAddress` or `system`, naming the address.
    public init(
        _ configuration: Configuration,
        unsent: UnsentBytes = UnsentBytes(bytesMax: unsentBytesMax),
        second: @escaping @Sendable () -> Int = systemSecond,
        rejection: @escaping @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse =
            HTTPServerRejection.plain,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(HTTPServerError) {
        let socket = try ListenSocket(host: configuration.host, port: configuration.port)
        port = socket.port
        stopSecondsMax = configuration.stopSecondsMax
        let context = ServerContext(
            configuration,
            unsent: unsent,
            second: second,
            rejection: rejection,
            handler: handler
        )
        let acceptor = ConnectionAcceptor(socket)
        var loops: [EventLoop] = []
        for number in 0..<max(1, configuration.threads) {
            loops.append(try EventLoop(context, acceptor: number == 0 ? acceptor : nil))
        }
        acceptor.queues = loops.map(\.queue)
        context.setListener(loops[0].queue)
        threads = Mutex([])
        for loop in loops {
            switch LoopThread.started(loop) {
            case .success(let thread): threads.withLock { $0.append(thread) }
            case .failure(let failure):
                // `deinit` ends the threads that were started.
                throw HTTPServerError(failure.code, address: "\(configuration.host):\(port)")
            }
        }
    }

    deinit { stop() }

    /// Stops the server and joins its threads; idempotent.
    ///
    /// New connections are refused. Requests in flight have `stopSecondsMax` to finish, and each
    /// connection is closed after its response. Streams are asked for a chunk at once and have the
    /// same time to end. Sockets that were handed over stay open. Blocks the caller; never call it
    /// from the handler.
    public func stop() {
        threads.withLock { threads in
            for thread in threads { thread.loop.queue.post(.stop(secondsMax: stopSecondsMax)) }
            for thread in threads { thread.join() }
            for thread in threads { thread.closeUnserved() }
            threads = []
        }
    }
}

extension HTTPServer {
    /// The address and the limits of a server.
    public struct Configuration: Sendable, Hashable {
        /// The address to listen on: `127.0.0.1`, `::1`, `0.0.0.0`, or a host name of this machine.
        public var host: String
        /// The port to listen on; 0 chooses a free one, see ``HTTPServer/port``.
        public var port: UInt16
        /// Threads that serve connections and run the handler, 1 or more.
        public var threads: Int
        /// Open connections; further ones wait in the kernel's queue.
        public var connectionsMax: Int
        /// Open connections of one client address; further ones are closed at once.
        public var connectionsPerClientMax: Int
        /// A connection without progress for this long is closed.
        public var idleTimeoutSeconds: Int
        /// The least rate at which a client must receive: a response, or a chunk of a stream, has
        /// ``idleTimeoutSeconds`` plus the time it takes at this rate.
        public var sentBytesPerSecondMin: Int
        /// The longest time from the first to the last byte of a request's header, and again of its
        /// body; a slower connection is closed.
        public var requestSecondsMax: Int
        /// The longest request header in bytes, request line included; a longer one is rejected
        /// with 431.
        public var headerBytesMax: Int
        /// The longest request body in bytes; a longer one is rejected with 413.
        public var bodyBytesMax: Int
        /// The time that ``HTTPServer/stop()`` gives requests in flight.
        public var stopSecondsMax: Int

        /// Makes a configuration; counts below 1 count as 1.
        public init(
            host: String,
            port: UInt16,
            threads: Int,
            connectionsMax: Int,
            connectionsPerClientMax: Int,
            idleTimeoutSeconds: Int,
            sentBytesPerSecondMin: Int,
            requestSecondsMax: Int,
            headerBytesMax: Int,
            bodyBytesMax: Int,
            stopSecondsMax: Int
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.connectionsMax = connectionsMax
            self.connectionsPerClientMax = connectionsPerClientMax
            self.idleTimeoutSeconds = idleTimeoutSeconds
            self.sentBytesPerSecondMin = sentBytesPerSecondMin
            self.requestSecondsMax = requestSecondsMax
            self.headerBytesMax = headerBytesMax
            self.bodyBytesMax = bodyBytesMax
            self.stopSecondsMax = stopSecondsMax
        }
    }
}

/// The running thread of an event loop.
///
/// Unchecked: `pthread_t` is a number that never changes.
@safe
private struct LoopThread: @unchecked Sendable {
    let loop: EventLoop
    private let thread: pthread_t

    /// Starts a thread for a loop; fails if the system cannot start another one.
    static func started(_ loop: EventLoop) -> Result<LoopThread, HTTPServerError> {
        var thread = pthread_t()
        // Released by the thread when it ends.
        let retained = unsafe Unmanaged.passRetained(loop)
        let status = unsafe pthread_create(&thread, nil, runLoop, retained.toOpaque())
        if status != 0 {
            unsafe retained.release()
            return .failure(HTTPServerError(.noThread(status), address: ""))
        }
        return .success(LoopThread(loop: loop, thread: thread))
    }

    func join() { _ = pthread_join(thread, nil) }

    /// Closes connections that reached the queue after the loop ended; called after all joins.
    func closeUnserved() {
        for case .adopt(let descriptor, _) in loop.queue.drain() { close(descriptor) }
    }
}

/// The main function of a loop's thread.
private func runLoop(retained: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let retained = unsafe retained else { return nil }
    blockPipeSignal()
    unsafe Unmanaged<EventLoop>.fromOpaque(retained).takeRetainedValue().run()
    return nil
}

/// Makes a closed connection an error of `sendfile`, which has no flag for it, on this thread.
private func blockPipeSignal() {
    var signals = sigset_t()
    // The set lives through the calls.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
