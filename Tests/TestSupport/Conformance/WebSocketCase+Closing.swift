// Closing: RFC 6455, sections 5.5.1, 7.1 and 7.4.

extension WebSocketCase {
    /// The cases 7.
    static let closing = orders + payloads + codes

    private typealias Frame = WebSocketFrame

    private static let message = Frame.text("message")
    private static let close = Frame.close(code: 1000)

    // MARK: 7.1 What comes before and behind a close

    private static let orders: [Self] = [
        Self(
            "7.1.1",
            "message, then close",
            [message, close],
            delivers: [message.payload],
            .closed(1000)
        ),
        Self("7.1.2", "two closes", [close, close], .closed(1000)),
        Self("7.1.3", "ping behind the close", [close, .ping()], .closed(1000)),
        Self("7.1.4", "message behind the close", [close, message], .closed(1000)),
        Self(
            "7.1.5",
            "close within a message",
            [.begun("a"), close, .continuation("b", isFinal: true)],
            .closed(1000)
        ),
        {
            let long = [UInt8](repeating: 0x42, count: 262_144)
            return Self(
                "7.1.6",
                "long message, message, close, ping",
                [Frame(Frame.Opcode.text, long), message, close, .ping()],
                delivers: [long, message.payload],
                .closed(1000)
            )
        }(),
    ]

    // MARK: 7.3 and 7.5 Payloads

    private static let longestReason = String(repeating: "r", count: 123)

    private static let payloads: [Self] = [
        Self("7.3.1", "close without a payload", [Frame(Frame.Opcode.close)], .closed(nil)),
        Self("7.3.2", "close of one byte", [Frame(Frame.Opcode.close, [0x03])], .fails(1002)),
        Self("7.3.3", "close with a code", [close], .closed(1000)),
        Self("7.3.4", "close with a reason", [.close(code: 1000, reason: "점검")], .closed(1000)),
        Self(
            "7.3.5",
            "close with the longest reason",
            [.close(code: 1000, reason: longestReason)],
            .closed(1000)
        ),
        Self(
            "7.3.6",
            "close with a reason beyond the longest",
            [.close(code: 1000, reason: longestReason + "r")],
            .fails(1002)
        ),
        Self(
            "7.5.1",
            "close with a reason that is not UTF-8",
            [Frame(Frame.Opcode.close, [0x03, 0xe8, 0xce, 0xba, 0xed, 0xa0, 0x80])],
            .fails(1007)
        ),
    ]

    // MARK: 7.7, 7.9 and 7.13 Codes

    private static let codes: [Self] =
        numbered(
            "7.7",
            "code",
            [
                1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
            ]
        ) { .closed($0) }
        + numbered(
            "7.9",
            "code that may not be sent",
            [
                0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999,
            ]
        ) { _ in .fails(1002) }
        // Not strict: the RFC gives no meaning to codes from 5000 on. hoga refuses them.
        + numbered("7.13", "code outside of all ranges", [5000, 65_535]) { _ in .fails(1002) }

    private static func numbered(
        _ number: String,
        _ name: String,
        _ codes: [UInt16],
        _ ending: (UInt16) -> Ending
    ) -> [Self] {
        codes.enumerated().map { index, code in
            Self("\(number).\(index + 1)", "\(name) \(code)", [.close(code: code)], ending(code))
        }
    }
}
