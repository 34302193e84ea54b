import Cryptography
import DataSourceContracts
import DataSourcesWebSocket
import TestSupport
import WebSocketFraming

/// The server's end of a WebSocket, for the blocking code of a test server.
final class WebSocketPeer {
    typealias Failure = LoopbackConnection.Failure

    /// The request with which the client came.
    let requestHead: String

    private let connection: LoopbackConnection
    private var received: [UInt8] = []
    private var frames: [WebSocketFrame] = []

    /// Reads the client's request and answers it as a WebSocket server does.
    ///
    /// - Parameters:
    ///   - connection: a connection on which nothing was read yet.
    ///   - appended: what goes out in the same write, behind the answer.
    ///   - extensions: the answer to an offer of extensions; nil for none.
    /// - Throws: when the client has gone.
    init(
        accepting connection: LoopbackConnection,
        appended: [UInt8] = [],
        extensions: String? = nil
    ) throws(Failure) {
        self.connection = connection
        requestHead = try connection.receiveHead()
        let answer = Self.answer(to: requestHead, extensions: extensions)
        try connection.send(Array(answer.utf8) + appended)
    }

    /// The answer that turns the connection into a WebSocket.
    static func answer(to head: String, extensions: String? = nil) -> String {
        let key = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let accept = WebSocketHandshake.acceptValue(forKey: String(key?.dropFirst(19) ?? ""))
        return [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(accept)",
            extensions.map { "Sec-WebSocket-Extensions: \($0)" } ?? "Server: test", "", "",
        ].joined(separator: "\r\n")
    }

    /// The next frame of the client, without its mask but remembering it.
    func next() throws(Failure) -> WebSocketFrame {
        while frames.isEmpty {
            received += try connection.receive()
            (frames, received) = WebSocketFrame.frames(in: received)
        }
        return frames.removeFirst()
    }

    /// Sends a text message.
    func send(_ text: String) throws(Failure) {
        try connection.send(WebSocketFrame.text(text).bytes)
    }

    /// Sends a frame, however wrong.
    func send(_ frame: WebSocketFrame) throws(Failure) {
        try connection.send(frame.bytes)
    }

    /// Sends the bytes of many frames in one write.
    func send(raw bytes: [UInt8]) throws(Failure) {
        try connection.send(bytes)
    }

    /// Reads until the client closes the connection.
    func waitForEnd() {
        connection.waitForEnd()
    }
}

extension LoopbackServer {
    /// A server that does this to each WebSocket.
    static func webSocket(
        _ serve: @escaping @Sendable (WebSocketPeer) throws(LoopbackConnection.Failure) -> Void
    ) -> LoopbackServer {
        LoopbackServer { connection throws(LoopbackConnection.Failure) in
            try serve(try WebSocketPeer(accepting: connection))
        }
    }

    /// The address of its WebSocket.
    var webSocketURL: String { "ws://127.0.0.1:\(port)/pub/ws" }
}

extension CurlWebSocketTransport {
    /// A transport with its own user agent and generous default limits.
    static func forTests(
        authorityFile: String? = nil,
        proxy: ProxyChoice = .environment,
        clock: any Clock<Duration> = ContinuousClock(),
        limits: Limits = Limits(sendTimeout: .seconds(3_600))
    ) throws(TransportError) -> CurlWebSocketTransport {
        try CurlWebSocketTransport(
            userAgent: "hoga-tests",
            authorityFile: authorityFile,
            proxy: proxy,
            randomBytes: Cryptography.randomBytes,
            clock: clock,
            limits: limits
        )
    }

    /// The result of opening; the connection is closed again.
    func errorCode(
        opening url: String,
        timeout: Duration = .seconds(3_600)
    ) async
        -> TransportError.Code?
    {
        do {
            await (try open(url: url, timeout: timeout, pingInterval: nil)).close()
            return nil
        } catch {
            return error.code
        }
    }
}

/// Opens a connection, does something with it, and closes it.
func withConnection<Success>(
    to url: String,
    over transport: CurlWebSocketTransport,
    pingInterval: Duration? = nil,
    _ body: (any WebSocketConnection) async throws -> Success
) async throws -> Success {
    let connection = try await transport.open(
        url: url,
        timeout: .seconds(3_600),
        pingInterval: pingInterval
    )
    do {
        let success = try await body(connection)
        await connection.close()
        return success
    } catch {
        await connection.close()
        throw error
    }
}

extension WebSocketConnection {
    /// Receives until that many messages have come, or the connection ends.
    func messages(_ count: Int) async throws(TransportError) -> [String] {
        var texts: [String] = []
        while texts.count < count {
            texts += try await receive(batchInterval: .zero).texts
        }
        return texts
    }

    /// Why the connection ends, once everything else is received.
    func ending() async -> TransportError.Code? {
        while true {
            do {
                _ = try await receive(batchInterval: .zero)
            } catch {
                return error.code
            }
        }
    }
}

extension MessageBatch {
    /// The messages as text.
    var texts: [String] {
        (0..<count).map { String(decoding: bytes[range(at: $0)], as: UTF8.self) }
    }
}
