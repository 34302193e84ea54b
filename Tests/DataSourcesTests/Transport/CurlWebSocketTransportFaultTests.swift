import DataSourceContracts
import DataSourcesWebSocket
import TestSupport
import Testing

@Suite(
    "WebSocket faults have distinct errors, and nothing hangs",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlWebSocketTransportFaultTests {
    // MARK: Opening

    @Test(
        "a server that does not upgrade is told with its status",
        arguments: [("429 Too Many Requests", 429), ("200 OK", 200), ("302 Found", 302)]
    )
    func refusal(status: String, code: Int) async throws {
        let page = HTTPAnswer(
            status: status,
            headers: ["Content-Type: text/html", "Location: /"],
            body: Array("<html>no</html>".utf8)
        )
        let server = LoopbackServer.rude(page.bytes)
        let transport = try CurlWebSocketTransport.forTests()
        let error = await #expect(throws: TransportError.self) {
            try await transport.open(
                url: server.webSocketURL,
                timeout: .seconds(3_600),
                pingInterval: nil
            )
        }
        #expect(error?.code == .upgradeRefused(status: code))
        #expect(error?.detail.contains("\(code)") == true)
        #expect(error?.detail.contains("html") == false)
    }

    @Test("a truncated, false or missing handshake is an error")
    func handshake() async throws {
        let transport = try CurlWebSocketTransport.forTests()
        let broken = LoopbackServer.rude(Array("HTTP/1.1 101 Switching Pro".utf8))
        #expect(
            await transport.errorCode(opening: broken.webSocketURL)
                == .closed(code: nil, reason: "")
        )
        let lying = LoopbackServer.rude(Array(WebSocketPeer.answer(to: "").utf8))
        #expect(await transport.errorCode(opening: lying.webSocketURL) == .protocolViolation)
        let other = LoopbackServer.rude(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8))
        #expect(await transport.errorCode(opening: other.webSocketURL) == .protocolViolation)
        let endless = LoopbackServer.rude([UInt8](repeating: 65, count: 100_000))
        #expect(await transport.errorCode(opening: endless.webSocketURL) == .protocolViolation)
        let silent = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            connection.waitForEnd()
        }
        // A test that is delayed beyond the time-out never connects: it tries again.
        repeat {
            let code = await transport.errorCode(
                opening: silent.webSocketURL,
                timeout: .milliseconds(50)
            )
            #expect(code == .timedOut)
        } while silent.acceptedCount == 0
        silent.stop()
    }

    @Test("a refused connection is cannotConnect")
    func refused() async throws {
        let url = "ws://127.0.0.1:\(LoopbackServer.reservedPort())/"
        #expect(
            try await CurlWebSocketTransport.forTests().errorCode(opening: url) == .cannotConnect
        )
    }

    @Test("an invalid host name is nameNotResolved")
    func unknownName() async throws {
        // RFC 6761 keeps this top-level name free for ever.
        let transport = try CurlWebSocketTransport.forTests()
        #expect(await transport.errorCode(opening: "ws://nobody.invalid/") == .nameNotResolved)
    }

    @Test(
        "an address that is not ws or wss is refused",
        arguments: ["http://127.0.0.1/", "ws://"]
    )
    func badAddress(url: String) async throws {
        #expect(try await CurlWebSocketTransport.forTests().errorCode(opening: url) == .badAddress)
    }

    // MARK: Endings

    /// 64 MB, which is more than the socket buffers of both ends hold.
    private static var longText: String {
        String(repeating: String(repeating: "a", count: 1 << 16), count: 1 << 10)
    }

    @Test("the peer's close with code and reason follows its messages, on each receive")
    func peerCloses() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send("last")
            try peer.send(.close(code: 4001, reason: "점검"))
            // The client answers with the same code.
            let answer = try peer.next()
            guard answer.payload == [0x0f, 0xa1] else { return }
            peer.waitForEnd()
        }
        let expected = TransportError.Code.closed(code: 4001, reason: "점검")
        try await withConnection(to: server.webSocketURL, over: .forTests()) { connection in
            let texts = try await connection.messages(1)
            #expect(texts == ["last"])
            #expect(await connection.ending() == expected)
            #expect(await connection.ending() == expected)
            let error = await #expect(throws: TransportError.self) {
                try await connection.send(text: "too late")
            }
            #expect(error?.code == expected)
        }
    }

    @Test("a connection without a close frame is closed without a code")
    func endOfFile() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send("last")
        }
        try await withConnection(to: server.webSocketURL, over: .forTests()) { connection in
            let texts = try await connection.messages(1)
            #expect(texts == ["last"])
            #expect(await connection.ending() == .closed(code: nil, reason: ""))
        }
    }

    @Test("a reset connection is closed without a code")
    func reset() async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let peer = try WebSocketPeer(accepting: connection)
            _ = try peer.next()
            connection.resetWhenClosed()
        }
        try await withConnection(to: server.webSocketURL, over: .forTests()) { connection in
            try await connection.send(text: "reset")
            #expect(await connection.ending() == .closed(code: nil, reason: ""))
        }
    }

    private static let violations: [(WebSocketFrame, UInt16, TransportError.Code)] = [
        (WebSocketFrame.text("a").with { $0.mask = [1, 2, 3, 4] }, 1002, .protocolViolation),
        (
            WebSocketFrame(WebSocketFrame.Opcode.binary, [UInt8](repeating: 1, count: 2_000)),
            1009, .tooLarge
        ),
    ]

    @Test("a peer that violates the protocol gets a close code", arguments: violations.indices)
    func violation(index: Int) async throws {
        let (frame, closeCode, code) = Self.violations[index]
        let (answers, answered) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send("good")
            try peer.send(frame)
            answered.yield(try peer.next().payload)
            peer.waitForEnd()
        }
        let transport = try CurlWebSocketTransport.forTests(limits: .init(messageBytesMax: 1_000))
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            let texts = try await connection.messages(1)
            #expect(texts == ["good"])
            #expect(await connection.ending() == code)
            for await answer in answers {
                #expect(answer.starts(with: [UInt8(closeCode >> 8), UInt8(closeCode & 0xff)]))
                break
            }
        }
    }

    @Test("a peer that stops reading fails the send and the connection at the time-out")
    func stalledPeer() async throws {
        let gate = Gate()
        let server = LoopbackServer.webSocket { _ throws(LoopbackConnection.Failure) in
            gate.wait()
        }
        let transport = try CurlWebSocketTransport.forTests(
            limits: .init(outputBytesMax: 300 << 20, sendTimeout: .milliseconds(100))
        )
        let text = Self.longText
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            let error = await #expect(throws: TransportError.self) {
                try await connection.send(text: text)
            }
            #expect(error?.code == .timedOut)
            #expect(await connection.ending() == .timedOut)
        }
        gate.open()
    }

    @Test("a text beyond the output limit is refused, and the connection stays open")
    func hugeText() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send(String(decoding: try peer.next().payload, as: UTF8.self))
            peer.waitForEnd()
        }
        let transport = try CurlWebSocketTransport.forTests(limits: .init(outputBytesMax: 1_000))
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            let error = await #expect(throws: TransportError.self) {
                try await connection.send(text: String(repeating: "a", count: 1_000))
            }
            #expect(error?.code == .tooLarge)
            try await connection.send(text: "short")
            #expect(try await connection.messages(1) == ["short"])
        }
    }

    // MARK: Cancelling and closing

    @Test("cancellation ends a pending opening and its connection")
    func cancelledOpening() async throws {
        let (requests, arrived) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            arrived.yield()
            connection.waitForEnd()
        }
        let transport = try CurlWebSocketTransport.forTests()
        let code = await withTaskGroup(of: TransportError.Code?.self) { group in
            group.addTask { await transport.errorCode(opening: server.webSocketURL) }
            for await _ in requests { break }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
    }

    @Test("cancellation ends a receive at any point, and the connection stays open")
    func cancelledReceiving() async throws {
        let clock = ManualClock()
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            while true { try peer.send(String(decoding: try peer.next().payload, as: UTF8.self)) }
        }
        let transport = try CurlWebSocketTransport.forTests(clock: clock)
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            // For input: no batch has come yet.
            await cancelReceive(on: connection) { for _ in 0..<100 { await Task.yield() } }
            try await connection.send(text: "one")
            #expect(try await connection.messages(1) == ["one"])
            // For time: a batch has just come.
            await cancelReceive(on: connection) { await clock.untilSleeping() }
            clock.advance(by: .seconds(3_600))
            try await connection.send(text: "two")
            #expect(try await connection.messages(1) == ["two"])
        }

        func cancelReceive(
            on connection: any WebSocketConnection,
            once isWaiting: () async -> Void
        ) async {
            await withTaskGroup(of: TransportError.Code?.self) { group in
                group.addTask {
                    do throws(TransportError) {
                        _ = try await connection.receive(batchInterval: .seconds(1))
                        return nil
                    } catch {
                        return error.code
                    }
                }
                await isWaiting()
                group.cancelAll()
                #expect(await group.next() == .cancelled)
            }
        }
    }

    @Test("a flood of pings does not delay cancelling or closing")
    func pingFlood() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            let ping = WebSocketFrame(WebSocketFrame.Opcode.ping).bytes
            // Joined once: what the sanitizer makes slow here would hold up all other tests.
            let pings = Array(repeatElement(ping, count: 20_000).joined())
            while true { try peer.send(raw: pings) }
        }
        let transport = try CurlWebSocketTransport.forTests(limits: .init(batchBytesMax: 10_000))
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            await withTaskGroup(of: TransportError.Code?.self) { group in
                group.addTask { await connection.ending() }
                for _ in 0..<1_000 { await Task.yield() }
                group.cancelAll()
                #expect(await group.next() == .cancelled)
            }
            await withTaskGroup(of: TransportError.Code?.self) { group in
                group.addTask { await connection.ending() }
                for _ in 0..<1_000 { await Task.yield() }
                await connection.close()
                #expect(await group.next() == .closed(code: nil, reason: ""))
            }
        }
    }

    @Test("closing ends a waiting receive and sends a close frame")
    func closing() async throws {
        let (closeFrames, continuation) = AsyncStream.makeStream(
            of: WebSocketFrame.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            continuation.yield(try peer.next())
            peer.waitForEnd()
            continuation.finish()
        }
        let transport = try CurlWebSocketTransport.forTests()
        let connection = try await transport.open(
            url: server.webSocketURL,
            timeout: .seconds(3_600),
            pingInterval: nil
        )
        await withTaskGroup(of: TransportError.Code?.self) { group in
            group.addTask { await connection.ending() }
            for _ in 0..<100 { await Task.yield() }
            await connection.close()
            await connection.close()
            #expect(await group.next() == .closed(code: nil, reason: ""))
        }
        var frames: [WebSocketFrame] = []
        for await frame in closeFrames { frames.append(frame) }
        #expect(frames.map(\.opcode) == [WebSocketFrame.Opcode.close])
        #expect(frames.map(\.payload) == [[0x03, 0xe8]])
        let error = await #expect(throws: TransportError.self) {
            try await connection.send(text: "too late")
        }
        #expect(error?.code == .closed(code: nil, reason: ""))
    }

    @Test("closing ends a blocked send")
    func closingStalledSend() async throws {
        let gate = Gate()
        let server = LoopbackServer.webSocket { _ throws(LoopbackConnection.Failure) in
            gate.wait()
        }
        let transport = try CurlWebSocketTransport.forTests(
            limits: .init(outputBytesMax: 300 << 20, sendTimeout: .seconds(3_600))
        )
        let connection = try await transport.open(
            url: server.webSocketURL,
            timeout: .seconds(3_600),
            pingInterval: nil
        )
        let text = Self.longText
        await withTaskGroup(of: TransportError.Code?.self) { group in
            group.addTask {
                do throws(TransportError) {
                    try await connection.send(text: text)
                    return nil
                } catch {
                    return error.code
                }
            }
            for _ in 0..<100 { await Task.yield() }
            await connection.close()
            #expect(await group.next() == .closed(code: nil, reason: ""))
        }
        gate.open()
    }
}
