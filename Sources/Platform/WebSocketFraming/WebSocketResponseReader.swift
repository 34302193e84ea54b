/// Reads a server's response to the handshake, in pieces of any size.
public struct WebSocketResponseReader: Sendable {
    /// The state after a piece.
    public enum Outcome: Sendable, Hashable {
        /// The head is not complete yet.
        case needMore
        /// The connection is a WebSocket; frames begin after that many bytes of the last piece.
        case accepted(bytesConsumed: Int)
        /// The server refused, with the HTTP status and the printable reason phrase.
        case refused(status: Int, reason: String)
    }

    /// The longest head in bytes; a longer one is a violation.
    public static let headBytesMax = 16_384

    /// The agreed compression, once the response was accepted; nil for none.
    public private(set) var compression: PerMessageDeflate?

    private let expectedAcceptValue: String
    private let hasOfferedCompression: Bool
    private var head: [UInt8] = []

    /// Makes a reader of the response to a request with this key.
    ///
    /// - Parameters:
    ///   - key: of the request.
    ///   - hasOfferedCompression: whether the request had ``PerMessageDeflate/offer``.
    public init(key: String, hasOfferedCompression: Bool = false) {
        self.hasOfferedCompression = hasOfferedCompression
        expectedAcceptValue = WebSocketHandshake.acceptValue(forKey: key)
    }

    /// Adds the next piece; must not be called after another outcome than `needMore`.
    ///
    /// - Throws: a ``WebSocketViolation`` when the response is neither an upgrade nor a refusal.
    public mutating func receive(_ bytes: [UInt8]) throws(WebSocketError) -> Outcome {
        for (index, byte) in bytes.enumerated() {
            guard head.count < Self.headBytesMax else { throw .violation(.oversizedResponse) }
            head.append(byte)
            // A line feed after an empty line ends the head.
            if byte == UInt8(ascii: "\n"), head.suffix(4) == Array("\r\n\r\n".utf8)[...] {
                return try outcome(bytesConsumed: index + 1)
            }
        }
        return .needMore
    }

    private mutating func outcome(bytesConsumed: Int) throws(WebSocketError) -> Outcome {
        guard let text = String(validating: head, as: UTF8.self) else {
            throw .violation(.malformedResponse)
        }
        // CR LF is one `Character`.
        let lines = text.split(separator: "\r\n")
        let status = try Self.status(in: lines.first ?? "")
        guard status.code == 101 else {
            return .refused(status: status.code, reason: status.reason)
        }
        let headers = try Self.headers(in: lines.dropFirst())
        guard WebSocketHandshake.listContains("websocket", in: headers["upgrade"]),
            WebSocketHandshake.listContains("upgrade", in: headers["connection"])
        else { throw .violation(.incompleteUpgrade) }
        guard headers["sec-websocket-accept"] == expectedAcceptValue else {
            throw .violation(.wrongAcceptValue)
        }
        let extensions = headers["sec-websocket-extensions"]
        guard hasOfferedCompression || extensions?.isEmpty ?? true,
            headers["sec-websocket-protocol"] == nil
        else { throw .violation(.unofferedChoice) }
        compression = try PerMessageDeflate.accepted(extensions)
        return .accepted(bytesConsumed: bytesConsumed)
    }

    /// Reads `HTTP/1.1 101 Switching Protocols`; the reason phrase may be missing.
    private static func status(
        in line: Substring
    ) throws(WebSocketError) -> (code: Int, reason: String) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
            let code = Int(parts[1]), (100...599).contains(code)
        else { throw .violation(.malformedResponse) }
        let words = parts.count > 2 ? parts[2].unicodeScalars : "".unicodeScalars[...]
        // The reason phrase goes to logs, where a control character could forge a line.
        return (
            code,
            String(String.UnicodeScalarView(words.filter { $0.value >= 0x20 && $0.value != 0x7f }))
        )
    }

    /// Reads headers by lower-case name; values of repeated headers are joined by commas.
    private static func headers(
        in lines: ArraySlice<Substring>
    ) throws(WebSocketError) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                throw .violation(.malformedResponse)
            }
            let name = line[..<colon].lowercased()
            let value = String(WebSocketHandshake.trimmed(line[line.index(after: colon)...]))
            headers[name] = headers[name].map { "\($0),\(value)" } ?? value
        }
        return headers
    }
}
