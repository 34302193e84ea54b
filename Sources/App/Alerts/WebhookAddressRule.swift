import DataSourcesHTTP
import Domain
import NetworkAddresses

/// Which addresses a webhook may have: those of the public internet, and those that the operator
/// lists (`--webhook-allow`).
struct WebhookAddressRule: Sendable, Equatable {
    /// The ranges that are permitted although they are not public.
    let allowed: [AddressRange]

    /// Whether requests may be sent to an address.
    ///
    /// Also checked for each connection, after the name was resolved.
    func permits(_ address: NetworkAddress) -> Bool {
        PublicAddresses.contains(address) || allowed.contains { $0.contains(address) }
    }

    /// Checks a URL that a user sets.
    ///
    /// - Throws: ``WebhookAddressRefusal``.
    func check(_ url: String) throws(WebhookAddressRefusal) {
        guard url.utf8.count <= Webhook.urlBytesMax else { throw .tooLong }
        guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .notPrintable }
        guard url.prefix(Self.scheme.count).lowercased() == Self.scheme else { throw .notHTTPS }
        let rest = url.dropFirst(Self.scheme.count)
        let authority = rest.prefix { !["/", "?", "#", "\\"].contains($0) }
        // libcurl decodes percent-escapes in a host: `%3127.0.0.1` would become 127.0.0.1.
        guard !authority.isEmpty, !authority.contains("%"), let address = HTTPAddress(url),
            address.scheme + "://" == Self.scheme
        else { throw authority.contains("@") ? .credentials : .noHost }
        guard !address.hasCredentials, !authority.contains("@") else { throw .credentials }
        guard !address.hasFragment else { throw .fragment }
        guard !address.hasZone else { throw .noHost }
        try check(host: address)
    }

    private static let scheme = "https://"

    private func check(host: HTTPAddress) throws(WebhookAddressRefusal) {
        if let address = host.address {
            guard permits(address) else { throw .notPublic(address.description) }
            return
        }
        // libcurl drops a final dot, which turns `127.0.0.1.` into an address.
        if host.host.hasSuffix(".") {
            guard let undotted = HTTPAddress(Self.scheme + host.host.dropLast()),
                !undotted.host.hasSuffix(".")
            else { throw .noHost }
            return try check(host: undotted)
        }
        if host.isLoopback {
            let loopback = [NetworkAddress(127, 0, 0, 1), NetworkAddress(ipv6: 1)]
            guard loopback.contains(where: permits) else { throw .notPublic(host.host) }
        }
    }
}

/// Why a URL cannot be the address of a webhook.
enum WebhookAddressRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The URL has more than ``Webhook/urlBytesMax`` bytes.
    case tooLong
    /// The URL has blanks, control characters or characters outside of ASCII.
    case notPrintable
    /// The URL does not begin with `https://`.
    case notHTTPS
    /// The URL has no valid host.
    case noHost
    /// The URL has a user name or a password.
    case credentials
    /// The URL has a fragment.
    case fragment
    /// Its host is an address that is not public, or the name of one.
    case notPublic(String)

    /// The fault of the URL.
    var reason: String {
        switch self {
        case .tooLong: "the address is longer than \(Webhook.urlBytesMax) bytes"
        case .notPrintable: "the address has characters other than printable ASCII"
        case .notHTTPS: "the address does not begin with https://"
        case .noHost: "the address has no valid host"
        case .credentials: "the address has a user name or a password"
        case .fragment: "the address has a fragment"
        case .notPublic(let host): "\(host) is not a public address"
        }
    }

    /// The remedy for the user.
    var remedy: String {
        switch self {
        case .tooLong: "use a shorter one"
        case .notPrintable: "percent-encode them, and write the host as xn--…"
        case .notHTTPS: "use https, e.g. https://example.org/hoga"
        case .noHost: "write it like https://example.org/hoga"
        case .credentials: "remove them; the receiver recognizes hoga by the signature"
        case .fragment: "remove the part from # on"
        case .notPublic:
            "use a public one, or ask the operator to allow it with \(Setting.webhookAllow.flag)"
        }
    }

    /// The reason and the remedy.
    var description: String { "\(reason); \(remedy)" }
}
