/// The code and reason of a close frame.
public struct WebSocketClose: Sendable, Hashable {
    /// The close code, 1000...4999; nil without one.
    public var code: UInt16?
    /// The reason, at most 123 bytes of UTF-8, often empty.
    public var reason: String

    /// Makes a close.
    public init(code: UInt16?, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The longest reason that fits in a control frame beside the code, in bytes of UTF-8.
    public static let reasonBytesMax = 123

    /// Reads the payload of a close frame.
    ///
    /// Source: RFC 6455, sections 5.5.1 and 7.4.
    init(payload: [UInt8]) throws(WebSocketError) {
        guard !payload.isEmpty else {
            self.init(code: nil, reason: "")
            return
        }
        guard payload.count >= 2 else { throw .violation(.malformedClose) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.mayBeSent(code) else { throw .violation(.malformedClose) }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw .invalidText
        }
        self.init(code: code, reason: reason)
    }

    /// The payload of a close frame; a long reason is truncated between characters.
    var payload: [UInt8] {
        guard let code else { return [] }
        var kept = Substring(reason)
        while kept.utf8.count > Self.reasonBytesMax { kept.removeLast() }
        return [UInt8(code >> 8), UInt8(code & 0xff)] + Array(kept.utf8)
    }

    /// Whether a code may be sent: 1005, 1006 and 1015 exist only inside programs.
    ///
    /// 1012..1014 were registered with IANA after the RFC.
    static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
