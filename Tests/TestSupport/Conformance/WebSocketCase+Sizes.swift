// Sizes of messages and fragments, and many messages: RFC 6455, sections 5.2 and 10.4.

extension WebSocketCase {
    /// The cases 9, as sizes and counts only: nothing is timed.
    static let sizes = kinds.flatMap { kind in
        longMessages(kind) + fragmentSizes(kind) + pieceSizes(kind) + manyMessages(kind)
    }

    private typealias Frame = WebSocketFrame

    /// Text has the odd groups, binary the even ones.
    private typealias Kind = (opcode: UInt8, name: String, group: Int)

    private static let kinds: [Kind] = [
        (Frame.Opcode.text, "text", 1), (Frame.Opcode.binary, "binary", 2),
    ]

    private static func payload(_ kind: Kind, _ count: Int) -> [UInt8] {
        [UInt8](repeating: kind.group == 1 ? 0x2a : 0xfe, count: count)
    }

    private static func longMessages(_ kind: Kind) -> [Self] {
        [64, 256, 1_024, 4_096, 8_192, 16_384].enumerated().map { index, kibibytes in
            Self(
                "9.\(kind.group).\(index + 1)",
                "\(kind.name) of \(kibibytes) KiB",
                [Frame(kind.opcode, payload(kind, kibibytes << 10))],
                delivers: [payload(kind, kibibytes << 10)]
            )
        }
    }

    private static func fragmentSizes(_ kind: Kind) -> [Self] {
        (0..<9).map { index in
            let bytes = 64 << (2 * index)
            return Self(
                "9.\(kind.group + 2).\(index + 1)",
                "\(kind.name) of 4 MiB in fragments of \(bytes) bytes",
                Frame.fragments(of: payload(kind, 4 << 20), kind.opcode, bytes: bytes),
                delivers: [payload(kind, 4 << 20)]
            )
        }
    }

    private static func pieceSizes(_ kind: Kind) -> [Self] {
        (0..<6).map { index in
            let bytes = 64 << index
            return Self(
                "9.\(kind.group + 4).\(index + 1)",
                "\(kind.name) of 1 MiB in writes of \(bytes) bytes",
                [Frame(kind.opcode, payload(kind, 1 << 20))],
                writes: .pieces(bytes),
                delivers: [payload(kind, 1 << 20)]
            )
        }
    }

    private static func manyMessages(_ kind: Kind) -> [Self] {
        [0, 16, 64, 256, 1_024, 4_096].enumerated().map { index, bytes in
            let payload = payload(kind, bytes)
            return Self(
                "9.\(kind.group + 6).\(index + 1)",
                "1000 messages, \(kind.name) of \(bytes) bytes",
                [Frame](repeating: Frame(kind.opcode, payload), count: 1_000),
                delivers: [[UInt8]](repeating: payload, count: 1_000)
            )
        }
    }
}
