/// Rules for addresses beyond those of libpq's parser.
///
/// libpq reads port `a` from `postgresql://ann:a/b@host/db`. It reports that only on connecting, in
/// a message that repeats part of the password.
enum AddressValidation {
    /// Whether a text can be parsed in one way only: each separator occurs at its place alone.
    static func isUnambiguous(_ text: String) -> Bool {
        // A text of several lines is not an address.
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return false }
        guard
            let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) })
        else { return true }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let path = rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "?") }.dropFirst()
        let signs = rest.count { $0 == UInt8(ascii: "@") }
        return signs == authority.count { $0 == UInt8(ascii: "@") } && signs <= 1
            && !path.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
    }

    /// Whether a text may be a host name, an IP address or a socket folder.
    static func isHost(_ text: String) -> Bool {
        // Abstract sockets begin with an @.
        if text.hasPrefix("/") || text.hasPrefix("@") { return true }
        return text.utf8.allSatisfy { !Array("@/? #".utf8).contains($0) }
    }

    /// Whether a text may be a port; an empty one is the default.
    static func isPort(_ text: String) -> Bool {
        text.isEmpty || UInt16(text).map { $0 > 0 } ?? false
    }

    /// The valid values of the first keyword whose value libpq would refuse; nil if all are valid.
    static func remedy(for options: [String: String]) -> String? {
        for (key, value) in options.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            if let words = words[key], !words.contains(value) {
                return "\(key) must be one of \(words.joined(separator: ", "))"
            }
            if numbers.contains(key), Int32(value) == nil { return "\(key) must be a whole number" }
        }
        return nil
    }

    /// Source: PostgreSQL 15 manual, 34.1.2 "Parameter Key Words".
    private static let words: [String: [String]] = [
        "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
        "channel_binding": ["disable", "prefer", "require"],
        "gssencmode": ["disable", "prefer", "require"],
        "target_session_attrs": [
            "any", "read-write", "read-only", "primary", "standby", "prefer-standby",
        ],
        "ssl_min_protocol_version": ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
        "ssl_max_protocol_version": ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
    ]

    private static let numbers: Set<String> = [
        "connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "tcp_user_timeout",
    ]
}
