import HTTPServer
import NetworkAddresses

/// Finds the client of a request: the peer, or the client that trusted proxies forward.
struct ClientAddress: Sendable {
    /// Proxies whose `X-Forwarded-For` is trusted.
    let trustedProxies: [AddressRange]

    /// Entries that are read; no honest chain of proxies is longer.
    private static let forwardersMax = 32

    /// The client's address.
    ///
    /// `X-Forwarded-For` is read from its end: the first address that is not a trusted proxy is the
    /// client. Entries before it were written by the client itself. If an entry is not an address,
    /// the proxy that wrote it counts as the client.
    ///
    /// - Parameters:
    ///   - peer: the peer of the connection.
    ///   - forwardedFor: the value of `X-Forwarded-For`; called only for a trusted peer.
    /// - Returns: the address that limits and logs count.
    func client(
        of peer: NetworkAddress,
        forwardedFor: () -> String?
    ) -> NetworkAddress {
        guard isTrusted(peer), let list = forwardedFor() else { return peer }
        var client = peer
        var rest = list[...]
        for _ in 0..<Self.forwardersMax {
            guard isTrusted(client), !rest.isEmpty else { return client }
            let start = rest.lastIndex(of: ",").map { rest.index(after: $0) } ?? rest.startIndex
            guard let next = Self.address(rest[start...]) else { return client }
            client = next
            rest = start == rest.startIndex ? "" : rest[..<rest.index(before: start)]
        }
        return client
    }

    private func isTrusted(_ address: NetworkAddress) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    /// Parses an entry: an address, in brackets or with a port as some proxies write it.
    private static func address(_ entry: Substring) -> NetworkAddress? {
        let text = entry.trimmingSpaces
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return NetworkAddress(text[text.index(after: text.startIndex)..<end])
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        return NetworkAddress(colons == 1 ? text.prefix { $0 != ":" } : text)
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    var trimmingSpaces: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
