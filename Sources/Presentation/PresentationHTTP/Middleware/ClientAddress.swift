import HTTPServer

/// Tells who asks: the peer of the connection, or whom trusted proxies forward.
struct ClientAddress: Sendable {
    /// Proxies that are believed.
    let trustedProxies: [AddressRange]

    /// Longer lists of forwarders are of nobody who means well; what is behind is not looked at.
    private static let forwardersMax = 32

    /// The client's address.
    ///
    /// `X-Forwarded-For` is read from its end, each trusted proxy being believed in the address
    /// before its own: the first one that is not trusted is the client. What stands before that
    /// was written by the client itself. Where an entry is no address, whoever wrote it is taken.
    ///
    /// - Parameters:
    ///   - peer: the peer of the connection.
    ///   - forwardedFor: makes the value of `X-Forwarded-For`; called only for a trusted peer.
    /// - Returns: the address that limits are counted by and logs tell.
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

    /// An entry: an address, perhaps in brackets, perhaps with a port as some proxies write it.
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
    /// Without the blanks that headers may have around their values.
    var trimmingSpaces: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
