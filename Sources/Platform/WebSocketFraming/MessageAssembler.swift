/// Joins frames to messages under the rules of RFC 6455: pure, without I/O.
///
/// Its memory holds the bytes received since the last ``takeMessages()`` and one incomplete message
/// of at most `messageBytesMax` bytes.
struct MessageAssembler: Sendable {
    /// A complete control frame.
    enum Control {
        case close([UInt8])
        case ping([UInt8])
        case pong
    }

    private enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa
    }

    private let messageBytesMax: Int
    private let expectsMask: Bool

    /// Complete messages, followed by the incomplete one.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var control: [UInt8] = []
    /// The incomplete frame and the number of its missing bytes.
    private var openFrame: (opcode: Opcode, lacking: UInt64)?
    /// `text` or `binary` while a message is incomplete.
    private var openMessage: Opcode?

    /// Makes an assembler for frames of a peer that masks (a client) or does not (a server).
    init(messageBytesMax: Int, expectsMask: Bool) {
        self.messageBytesMax = messageBytesMax
        self.expectsMask = expectsMask
    }

    /// Whether a complete message is available.
    var hasMessages: Bool { !ends.isEmpty }

    /// The bytes of the complete messages.
    var messageBytes: Int { ends.last ?? 0 }

    /// Takes the complete messages; an incomplete one stays.
    mutating func takeMessages() -> WebSocketMessages {
        guard !ends.isEmpty else { return WebSocketMessages() }
        let complete = messageBytes
        let rest = complete < bytes.count ? Array(bytes[complete...]) : []
        bytes.removeLast(rest.count)
        let taken = WebSocketMessages(bytes: bytes, ends: ends)
        bytes = rest
        ends = []
        return taken
    }

    /// Adds the next part of a frame.
    ///
    /// - Returns: the control frame that the part completes, if any.
    /// - Throws: the rule that the peer broke; the assembler cannot continue after that.
    mutating func accept(_ chunk: FrameChunk) throws(WebSocketError) -> Control? {
        var frame =
            if let openFrame { openFrame } else {
                (opcode: try checkedStart(of: chunk), lacking: chunk.payloadBytes)
            }
        frame.lacking -= UInt64(chunk.count)
        openFrame = frame.lacking > 0 ? frame : nil

        switch frame.opcode {
        case .continuation, .text, .binary:
            chunk.append(to: &bytes)
            if openFrame == nil, chunk.isFinal { try endMessage() }
            return nil
        case .close:
            return controlPayload(with: chunk).map(Control.close)
        case .ping:
            return controlPayload(with: chunk).map(Control.ping)
        case .pong:
            return controlPayload(with: chunk).map { _ in .pong }
        }
    }

    /// Checks the header of a frame, which may begin a message.
    private mutating func checkedStart(of chunk: FrameChunk) throws(WebSocketError) -> Opcode {
        guard chunk.reservedBits == 0 else { throw .violation(.reservedBits) }
        guard let opcode = Opcode(rawValue: chunk.opcode) else {
            throw .violation(.unknownOpcode)
        }
        guard chunk.isMasked == expectsMask else {
            throw .violation(expectsMask ? .unmaskedByClient : .maskedByServer)
        }
        switch opcode {
        case .continuation:
            guard openMessage != nil else { throw .violation(.continuationWithoutStart) }
        case .text, .binary:
            guard openMessage == nil else { throw .violation(.startWithinMessage) }
            openMessage = opcode
        case .close, .ping, .pong:
            return opcode
        }
        guard chunk.payloadBytes <= UInt64(messageBytesMax - (bytes.count - messageBytes)) else {
            throw .tooLarge(bytesMax: messageBytesMax)
        }
        return opcode
    }

    private mutating func endMessage() throws(WebSocketError) {
        if openMessage == .text {
            do {
                _ = try UTF8Span(validating: bytes.span.extracting(messageBytes..<bytes.count))
            } catch {
                throw .invalidText
            }
        }
        openMessage = nil
        ends.append(bytes.count)
    }

    /// Collects the payload of a control frame, which wslay limits to 125 bytes.
    private mutating func controlPayload(with chunk: FrameChunk) -> [UInt8]? {
        chunk.append(to: &control)
        guard openFrame == nil else { return nil }
        defer { control = [] }
        return control
    }
}
