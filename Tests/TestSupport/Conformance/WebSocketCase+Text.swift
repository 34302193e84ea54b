// UTF-8 in text messages: RFC 6455, sections 5.6 and 8.1; RFC 3629; Unicode 15, section 3.9.

extension WebSocketCase {
    /// The cases 6.
    static let text = cutText + earlyFaults + sequences

    private typealias Frame = WebSocketFrame

    /// Each of whose characters has another length.
    private static let mixed = "Hello-µ@ßöä 호가 🪙"
    private static let mixedBytes = Array(mixed.utf8)
    /// A character, then half of a surrogate pair.
    private static let broken = Array("가격".utf8) + [0xed, 0xa0, 0x80] + Array("edited".utf8)

    private static func each(_ bytes: [UInt8]) -> [Frame] {
        Frame.fragments(of: bytes, Frame.Opcode.text, bytes: 1)
    }

    // MARK: 6.1 to 6.3 Cuts

    private static let cutText: [Self] = [
        Self("6.1.1", "empty text", [.text("")], delivers: [[]]),
        Self(
            "6.1.2",
            "three empty fragments",
            [.begun(""), .continuation("", isFinal: false), .continuation("", isFinal: true)],
            delivers: [[]]
        ),
        Self(
            "6.1.3",
            "text between two empty fragments",
            [.begun(""), .continuation(mixed, isFinal: false), .continuation("", isFinal: true)],
            delivers: [mixedBytes]
        ),
        text("6.2.1", "characters of one to four bytes", mixed),
        Self(
            "6.2.2",
            "fragments between characters",
            [.begun("Hello-µ@ßöä"), .continuation(" 호가 🪙", isFinal: true)],
            delivers: [mixedBytes]
        ),
        Self("6.2.3", "each byte a fragment", each(mixedBytes), delivers: [mixedBytes]),
        Self(
            "6.2.4",
            "each byte of a word a fragment",
            each(Array("κόσμε".utf8)),
            delivers: [Array("κόσμε".utf8)]
        ),
        Self("6.3.1", "half of a surrogate pair", [Frame(Frame.Opcode.text, broken)], .fails(1007)),
        Self(
            "6.3.2",
            "half of a surrogate pair, each byte a fragment",
            each(broken),
            .fails(1007)
        ),
    ]

    // MARK: 6.4 Faults before the end of a message

    /// Not strict: the RFC lets an end fail at the wrong byte or at the end of the message.
    private static let earlyFaults: [Self] = {
        let start = Array("κόσμε".utf8)
        // Beyond the last character of Unicode.
        let wrong: [UInt8] = [0xf4, 0x90, 0x80, 0x80]
        let inFragments = [
            Frame(Frame.Opcode.text, start).with { $0.isFinal = false },
            Frame(Frame.Opcode.continuation, wrong).with { $0.isFinal = false },
            .continuation("edited", isFinal: true),
        ]
        let withinCharacter = [
            Frame(Frame.Opcode.text, start + wrong[..<2]).with { $0.isFinal = false },
            Frame(Frame.Opcode.continuation, Array(wrong[2...])).with { $0.isFinal = false },
            .continuation("edited", isFinal: true),
        ]
        let whole = [Frame(Frame.Opcode.text, start + wrong + Array("edited".utf8))]
        return [
            Self("6.4.1", "fault in a middle fragment", inFragments, .fails(1007)),
            Self("6.4.2", "fault across two fragments", withinCharacter, .fails(1007)),
            Self(
                "6.4.3",
                "fault in a frame that comes in pieces",
                whole,
                writes: .pieces(6),
                .fails(1007)
            ),
            Self(
                "6.4.4",
                "fault in a frame that comes byte by byte",
                whole,
                writes: .octets,
                .fails(1007)
            ),
        ]
    }()

    // MARK: 6.5 to 6.23 Sequences of bytes

    /// A group of cases: its number, its subject, and its sequences.
    private struct Group {
        let number: Int
        let subject: String
        let sequences: [[UInt8]]
        let isText: Bool

        static func valid(_ number: Int, _ subject: String, _ texts: [String]) -> Self {
            Self(
                number: number,
                subject: subject,
                sequences: texts.map { Array($0.utf8) },
                isText: true
            )
        }

        static func invalid(_ number: Int, _ subject: String, _ sequences: [[UInt8]]) -> Self {
            Self(number: number, subject: subject, sequences: sequences, isText: false)
        }
    }

    /// The prefixes of κόσμε, ended within a character (invalid) or between two.
    private static let prefixes: [Self] = {
        let bytes = Array("κόσμε".utf8)
        return (1...bytes.count).map { count in
            let prefix = Array(bytes.prefix(count))
            let isText = String(validating: prefix, as: UTF8.self) != nil
            return Self(
                "6.6.\(count)",
                "first \(count) bytes of a word of \(bytes.count)",
                [Frame(Frame.Opcode.text, prefix)],
                delivers: isText ? [prefix] : [],
                isText ? .open : .fails(1007)
            )
        }
    }()

