import NetworkAddresses

/// Checks parts of requests against their grammar (RFC 9110, RFC 9112, RFC 3986).
enum RequestGrammar: Sendable {
    /// Whether a byte may stand in a token (RFC 9110, 5.6.2), such as a method or a field name.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || tokenMarks.contains(byte)
    }

    /// Whether a byte may stand in a field value or a chunk extension: visible characters, blanks
    /// and bytes above ASCII (RFC 9110, 5.5).
    static func isValueByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte >= UInt8(ascii: " ") && byte != 0x7f
    }

    /// Whether bytes are a host with an optional port, as in the `Host` field (RFC 9110, 7.2).
    ///
    /// A missing host is invalid for `http` (RFC 9110, 4.2.1), and user information is not part of
    /// the field.
    static func isHostAndPort(_ bytes: some Collection<UInt8>) -> Bool {
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let end =
            isLiteral
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { bytes.index(after: $0) }
            : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard let end else { return false }
        let host = bytes[..<end]
        guard isLiteral ? isAddressLiteral(host.dropFirst().dropLast()) : isName(host) else {
            return false
        }
        return bytes[end...].isEmpty
            || bytes[end] == UInt8(ascii: ":") && bytes[end...].dropFirst().allSatisfy(isDigit)
    }

    /// Whether bytes are a registered name or an IPv4 address (RFC 3986, 3.2.2), not empty.
    private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(),
                    isHexDigit(high), isHexDigit(low)
                else { return false }
            } else if !isLetterOrDigit(byte), !nameMarks.contains(byte) {
                return false
            }
        }
        return !bytes.isEmpty
    }

    /// Whether bytes are an IPv6 address, or one of a later version: `v1.fe80` (RFC 3986, 3.2.2).
    private static func isAddressLiteral(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "v") else {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains(":") && NetworkAddress(text) != nil
        }
        let parts = bytes.dropFirst().split(
            separator: UInt8(ascii: "."),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return false }
        return !parts[0].isEmpty && parts[0].allSatisfy(isHexDigit) && !parts[1].isEmpty
            && parts[1].allSatisfy {
                isLetterOrDigit($0) || nameMarks.contains($0) || $0 == UInt8(ascii: ":")
            }
    }

    private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
    /// Unreserved characters and sub-delimiters of RFC 3986, 2.2 and 2.3.
    private static let nameMarks = Array("-._~!$&'()*+,;=".utf8)

    static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
