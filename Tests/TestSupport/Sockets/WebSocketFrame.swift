/// A WebSocket frame whose bits can all be set, also against the protocol.
///
/// Written from RFC 6455, section 5.2, independently of the codec that it tests.
public struct WebSocketFrame: Sendable {
    /// The form of the length.
    public enum LengthForm: Sendable {
        /// The shortest form, as the protocol requires.
        case shortest
        /// In two bytes behind the marker 126.
        case twoBytes
        /// In eight bytes behind the marker 127.
        case eightBytes
    }

    /// The opcodes of the protocol.
    public enum Opcode: Sendable {
        /// The next part of a fragmented message.
        public static let continuation: UInt8 = 0x0
        /// UTF-8.
        public static let text: UInt8 = 0x1
        /// Any bytes.
        public static let binary: UInt8 = 0x2
        /// The end of the connection.
        public static let close: UInt8 = 0x8
        /// Requests a pong.
        public static let ping: UInt8 = 0x9
        /// Answers a ping.
        public static let pong: UInt8 = 0xa
    }

    /// The type of the payload, see ``Opcode``.
    public var opcode: UInt8
    /// The payload before masking.
    public var payload: [UInt8]
    /// Whether the frame ends its message.
    public var isFinal = true
    /// The three reserved bits, of which 4 is the first.
    public var reservedBits: UInt8 = 0
    /// The mask in the order of its bytes; `nil` for none.
    public var mask: [UInt8]?
    /// The form of the length.
    public var lengthForm = LengthForm.shortest

    /// Creates a whole frame without a mask.
    public init(_ opcode: UInt8, _ payload: [UInt8] = []) {
        self.opcode = opcode
        self.payload = payload
    }

    /// A text message in one frame.
    public static func text(_ text: String) -> Self { Self(Opcode.text, Array(text.utf8)) }

    /// A close frame.
    public static func close(code: UInt16, reason: String = "") -> Self {
        Self(Opcode.close, [UInt8(code >> 8), UInt8(code & 0xff)] + Array(reason.utf8))
    }

    /// The same frame with other bits.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// The encoded frame.
    public var bytes: [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reservedBits << 4 | opcode]
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        let form: LengthForm =
            switch (lengthForm, payload.count) {
            case (.shortest, ...125): .shortest
            case (.shortest, ...0xffff), (.twoBytes, _): .twoBytes
            case (.shortest, _), (.eightBytes, _): .eightBytes
            }
        switch form {
        case .shortest: bytes.append(maskBit | UInt8(payload.count))
        case .twoBytes:
            bytes.append(maskBit | 126)
            bytes += (0..<2).reversed().map { UInt8(payload.count >> (8 * $0) & 0xff) }
        case .eightBytes:
            bytes.append(maskBit | 127)
            bytes += (0..<8).reversed().map { UInt8(payload.count >> (8 * $0) & 0xff) }
        }
        guard let mask else { return bytes + payload }
        guard mask != [0, 0, 0, 0] else { return bytes + mask + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// Decodes the complete frames at the start of a buffer.
    ///
    /// - Returns: the unmasked frames, and the remaining bytes.
    public static func frames(in bytes: [UInt8]) -> (frames: [Self], rest: [UInt8]) {
        var frames: [Self] = []
        var rest = bytes[...]
        while let frame = Self(readingFrom: &rest) { frames.append(frame) }
        return (frames, Array(rest))
    }

    private init?(readingFrom bytes: inout ArraySlice<UInt8>) {
        var rest = bytes
        func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = number(1), let second = number(1) else { return nil }
        var length = second & 0x7f
        if length >= 126 {
            guard let long = number(length == 126 ? 2 : 8) else { return nil }
            length = long
        }
        let mask = Array(rest.prefix(second & 0x80 == 0 ? 0 : 4))
        if second & 0x80 != 0, number(4) == nil { return nil }
        guard rest.count >= length else { return nil }
        opcode = UInt8(first & 0xf)
        isFinal = first & 0x80 != 0
        reservedBits = UInt8(first >> 4 & 7)
        self.mask = mask.isEmpty ? nil : mask
        payload = rest.prefix(length).enumerated().map { index, byte in
            mask.isEmpty ? byte : byte ^ mask[index % 4]
        }
        bytes = rest.dropFirst(length)
    }
}
