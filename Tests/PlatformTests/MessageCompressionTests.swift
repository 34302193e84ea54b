import Compression
import TestSupport
import Testing

@Suite("Compressed messages")
struct MessageCompressionTests {
    private static let limit = 1 << 20

    /// Decompresses messages in pieces of at most `pieceLength` bytes.
    private static func inflated(
        _ messages: [[UInt8]],
        keepsContext: Bool = true,
        pieceLength: Int = .max,
        countMax: Int = limit
    ) throws(MessageInflater.Failure) -> [[UInt8]] {
        var inflater = MessageInflater(keepsContext: keepsContext)
        var outputs: [[UInt8]] = []
        for message in messages {
            var output: [UInt8] = []
            var rest = message[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(pieceLength))
                try inflater.append(piece.span, to: &output, countMax: countMax)
                rest = rest.dropFirst(piece.count)
            }
            try inflater.endMessage(&output, countMax: countMax)
            outputs.append(output)
        }
        return outputs
    }

    private static func deflated(_ messages: [[UInt8]], keepsContext: Bool) -> [[UInt8]] {
        var deflater = MessageDeflater(keepsContext: keepsContext, level: 6)
        var outputs: [[UInt8]] = []
        for message in messages { outputs.append(deflater.compressed(message.span)) }
        return outputs
    }

    /// A frame of an order book, as the exchange sends it.
    private static let book = Array(
        (#"{"type":"orderbook","code":"KRW-BTC","orderbook_units":["#
            + (0..<15).map { step in
                #"{"ask_price":\#(143_210_000 + step * 1_000),"bid_price":\#(143_209_000 - step)"#
                    + #","ask_size":0.0\#(step * 37 + 11),"bid_size":1.\#(step * 53 + 7)}"#
            }.joined(separator: ",") + #"],"timestamp":1790133914965948}"#).utf8
    )

    @Test("the examples of RFC 7692, section 7.2.3, are read")
    func examples() throws {
        let hello = Array("Hello".utf8)
        let examples: [[[UInt8]]] = [
            [[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]],
            [[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], [0xf2, 0x00, 0x11, 0x00, 0x00]],
            [[0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]],
            [[0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]],
            [[0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]],
            // Data may end with any message and begin anew with the next one.
            [
                [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00], [0xf2, 0x00, 0x11, 0x00, 0x00],
                [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
            ],
        ]
        for example in examples {
            for pieceLength in [1, 2, 3, .max] {
                let read = try Self.inflated(example, pieceLength: pieceLength)
                #expect(read == Array(repeating: hello, count: example.count))
            }
        }
        #expect(try Self.inflated([[0x00]]) == [[]])
    }

    @Test("every message is read as it was written, in pieces of any size", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let messages: [[UInt8]] = (0..<30).map { _ in
            let count = [0, 1, 5, 1_400, 40_000].randomElement(using: &random) ?? 0
            let values: ClosedRange<UInt8> = Bool.random(using: &random) ? 0...255 : 48...51
            return (0..<count).map { _ in UInt8.random(in: values, using: &random) } + Self.book
        }
        for keepsContext in [false, true] {
            let packed = Self.deflated([[]] + messages + [[], []], keepsContext: keepsContext)
            for pieceLength in [1, Int.random(in: 2...5_000, using: &random), .max] {
                let read = try Self.inflated(
                    packed,
                    keepsContext: keepsContext,
                    pieceLength: pieceLength
                )
                #expect(read == [[]] + messages + [[], []])
            }
        }
    }

    @Test("a repeated message is nearly free with context, and not without")
    func context() {
        let messages = Array(repeating: Self.book, count: 2)
        let (kept, dropped) = (
            Self.deflated(messages, keepsContext: true),
            Self.deflated(messages, keepsContext: false)
        )
        #expect(kept[1].count < 40 && dropped[0].count < Self.book.count / 2)
        #expect(dropped[0] == dropped[1])
        // Without its context the second message refers to bytes that were never sent.
        #expect(throws: MessageInflater.Failure.corrupt) { try Self.inflated([kept[1]]) }
        #expect(throws: MessageInflater.Failure.corrupt) {
            try Self.inflated(kept, keepsContext: false)
        }
    }

    @Test("a message beyond its limit is refused, however small it came")
    func bomb() throws {
        let bomb = Self.deflated([[UInt8](repeating: 0, count: 8 << 20)], keepsContext: true)
        let packed = bomb[0]
        #expect(packed.count < 16_000)
        for countMax in [0, 1, 16_384, Self.limit, (8 << 20) - 1] {
            var inflater = MessageInflater(keepsContext: true)
            var output: [UInt8] = []
            var failure: MessageInflater.Failure?
            do throws(MessageInflater.Failure) {
                try inflater.append(packed.span, to: &output, countMax: countMax)
            } catch {
                failure = error
            }
            #expect(failure == .tooLarge)
            #expect(output.count <= countMax)
        }
        #expect(try Self.inflated(bomb, countMax: 8 << 20).first?.count == 8 << 20)
    }

    @Test("a message that lacks its end is refused, wherever it was cut")
    func truncated() {
        let packed = Self.deflated([Self.book], keepsContext: true)[0]
        for count in 0..<packed.count {
            #expect(throws: MessageInflater.Failure.self, "\(count) bytes") {
                try Self.inflated([Array(packed.prefix(count))])
            }
        }
    }

    @Test("a message with a wrong bit is refused or read within its limit")
    func corrupt() {
        let packed = Self.deflated([Self.book], keepsContext: true)[0]
        var refusals = 0
        for bit in 0..<packed.count * 8 {
            var wrong = packed
            wrong[bit / 8] ^= 1 << (bit % 8)
            if let read = try? Self.inflated([wrong]) {
                #expect(read[0].count <= Self.limit)
            } else {
                refusals += 1
            }
        }
        #expect(refusals > 0)
        #expect(throws: MessageInflater.Failure.corrupt) { try Self.inflated([[0x07]]) }
    }
}
