import TestSupport
import Testing
import WebSocketFraming

@Suite("A framer of either end conforms to RFC 6455 and RFC 7692")
struct WebSocketConformanceTests {
    /// The longest message of the cases.
    private static let messageBytesMax = 16 << 20
    private static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    // MARK: Cases

    @Test("a client reads frames", arguments: WebSocketCase.all)
    func client(_ example: WebSocketCase) {
        check(example, .client(messageBytesMax: Self.messageBytesMax), mask: nil)
    }

    @Test("a server reads frames", arguments: WebSocketCase.all)
    func server(_ example: WebSocketCase) {
        check(example, .server(messageBytesMax: Self.messageBytesMax), mask: Self.mask)
    }

    @Test("a client reads frames byte by byte", arguments: WebSocketCase.small)
    func clientByteByByte(_ example: WebSocketCase) {
        check(example.octets, .client(messageBytesMax: Self.messageBytesMax), mask: nil)
    }

    @Test("a server reads frames byte by byte", arguments: WebSocketCase.small)
    func serverByteByByte(_ example: WebSocketCase) {
        check(example.octets, .server(messageBytesMax: Self.messageBytesMax), mask: Self.mask)
    }

    @Test("a client reads compressed messages", arguments: WebSocketCompressionCase.all)
    func compressedClient(_ example: WebSocketCompressionCase) throws {
        var client = WebSocketFramer.client(messageBytesMax: Self.messageBytesMax)
        client.agree(
            on: try #require(try PerMessageDeflate.accepted(example.parameters.answer))
        )
        check(example.example(), client, mask: nil)
    }

    @Test("a server reads compressed messages", arguments: WebSocketCompressionCase.all)
    func compressedServer(_ example: WebSocketCompressionCase) {
        var server = WebSocketFramer.server(messageBytesMax: Self.messageBytesMax)
        let offer = example.parameters.offer
        let choice = PerMessageDeflate.choice(among: offer, keepsContext: true)
        #expect((choice == nil) == example.parameters.isDeclined)
        if let choice { server.agree(on: choice.parameters) }
        check(example.example(isCompressed: choice != nil), server, mask: Self.mask)
    }

    @Test("each case has a number of its own")
    func numbers() {
        let numbers =
            WebSocketCase.all.map(\.number)
            + WebSocketCompressionCase.all.map { $0.example().number }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.count > 450)
    }

    // MARK: Checks

    private func check(
        _ example: WebSocketCase,
        _ framer: consuming WebSocketFramer,
        mask: [UInt8]?
    ) {
        var exchange = FramerExchange(framer: framer)
        for bytes in example.writes(mask: mask) { exchange.receive(bytes) }
        let messages = example.messages(bytesMax: Self.messageBytesMax)
        let areDelivered = exchange.messages == messages
        #expect(areDelivered, "\(exchange.messages.count) messages, not \(messages.count)")
        // A server masks nothing, a client everything.
        let isClient = mask == nil
        #expect(exchange.frames.allSatisfy { ($0.mask != nil) == isClient })
        switch example.ending(bytesMax: Self.messageBytesMax) {
        case .open:
            let pongs = exchange.frames.filter { $0.opcode == WebSocketFrame.Opcode.pong }
            #expect(pongs.last?.payload == example.lastPing)
            #expect(exchange.failure == nil)
            #expect(exchange.closes.isEmpty)
            exchange.receive(WebSocketFrame.close(code: 1000).with { $0.mask = mask }.bytes)
            #expect(exchange.closes == [WebSocketFrame.close(code: 1000).payload])
        case .closed(let code):
            #expect(exchange.failure == nil)
            let payload = code.map { WebSocketFrame.close(code: $0).payload } ?? []
            #expect(exchange.closes == [payload])
            #expect(exchange.frames.count == 1, "nothing but the close is sent")
        case .fails(let code):
            #expect(exchange.failure?.closeCode == code)
            #expect(exchange.closes.map { Array($0.prefix(2)) } == [code.bigEndianBytes])
            let failure = exchange.failure
            exchange.receive(WebSocketFrame.text("after").with { $0.mask = mask }.bytes)
            #expect(exchange.lastFailure == failure, "the failure stays")
            #expect(exchange.messages.count == messages.count)
        }
    }
}

/// A framer, and everything that it has delivered and sent.
private struct FramerExchange: ~Copyable {
    var framer: WebSocketFramer
    var messages: [[UInt8]] = []
    var frames: [WebSocketFrame] = []
    var failure: WebSocketError?
    var lastFailure: WebSocketError?

    init(framer: consuming WebSocketFramer) {
        self.framer = framer
    }

    /// The payloads of the closes that the framer sent.
    var closes: [[UInt8]] {
        frames.filter { $0.opcode == WebSocketFrame.Opcode.close }.map(\.payload)
    }

    mutating func receive(_ bytes: [UInt8]) {
        lastFailure = nil
        do throws(WebSocketError) {
            try framer.receive(bytes)
        } catch {
            failure = failure ?? error
            lastFailure = error
        }
        if framer.hasMessages { messages += framer.takeMessages().all }
        if framer.hasOutput { frames += WebSocketFrame.frames(in: framer.takeOutput()).frames }
    }
}

extension UInt16 {
    /// As in a close frame.
    fileprivate var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xff)] }
}
