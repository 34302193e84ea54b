public import DataSourceContracts

/// A transport that records the messages it receives.
public struct RecordingWebSocketTransport: WebSocketTransport {
    private let transport: any WebSocketTransport
    private let recorder: any TrafficRecorder

    /// Wraps a transport.
    public init(_ transport: any WebSocketTransport, recorder: any TrafficRecorder) {
        self.transport = transport
        self.recorder = recorder
    }

    /// Opens a connection that records received messages, not sent ones.
    public func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?,
        offersCompression: Bool
    ) async throws(TransportError) -> any WebSocketConnection {
        RecordingWebSocketConnection(
            connection: try await transport.open(
                url: url,
                timeout: timeout,
                pingInterval: pingInterval,
                offersCompression: offersCompression
            ),
            recorder: recorder
        )
    }
}

private struct RecordingWebSocketConnection: WebSocketConnection {
    let connection: any WebSocketConnection
    let recorder: any TrafficRecorder

    func send(text: String) async throws(TransportError) {
        try await connection.send(text: text)
    }

    func receive(batchInterval: Duration) async throws(TransportError) -> MessageBatch {
        let batch = try await connection.receive(batchInterval: batchInterval)
        await recorder.record(
            (0..<batch.count).map { .message(Array(batch.bytes[batch.range(at: $0)])) }
        )
        return batch
    }

    func close() async { await connection.close() }
}
