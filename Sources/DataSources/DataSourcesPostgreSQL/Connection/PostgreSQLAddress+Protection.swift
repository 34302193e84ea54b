import CPostgreSQL
import NetworkAddresses

extension PostgreSQLAddress {
    /// How the traffic with the servers is protected.
    public enum Protection: Sendable, Hashable {
        /// All servers are on this machine.
        case local
        /// TLS with a verified certificate.
        case verified
        /// Plain text, or TLS with whoever answers, by libpq's `sslmode`.
        case unverified(mode: String)
    }

    /// How the traffic is protected.
    ///
    /// Considers what libpq takes from its environment variables. A mode of `require` counts as
    /// unverified, although libpq verifies with it if it finds a file of authorities.
    /// Source: PostgreSQL 15 manual, 34.19 "SSL Support", table 34.1.
    public var protection: Protection {
        let defaults = Self.defaults
        func value(_ key: String) -> String? {
            let given = options[key] ?? ""
            return given.isEmpty ? defaults[key] : given
        }
        // The address of a host counts, if it is given beside its name.
        let hosts = Self.list(value("hostaddr") ?? value("host"))
        if hosts.allSatisfy(Self.isLocal) { return .local }
        let mode = value("sslmode") ?? "prefer"
        return ["verify-ca", "verify-full"].contains(mode) ? .verified : .unverified(mode: mode)
    }

    /// Whether a host is this machine: a folder of sockets, an abstract socket, or loopback.
    private static func isLocal(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
            || NetworkAddress(host)?.isLoopback == true
    }

    /// The values of environment variables and those that libpq has compiled in.
    private static var defaults: [String: String] {
        guard let list = unsafe PQconndefaults() else { return [:] }
        defer { unsafe PQconninfoFree(list) }
        return unsafe values(of: list)
    }
}
