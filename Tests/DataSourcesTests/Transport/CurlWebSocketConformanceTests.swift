import DataSourceContracts
import DataSourcesWebSocket
import TestSupport
import Testing

@Suite(
    "A WebSocket transport conforms to RFC 6455 and RFC 7692 over real sockets",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlWebSocketConformanceTests {
    /// The longest message of the cases.
    private static let messageBytesMax = 16 << 20

    @Test("a client reads frames", arguments: WebSocketCase.all)
    func plain(_ example: WebSocketCase) async throws {
        try await check(example, extensions: nil)
    }

    @Test("a client reads compressed messages", arguments: WebSocketCompressionCase.all)
    func compressed(_ example: WebSocketCompressionCase) async throws {
        try await check(example.example(), extensions: example.parameters.answer)
    }

    private func check(_ example: WebSocketCase, extensions: String?) async throws {
        let (answers, answered) = AsyncStream.makeStream(
            of: [WebSocketFrame].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let peer = try WebSocketPeer(accepting: connection, extensions: extensions)
            answered.yield(peer.play(example, bytesMax: Self.messageBytesMax))
            peer.waitForEnd()
        }
        let transport = try CurlWebSocketTransport.forTests(
            limits: .init(messageBytesMax: Self.messageBytesMax, sendTimeout: .seconds(3_600))
        )
        let connection = try await transport.open(
            url: server.webSocketURL,
            timeout: .seconds(3_600),
            pingInterval: nil,
            offersCompression: extensions != nil
        )
        var messages: [[UInt8]] = []
        var code: TransportError.Code?
        while code == nil {
            do {
                let batch = try await connection.receive(batchInterval: .zero)
                messages += (0..<batch.count).map { Array(batch.bytes[batch.range(at: $0)]) }
            } catch {
                code = error.code
            }
        }
        await connection.close()
        let areDelivered = messages == example.messages(bytesMax: Self.messageBytesMax)
        #expect(areDelivered, "\(messages.count) messages of \(messages.map(\.count).max() ?? 0)")
        let ending = example.ending(bytesMax: Self.messageBytesMax)
        #expect(code?.conforms(to: ending) == true, "\(String(describing: code))")
        for await frames in answers {
            check(frames, example, ending)
            break
        }
    }

    /// Checks what the server received.
    private func check(
        _ frames: [WebSocketFrame],
        _ example: WebSocketCase,
        _ ending: WebSocketCase.Ending
    ) {
        #expect(frames.allSatisfy { $0.mask != nil })
        let closes = frames.filter { $0.opcode == WebSocketFrame.Opcode.close }
        #expect(closes.map(\.payload).map { Array($0.prefix(2)) } == [ending.closePayload])
        #expect(frames.last?.opcode == WebSocketFrame.Opcode.close)
    }
}

extension WebSocketPeer {
    /// Sends the frames of a case, and waits for the client's close.
    ///
    /// - Returns: the frames that the client has sent.
    fileprivate func play(_ example: WebSocketCase, bytesMax: Int) -> [WebSocketFrame] {
        var frames: [WebSocketFrame] = []
        do throws(Failure) {
            for bytes in example.writes(mask: nil) { try send(raw: bytes) }
            if example.ending(bytesMax: bytesMax) == .open {
                while let ping = example.lastPing, frames.last?.payload != ping {
                    frames.append(try next())
                }
                try send(.close(code: 1000))
            }
        } catch {
            // The client may end the connection before it has read everything.
        }
        while frames.last?.opcode != WebSocketFrame.Opcode.close, let frame = try? next() {
            frames.append(frame)
        }
        return frames
    }
}

extension TransportError.Code {
    /// Whether the connection ended as a case demands.
    fileprivate func conforms(to ending: WebSocketCase.Ending) -> Bool {
        switch (ending, self) {
        case (.open, .closed(let code, _)): code == 1000
        case (.closed(let expected), .closed(let code, _)): code == expected.map(Int.init)
        case (.fails(1009), .tooLarge): true
        case (.fails(1002), .protocolViolation), (.fails(1007), .protocolViolation): true
        default: false
        }
    }
}
