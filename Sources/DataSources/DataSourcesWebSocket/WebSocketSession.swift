import Concurrency
import DataSourceContracts
import WebSocketFraming

/// The thread of one connection: it moves bytes between socket and framer, and waits for both.
///
/// Each method blocks this actor's own thread until it is done, but never while a visitor waits at
/// the gate, the task is cancelled, or the connection is to be closed.
actor WebSocketSession {
    /// How many bytes are read at once.
    private static let readBytes = 65_536
    /// How long a wait without any event lasts; the gate ends it sooner.
    private static let waitMax = Duration.seconds(60)

    /// Lets others onto this thread.
    nonisolated let gate: ConnectionTurnstile

    private nonisolated let executor = BlockingExecutor(label: "hoga.websocket")
    private let limits: CurlWebSocketTransport.Limits
    private let clock: any Clock<Duration>

    /// `nil` once closed.
    private var stream: ByteStream?
    private var framer: WebSocketFramer
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    /// Taken from the framer and not written yet; TLS must be offered the same bytes again.
    private var unsent: ArraySlice<UInt8> = []
    /// Whether the handshake is done.
    private var isOpen = false
    /// Whether the last look at the socket left nothing behind; only then may the thread wait,
    /// because TLS may hold bytes that the socket no longer shows.
    private var isDrained = false
    /// Why the connection is over; messages that came before are still handed out.
    private var ending: TransportError?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a session of a connection that is not open yet.
    init(
        stream: consuming sending ByteStream,
        limits: CurlWebSocketTransport.Limits,
        clock: any Clock<Duration>,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        gate = ConnectionTurnstile(waker: stream.waker)
        self.stream = consume stream
        self.limits = limits
        self.clock = clock
        framer = WebSocketFramer(
            role: .client(maskKey: { randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) } }),
            messageBytesMax: limits.messageBytesMax,
            outputBytesMax: limits.outputBytesMax
        )
    }

    // MARK: Opening

    /// Connects and shakes hands.
    func open(
        _ request: String,
        key: String,
        within timeout: Duration
    ) throws(TransportError) {
        let deadline = Deadline(after: timeout, on: clock)
        try stream?.start()
        while try stream?.goOn() == false {
            try stream?.waitForConnecting(for: try patience(until: deadline))
        }
        unsent = Array(request.utf8)[...]
        while try !flush() {
            try stream?.wait(input: false, output: true, for: try patience(until: deadline))
        }
        try readResponse(to: key, until: deadline)
    }

    private func readResponse(
        to key: String,
        until deadline: Deadline
    ) throws(TransportError) {
        var response = WebSocketResponseReader(key: key)
        while true {
            guard let count = try read() else {
                try stream?.wait(input: true, output: false, for: try patience(until: deadline))
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
                    .protocolViolation,
                    "the server refused the upgrade with status \(status) \(reason)"
                )
            case .accepted(let bytesConsumed):
                isOpen = true
                // The server may speak right behind its answer; what is wrong with that comes out
                // behind what is right with it, when somebody receives.
                do {
                    try decode(bytesConsumed..<count)
                } catch {
                    ending = error
                    _ = try? flush()
                }
                return
            }
        }
    }

    // MARK: Receiving

    /// Waits for messages.
    ///
    /// - Returns: everything that is readable, or `nil` when a visitor wants the thread.
    func nextBatch() throws(TransportError) -> MessageBatch? {
        while true {
            guard !Task.isCancelled else { throw .taskCancelled }
            if let batch = try readableBatch() { return batch }
            guard !gate.hasVisitors else { return nil }
            guard isDrained else { continue }
            try stream?.wait(input: true, output: !unsent.isEmpty, for: Self.waitMax)
        }
    }

    /// Everything that is readable now: messages first, then why there will be no more.
    private func readableBatch() throws(TransportError) -> MessageBatch? {
        if ending == nil {
            do {
                try readMessages()
                _ = try flush()
            } catch {
                ending = error
                // The peer is told why, if it still listens.
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

    /// Reads until the socket has no more, the batch is full, or as many bytes were read without
    /// filling it: a peer that sends nothing but pings must not keep the thread for itself.
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

    /// Hands bytes of the buffer to the framer.
    private func decode(_ range: Range<Int>) throws(TransportError) {
        do throws(WebSocketError) {
            try framer.receive(buffer.span.extracting(range))
        } catch {
            throw TransportError(error)
        }
    }

    /// Fills the buffer with the next bytes.
    ///
    /// - Returns: how many there are, or `nil` when there are none just now.
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
        let deadline = Deadline(after: limits.sendTimeout, on: clock)
        do {
            while try !flush() {
                try stream?.wait(input: false, output: true, for: try patience(until: deadline))
            }
        } catch {
            // What a cancelled task leaves behind goes out with what follows it.
            if error.code != .cancelled { ending = error }
            throw error
        }
    }

    /// Says goodbye as far as that goes without waiting, and frees the connection.
    func close() {
        if isOpen, ending == nil {
            try? framer.queueClose(code: 1000)
            _ = try? flush()
        }
        stream = nil
        ending = ending ?? .closedHere
    }

    /// Writes what waits, as far as it goes.
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

    /// How long the thread may wait now.
    ///
    /// - Throws: `cancelled`, `closed` or `timedOut` when it may not.
    private func patience(until deadline: Deadline) throws(TransportError) -> Duration {
        guard !Task.isCancelled else { throw .taskCancelled }
        guard !gate.isClosing else { throw .closedHere }
        let remaining = deadline.remaining
        guard remaining > .zero else {
            throw TransportError(.timedOut, "the server took too long")
        }
        return min(remaining, Self.waitMax)
    }
}

extension TransportError {
    /// The calling task was cancelled.
    static var taskCancelled: Self { Self(.cancelled, "the task was cancelled") }

    /// The connection was closed at this end.
    fileprivate static var closedHere: Self {
        Self(.closed(code: nil, reason: ""), "the connection was closed here")
    }

    /// Translates what the framer says.
    fileprivate init(_ error: WebSocketError) {
        switch error {
        case .violation, .invalidText: self.init(.protocolViolation, error.description)
        case .tooLarge, .outputFull: self.init(.tooLarge, error.description)
        case .closing: self.init(.closed(code: nil, reason: ""), error.description)
        }
    }
}
