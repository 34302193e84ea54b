/// Opens WebSocket connections.
public protocol WebSocketTransport: Sendable {
    /// Connects, verifies TLS and completes the WebSocket handshake.
    ///
    /// - Parameters:
    ///   - url: `ws://` or `wss://`, absolute.
    ///   - timeout: the longest that connecting and the handshake may take together.
    ///   - pingInterval: the time between two pings while a task receives, for a server that closes
    ///     silent connections; nil for no pings.
    ///   - offersCompression: whether the server may compress its messages: permessage-deflate.
    /// - Returns: the open connection; the caller closes it.
    /// - Throws: ``TransportError``; `cancelled` promptly when the calling task is cancelled.
    func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?,
        offersCompression: Bool
    ) async throws(TransportError) -> any WebSocketConnection
}

extension WebSocketTransport {
    /// As the requirement, without an offer of compression.
    public func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?
    ) async throws(TransportError) -> any WebSocketConnection {
        try await open(
            url: url,
            timeout: timeout,
            pingInterval: pingInterval,
            offersCompression: false
        )
    }
}

/// One open WebSocket connection.
///
/// The caller closes it. At most one task calls ``receive(batchInterval:)`` at a time.
/// ``send(text:)`` and ``close()`` may be called from another task meanwhile.
public protocol WebSocketConnection: Sendable {
    /// Sends one text message.
    func send(text: String) async throws(TransportError)

    /// Waits for at least one text or binary message and returns all that are readable then.
    ///
    /// Answers pings and joins fragments. Reads nothing while no task receives, so the peer feels
    /// back pressure and no memory grows.
    ///
    /// - Parameter batchInterval: the shortest time between two batches, so that a busy stream
    ///   costs one wake-up for each batch and not one for each message. After a batch of half the
    ///   largest size the next one follows at once.
    /// - Returns: at least one message.
    /// - Throws: ``TransportError``: `closed` with the peer's code and reason, or the fault.
    ///   `cancelled` promptly when the calling task is cancelled.
    func receive(batchInterval: Duration) async throws(TransportError) -> MessageBatch

    /// Sends a close frame if that needs no waiting, and frees the connection; idempotent.
    func close() async
}

/// Complete messages received together, in order, in one block of memory.
public struct MessageBatch: Sendable {
    /// The bytes of all messages, one after the other.
    public var bytes: [UInt8]
    /// The end offset of each message; the last one equals `bytes.count`.
    public var ends: [Int]

    /// Makes a batch.
    public init(bytes: [UInt8] = [], ends: [Int] = []) {
        self.bytes = bytes
        self.ends = ends
    }

    /// The number of messages.
    public var count: Int { ends.count }

    /// Appends one message.
    public mutating func append(_ message: some Sequence<UInt8>) {
        bytes.append(contentsOf: message)
        ends.append(bytes.count)
    }

    /// The range of `bytes` that message `index` fills.
    public func range(at index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}
