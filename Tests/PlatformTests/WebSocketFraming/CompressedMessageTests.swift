import Compression
import TestSupport
import Testing
import WebSocketFraming

@Suite("Compressed WebSocket messages")
struct CompressedMessageTests {
    private static let both = PerMessageDeflate(serverKeepsContext: true, clientKeepsContext: true)
    private static let neither = PerMessageDeflate(
        serverKeepsContext: false,
        clientKeepsContext: false
    )
    /// The first reserved bit.
    private static let compressed: UInt8 = 4

    private static func client(
        _ parameters: PerMessageDeflate = both,
        messageBytesMax: Int = 1 << 20
    ) -> WebSocketFramer {
        var framer = WebSocketFramer.client(messageBytesMax: messageBytesMax)
        framer.agree(on: parameters)
        return framer
    }

    private static func packed(_ text: String) -> [UInt8] {
        var deflater = MessageDeflater(keepsContext: true, level: 1)
        return deflater.compressed(Array(text.utf8).span)
    }

    private static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8],
        reserved: UInt8 = 0,
        isFinal: Bool = true
    ) -> [UInt8] {
        WebSocketFrame(opcode, payload).with {
            $0.reservedBits = reserved
            $0.isFinal = isFinal
        }.bytes
    }

    @Test("a client reads what a server compresses, in pieces of any size", arguments: 1...10)
    func server(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for parameters in [Self.both, Self.neither] {
            var server = WebSocketFramer.server()
            server.agree(on: parameters)
            var client = Self.client(parameters)
            var sent: [[UInt8]] = []
            var bytes: [UInt8] = []
            for _ in 0..<40 {
                let message = (0..<Int.random(in: 0...3_000, using: &random)).map { _ in
                    UInt8.random(in: 48...57, using: &random)
                }
                sent.append(message)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: try server.queueText(message)
                case 1: try server.queueBinary(message)
                default:
                    try server.queueBinary(message)
                    try server.queuePing([1, 2, 3])
                }
                bytes += server.takeOutput()
            }
            #expect(bytes.count < sent.reduce(0) { $0 + $1.count } * 3 / 4)
            var received: [[UInt8]] = []
            while !bytes.isEmpty {
                let count = min(bytes.count, Int.random(in: 1...5_000, using: &random))
                try client.receive(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
                received += client.takeMessages().all
            }
            #expect(received == sent)
        }
    }

    @Test("a client's messages are not compressed, and a server reads both kinds")
    func clientMessages() throws {
        var client = Self.client()
        try client.queueText(Array("plain".utf8))
        let plain = client.takeOutput()
        #expect(plain[0] == 0x81)
        var server = WebSocketFramer.server()
        server.agree(on: Self.both)
        try server.receive(plain)
        let packed = WebSocketFrame(WebSocketFrame.Opcode.text, Self.packed("packed")).with {
            $0.reservedBits = Self.compressed
            $0.mask = [1, 2, 3, 4]
        }
        try server.receive(packed.bytes)
        #expect(server.takeMessages().texts == ["plain", "packed"])
    }

    @Test("fragments of a compressed message are joined, whatever comes between them")
    func fragments() throws {
        let text = String(repeating: "호가 143,210,000 ", count: 50)
        let packed = Self.packed(text)
        for cut in 0...packed.count {
            var framer = Self.client()
            var bytes = Self.frame(
                WebSocketFrame.Opcode.text,
                Array(packed[..<cut]),
                reserved: Self.compressed,
                isFinal: false
            )
            bytes += Self.frame(WebSocketFrame.Opcode.ping, [7])
            bytes += Self.frame(WebSocketFrame.Opcode.continuation, [], isFinal: false)
            bytes += Self.frame(WebSocketFrame.Opcode.continuation, Array(packed[cut...]))
            bytes += Self.frame(WebSocketFrame.Opcode.text, Array("not compressed".utf8))
            try framer.receive(bytes)
            #expect(framer.takeMessages().texts == [text, "not compressed"])
        }
    }

    @Test("reserved bits are refused where the agreement does not allow them")
    func reservedBits() {
        let opcode = WebSocketFrame.Opcode.self
        let packed = Self.packed("text")
        let begun = Self.frame(opcode.text, packed, reserved: Self.compressed, isFinal: false)
        let wrong: [[UInt8]] = [
            Self.frame(opcode.text, packed, reserved: 2),
            Self.frame(opcode.text, packed, reserved: 1),
            Self.frame(opcode.binary, packed, reserved: 6),
            Self.frame(opcode.ping, [], reserved: Self.compressed),
            Self.frame(opcode.close, [], reserved: Self.compressed),
            begun + Self.frame(opcode.continuation, [0], reserved: Self.compressed),
        ]
        for bytes in wrong {
            var framer = Self.client()
            #expect(throws: WebSocketError.violation(.reservedBits)) { try framer.receive(bytes) }
            #expect(framer.closeCodes == [1_002])
        }
        var plain = WebSocketFramer.client()
        #expect(throws: WebSocketError.violation(.reservedBits)) {
            try plain.receive(Self.frame(opcode.text, packed, reserved: Self.compressed))
        }
    }

    @Test("a message that grows beyond the limit ends the connection, in one frame or many")
    func bomb() throws {
        let packed = Self.packed(String(repeating: "0", count: 3 << 20))
        #expect(packed.count < 20_000)
        let opcode = WebSocketFrame.Opcode.self
        let whole = Self.frame(opcode.binary, packed, reserved: Self.compressed)
        let parts = packed.enumerated().flatMap { index, byte in
            Self.frame(
                index == 0 ? opcode.binary : opcode.continuation,
                [byte],
                reserved: index == 0 ? Self.compressed : 0,
                isFinal: index == packed.count - 1
            )
        }
        for bytes in [whole, parts] {
            var framer = Self.client(messageBytesMax: 1 << 20)
            try framer.receive(Self.frame(opcode.text, Array("before".utf8)))
            for _ in 0..<2 {
                #expect(throws: WebSocketError.tooLarge(bytesMax: 1 << 20)) {
                    try framer.receive(bytes)
                }
            }
            #expect(framer.closeCodes == [1_009])
            #expect(framer.takeMessages().texts == ["before"])
        }
        var generous = Self.client(messageBytesMax: 3 << 20)
        try generous.receive(whole)
        #expect(generous.takeMessages().bytes.count == 3 << 20)
    }

    @Test("messages that cannot be decompressed end the connection with the reason")
    func broken() {
        let packed = Self.packed(#"{"type":"orderbook","code":"KRW-BTC","level":1}"#)
        let cases: [([UInt8], WebSocketError)] = [
            ([0x07], .violation(.corruptCompression)),
            ([], .violation(.truncatedCompression)),
            (Array(packed.dropLast(3)), .violation(.truncatedCompression)),
            // One byte that is no UTF-8, not compressed: RFC 1951, section 3.2.4.
            ([0x00, 0x01, 0x00, 0xfe, 0xff, 0xff, 0x00], .invalidText),
        ]
        for (payload, error) in cases {
            var framer = Self.client()
            #expect(throws: error, "\(payload)") {
                try framer.receive(
                    Self.frame(
                        WebSocketFrame.Opcode.text,
                        payload,
                        reserved: Self.compressed
                    )
                )
            }
            #expect(framer.closeCodes == [1_007])
        }
    }
}
