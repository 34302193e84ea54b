import Cryptography

/// The handshake that upgrades an HTTP/1.1 connection to a WebSocket, for both ends.
///
/// Source: RFC 6455, sections 1.3 and 4.
public enum WebSocketHandshake: Sendable {
    /// The protocol version, the only one there is.
    public static let version = "13"

    /// How many random bytes make a key.
    public static let keyByteCount = 16

    /// The suffix that RFC 6455 appends to the key before hashing.
    private static let keySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    // MARK: Client

    /// Makes the key of one handshake.
    ///
    /// - Parameter randomBytes: ``keyByteCount`` fresh random bytes.
    /// - Returns: the value of `Sec-WebSocket-Key`.
    public static func clientKey(randomBytes: [UInt8]) -> String {
        precondition(randomBytes.count == keyByteCount, "A WebSocket key has sixteen bytes.")
        return Cryptography.base64(randomBytes)
    }

    /// The request that asks for the upgrade.
    ///
    /// - Parameters:
    ///   - host: the name, with the port if it is not the usual one.
    ///   - path: the path and query, beginning with `/`.
    ///   - key: from ``clientKey(randomBytes:)``.
    ///   - userAgent: the name of the program.
    ///   - extensions: the offer of extensions; nil for none.
    /// - Returns: the whole head of the request; none of the parts may hold a control character.
    public static func requestText(
        host: String,
        path: String,
        key: String,
        userAgent: String,
        extensions: String? = nil
    ) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: \(version)",
            "User-Agent: \(userAgent)",
        ]
        if let extensions { lines.append("Sec-WebSocket-Extensions: \(extensions)") }
        lines += ["", ""]
        precondition(
            lines.allSatisfy { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } },
            "A line break in a header would begin another one."
        )
        return lines.joined(separator: "\r\n")
    }

    // MARK: Server

    /// The value by which a server proves that it read the key.
    public static func acceptValue(forKey key: String) -> String {
        Cryptography.base64(Cryptography.sha1(Array((key + keySuffix).utf8)))
    }

    /// Checks the headers of an upgrade request.
    ///
    /// - Parameter header: gives the value of the header with that name, in any case of letters;
    ///   of repeated headers all values, joined by commas.
    /// - Returns: the accept value, for the header `Sec-WebSocket-Accept` of an answer with status
    ///   101, `Upgrade: websocket` and `Connection: Upgrade`.
    /// - Throws: why the request is not an upgrade that can be accepted.
    public static func acceptValue(
        forUpgrade header: (_ name: String) -> String?
    ) throws(WebSocketUpgradeError) -> String {
        guard listContains("websocket", in: header("Upgrade")),
            listContains("upgrade", in: header("Connection"))
        else { throw .notAnUpgrade }
        guard header("Sec-WebSocket-Version") == version else { throw .unsupportedVersion }
        guard let key = header("Sec-WebSocket-Key"), isWellFormed(key: key) else {
            throw .malformedKey
        }
        return acceptValue(forKey: key)
    }

    /// Whether a comma-separated header value has a token, in any case of letters.
    static func listContains(_ token: String, in value: String?) -> Bool {
        guard let value else { return false }
        return value.split(separator: ",").contains { element in
            trimmed(element).lowercased() == token
        }
    }

    /// Takes spaces and tabs off both ends.
    static func trimmed(_ text: Substring) -> Substring {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = text.firstIndex(where: { !blank($0) }),
            let last = text.lastIndex(where: { !blank($0) })
        else { return "" }
        return text[first...last]
    }

    /// Whether a key is Base64 of sixteen bytes: 22 digits and the padding.
    private static func isWellFormed(key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes[22...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return false
        }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}

/// Why a server does not upgrade a connection.
public enum WebSocketUpgradeError: Error, Sendable, Hashable, CaseIterable {
    /// The request does not ask for a WebSocket.
    case notAnUpgrade
    /// The request asks for a version other than 13; the answer names 13 in
    /// `Sec-WebSocket-Version`.
    case unsupportedVersion
    /// The key is missing or is not Base64 of sixteen bytes.
    case malformedKey

    /// The HTTP status of the refusal; with 426 go the headers `Upgrade: websocket` and
    /// `Sec-WebSocket-Version: 13`.
    ///
    /// Source: RFC 6455, section 4.4, and RFC 9110, section 15.5.22.
    public var status: Int {
        switch self {
        case .notAnUpgrade, .unsupportedVersion: 426
        case .malformedKey: 400
        }
    }
}
