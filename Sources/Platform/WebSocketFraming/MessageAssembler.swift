import Compression

/// Joins frames to messages under the rules of RFC 6455 and RFC 7692: pure, without I/O.
///
/// Its memory holds the bytes received since the last ``takeMessages()`` and one incomplete message
/// of at most `messageBytesMax` bytes, decompressed.
struct MessageAssembler: ~Copyable, Sendable {
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

    private static let firstReservedBit: UInt8 = 4

    private let messageBytesMax: Int
    private let expectsMask: Bool
    /// Decompresses the peer's messages; nil if nothing was agreed on.
    private var inflater: MessageInflater?

    /// Complete messages, followed by the incomplete one.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var control: [UInt8] = []
    /// The incomplete frame and the number of its missing bytes.
    private var openFrame: (opcode: Opcode, lacking: UInt64)?
    /// `text` or `binary` while a message is incomplete.
    private var openMessage: Opcode?
    /// Whether the incomplete message is compressed.
    private var isCompressed = false

    /// Makes an assembler for frames of a peer that masks (a client) or does not (a server).
    init(messageBytesMax: Int, expectsMask: Bool) {
        self.messageBytesMax = messageBytesMax
        self.expectsMask = expectsMask
    }

    /// Accepts compressed messages from now on.
    mutating func acceptCompression(keepsContext: Bool) {
        inflater = MessageInflater(keepsContext: keepsContext)
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
            if isCompressed {
                try inflate { inflater, bytes, countMax throws(MessageInflater.Failure) in
                    try chunk.append(to: &bytes, through: &inflater, countMax: countMax)
                }
            } else {
                chunk.append(to: &bytes)
            }
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
        guard let opcode = Opcode(rawValue: chunk.opcode) else {
            throw .violation(.unknownOpcode)
        }
        guard chunk.isMasked == expectsMask else {
            throw .violation(expectsMask ? .unmaskedByClient : .maskedByServer)
        }
        // The first frame of a message says whether all of it is compressed.
        let mayBeCompressed = (opcode == .text || opcode == .binary) && inflater != nil
        guard chunk.reservedBits & ~(mayBeCompressed ? Self.firstReservedBit : 0) == 0 else {
            throw .violation(.reservedBits)
        }
        switch opcode {
        case .continuation:
            guard openMessage != nil else { throw .violation(.continuationWithoutStart) }
        case .text, .binary:
            guard openMessage == nil else { throw .violation(.startWithinMessage) }
            openMessage = opcode
            isCompressed = chunk.reservedBits != 0
        case .close, .ping, .pong:
            return opcode
        }
        guard chunk.payloadBytes <= UInt64(messageBytesMax - (bytes.count - messageBytes)) else {
            throw .tooLarge(bytesMax: messageBytesMax)
        }
        return opcode
    }

    private mutating func endMessage() throws(WebSocketError) {
        if isCompressed {
            try inflate { inflater, bytes, countMax throws(MessageInflater.Failure) in
                try inflater.endMessage(&bytes, countMax: countMax)
            }
            isCompressed = false
        }
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

    /// Decompresses to the incomplete message, within its bound.
    private mutating func inflate(
        _ body: (
            _ inflater: inout MessageInflater,
            _ bytes: inout [UInt8],
            _ countMax: Int
        ) throws(MessageInflater.Failure) -> Void
    ) throws(WebSocketError) {
        guard var inflater = inflater.take() else { return }
        var failure: MessageInflater.Failure?
        do throws(MessageInflater.Failure) {
            try body(&inflater, &bytes, messageBytes + messageBytesMax)
        } catch {
            failure = error
        }
        self.inflater = consume inflater
        switch failure {
        case nil: return
        case .tooLarge: throw .tooLarge(bytesMax: messageBytesMax)
        case .corrupt: throw .violation(.corruptCompression)
        case .truncated: throw .violation(.truncatedCompression)
        }
    }

    /// Collects the payload of a control frame, which wslay limits to 125 bytes.
    private mutating func controlPayload(with chunk: FrameChunk) -> [UInt8]? {
        chunk.append(to: &control)
        guard openFrame == nil else { return nil }
        defer { control = [] }
        return control
    }
}
