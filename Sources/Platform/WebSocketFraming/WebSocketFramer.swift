import Compression

/// One end of a WebSocket connection without its socket: bytes to messages and back.
///
/// Feed it the received bytes, take messages, and write the bytes of ``takeOutput()``. It answers
/// pings and the peer's close itself. Source: RFC 6455, and RFC 7692 after ``agree(on:level:)``; no
/// other extensions, no subprotocols.
///
/// Bounds: an incoming message has at most `messageBytesMax` bytes, decompressed, else the
/// connection fails with 1009. Pending output has at most `outputBytesMax` bytes, else queueing
/// throws `outputFull`. The caller bounds complete messages by how much it feeds.
public struct WebSocketFramer: ~Copyable, Sendable {
    /// The end of the connection.
    public enum Role: Sendable {
        /// The end that listened: it does not mask and requires masked frames.
        case server
        /// The end that connected; it masks each frame with a new unpredictable key.
        case client(maskKey: @Sendable () -> UInt32)
    }

    /// The longest payload of a ping, in bytes.
    public static let pingBytesMax = 125

    /// The longest header of a frame in bytes.
    private static let headerBytesMax = 14

    private var codec: FrameCodec
    private var assembler: MessageAssembler
    private let outputBytesMax: Int
    private let isServer: Bool
    /// Compresses messages of this end; nil if they are sent as they are.
    private var deflater: MessageDeflater?
    private var failure: WebSocketError?
    /// The payload of the last ping that is not answered yet.
    private var unansweredPing: [UInt8]?

    /// The peer's close; nil before it.
    public private(set) var peerClose: WebSocketClose?

    /// Whether a close frame of this end is queued or sent: no more can be queued.
    public private(set) var isClosing = false

    /// Makes one end of a connection whose handshake is done.
    ///
    /// - Parameters:
    ///   - role: the end.
    ///   - messageBytesMax: the longest accepted message, fragments together.
    ///   - outputBytesMax: the pending output, frame headers included.
    public init(role: Role, messageBytesMax: Int, outputBytesMax: Int) {
        precondition(messageBytesMax > 0 && outputBytesMax > 0, "The limits must be positive.")
        self.outputBytesMax = outputBytesMax
        switch role {
        case .server:
            isServer = true
            codec = FrameCodec(maskKey: nil)
            assembler = MessageAssembler(messageBytesMax: messageBytesMax, expectsMask: true)
        case .client(let maskKey):
            isServer = false
            codec = FrameCodec(maskKey: maskKey)
            assembler = MessageAssembler(messageBytesMax: messageBytesMax, expectsMask: false)
        }
    }

    /// Accepts compressed messages, and as a server compresses its own.
    ///
    /// Call it before the first byte. The messages of clients are few and short: they are sent
    /// uncompressed, which the extension allows for each message.
    ///
    /// - Parameters:
    ///   - parameters: from the handshake.
    ///   - level: how a server compresses: 1 for speed to 9 for size.
    public mutating func agree(on parameters: PerMessageDeflate, level: Int = 1) {
        assembler.acceptCompression(
            keepsContext: isServer ? parameters.clientKeepsContext : parameters.serverKeepsContext
        )
        guard isServer else { return }
        deflater = MessageDeflater(keepsContext: parameters.serverKeepsContext, level: level)
    }

    // MARK: Receiving

    /// Receives the next bytes of the connection, in pieces of any size.
    ///
    /// Ignores all bytes after the peer's close frame.
    ///
    /// - Throws: the rule that the peer broke. Earlier messages can still be taken, and a close
    ///   frame with the reason is queued; each later call throws the same error.
    public mutating func receive(_ bytes: Span<UInt8>) throws(WebSocketError) {
        if let failure { throw failure }
        guard peerClose == nil else { return }
        do {
            try decode(bytes)
        } catch {
            failure = error
            if !isClosing, let code = error.closeCode {
                appendClose(WebSocketClose(code: code, reason: error.description))
            }
            throw error
        }
    }

    /// As the method for spans.
    public mutating func receive(_ bytes: [UInt8]) throws(WebSocketError) {
        try receive(bytes.span)
    }

    /// Whether a complete message is available.
    public var hasMessages: Bool { assembler.hasMessages }

    /// The bytes of the available messages.
    public var messageBytes: Int { assembler.messageBytes }

    /// Takes the complete messages in order.
    public mutating func takeMessages() -> WebSocketMessages {
        assembler.takeMessages()
    }

