internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server: one owner of one `MHD_Daemon` and its threads.
///
/// The handler is called on the server's threads, many at a time, and answers at once: it must not
/// wait for other work. What the library refuses itself (a broken request line, a missing `Host`)
/// never reaches it. Source: libmicrohttpd 0.9.75, microhttpd.h.
public final class HTTPServer: Sendable {
    /// The port it listens on, never 0.
    public let port: UInt16

    private let dispatcher: RequestDispatcher
    private let stopSecondsMax: Int
    private let running: Mutex<RunningDaemon?>

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - configuration: where to listen and what to bound.
    ///   - refusal: makes a fresh answer to a request that the handler may not see; the connection
    ///     is closed behind it.
    ///   - handler: answers a request; runs on the server's threads.
    /// - Throws: `addressInUse`, `notPermitted`, `badAddress` or `system`, naming the address.
    public init(
        _ configuration: Configuration,
        refusal: @escaping @Sendable (HTTPServerRefusal) -> HTTPServerResponse =
            HTTPServerRefusal.plain,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(HTTPServerError) {
        let socket = try ListenSocket(host: configuration.host, port: configuration.port)
        port = socket.port
        stopSecondsMax = configuration.stopSecondsMax
        dispatcher = RequestDispatcher(
            limits: configuration,
            refusal: refusal,
            handler: handler
        )
        running = Mutex(
            try RunningDaemon(
                socket: socket,
                configuration: configuration,
                dispatcher: dispatcher
            )
        )
    }

    deinit { stop() }

    /// Lets requests in flight finish for at most the configured time, takes no new connections,
    /// closes every connection behind its answer and joins the threads; idempotent.
    ///
    /// Streams are asked for a piece at once and have the same time to answer with their end;
    /// what goes on after that is cut off.
    /// Sockets that were handed over stay open. Blocks the caller; never call it from the handler.
    public func stop() {
        running.withLock { daemon in
            guard let stopping = daemon.take() else { return }
            stopping.stop(dispatcher: dispatcher, secondsMax: stopSecondsMax)
        }
    }
}

/// A started daemon, which owns the socket it listens on.
@safe
private struct RunningDaemon: ~Copyable {
    private let pointer: OpaquePointer

    init(
        socket: consuming ListenSocket,
        configuration: HTTPServer.Configuration,
        dispatcher: RequestDispatcher
    ) throws(HTTPServerError) {
        var options = unsafe hoga_http_options()
        unsafe options.listen_socket = socket.descriptor
        unsafe options.threads = UInt32(max(1, configuration.threads))
        unsafe options.connections_max = UInt32(max(1, configuration.connectionsMax))
        unsafe options.connections_per_client_max = UInt32(
            max(1, configuration.connectionsPerClientMax)
        )
        unsafe options.idle_timeout_seconds = UInt32(max(1, configuration.idleTimeoutSeconds))
        unsafe options.connection_memory_bytes = Self.memoryBytes(
            headerBytesMax: configuration.headerBytesMax
        )
        unsafe options.handle = accessHandler
        unsafe options.completed = requestCompleted
        unsafe options.connection_changed = connectionChanged
        // The dispatcher outlives the daemon: HTTPServer holds both and stops this one first.
        unsafe options.context = Unmanaged.passUnretained(dispatcher).toOpaque()
        guard let started = unsafe hoga_http_start(&options) else {
            throw HTTPServerError(
                .system(errno),
                address: "\(configuration.host):\(socket.port)"
            )
        }
        // The library closes it when the daemon stops: a second time it would be another's.
        socket.handOver()
        unsafe pointer = started
    }

    /// Half as much again as the longest header, because the library's records of its lines and the
    /// header of the answer lie in the same memory.
    ///
    /// After its first request a connection has touched all of it, so ten thousand that idle cost
    /// ten thousand times this.
    private static func memoryBytes(headerBytesMax: Int) -> Int {
        max(1_024, headerBytesMax) / 2 * 3 + 2_048
    }

    consuming func stop(dispatcher: RequestDispatcher, secondsMax: Int) {
        // Not MHD_quiesce_daemon: in 0.9.75 it and a worker may both take the listening socket out
        // of the worker's epoll set, and the second of them aborts the process.
        dispatcher.delayedAnswers.stop()
        dispatcher.openStreams.wakeAll()
        // Polled: this happens once in a server's life, and requests end within milliseconds.
        let pollMicroseconds = 1_000
        var polls = secondsMax * 1_000_000 / pollMicroseconds
        while !dispatcher.isIdle, polls > 0 {
            usleep(UInt32(pollMicroseconds))
            polls -= 1
        }
        // The library may not be stopped while a connection is suspended.
        dispatcher.delayedAnswers.end()
        dispatcher.openStreams.cutAll()
        unsafe MHD_stop_daemon(pointer)
    }
}
