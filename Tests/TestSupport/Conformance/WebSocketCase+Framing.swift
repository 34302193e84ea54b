// Lengths, pings, reserved bits, opcodes and fragments: RFC 6455, sections 5.2 to 5.6.

extension WebSocketCase {
    /// The cases 1 to 5 and 10.
    static let framing = lengths + pings + reservedBits + opcodes + fragments + [splitBySender]

    private typealias Frame = WebSocketFrame

    // MARK: 1 Lengths

    private static let lengths: [Self] = [(1, Frame.Opcode.text), (2, Frame.Opcode.binary)].flatMap
    {
        kind,
        opcode in
        let counts = [0, 125, 126, 127, 128, 65_535, 65_536, 65_536]
        return counts.enumerated().map { index, count in
            let payload = [UInt8](repeating: kind == 1 ? 0x2a : 0xfe, count: count)
            let isCut = index == 7
            return Self(
                "1.\(kind).\(index + 1)",
                "\(kind == 1 ? "text" : "binary") of \(count) bytes" + (isCut ? " in pieces" : ""),
                [Frame(opcode, payload)],
                writes: isCut ? .pieces(997) : .together,
                delivers: [payload]
            )
        }
    }

    // MARK: 2 Pings and pongs

    private static let longest = String(repeating: "p", count: 125)
    private static let tenPings = (0..<10).map { Frame.ping("ping \($0)") }

    private static let pings: [Self] = [
        Self("2.1", "empty ping", [.ping()]),
        Self("2.2", "ping with text", [.ping("시세")]),
        Self(
            "2.3",
            "ping with bytes that are no text",
            [Frame(Frame.Opcode.ping, [0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0x00, 0xff])]
        ),
        Self("2.4", "longest ping", [.ping(longest)]),
        Self("2.5", "ping beyond its longest", [.ping(longest + "p")], .fails(1002)),
        Self("2.6", "longest ping byte by byte", [.ping(longest)], writes: .octets),
        Self("2.7", "empty pong that nobody asked for", [.pong()]),
        Self("2.8", "pong that nobody asked for", [.pong("why")]),
        Self("2.9", "pong that nobody asked for, then a ping", [.pong("why"), .ping("ask")]),
        Self("2.10", "ten pings", tenPings),
        Self("2.11", "ten pings byte by byte", tenPings, writes: .octets),
    ]

    // MARK: 3 Reserved bits

    private static func reserving(_ bits: UInt8, _ frame: Frame) -> Frame {
        frame.with { $0.reservedBits = bits }
    }

    private static let good = Frame.text("before")

    private static let reservedBits: [Self] = [
        Self("3.1", "bit 1 on text", [reserving(1, .text("a"))], .fails(1002)),
        Self(
            "3.2",
            "bit 2 on the second text, then a ping",
            [good, reserving(2, .text("b")), .ping()],
            delivers: [good.payload],
            .fails(1002)
        ),
        Self(
            "3.3",
            "bits 1 and 2 on the second text, frame by frame",
            [good, reserving(3, .text("b")), .ping()],
            writes: .frames,
            delivers: [good.payload],
            .fails(1002)
        ),
        Self(
            "3.4",
            "bit 3 on the second text, byte by byte",
            [good, reserving(4, .text("b")), .ping()],
            writes: .octets,
            delivers: [good.payload],
            .fails(1002)
        ),
        Self("3.5", "bits 1 and 3 on binary", [reserving(5, .binary([0, 0xff]))], .fails(1002)),
        Self("3.6", "bits 2 and 3 on a ping", [reserving(6, .ping("x"))], .fails(1002)),
        Self("3.7", "all bits on a close", [reserving(7, .close(code: 1000))], .fails(1002)),
    ]

    // MARK: 4 Opcodes

