internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server: threads that each serve a part of the connections.
///
/// Heads and bodies are read by the parser of libhttp_parser; sockets, limits, times and what is
/// sent are this module's. The handler is called on the server's threads, many at a time, and
/// answers at once: it must not wait for other work. Requests that are not well-formed (RFC 9112)
/// never reach it.
public final class HTTPServer: Sendable {
    /// The port it listens on, never 0.
    public let port: UInt16

    private let stopSecondsMax: Int
    private let threads: Mutex<[LoopThread]>

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - configuration: where to listen and what to bound.
    ///   - refusal: makes an answer to a request that the handler may not see, whose sender it is
    ///     told; the connection is closed behind it.
    ///   - handler: answers a request; runs on the server's threads.
    /// - Throws: `addressInUse`, `notPermitted`, `badAddress` or `system`, naming the address.
    public init(
        _ configuration: Configuration,
        refusal: @escaping @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse =
            HTTPServerRejection.plain,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(HTTPServerError) {
        let socket = try ListenSocket(host: configuration.host, port: configuration.port)
        port = socket.port
        stopSecondsMax = configuration.stopSecondsMax
        let service = ServerContext(configuration, refusal: refusal, handler: handler)
        let acceptor = ConnectionAcceptor(socket)
        var loops: [EventLoop] = []
        for number in 0..<max(1, configuration.threads) {
            loops.append(try EventLoop(service, acceptor: number == 0 ? acceptor : nil))
        }
        acceptor.mailboxes = loops.map(\.mailbox)
        service.listen(loops[0].mailbox)
        threads = Mutex(loops.map(LoopThread.init))
    }

    deinit { stop() }

    /// Lets requests in flight finish for at most the configured time, takes no new connections,
    /// closes every connection behind its answer and joins the threads; idempotent.
    ///
    /// Streams are asked for a piece at once and have the same time to answer with their end;
    /// what goes on after that is cut off.
    /// Sockets that were handed over stay open. Blocks the caller; never call it from the handler.
    public func stop() {
        threads.withLock { threads in
            for thread in threads { thread.loop.mailbox.post(.stop(secondsMax: stopSecondsMax)) }
            for thread in threads { thread.join() }
            for thread in threads { thread.closeUnserved() }
            threads = []
        }
    }
}

/// The thread of an event loop, from its start until it is joined.
///
/// Unchecked: a thread's name is a number that never changes.
@safe
private struct LoopThread: @unchecked Sendable {
    let loop: EventLoop
    private let thread: pthread_t

    init(_ loop: EventLoop) {
        self.loop = loop
        var thread = pthread_t()
        // Released by the thread when it ends.
        let kept = unsafe Unmanaged.passRetained(loop).toOpaque()
        let status = unsafe pthread_create(&thread, nil, runLoop, kept)
        precondition(status == 0, "the system has no room for another thread")
        self.thread = thread
    }

    func join() { _ = pthread_join(thread, nil) }

    /// Closes what was dealt out to the loop when it had ended already; called when all have.
    func closeUnserved() {
        for case .adopt(let descriptor, _) in loop.mailbox.take() { close(descriptor) }
    }
}

/// What a loop's thread does.
private func runLoop(kept: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let kept = unsafe kept else { return nil }
    unsafe Unmanaged<EventLoop>.fromOpaque(kept).takeRetainedValue().run()
    return nil
}
