/// Why a WebSocket connection fails, or why a message could not be queued.
public enum WebSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The peer broke the protocol.
    case violation(WebSocketViolation)
    /// A text message or a close reason of the peer is not UTF-8.
    case invalidText
    /// A message of the peer exceeds the limit, in bytes.
    case tooLarge(bytesMax: Int)
    /// The pending output would exceed its limit, in bytes; nothing was queued.
    case outputFull(bytesMax: Int)
    /// A close frame is queued already, which ends the output.
    case closing

    /// The close code for the peer; nil when the fault is not the peer's.
    ///
    /// Source: RFC 6455, section 7.4.1, and RFC 7692, section 7.2.2, which names no code for data
    /// that cannot be decompressed.
    public var closeCode: UInt16? {
        switch self {
        case .violation(.corruptCompression), .violation(.truncatedCompression): 1007
        case .violation: 1002
        case .invalidText: 1007
        case .tooLarge: 1009
        case .outputFull, .closing: nil
        }
    }

    /// The failure and its remedy, for logs.
    public var description: String {
        switch self {
        case .violation(let violation): violation.rawValue
        case .invalidText: "the peer sent text that is not UTF-8"
        case .tooLarge(let bytesMax): "the peer sent a message of more than \(bytesMax) bytes"
        case .outputFull(let bytesMax):
            "more than \(bytesMax) bytes wait to be sent: take the output first"
        case .closing: "the connection is closing: open a new one"
        }
    }
}

/// A rule of RFC 6455 that a peer broke.
public enum WebSocketViolation: String, Sendable, Hashable, CaseIterable {
    /// A compressed message is not DEFLATE.
    case corruptCompression = "the peer sent a message that cannot be decompressed"
    /// A compressed message ends within a block.
    case truncatedCompression = "the peer sent a compressed message without its end"
    /// A length in more bytes than needed, or a control frame that is long or fragmented.
    case malformedHeader = "the peer sent a frame header that the protocol forbids"
    /// A reserved bit is set although no extension was agreed on.
    case reservedBits = "the peer set a reserved bit"
    /// The opcode is reserved.
    case unknownOpcode = "the peer sent a frame of an unknown kind"
    /// A server masked its frame.
    case maskedByServer = "the server masked a frame"
    /// A client did not mask its frame.
    case unmaskedByClient = "the client did not mask a frame"
    /// A continuation frame without a message.
    case continuationWithoutStart = "the peer continued a message that was never begun"
    /// A message began before the last one ended.
    case startWithinMessage = "the peer began a message within another"
    /// A close frame with one byte, or with a code that may not be sent.
    case malformedClose = "the peer sent a close frame that the protocol forbids"
    /// The response to the handshake is not HTTP.
    case malformedResponse = "the server's answer to the handshake is not HTTP"
    /// The response to the handshake exceeds the limit.
    case oversizedResponse = "the server's answer to the handshake is too long"
    /// Status 101 without the headers that make it an upgrade to WebSocket.
    case incompleteUpgrade = "the server switched protocols, but not to WebSocket"
    /// The accept value does not match the key.
    case wrongAcceptValue = "the server's accept value does not belong to the key"
    /// The server chose an extension or subprotocol that was not offered, or parameters of one.
    case unofferedChoice = "the server chose an extension or subprotocol that was not offered"
}
