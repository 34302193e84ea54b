import CLibCurl
public import NetworkAddresses

/// A URL in the parts that libcurl reads.
///
/// Whatever checks an address before it is requested reads it with the parser of the request:
/// others disagree about what the host is.
public struct HTTPAddress: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, without brackets; an IPv4 address in any notation becomes `127.0.0.1`.
    public let host: String
    /// The host's address, if it is no name.
    public let address: NetworkAddress?
    /// Whether there is a user name or a password.
    public let hasCredentials: Bool
    /// Whether there is a fragment, also an empty one.
    public let hasFragment: Bool
    /// Whether the host is an IPv6 address with a zone.
    public let hasZone: Bool

    /// Whether the host is this machine: a loopback address, or a name that RFC 6761 keeps for it.
    public var isLoopback: Bool {
        address?.isLoopback ?? (host == "localhost" || host.hasSuffix(".localhost"))
    }

    /// Parses an absolute URL; nil if libcurl refuses it.
    public init?(_ url: String) {
        guard !url.utf8.contains(0), let parts = URLParts(url),
            let scheme = parts[CURLUPART_SCHEME], let host = parts[CURLUPART_HOST], !host.isEmpty
        else { return nil }
        self.scheme = scheme.lowercased()
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : host.lowercased()
        address = NetworkAddress(self.host)
        hasCredentials = parts[CURLUPART_USER] != nil || parts[CURLUPART_PASSWORD] != nil
        hasFragment = url.utf8.contains(UInt8(ascii: "#"))
        hasZone = parts[CURLUPART_ZONEID] != nil
    }
}

/// Owns a libcurl URL handle.
@safe
private struct URLParts: ~Copyable {
    // Freed in `deinit`.
    private let pointer: OpaquePointer

    /// Parses a URL; nil if libcurl refuses it.
    init?(_ url: String) {
        guard let made = unsafe curl_url() else { return nil }
        guard unsafe curl_url_set(made, CURLUPART_URL, url, 0) == CURLUE_OK else {
            unsafe curl_url_cleanup(made)
            return nil
        }
        unsafe pointer = made
    }

    deinit {
        unsafe curl_url_cleanup(pointer)
    }

    /// A part; nil if the URL has none.
    subscript(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(pointer, part, &text, 0) == CURLUE_OK,
            let found = unsafe text
        else { return nil }
        // libcurl ends the text with a zero; it is copied and freed here.
        defer { unsafe curl_free(found) }
        return unsafe String(cString: found)
    }
}
