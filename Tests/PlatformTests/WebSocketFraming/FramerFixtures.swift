import TestSupport
import WebSocketFraming

extension WebSocketFramer {
    /// A server's end with limits that no test reaches by accident.
    static func server(messageBytesMax: Int = 1 << 20) -> WebSocketFramer {
        WebSocketFramer(
            role: .server,
            messageBytesMax: messageBytesMax,
            outputBytesMax: 1 << 20
        )
    }

    /// A client's end with limits that no test reaches by accident.
    static func client(
        messageBytesMax: Int = 1 << 20,
        maskKey: @escaping @Sendable () -> UInt32 = { 0x0102_0304 }
    ) -> WebSocketFramer {
        WebSocketFramer(
            role: .client(maskKey: maskKey),
            messageBytesMax: messageBytesMax,
            outputBytesMax: 1 << 20
        )
    }

    /// The codes of the close frames in the output, which it takes.
    var closeCodes: [UInt16] {
        mutating get {
            WebSocketFrame.frames(in: takeOutput()).frames
                .filter { $0.opcode == WebSocketFrame.Opcode.close && $0.payload.count >= 2 }
                .map { UInt16($0.payload[0]) << 8 | UInt16($0.payload[1]) }
        }
    }
}

extension WebSocketMessages {
    /// The messages one by one.
    var all: [[UInt8]] { (0..<count).map { Array(self[$0]) } }

    /// The messages as text.
    var texts: [String] { all.map { String(decoding: $0, as: UTF8.self) } }
}

extension WebSocketFrame {
    /// A binary message of that many bytes in about equal fragments.
    static func fragments(of byteCount: Int, count: Int) -> [UInt8] {
        (0..<count).flatMap { index in
            let payloadCount = byteCount * (index + 1) / count - byteCount * index / count
            return WebSocketFrame(
                index == 0 ? Opcode.binary : Opcode.continuation,
                [UInt8](repeating: 1, count: payloadCount)
            ).with { $0.isFinal = index == count - 1 }.bytes
        }
    }
}

/// A correct stream of frames with the messages that are in it.
struct RandomStream {
    var bytes: [UInt8] = []
    var messages: [[UInt8]] = []

    /// Makes thirty messages in 1 to 4 fragments of all length forms, pings and pongs in between.
    init(masked: Bool, using random: inout SeededGenerator) {
        for _ in 0..<30 {
            let isText = Bool.random(using: &random)
            let fragmentCount = Int.random(in: 1...4, using: &random)
            var message: [UInt8] = []
            for index in 0..<fragmentCount {
                let lengthMax = Bool.random(using: &random) ? 20 : 9_000
                let payload = Self.payload(
                    isText: isText,
                    count: Int.random(in: 0...lengthMax, using: &random),
                    using: &random
                )
                message += payload
                let opcode =
                    index > 0
                    ? WebSocketFrame.Opcode.continuation
                    : isText ? WebSocketFrame.Opcode.text : WebSocketFrame.Opcode.binary
                append(
                    WebSocketFrame(opcode, payload).with {
                        $0.isFinal = index == fragmentCount - 1
                    },
                    masked: masked,
                    using: &random
                )
                appendControl(masked: masked, using: &random)
            }
            messages.append(message)
        }
    }

    private mutating func append(
        _ frame: WebSocketFrame,
        masked: Bool,
        using random: inout SeededGenerator
    ) {
        let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes += frame.with { $0.mask = masked ? mask : nil }.bytes
    }

    private mutating func appendControl(masked: Bool, using random: inout SeededGenerator) {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        let opcode =
            Bool.random(using: &random)
            ? WebSocketFrame.Opcode.ping : WebSocketFrame.Opcode.pong
        let count = Int.random(in: 0...125, using: &random)
        append(
            WebSocketFrame(opcode, [UInt8](repeating: 9, count: count)),
            masked: masked,
            using: &random
        )
    }

    private static func payload(
        isText: Bool,
        count: Int,
        using random: inout SeededGenerator
    ) -> [UInt8] {
        guard isText else {
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        // Characters of one to four bytes, so that cuts fall within characters.
        let characters = ["a", "é", "원", "🪙"]
        return (0..<count / 3).flatMap { _ in
            Array(characters[Int.random(in: 0..<4, using: &random)].utf8)
        }
    }
}