    // MARK: Sending

    /// Queues one text message.
    ///
    /// - Parameter bytes: UTF-8, unchecked; peers close with 1007 for invalid text.
    /// - Throws: `outputFull` or `closing`; nothing is queued then.
    public mutating func queueText(_ bytes: Span<UInt8>) throws(WebSocketError) {
        try queue(.text, bytes)
    }

    /// As the method for spans.
    public mutating func queueText(_ bytes: [UInt8]) throws(WebSocketError) {
        try queue(.text, bytes.span)
    }

    /// Queues one binary message.
    ///
    /// - Throws: `outputFull` or `closing`; nothing is queued then.
    public mutating func queueBinary(_ bytes: Span<UInt8>) throws(WebSocketError) {
        try queue(.binary, bytes)
    }

    /// As the method for spans.
    public mutating func queueBinary(_ bytes: [UInt8]) throws(WebSocketError) {
        try queue(.binary, bytes.span)
    }

    /// Queues a ping.
    ///
    /// - Parameter payload: at most ``pingBytesMax`` bytes that the peer sends back.
    /// - Throws: `outputFull` or `closing`; nothing is queued then.
    public mutating func queuePing(_ payload: [UInt8] = []) throws(WebSocketError) {
        precondition(payload.count <= Self.pingBytesMax, "A ping holds at most 125 bytes.")
        try queue(.ping, payload.span)
    }

    /// Queues the close frame, which ends the output; the output limit does not apply to it.
    ///
    /// - Parameters:
    ///   - code: 1000...1003, 1007...1014 or 3000...4999; nil for none.
    ///   - reason: for people, truncated to 123 bytes; not sent without a code.
    /// - Throws: `closing` when one is queued already.
    public mutating func queueClose(code: UInt16?, reason: String = "") throws(WebSocketError) {
        precondition(code.map(WebSocketClose.mayBeSent) ?? true, "That close code is reserved.")
        guard !isClosing else { throw .closing }
        appendClose(WebSocketClose(code: code, reason: reason))
    }

    /// Whether output is pending.
    public var hasOutput: Bool { codec.outputCount > 0 || unansweredPing != nil }

    /// Takes the bytes that must be written to the connection, all and in order.
    ///
    /// Of the pings that came since the last call the last one is answered, which RFC 6455 (section
    /// 5.5.3) allows: a peer that floods with pings cannot make the output grow.
    public mutating func takeOutput() -> [UInt8] {
        if let payload = unansweredPing {
            unansweredPing = nil
            codec.append(.pong, payload.span)
        }
        return codec.takeOutput()
    }
}

extension WebSocketFramer {
    private mutating func decode(_ bytes: Span<UInt8>) throws(WebSocketError) {
        // The bytes stay where they are until the closure ends; the codec gives them back before.
        try unsafe bytes.withUnsafeBufferPointer { input throws(WebSocketError) in
            unsafe codec.setInput(input)
            defer { codec.clearInput() }
            while peerClose == nil {
                switch codec.next() {
                case .wantsMore: return
                case .malformed: throw .violation(.malformedHeader)
                case .chunk(let chunk):
                    if let control = try assembler.accept(chunk) { try handle(control) }
                }
            }
        }
    }

    private mutating func handle(_ control: MessageAssembler.Control) throws(WebSocketError) {
        switch control {
        case .pong: return
        case .ping(let payload): if !isClosing { unansweredPing = payload }
        case .close(let payload):
            let close = try WebSocketClose(payload: payload)
            peerClose = close
            if !isClosing { appendClose(WebSocketClose(code: close.code, reason: "")) }
        }
    }

    private mutating func queue(
        _ opcode: FrameCodec.SentOpcode,
        _ payload: Span<UInt8>
    ) throws(WebSocketError) {
        guard !isClosing else { throw .closing }
        guard codec.outputCount + payload.count + Self.headerBytesMax <= outputBytesMax else {
            throw .outputFull(bytesMax: outputBytesMax)
        }
        guard opcode == .text || opcode == .binary, var deflater = deflater.take() else {
            codec.append(opcode, payload)
            return
        }
        codec.append(opcode, deflater.compressed(payload).span, isCompressed: true)
        self.deflater = consume deflater
    }

    private mutating func appendClose(_ close: WebSocketClose) {
        // Nothing may follow the close frame, a late pong included.
        unansweredPing = nil
        isClosing = true
        codec.append(.close, close.payload.span)
    }
}
