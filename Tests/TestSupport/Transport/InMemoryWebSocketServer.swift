public import DataSourceContracts
import Synchronization

/// A WebSocket server without a network: a script serves each connection.
public final class InMemoryWebSocketServer: WebSocketTransport {
    /// Serves a connection, or refuses it by throwing.
    public typealias Script =
        @Sendable (InMemoryWebSocketConnection) throws(TransportError) -> Void

    private let script: Script
    private let log = Mutex<[InMemoryWebSocketConnection]>([])

    /// Creates a server.
    public init(script: @escaping Script) { self.script = script }

    /// Every connection so far, the refused ones included.
    public var connections: [InMemoryWebSocketConnection] { log.withLock { $0 } }

    /// Opens a connection and runs the script on it.
    public func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?,
        offersCompression: Bool
    ) async throws(TransportError) -> any WebSocketConnection {
        if Task.isCancelled { throw TransportError(.cancelled, "before opening") }
        let connection = InMemoryWebSocketConnection(
            url: url,
            timeout: timeout,
            pingInterval: pingInterval,
            offersCompression: offersCompression
        )
        log.withLock { $0.append(connection) }
        try script(connection)
        return connection
    }
}

/// One connection of an ``InMemoryWebSocketServer``, seen from both sides.
///
/// Messages delivered before the end are received before it. One receiver waits at a time,
/// cancellation is prompt, and every call fails after closing.
public final class InMemoryWebSocketConnection: WebSocketConnection {
    private struct State {
        var inbox = MessageBatch()
        var end: TransportError?
        var receiver: CheckedContinuation<Void, Never>?
        var sent: [String] = []
        var batchIntervals: [Duration] = []
        var isClosed = false

        mutating func takeReceiver() -> CheckedContinuation<Void, Never>? {
            defer { receiver = nil }
            return receiver
        }
    }

    /// The URL of the client's request.
    public let url: String
    /// The client's time limit for opening.
    public let timeout: Duration
    /// The client's time between pings.
    public let pingInterval: Duration?
    /// Whether the client offers to decompress messages.
    public let offersCompression: Bool
    private let state = Mutex(State())

    init(url: String, timeout: Duration, pingInterval: Duration?, offersCompression: Bool) {
        self.url = url
        self.timeout = timeout
        self.pingInterval = pingInterval
        self.offersCompression = offersCompression
    }

    // MARK: The server's side

    /// The messages of the client.
    public var sent: [String] { state.withLock { $0.sent } }

    /// The batch interval of each receive call.
    public var batchIntervals: [Duration] { state.withLock { $0.batchIntervals } }

    /// Whether the client has closed the connection.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends messages to the client; those that arrive between two receives form one batch.
    public func deliver(_ messages: String...) {
        wake { state in
            for message in messages { state.inbox.append(message.utf8) }
        }
    }

    /// Ends the connection after the delivered messages.
    public func end(_ code: TransportError.Code) {
        wake { $0.end = TransportError(code, "ended by the test") }
    }

    // MARK: The client's side

    /// Records a message.
    public func send(text: String) async throws(TransportError) {
        let end = state.withLock { state -> TransportError? in
            if state.isClosed { return Self.closedHere }
            if let end = state.end { return end }
            state.sent.append(text)
            return nil
        }
        if let end { throw end }
    }

    /// Waits for a message, the end of the connection or cancellation.
    public func receive(batchInterval: Duration) async throws(TransportError) -> MessageBatch {
        state.withLock { $0.batchIntervals.append(batchInterval) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isOver = state.end != nil || state.isClosed || Task.isCancelled
                    if state.inbox.count > 0 || isOver { return true }
                    precondition(state.receiver == nil, "One task receives at a time.")
                    state.receiver = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
        if Task.isCancelled { throw TransportError(.cancelled, "while receiving") }
        let answer = state.withLock { state -> Result<MessageBatch, TransportError> in
            if state.isClosed { return .failure(Self.closedHere) }
            if state.inbox.count > 0 {
                defer { state.inbox = MessageBatch() }
                return .success(state.inbox)
            }
            return .failure(state.end ?? TransportError(.other, "woken for nothing"))
        }
        return try answer.get()
    }

    /// Closes the connection and ends a waiting receive.
    public func close() async {
        wake { $0.isClosed = true }
    }

    private func wake(_ change: (inout sending State) -> Void) {
        let receiver = state.withLock { state in
            change(&state)
            return state.takeReceiver()
        }
        receiver?.resume()
    }

    private static let closedHere = TransportError(
        .closed(code: nil, reason: ""),
        "closed by the client"
    )
}
