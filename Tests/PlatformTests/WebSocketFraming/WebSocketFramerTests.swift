import Synchronization
import TestSupport
import Testing
import WebSocketFraming

@Suite(
    "A framer decodes bytes to messages and encodes messages to bytes",
    .tags(.threads)
)
struct WebSocketFramerTests {
    // MARK: The examples of RFC 6455, section 5.7

    @Test("a client decodes the RFC's unmasked messages, whole and fragmented")
    func unmaskedExamples() throws {
        var client = WebSocketFramer.client()
        try client.receive([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        try client.receive([0x01, 0x03, 0x48, 0x65, 0x6c])
        #expect(client.takeMessages().texts == ["Hello"])
        try client.receive([0x80, 0x02, 0x6c, 0x6f])
        #expect(client.takeMessages().texts == ["Hello"])
    }

    @Test("a server decodes the RFC's masked message, and a client encodes it")
    func maskedExample() throws {
        let bytes: [UInt8] = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
        ]
        var server = WebSocketFramer.server()
        try server.receive(bytes)
        #expect(server.takeMessages().texts == ["Hello"])
        var client = WebSocketFramer.client(maskKey: { 0x3d21_fa37 })
        try client.queueText(Array("Hello".utf8))
        #expect(client.takeOutput() == bytes)
    }

    @Test("a client answers the RFC's ping with the RFC's masked pong")
    func pingExample() throws {
        var client = WebSocketFramer.client(maskKey: { 0x3d21_fa37 })
        try client.receive([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        #expect(client.hasOutput == true)
        #expect(
            client.takeOutput()
                == [0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        )
        #expect(client.hasOutput == false)
    }

    @Test("long binary messages have the RFC's headers", arguments: [256, 65_536])
    func longExamples(count: Int) throws {
        let payload = [UInt8](repeating: 0xab, count: count)
        var server = WebSocketFramer.server()
        try server.queueBinary(payload)
        let output = server.takeOutput()
        let header: [UInt8] =
            count == 256 ? [0x82, 0x7e, 0x01, 0x00] : [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0]
        #expect(output == header + payload)
        var client = WebSocketFramer.client()
        try client.receive(output)
        #expect(client.takeMessages() == WebSocketMessages(bytes: payload, ends: [count]))
    }

    // MARK: Properties

    @Test("messages do not depend on how the bytes are cut", arguments: UInt64(1)...16)
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isServer = seed.isMultiple(of: 2)
        let stream = RandomStream(masked: isServer, using: &random)
        var framer = isServer ? WebSocketFramer.server() : WebSocketFramer.client()
        let cutMax = [1, 3, 100, 9_000][Int(seed / 2 % 4)]
        var messages: [[UInt8]] = []
        var rest = stream.bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...cutMax, using: &random))
            try framer.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            // Messages are taken at some cuts only: what waits must not disturb what comes.
            if Bool.random(using: &random) { messages += framer.takeMessages().all }
        }
        messages += framer.takeMessages().all
        #expect(messages == stream.messages)
        #expect(framer.peerClose == nil)
    }

    @Test("messages of one end arrive at the other end", arguments: UInt64(1)...10)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sender =
            seed.isMultiple(of: 2)
            ? WebSocketFramer.server() : WebSocketFramer.client(maskKey: { 0xfeed_1234 })
        var receiver = seed.isMultiple(of: 2) ? WebSocketFramer.client() : WebSocketFramer.server()
        var sent: [[UInt8]] = []
        var received: [[UInt8]] = []
        for _ in 0..<40 {
            let count = Int.random(
                in: 0...[10, 125, 126, 5_000, 70_000].randomElement(using: &random)!
            )
            let payload = [UInt8](
                repeating: UInt8.random(in: 0..<128, using: &random),
                count: count
            )
            if Bool.random(using: &random) {
                try sender.queueText(payload)
            } else {
                try sender.queueBinary(payload)
            }
            sent.append(payload)
            if Bool.random(using: &random) { try sender.queuePing([1, 2, 3]) }
            try receiver.receive(sender.takeOutput())
            received += receiver.takeMessages().all
            try sender.receive(receiver.takeOutput())
        }
        #expect(received == sent)
        #expect(sender.takeMessages().isEmpty)
    }

    @Test("each frame of a client has a new masking key")
    func freshKeys() throws {
        let keys = Keys()
        var client = WebSocketFramer.client(maskKey: { keys.next() })
        for _ in 0..<3 { try client.queueText([]) }
        let frames = WebSocketFrame.frames(in: client.takeOutput()).frames
        #expect(frames.map(\.mask) == [[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]])
    }

    // MARK: Control frames

    @Test("only the last of many pings is answered")
    func pingFlood() throws {
        var client = WebSocketFramer.client()
        for payload in UInt8(0)...200 {
            try client.receive(WebSocketFrame(WebSocketFrame.Opcode.ping, [payload]).bytes)
        }
        let answer = WebSocketFrame.frames(in: client.takeOutput()).frames
        #expect(answer.map(\.payload) == [[200]])
    }

    // MARK: Bounds

    @Test("a message at the limit passes, one byte more fails", arguments: [1, 2, 5])
    func messageLimit(fragments: Int) throws {
        for excess in 0...1 {
            var client = WebSocketFramer.client(messageBytesMax: 1_000)
            let bytes = WebSocketFrame.fragments(of: 1_000 + excess, count: fragments)
            if excess == 0 {
                try client.receive(bytes)
                #expect(client.takeMessages().ends == [1_000])
            } else {
                #expect(throws: WebSocketError.tooLarge(bytesMax: 1_000)) {
                    try client.receive(bytes)
                }
                #expect(client.closeCodes == [1009])
            }
        }
    }

    @Test("a huge length is refused before its bytes arrive")
    func hugeLength() {
        var client = WebSocketFramer.client(messageBytesMax: 1_000)
        // 2^62 bytes are announced; wslay shows a frame with the first byte of its payload.
        #expect(throws: WebSocketError.tooLarge(bytesMax: 1_000)) {
            try client.receive([0x82, 127, 0x40, 0, 0, 0, 0, 0, 0, 0, 1])
        }
    }

    @Test("pending output is bounded, and taking it makes room")
    func outputLimit() throws {
        var server = WebSocketFramer(role: .server, messageBytesMax: 100, outputBytesMax: 100)
        try server.queueText([UInt8](repeating: 65, count: 60))
        #expect(throws: WebSocketError.outputFull(bytesMax: 100)) {
            try server.queueText([UInt8](repeating: 66, count: 60))
        }
        #expect(WebSocketFrame.frames(in: server.takeOutput()).frames.count == 1)
        try server.queueText([UInt8](repeating: 66, count: 60))
        #expect(WebSocketFrame.frames(in: server.takeOutput()).frames.first?.payload.first == 66)
    }

    @Test("a close frame is queued even in full output")
    func closeWhenFull() throws {
        var server = WebSocketFramer(role: .server, messageBytesMax: 100, outputBytesMax: 20)
        try server.queueText([1, 2, 3, 4, 5, 6])
        try server.queueClose(code: 1001, reason: "going away")
        #expect(server.closeCodes == [1001])
    }
}

/// Counts up: masking keys that are known beforehand.
private final class Keys: Sendable {
    private let last = Mutex<UInt32>(0)

    func next() -> UInt32 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
