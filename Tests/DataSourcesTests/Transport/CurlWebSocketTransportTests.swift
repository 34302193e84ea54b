import DataSourceContracts
import DataSourcesWebSocket
import Synchronization
import TestSupport
import Testing

@Suite(
    "WebSockets over real sockets: messages both ways",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlWebSocketTransportTests {
    @Test("each request upgrades its path with a new key")
    func request() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send(peer.requestHead)
            peer.waitForEnd()
        }
        var keys: Set<Substring> = []
        for _ in 0..<2 {
            let head = try await withConnection(to: server.webSocketURL, over: .forTests()) {
                try await $0.messages(1)[0]
            }
            let lines = head.split(separator: "\r\n")
            #expect(lines.first == "GET /pub/ws HTTP/1.1")
            #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
            #expect(lines.contains("User-Agent: hoga-tests"))
            keys.formUnion(lines.filter { $0.hasPrefix("Sec-WebSocket-Key: ") })
        }
        #expect(keys.count == 2)
    }

    @Test("texts go both ways, also Korean and long ones", arguments: [1, 100, 60_000, 200_000])
    func echo(count: Int) async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            while true {
                let frame = try peer.next()
                guard frame.opcode == WebSocketFrame.Opcode.text, frame.mask != nil else { return }
                try peer.send(frame.with { $0.mask = nil })
            }
        }
        let text = String(repeating: "호", count: count / 3) + "가"
        let answer = try await withConnection(to: server.webSocketURL, over: .forTests()) {
            try await $0.send(text: text)
            return try await $0.messages(1)
        }
        #expect(answer == [text])
    }

    @Test("frames right after the handshake response are received")
    func earlyMessage() async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let early = WebSocketFrame.text("early").bytes
            let peer = try WebSocketPeer(accepting: connection, appended: early)
            try peer.send("late")
            peer.waitForEnd()
        }
        let texts = try await withConnection(to: server.webSocketURL, over: .forTests()) {
            try await $0.messages(2)
        }
        #expect(texts == ["early", "late"])
    }

    @Test("a violation right after the handshake is thrown after valid messages")
    func earlyViolation() async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let early = WebSocketFrame.text("early").bytes + WebSocketFrame(3, [1]).bytes
            try WebSocketPeer(accepting: connection, appended: early).waitForEnd()
        }
        try await withConnection(to: server.webSocketURL, over: .forTests()) { connection in
            let texts = try await connection.messages(1)
            #expect(texts == ["early"])
            #expect(await connection.ending() == .protocolViolation)
        }
    }

    @Test("an IPv6 address is accepted")
    func versionSix() async throws {
        let url = "ws://[::1]:\(LoopbackServer.reservedPort())/"
        #expect(
            try await CurlWebSocketTransport.forTests().errorCode(opening: url) == .cannotConnect
        )
    }

    @Test("text, binary and fragmented messages arrive whole and in order")
    func kinds() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            typealias Opcode = WebSocketFrame.Opcode
            try peer.send("a")
            try peer.send(WebSocketFrame(Opcode.binary, Array("b".utf8)))
            try peer.send(WebSocketFrame.text("c").with { $0.isFinal = false })
            try peer.send(WebSocketFrame(Opcode.ping, [1]))
            try peer.send(WebSocketFrame(Opcode.continuation, Array("d".utf8)))
            try peer.send("")
            peer.waitForEnd()
        }
        let texts = try await withConnection(to: server.webSocketURL, over: .forTests()) {
            try await $0.messages(4)
        }
        #expect(texts == ["a", "b", "cd", ""])
    }

    @Test("a ping is answered during a receive")
    func ping() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send(WebSocketFrame(WebSocketFrame.Opcode.ping, [1, 2, 3]))
            let answer = try peer.next()
            try peer.send("\(answer.opcode) \(answer.payload)")
            peer.waitForEnd()
        }
        let texts = try await withConnection(to: server.webSocketURL, over: .forTests()) {
            try await $0.messages(1)
        }
        #expect(texts == ["10 [1, 2, 3]"])
    }

    @Test("pings are sent in their interval while a task waits for messages")
    func pings() async throws {
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            for _ in 0..<3 {
                let frame = try peer.next()
                try peer.send(WebSocketFrame(WebSocketFrame.Opcode.pong, frame.payload))
                if frame.opcode != WebSocketFrame.Opcode.ping { return }
            }
            try peer.send("three pings")
            peer.waitForEnd()
        }
        let texts = try await withConnection(
            to: server.webSocketURL,
            over: .forTests(),
            pingInterval: .milliseconds(20)
        ) { try await $0.messages(1) }
        #expect(texts == ["three pings"])
    }

    @Test("a send interrupts a waiting receive without disturbing it")
    func sendWhileReceiving() async throws {
        // The server answers only what it is sent, so the receiver waits whenever it can.
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            while true { try peer.send(String(decoding: try peer.next().payload, as: UTF8.self)) }
        }
        let texts = try await withConnection(to: server.webSocketURL, over: .forTests()) {
            connection in
            try await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask { try await connection.messages(400) }
                for sender in 0..<4 {
                    group.addTask {
                        for number in 0..<100 {
                            try await connection.send(text: "\(sender) \(number)")
                        }
                        return []
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        for sender in 0..<4 {
            // One sender's texts keep their order.
            #expect(
                texts.filter { $0.hasPrefix("\(sender) ") }
                    == (0..<100).map { "\(sender) \($0)" }
            )
        }
    }

    // MARK: Batches

    @Test("nothing is read during the batch interval; then all messages arrive together")
    func batchInterval() async throws {
        let clock = ManualClock()
        let (sent, server) = Self.burstServer(count: 500)
        let transport = try CurlWebSocketTransport.forTests(clock: clock)
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            // The first batch has nothing to wait for.
            #expect(try await connection.receive(batchInterval: .seconds(1)).texts == ["first"])
            try await connection.send(text: "go on")
            try await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask { try await connection.receive(batchInterval: .seconds(1)).texts }
                await clock.untilSleeping()
                for await _ in sent { break }
                clock.advance(by: .milliseconds(999))
                await clock.untilSleeping()
                clock.advance(by: .milliseconds(1))
                let burst = try await group.next()
                #expect(burst == (0..<500).map { "burst \($0)" })
            }
        }
    }

    @Test("a batch ends at its limit, and the rest follows")
    func batchLimit() async throws {
        let (sent, server) = Self.burstServer(count: 20_000)
        let transport = try CurlWebSocketTransport.forTests(
            limits: .init(batchBytesMax: 1_000)
        )
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            _ = try await connection.receive(batchInterval: .zero)
            try await connection.send(text: "go on")
            var texts: [String] = []
            while texts.count < 20_000 {
                let batch = try await connection.receive(batchInterval: .zero)
                // Bytes beyond the limit came with the same read.
                #expect(batch.bytes.count < 1_000 + 65_536)
                texts += batch.texts
            }
            #expect(texts == (0..<20_000).map { "burst \($0)" })
            for await _ in sent { break }
        }
    }

    @Test("full batches follow without a pause")
    func crowdedBatches() async throws {
        let clock = ManualClock()
        // However the bytes arrive, a batch with a message is crowded.
        let (sent, server) = Self.burstServer(count: 60, padding: 6_000)
        let transport = try CurlWebSocketTransport.forTests(
            clock: clock,
            limits: .init(batchBytesMax: 10_000)
        )
        try await withConnection(to: server.webSocketURL, over: transport) { connection in
            _ = try await connection.receive(batchInterval: .zero)
            try await connection.send(text: "go on")
            // Everything lies in the sockets' buffers before the first of it is read.
            for await _ in sent { break }
            var texts: [String] = []
            // A pause would hang, because the clock stands still.
            while texts.count < 60 {
                texts += try await connection.receive(
                    batchInterval: texts.isEmpty ? .zero : .seconds(1)
                ).texts
            }
            let padding = String(repeating: ".", count: 6_000)
            #expect(texts == (0..<60).map { "burst \($0)\(padding)" })
        }
    }

    @Test("unread messages stay with the server until the connection ends")
    func backPressure() async throws {
        let sentCount = Mutex(0)
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            let message = String(repeating: "a", count: 100_000)
            // 200 MB, which is far more than the socket buffers of both ends hold.
            for number in 1...2_000 {
                try peer.send(message)
                sentCount.withLock { $0 = number }
            }
        }
        try await withConnection(to: server.webSocketURL, over: .forTests()) { connection in
            for _ in 0..<3 {
                let batch = try await connection.receive(batchInterval: .zero)
                #expect(batch.bytes.count < 2 << 20)
            }
        }
        server.stop()
        #expect(sentCount.withLock { $0 } < 1_000)
    }

    /// A server that sends `first`, waits for a message, then sends many and signals that.
    private static func burstServer(
        count: Int,
        padding: Int = 0
    ) -> (AsyncStream<Void>, LoopbackServer) {
        let padding = String(repeating: ".", count: padding)
        let (sent, done) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send("first")
            _ = try peer.next()
            for number in 0..<count { try peer.send("burst \(number)\(padding)") }
            done.yield()
            peer.waitForEnd()
        }
        return (sent, server)
    }
}
