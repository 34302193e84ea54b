import Concurrency
import DataSourceContracts
import WebSocketFraming

/// The thread of one connection: moves bytes between the socket and the framer.
///
/// Each method blocks this actor's own thread until it is done. A wait ends early when another
/// operation enters the turnstile, the task is cancelled, or the connection is being closed.
actor WebSocketSession {
    /// The bytes of one read.
    private static let readBytes = 65_536
    /// The bytes of one read that may be compressed.
    ///
    /// They become at most 1,032 times as many, which bounds what a malicious server can make of
    /// them to 8.5 MB; each message has its own limit. Source: zlib.net, technical details.
    private static let compressedReadBytes = 8_192
    /// The longest wait without an event; the turnstile ends it sooner.
    private static let waitMax = Duration.seconds(60)

    /// Lets sends and closes onto this thread.
    nonisolated let turnstile: ConnectionTurnstile

    private nonisolated let executor = BlockingExecutor(label: "hoga.websocket")
    private let limits: CurlWebSocketTransport.Limits
    private let pingInterval: Duration?
    private let clock: any Clock<Duration>

    /// Nil once closed.
    private var stream: ByteStream?
    private var framer: WebSocketFramer
    private var buffer = [UInt8](repeating: 0, count: compressedReadBytes)
    /// Output of the framer that is not written yet; TLS must be offered the same bytes again.
    private var unsent: ArraySlice<UInt8> = []
    /// Whether the handshake is done.
    private var isOpen = false
    /// Whether the last read emptied the socket and TLS.
    ///
    /// Only then may the thread wait, because TLS may hold bytes that the socket no longer shows.
    private var isDrained = false
    /// When the next ping is due; nil without pings, or before the handshake is done.
    private var nextPing: Deadline?
    /// Why the connection ended; earlier messages are still returned.
    private var ending: TransportError?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a session whose connection is not open yet.
    init(
        stream: consuming sending ByteStream,
        limits: CurlWebSocketTransport.Limits,
        pingInterval: Duration?,
        clock: any Clock<Duration>,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        turnstile = ConnectionTurnstile(waker: stream.waker)
        self.stream = consume stream
        self.limits = limits
        self.pingInterval = pingInterval
        self.clock = clock
        framer = WebSocketFramer(
            role: .client(maskKey: { randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) } }),
            messageBytesMax: limits.messageBytesMax,
            outputBytesMax: limits.outputBytesMax
        )
    }

    // MARK: Opening

    /// Connects and completes the handshake.
    func open(
        _ request: String,
        _ response: WebSocketResponseReader,
        within timeout: Duration
    ) throws(TransportError) {
        let deadline = Deadline(after: timeout, clock: clock)
        try stream?.start()
        while try stream?.continueConnecting() == false {
            try stream?.waitForConnecting(for: try waitTime(until: deadline))
        }
        unsent = Array(request.utf8)[...]
        while try !flush() {
            try stream?.wait(input: false, output: true, for: try waitTime(until: deadline))
        }
        try readResponse(with: response, until: deadline)
    }

    private func readResponse(
        with reader: WebSocketResponseReader,
        until deadline: Deadline
    ) throws(TransportError) {
        var response = reader
        while true {
            guard let count = try read() else {
                try stream?.wait(input: true, output: false, for: try waitTime(until: deadline))
                continue
            }
            let outcome: WebSocketResponseReader.Outcome
            do throws(WebSocketError) {
                outcome = try response.receive(Array(buffer[..<count]))
            } catch {
                throw TransportError(error)
            }
            switch outcome {
            case .needMore:
                continue
            case .refused(let status, let reason):
                throw TransportError(
                    .upgradeRefused(status: status),
                    "the server refused the upgrade with status \(status) \(reason)"
                )
            case .accepted(let bytesConsumed):
                isOpen = true
                if let compression = response.compression { framer.agree(on: compression) }
                nextPing = pingInterval.map { Deadline(after: $0, clock: clock) }
                // Frames may follow the response at once. A fault in them is thrown by a later
                // receive, after the messages before it.
                do {
                    try decode(bytesConsumed..<count)
                } catch {
                    ending = error
                    _ = try? flush()
                }
                if response.compression == nil {
                    buffer = [UInt8](repeating: 0, count: Self.readBytes)
                }
                return
            }
        }
    }

    // MARK: Receiving

    /// Waits for messages.
    ///
    /// - Returns: all readable messages; nil when another operation needs the thread.
    func nextBatch() throws(TransportError) -> MessageBatch? {
        while true {
            guard !Task.isCancelled else { throw .taskCancelled }
            if let batch = try readableBatch() { return batch }
            guard !turnstile.hasOperations else { return nil }
            guard isDrained else { continue }
            let wait = min(nextPing?.remaining ?? Self.waitMax, Self.waitMax)
            try stream?.wait(input: true, output: !unsent.isEmpty, for: wait)
        }
    }

    /// Queues a ping if one is due.
    ///
    /// A peer that reads nothing leaves no room for it, and needs no ping to notice.
    private func pingIfDue() {
        guard let pingInterval, nextPing?.hasPassed == true else { return }
        nextPing = Deadline(after: pingInterval, clock: clock)
        try? framer.queuePing()
    }

    /// All readable messages; throws the reason once there will be no more.
    private func readableBatch() throws(TransportError) -> MessageBatch? {
        if ending == nil {
            pingIfDue()
            do {
                try readMessages()
                _ = try flush()
            } catch {
                ending = error
                // The close frame tells the peer why.
                _ = try? flush()
            }
        }
        if framer.hasMessages {
            let messages = framer.takeMessages()
            return MessageBatch(bytes: messages.bytes, ends: messages.ends)
        }
        if let ending { throw ending }
        return nil
    }

    /// Reads until the socket is empty, the batch is full, or as many bytes were read without
    /// filling it: a peer that sends only pings must not occupy the thread.
    private func readMessages() throws(TransportError) {
        var bytesRead = 0
        isDrained = false
        while max(framer.messageBytes, bytesRead) < limits.batchBytesMax {
            if let close = framer.peerClose {
                let code = close.code.map(Int.init)
                throw TransportError(
                    .closed(code: code, reason: close.reason),
                    "the peer closed the connection"
                )
            }
            guard let count = try read() else {
                isDrained = true
                return
            }
            bytesRead += count
            try decode(0..<count)
        }
    }

    /// Decodes bytes of the buffer.
    private func decode(_ range: Range<Int>) throws(TransportError) {
        do throws(WebSocketError) {
            try framer.receive(buffer.span.extracting(range))
        } catch {
            throw TransportError(error)
        }
    }

    /// Fills the buffer with the next bytes.
    ///
    /// - Returns: the number of bytes; nil when none are readable now.
    private func read() throws(TransportError) -> Int? {
        guard let count = try stream?.receive(into: &buffer) else { return nil }
        guard count > 0 else {
            throw TransportError(
                .closed(code: nil, reason: ""),
                "the server ended the connection"
            )
        }
        return count
    }

    // MARK: Sending and closing

    /// Sends one text message.
    func send(text: String) throws(TransportError) {
        guard !Task.isCancelled else { throw .taskCancelled }
        if let ending { throw ending }
        do throws(WebSocketError) {
            try framer.queueText(Array(text.utf8))
        } catch {
            throw TransportError(error)
        }
        let deadline = Deadline(after: limits.sendTimeout, clock: clock)
        do {
            while try !flush() {
                try stream?.wait(input: false, output: true, for: try waitTime(until: deadline))
            }
        } catch {
            // Bytes that a cancelled task leaves behind go out with the next write.
            if error.code != .cancelled { ending = error }
            throw error
        }
    }

    /// Sends a close frame if that needs no waiting, and frees the connection.
    func close() {
        if isOpen, ending == nil {
            try? framer.queueClose(code: 1000)
            _ = try? flush()
        }
        stream = nil
        ending = ending ?? .closedHere
    }

    /// Writes pending output without waiting.
    ///
    /// - Returns: whether everything is written.
    private func flush() throws(TransportError) -> Bool {
        while true {
            if unsent.isEmpty {
                guard framer.hasOutput else { return true }
                unsent = framer.takeOutput()[...]
            }
            guard let count = try stream?.send(unsent) else { return false }
            unsent = unsent.dropFirst(count)
        }
    }

    /// The time for the next wait.
    ///
    /// - Throws: `cancelled`, `closed` or `timedOut` when there is none.
    private func waitTime(until deadline: Deadline) throws(TransportError) -> Duration {
        guard !Task.isCancelled else { throw .taskCancelled }
        guard !turnstile.isClosing else { throw .closedHere }
        guard !deadline.hasPassed else {
            throw TransportError(.timedOut, "the server took too long")
        }
        return min(deadline.remaining, Self.waitMax)
    }
}

extension TransportError {
    /// The calling task was cancelled.
    static var taskCancelled: Self { Self(.cancelled, "the task was cancelled") }

    /// The connection was closed at this end.
    fileprivate static var closedHere: Self {
        Self(.closed(code: nil, reason: ""), "the connection was closed here")
    }

    /// Translates an error of the framer.
    fileprivate init(_ error: WebSocketError) {
        switch error {
        case .violation, .invalidText: self.init(.protocolViolation, error.description)
        case .tooLarge, .outputFull: self.init(.tooLarge, error.description)
        case .closing: self.init(.closed(code: nil, reason: ""), error.description)
        }
    }
}
