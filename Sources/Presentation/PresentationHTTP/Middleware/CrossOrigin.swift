/// A site whose pages may read answers in a browser: scheme, host and port.
///
/// Source: the Fetch standard, "CORS protocol"; RFC 6454, 6.2 (both seen 2026-11-21).
public struct CrossOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The origin as browsers send it: `https://example.org:8443`, lower case, without a path.
    public let description: String

    /// Parses an origin; nil for an invalid text or one with a path.
    public init?(_ text: String) {
        let text = text.lowercased()
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let authority = text.dropFirst(scheme.count)
            guard !authority.isEmpty, authority.utf8.count <= Self.authorityLengthMax,
                authority.utf8.allSatisfy(Self.isAllowed)
            else { return nil }
            description = text
            return
        }
        return nil
    }

    /// A name of 253 characters and a port.
    private static let authorityLengthMax = 259

    /// Characters of host names, addresses and ports; none ends a header field.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
