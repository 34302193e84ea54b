import DataSourceContracts

/// The parts of a `ws://` or `wss://` address.
///
/// Source: RFC 6455, section 3.
struct WebSocketAddress: Sendable, Hashable {
    /// The `http` or `https` address for libcurl.
    let connectURL: String
    /// The value of the header `Host`: without the scheme's default port.
    let host: String
    /// The path and query, at least `/`.
    let path: String

    /// Parses an address.
    ///
    /// - Throws: `badAddress` for other schemes, credentials, fragments, ports outside 1..65535 and
    ///   anything but visible ASCII.
    init(_ text: String) throws(TransportError) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("#"),
            !text.contains("\\"), let schemeEnd = text.firstRange(of: "://")
        else { throw .badWebSocketAddress }
        let scheme = text[..<schemeEnd.lowerBound].lowercased()
        let rest = text[schemeEnd.upperBound...]
        let pathStart = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let (name, port) = try Self.parts(of: rest[..<pathStart])

        let defaultPort: UInt16
        let connectScheme: String
        switch scheme {
        case "ws": (connectScheme, defaultPort) = ("http", 80)
        case "wss": (connectScheme, defaultPort) = ("https", 443)
        default: throw .badWebSocketAddress
        }
        connectURL = "\(connectScheme)://\(name):\(port ?? defaultPort)/"
        host = port == nil || port == defaultPort ? name : "\(name):\(port ?? defaultPort)"
        path =
            rest[pathStart...].hasPrefix("/")
            ? String(rest[pathStart...]) : "/\(rest[pathStart...])"
    }

    /// Parses `name`, `name:port`, `[::1]` and `[::1]:port`.
    private static func parts(
        of authority: Substring
    ) throws(TransportError) -> (name: String, port: UInt16?) {
        let nameEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .badWebSocketAddress }
            nameEnd = authority.index(after: bracket)
        } else {
            nameEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let name = authority[..<nameEnd]
        guard !name.isEmpty, name != "[]", !authority.contains("@") else {
            throw .badWebSocketAddress
        }
        let rest = authority[nameEnd...]
        guard !rest.isEmpty else { return (String(name), nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"),
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let port = UInt16(digits), port > 0
        else { throw .badWebSocketAddress }
        return (String(name), port)
    }
}

extension TransportError {
    /// Does not repeat the address, which may hold a secret.
    fileprivate static var badWebSocketAddress: Self {
        Self(.badAddress, "an address must be ws:// or wss:// with a host, without credentials")
    }
}