    private static let sequences: [Self] =
        prefixes
        + [
            Self(
                "6.11.5",
                "behind the last character",
                [Frame(Frame.Opcode.text, [0xf4, 0x90, 0x80, 0x80])],
                .fails(1007)
            )
        ]
        + groups.flatMap { group in
            group.sequences.enumerated().map { index, bytes in
                Self(
                    "6.\(group.number).\(index + 1)",
                    group.subject + ": "
                        + bytes.map { String($0, radix: 16) }.joined(separator: " "),
                    [Frame(Frame.Opcode.text, bytes)],
                    delivers: group.isText ? [bytes] : [],
                    group.isText ? .open : .fails(1007)
                )
            }
        }

    private static let continuations: [UInt8] = [0x80, 0xbf]
    private static let groups: [Group] = [
        .valid(5, "texts of several scripts", ["호가창", "κόσμε", "板情報", "ßöäü", "🪙🪙"]),
        .valid(7, "first character of a length", ["\u{0}", "\u{80}", "\u{800}", "\u{10000}"]),
        .invalid(
            8,
            "first of five and six bytes",
            [
                [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
            ]
        ),
        .valid(9, "last character of a length", ["\u{7f}", "\u{7ff}", "\u{ffff}", "\u{10ffff}"]),
        .invalid(
            10,
            "last of four to six bytes",
            [
                [0xf7, 0xbf, 0xbf, 0xbf], [0xfb, 0xbf, 0xbf, 0xbf, 0xbf],
                [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf],
            ]
        ),
        .valid(11, "beside a boundary", ["\u{d7ff}", "\u{e000}", "\u{fffd}", "\u{10ffff}"]),
        .invalid(
            12,
            "continuation bytes alone",
            [
                [0x80], [0xbf], continuations, continuations + [0x80],
                continuations + continuations,
                continuations + continuations + [0x80],
                continuations + continuations + continuations,
                Array(0x80...0xbf),
            ]
        ),
        .invalid(
            13,
            "first bytes alone, each before a space",
            [
                spaced(0xc0...0xdf), spaced(0xe0...0xef), spaced(0xf0...0xf7), spaced(0xf8...0xfb),
                spaced(0xfc...0xfd),
            ]
        ),
        .invalid(14, "last byte missing", incomplete),
        .invalid(15, "last bytes missing, one after the other", [Array(incomplete.joined())]),
        .invalid(16, "bytes that never occur", [[0xfe], [0xff], [0xfe, 0xfe, 0xff, 0xff]]),
        .invalid(17, "slash in too many bytes", overlong(0x2f)),
        .invalid(
            18,
            "largest character of too many bytes",
            [
                [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf],
                [0xf8, 0x87, 0xbf, 0xbf, 0xbf], [0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf],
            ]
        ),
        .invalid(19, "zero in too many bytes", overlong(0x00)),
        .invalid(20, "half of a surrogate pair", surrogates),
        .invalid(21, "surrogate pair", pairs),
        .valid(22, "no character, but a scalar", nonCharacters),
        .valid(23, "special characters", (0xfff9...0xffff).map { scalar($0) }),
    ]

    private static func scalar(_ value: UInt32) -> String {
        Unicode.Scalar(value).map { String($0) } ?? ""
    }

    private static func spaced(_ range: ClosedRange<UInt8>) -> [UInt8] {
        range.flatMap { [$0, 0x20] }
    }

    /// The first and last character of two to six bytes, each without its last byte.
    private static let incomplete: [[UInt8]] = [
        [0xc2], [0xe0, 0xa0], [0xf0, 0x90, 0x80], [0xf8, 0x88, 0x80, 0x80],
        [0xfc, 0x84, 0x80, 0x80, 0x80], [0xdf], [0xef, 0xbf], [0xf7, 0xbf, 0xbf],
        [0xfb, 0xbf, 0xbf, 0xbf], [0xfd, 0xbf, 0xbf, 0xbf, 0xbf],
    ]

    /// An ASCII character in two to six bytes.
    private static func overlong(_ character: UInt8) -> [[UInt8]] {
        let last = 0x80 | character
        return [
            [0xc0, last], [0xe0, 0x80, last], [0xf0, 0x80, 0x80, last],
            [0xf8, 0x80, 0x80, 0x80, last], [0xfc, 0x80, 0x80, 0x80, 0x80, last],
        ]
    }

    /// The borders of the two halves of surrogate pairs: D800, DB7F, DB80, DBFF, DC00, DF80, DFFF.
    private static let surrogates: [[UInt8]] = [
        [0xed, 0xa0, 0x80], [0xed, 0xad, 0xbf], [0xed, 0xae, 0x80], [0xed, 0xaf, 0xbf],
        [0xed, 0xb0, 0x80], [0xed, 0xbe, 0x80], [0xed, 0xbf, 0xbf],
    ]

    /// Each first half with the first and last second half.
    private static let pairs = surrogates[..<4].flatMap { first in
        [surrogates[4], surrogates[6]].map { first + $0 }
    }

    /// The last two scalars of each of the 17 planes.
    private static let nonCharacters = (0...16).flatMap { plane in
        [scalar(plane << 16 | 0xfffe), scalar(plane << 16 | 0xffff)]
    }
}