    private static let opcodes: [Self] = [(1, 3...7 as ClosedRange<UInt8>), (2, 11...15)].flatMap {
        kind,
        range in
        range.enumerated().map { index, opcode in
            let payload: [UInt8] = index == 1 || index == 3 ? Array("data".utf8) : []
            let comesAfterText = index >= 2
            return Self(
                "4.\(kind).\(index + 1)",
                "reserved opcode \(opcode)" + (comesAfterText ? " after text" : ""),
                (comesAfterText ? [good] : []) + [Frame(opcode, payload), .ping()],
                writes: index == 4 ? .octets : .together,
                delivers: comesAfterText ? [good.payload] : [],
                .fails(1002)
            )
        }
    }

    // MARK: 5 Fragments

    private static let halves = [Frame.begun("앞"), .continuation("뒤", isFinal: true)]
    private static let halvesAroundPing = [halves[0], .ping("between"), halves[1]]
    private static let joined = [Array("앞뒤".utf8)]

    private static func inEachWay(
        _ first: Int,
        _ name: String,
        _ frames: [Frame],
        delivers messages: [[UInt8]],
        _ ending: Ending
    ) -> [Self] {
        let ways: [(Writes, String)] = [
            (.together, ""), (.frames, ", frame by frame"), (.octets, ", byte by byte"),
        ]
        return ways.enumerated().map { index, way in
            Self(
                "5.\(first + index)",
                name + way.1,
                frames,
                writes: way.0,
                delivers: messages,
                ending
            )
        }
    }

    private static let fragments: [Self] =
        [
            Self(
                "5.1",
                "ping in two fragments",
                [Frame.ping("a").with { $0.isFinal = false }, .continuation("b", isFinal: true)],
                .fails(1002)
            ),
            Self(
                "5.2",
                "pong in two fragments",
                [Frame.pong("a").with { $0.isFinal = false }, .continuation("b", isFinal: true)],
                .fails(1002)
            ),
        ]
        + inEachWay(3, "text in two fragments", halves, delivers: joined, .open)
        + inEachWay(6, "ping between fragments", halvesAroundPing, delivers: joined, .open)
        + inEachWay(
            9,
            "last fragment of nothing",
            [.continuation("x", isFinal: true), good],
            delivers: [],
            .fails(1002)
        )
        + inEachWay(
            12,
            "fragment of nothing",
            [.continuation("x", isFinal: false), good],
            delivers: [],
            .fails(1002)
        )
        + [
            Self(
                "5.15",
                "fragment behind the end of a message",
                halves + [.continuation("x", isFinal: false), good],
                delivers: joined,
                .fails(1002)
            ),
            Self(
                "5.16",
                "unfinished fragment of nothing, then a message, twice",
                Array(
                    repeatElement(
                        [.continuation("x", isFinal: false)] + halves,
                        count: 2
                    ).joined()
                ),
                .fails(1002)
            ),
            Self(
                "5.17",
                "last fragment of nothing, then a message, twice",
                Array(
                    repeatElement([.continuation("x", isFinal: true)] + halves, count: 2).joined()
                ),
                .fails(1002)
            ),
            Self(
                "5.18",
                "text begun within a text",
                [.begun("a"), .begun("b")],
                .fails(1002)
            ),
            Self(
                "5.19",
                "pings between five fragments, frame by frame",
                five,
                writes: .frames,
                delivers: [Array("12345".utf8)]
            ),
            Self(
                "5.20",
                "pings between five fragments, byte by byte",
                five,
                writes: .octets,
                delivers: [Array("12345".utf8)]
            ),
        ]

    private static let five: [Frame] = [
        .begun("1"), .continuation("2", isFinal: false), .ping("first"),
        .continuation("3", isFinal: false), .continuation("4", isFinal: false), .ping("second"),
        .continuation("5", isFinal: true),
    ]

    // MARK: 10 Fragments by the sender

    private static let splitBySender = {
        let payload = [UInt8](repeating: 0x2a, count: 65_536)
        return Self(
            "10.1",
            "text of 65536 bytes in fragments of 1300",
            Frame.fragments(of: payload, Frame.Opcode.text, bytes: 1_300),
            delivers: [payload]
        )
    }()
}
