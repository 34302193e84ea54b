import TestSupport
import Testing
import WebSocketFraming

@Suite("A framer that meets a violation sends the close code and stays failed")
struct WebSocketViolationTests {
    private typealias Opcode = WebSocketFrame.Opcode

    /// Bytes that a client must refuse, and why.
    private static let violations: [(String, [UInt8], WebSocketError)] = [
        (
            "a masked frame", WebSocketFrame.text("a").with { $0.mask = [1, 2, 3, 4] }.bytes,
            .violation(.maskedByServer)
        ),
        (
            "the first reserved bit", WebSocketFrame.text("a").with { $0.reservedBits = 4 }.bytes,
            .violation(.reservedBits)
        ),
        (
            "the last reserved bit on a ping",
            WebSocketFrame(Opcode.ping).with { $0.reservedBits = 1 }.bytes,
            .violation(.reservedBits)
        ),
        ("an unknown kind of data", WebSocketFrame(3, [1]).bytes, .violation(.unknownOpcode)),
        ("an unknown kind of control", WebSocketFrame(0xb).bytes, .violation(.unknownOpcode)),
        (
            "a continuation of nothing", WebSocketFrame(Opcode.continuation, [1]).bytes,
            .violation(.continuationWithoutStart)
        ),
        (
            "a message within another",
            WebSocketFrame.text("a").with { $0.isFinal = false }.bytes
                + WebSocketFrame.text("b").bytes,
            .violation(.startWithinMessage)
        ),
        (
            "a continuation behind the end",
            WebSocketFrame.text("a").bytes + WebSocketFrame(Opcode.continuation, [1]).bytes,
            .violation(.continuationWithoutStart)
        ),
        (
            "a fragmented ping", WebSocketFrame(Opcode.ping, [1]).with { $0.isFinal = false }.bytes,
            .violation(.malformedHeader)
        ),
        (
            "a ping of 126 bytes",
            WebSocketFrame(Opcode.ping, [UInt8](repeating: 1, count: 126)).bytes,
            .violation(.malformedHeader)
        ),
        (
            "a length in two bytes that fits in one",
            WebSocketFrame(Opcode.binary, [1]).with { $0.lengthForm = .twoBytes }.bytes,
            .violation(.malformedHeader)
        ),
        (
            "a length in eight bytes that fits in two",
            WebSocketFrame(Opcode.binary, [UInt8](repeating: 1, count: 200))
                .with { $0.lengthForm = .eightBytes }.bytes,
            .violation(.malformedHeader)
        ),
        (
            "a length with the top bit", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 1, 1],
            .violation(.malformedHeader)
        ),
        ("text that is not UTF-8", WebSocketFrame(Opcode.text, [0xff]).bytes, .invalidText),
        (
            "text that is cut within a character", WebSocketFrame(Opcode.text, [0xec, 0x9b]).bytes,
            .invalidText
        ),
        (
            "text that is wrong in its second fragment",
            WebSocketFrame.text("a").with { $0.isFinal = false }.bytes
                + WebSocketFrame(Opcode.continuation, [0xc0, 0x80]).bytes,
            .invalidText
        ),
        (
            "half of a surrogate pair", WebSocketFrame(Opcode.text, [0xed, 0xa0, 0x80]).bytes,
            .invalidText
        ),
        (
            "a close of one byte", WebSocketFrame(Opcode.close, [3]).bytes,
            .violation(.malformedClose)
        ),
        (
            "a close reason that is not UTF-8",
            WebSocketFrame(Opcode.close, [0x03, 0xe8, 0xff]).bytes, .invalidText
        ),
    ]

    @Test("a client refuses the violation", arguments: violations.indices)
    func clientRefuses(index: Int) throws {
        let (what, bytes, error) = Self.violations[index]
        var client = WebSocketFramer.client()
        let before = WebSocketFrame.text("before").bytes
        #expect(throws: error, "\(what)") { try client.receive(before + bytes) }
        let again = #expect(throws: WebSocketError.self) {
            try client.receive(WebSocketFrame.text("after").bytes)
        }
        #expect(again == error, "\(what): the failure stays")
        // The messages before the violation were complete; what came after it does not count.
        #expect(client.takeMessages().texts.first == "before", "\(what)")
        #expect(client.closeCodes == [try #require(error.closeCode)], "\(what)")
        #expect(client.isClosing == true)
        #expect(throws: WebSocketError.closing) { try client.queueText([1]) }
    }

    @Test("a server refuses an unmasked frame")
    func serverRefuses() {
        var server = WebSocketFramer.server()
        #expect(throws: WebSocketError.violation(.unmaskedByClient)) {
            try server.receive(WebSocketFrame.text("a").bytes)
        }
        #expect(server.closeCodes == [1002])
    }

    @Test(
        "a reserved close code is refused; WebSocketConformanceTests has more",
        arguments: [1, 1015]
    )
    func closeCodes(code: UInt16) {
        var client = WebSocketFramer.client()
        #expect(throws: WebSocketError.violation(.malformedClose)) {
            try client.receive(WebSocketFrame.close(code: code).bytes)
        }
        #expect(client.peerClose == nil)
    }

    @Test("a failure while closing queues no second close frame")
    func failureWhileClosing() throws {
        var client = WebSocketFramer.client()
        try client.queueClose(code: 1000)
        #expect(client.closeCodes == [1000])
        #expect(throws: WebSocketError.violation(.unknownOpcode)) {
            try client.receive(WebSocketFrame(5, [1]).bytes)
        }
        #expect(client.hasOutput == false)
    }
}
