import Compression

/// Messages that a peer compresses, and the parameters of permessage-deflate for which it does.
///
/// Source: RFC 7692. The numbers are those of the test suite Autobahn: 12 has several kinds of
/// content, 13 several parameters, each with 18 sizes of messages and fragments.
public struct WebSocketCompressionCase: Sendable, CustomStringConvertible {
    /// The parameters of a group of cases.
    public struct Parameters: Sendable {
        /// The field in a server's answer to hoga's offer.
        public var answer: String
        /// The field in a client's offer to hoga's simulator.
        public var offer: String
        /// Whether the peer's messages refer to its earlier ones.
        public var keepsContext = true
        /// Whether a server must decline the offer, so that messages come uncompressed.
        public var isDeclined = false
    }

    /// The parameters.
    public let parameters: Parameters

    private let number: String
    private let content: Content
    private let size: Size

    /// Number, content, size and parameters.
    public var description: String {
        let cut = size.fragment.map { " in fragments of \($0)" } ?? ""
        return "\(number) \(content.rawValue) of \(size.message) bytes\(cut): \(parameters.answer)"
    }

    /// The case with frames compressed as agreed.
    ///
    /// - Parameters:
    ///   - isCompressed: whether the ends have agreed on the extension.
    ///   - message: makes a message of about so many bytes, and of its number; nil for the
    ///     content of the case.
    /// - Returns: the case without the extension's terms.
    public func example(
        isCompressed: Bool = true,
        message: ((_ count: Int, _ number: Int) -> [UInt8])? = nil
    ) -> WebSocketCase {
        let message = message ?? content.message
        let messages = (0..<size.count).map { message(size.message, $0) }
        return WebSocketCase(
            number,
            description,
            Self.frames(
                messages,
                keepsContext: isCompressed ? parameters.keepsContext : nil,
                fragment: size.fragment ?? .max
            ),
            delivers: messages
        )
    }

    private static func frames(
        _ messages: [[UInt8]],
        keepsContext: Bool?,
        fragment: Int
    ) -> [WebSocketFrame] {
        guard let keepsContext else {
            return messages.flatMap {
                WebSocketFrame.fragments(of: $0, WebSocketFrame.Opcode.text, bytes: fragment)
            }
        }
        var deflater = MessageDeflater(keepsContext: keepsContext, level: 6)
        return messages.flatMap { message in
            var frames = WebSocketFrame.fragments(
                of: deflater.compressed(message.span),
                WebSocketFrame.Opcode.text,
                bytes: fragment
            )
            // The first bit says that the message is compressed.
            frames[0].reservedBits = 4
            return frames
        }
    }
}

extension WebSocketCompressionCase {
    /// All cases of permessage-deflate.
    public static let all = withContents + withParameters

    /// The cases 12.
    static let withContents =
        Content.allCases.enumerated().flatMap { group, content in
            Size.all.enumerated().map { index, size in
                Self(
                    parameters: .plain,
                    number: "12.\(group + 1).\(index + 1)",
                    content: content,
                    size: size
                )
            }
        }

    /// The cases 13.
    public static let withParameters =
        Parameters.all.enumerated().flatMap { group, parameters in
            Size.all.enumerated().map { index, size in
                Self(
                    parameters: parameters,
                    number: "13.\(group + 1).\(index + 1)",
                    content: .frames,
                    size: size
                )
            }
        }
}

extension WebSocketCompressionCase.Parameters {
    static let plain = Self(answer: "permessage-deflate", offer: "permessage-deflate")

    /// The groups of 13.
    ///
    /// A smaller window of a server binds only what it refers to; hoga reads the largest one, and
    /// as a server declines to keep a window, which section 7.1.2.1 of RFC 7692 permits.
    static let all = [
        plain,
        Self(
            answer: "permessage-deflate; server_no_context_takeover",
            offer: "permessage-deflate; client_no_context_takeover",
            keepsContext: false
        ),
        Self(
            answer: "permessage-deflate; server_max_window_bits=9",
            offer: "permessage-deflate; server_max_window_bits=9",
            isDeclined: true
        ),
        Self(
            answer: "permessage-deflate; server_max_window_bits=15",
            offer: "permessage-deflate; client_max_window_bits=15"
        ),
        Self(
            answer: "permessage-deflate; server_no_context_takeover; server_max_window_bits=9",
            offer: "permessage-deflate; client_no_context_takeover; client_max_window_bits=9",
            keepsContext: false
        ),
        Self(
            answer: "permessage-deflate; server_no_context_takeover; server_max_window_bits=15",
            offer: "permessage-deflate; client_no_context_takeover; client_max_window_bits",
            keepsContext: false
        ),
        Self(
            answer: "permessage-deflate; client_no_context_takeover",
            offer: "permessage-deflate; server_max_window_bits=9, permessage-deflate"
        ),
    ]
}

/// The content of compressed messages.
private enum Content: String, CaseIterable {
    case frames = "JSON"
    case repeated = "one letter"
    case noise = "random letters"
    case hangul = "Hangul"
    case numbers = "numbers"

    /// A message of so many bytes of UTF-8; each number gives another one.
    func message(of count: Int, number: Int) -> [UInt8] {
        switch self {
        case .frames:
            return cycled(
                Array(#"{"code":"KRW-BTC","trade_price":14321\#(number)000,"#.utf8),
                count
            )
        case .repeated: return [UInt8](repeating: UInt8(0x61 + number % 26), count: count)
        case .noise:
            return noise(count, seed: UInt64(count + number))
        case .hangul:
            // Characters of three bytes; letters fill the rest.
            return cycled(Array("호가창시세체결".utf8), count / 21 * 21)
                + [UInt8](repeating: 0x61, count: count % 21)
        case .numbers:
            return cycled((0..<300).flatMap { Array("\(($0 + number) * 7_919)".utf8) }, count)
        }
    }

    // Tests are not optimized, so long messages are made of arrays and words, not byte by byte.

    private func cycled(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var message = bytes
        while message.count < count { message += message }
        return Array(message.prefix(count))
    }

    private func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var message: [UInt8] = []
        while message.count < count {
            // One of 64 letters in each byte.
            var letters = random.next() & 0x3f3f_3f3f_3f3f_3f3f + 0x3030_3030_3030_3030
            for _ in 0..<8 {
                message.append(UInt8(truncatingIfNeeded: letters))
                letters >>= 8
            }
        }
        return Array(message.prefix(count))
    }
}

/// The size of messages and of their fragments.
private struct Size {
    let message: Int
    let fragment: Int?

    /// The number of messages: fewer of the long ones.
    var count: Int { max(2, min(20, 65_536 / message)) }

    static let all =
        [16, 64, 256, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072].map {
            Self(message: $0, fragment: nil)
        }
        + [8_192, 16_384, 32_768, 65_536, 131_072].map { Self(message: $0, fragment: 256) }
        + [1_024, 4_096, 32_768].map { Self(message: 131_072, fragment: $0) }
}
