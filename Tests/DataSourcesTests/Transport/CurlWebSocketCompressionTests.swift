import Compression
import DataSourceContracts
import DataSourcesWebSocket
import TestSupport
import Testing

@Suite(
    "A WebSocket transport decompresses messages over real sockets",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlWebSocketCompressionTests {
    private static let text = String(repeating: #"{"code":"KRW-BTC","호가":143210000}"#, count: 40)

    /// Messages that refer to the ones before them, as frames.
    private static func frames(_ texts: [String]) -> [UInt8] {
        var deflater = MessageDeflater(keepsContext: true, level: 1)
        var bytes: [UInt8] = []
        for text in texts { bytes += frame(deflater.compressed(Array(text.utf8).span)) }
        return bytes
    }

    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        WebSocketFrame(WebSocketFrame.Opcode.binary, payload).with { $0.reservedBits = 4 }.bytes
    }

    /// A server that answers an offer so, and then sends bytes.
    private static func server(_ extensions: String?, _ bytes: [UInt8]) -> LoopbackServer {
        LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let peer = try WebSocketPeer(
                accepting: connection,
                appended: bytes,
                extensions: extensions
            )
            peer.waitForEnd()
        }
    }

    private static func open(
        _ server: LoopbackServer,
        messageBytesMax: Int = 1 << 20
    ) async throws -> any WebSocketConnection {
        var limits = CurlWebSocketTransport.Limits(sendTimeout: .seconds(3_600))
        limits.messageBytesMax = messageBytesMax
        return try await CurlWebSocketTransport.forTests(limits: limits).open(
            url: server.webSocketURL,
            timeout: .seconds(3_600),
            pingInterval: nil,
            offersCompression: true
        )
    }

    @Test(
        "compressed messages are read, the first ones sent together with the handshake",
        arguments: [
            "permessage-deflate", "permessage-deflate; client_no_context_takeover",
            "permessage-deflate; server_max_window_bits=15; client_no_context_takeover",
        ]
    )
    func messages(extensions: String) async throws {
        let texts = (0..<50).map { "\(Self.text) \($0)" }
        let connection = try await Self.open(Self.server(extensions, Self.frames(texts)))
        #expect(try await connection.messages(texts.count) == texts)
        await connection.close()
    }

    @Test("a server that declines sends messages as they are")
    func declined() async throws {
        let bytes = WebSocketFrame.text(Self.text).bytes
        let connection = try await Self.open(Self.server(nil, bytes))
        #expect(try await connection.messages(1) == [Self.text])
        await connection.close()
    }

    @Test(
        "bombs, broken messages and unasked compression end the connection with distinct errors",
        arguments: [
            ("permessage-deflate", frames([String(repeating: "0", count: 1 << 20)]), .tooLarge),
            ("permessage-deflate", frame([7, 7]), .protocolViolation),
            ("permessage-deflate", frame([]), .protocolViolation),
            (nil, frames([text]), .protocolViolation),
        ] as [(String?, [UInt8], TransportError.Code)]
    )
    func faults(extensions: String?, bytes: [UInt8], code: TransportError.Code) async throws {
        let before = WebSocketFrame.text("before").bytes
        let server = Self.server(extensions, before + bytes)
        let connection = try await Self.open(server, messageBytesMax: 1 << 16)
        #expect(try await connection.messages(1) == ["before"])
        #expect(await connection.ending() == code)
        await connection.close()
    }

    @Test(
        "parameters that were not offered fail the handshake",
        arguments: [
            "permessage-deflate; client_max_window_bits=10", "x-webkit-deflate-frame",
            "permessage-deflate; server_max_window_bits=99",
        ]
    )
    func handshake(extensions: String) async throws {
        let server = Self.server(extensions, [])
        let error = await #expect(throws: TransportError.self) { try await Self.open(server) }
        #expect(error?.code == .protocolViolation)
    }
}
