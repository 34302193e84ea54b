import CPostgreSQL
public import DataSourceContracts

/// The address of a PostgreSQL server, with role and options.
///
/// A connection string of libpq: a URL or a list of `key=value`, with one or several hosts. libpq
/// takes missing values from its environment variables and files, such as `~/.pgpass`.
/// Source: PostgreSQL 15 manual, 34.1.1 "Connection Strings" and 34.1.2 "Parameter Key Words".
public struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    /// The given keywords and values, in libpq's order.
    private(set) var options: [String: String]

    /// Parses an address.
    ///
    /// - Parameter text: `postgresql://user@host:port/database`, or `host=… dbname=…`.
    /// - Throws: ``StoreError`` with `refused` when libpq cannot parse it, when it is ambiguous, or
    ///   when a value would be refused on connecting. The detail never repeats the text, because
    ///   any part of it may belong to a password.
    public init(_ text: String) throws(StoreError) {
        guard AddressValidation.isUnambiguous(text), let options = Self.options(of: text) else {
            throw StoreError(.refused, Self.remedy)
        }
        self.options = options
        let counts = [Self.list(options["host"]), Self.list(options["hostaddr"])].map(\.count)
        let hostMax = counts.max() ?? 0
        guard counts.allSatisfy({ $0 == 0 || $0 == hostMax }),
            [0, 1, max(1, hostMax)].contains(Self.list(options["port"]).count),
            Self.list(options["host"]).allSatisfy(AddressValidation.isHost),
            Self.list(options["port"]).allSatisfy(AddressValidation.isPort)
        else { throw StoreError(.refused, Self.remedy) }
        if let remedy = AddressValidation.remedy(for: options) {
            throw StoreError(.refused, "invalid database URL: \(remedy)")
        }
    }

    private static let remedy =
        "not a database URL: use postgresql://user@host:port/database and percent-encode reserved "
        + "characters of the password: / as %2F, @ as %40, : as %3A, % as %25"

    /// User, hosts, ports and database; never a password.
    public var description: String {
        let user = options["user"].map { "\($0)@" } ?? ""
        let database = options["dbname"].map { "/\($0)" } ?? ""
        return "postgresql://\(user)\(hostNames.joined(separator: ","))\(database)"
    }

    /// The hosts and ports in the order of attempts.
    var hostNames: [String] {
        let ports = Self.list(options["port"])
        return hosts.enumerated().map { index, host in
            // One port stands for all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let name = host.contains(":") ? "[\(host)]" : host
            return port.isEmpty ? name : "\(name):\(port)"
        }
    }

    /// Whether the address accepts only servers that refuse changes.
    public var isReadOnly: Bool {
        ["standby", "read-only"].contains(options["target_session_attrs"] ?? "")
    }

    /// The same address; unless it says otherwise, a standby is used if one is reachable.
    public func preferringStandbys() -> PostgreSQLAddress {
        var address = self
        if options["target_session_attrs"] == nil {
            address.options["target_session_attrs"] = "prefer-standby"
        }
        return address
    }

    /// The role, if given.
    public var user: String? { options["user"] }

    /// The number of hosts, at least one.
    var hostCount: Int { max(1, hosts.count) }

    private var hosts: [String] { Self.list(options["host"] ?? options["hostaddr"]) }

    static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The connection parameters of each attempt: of each host, in the order of the address.
    ///
    /// With `prefer-standby` every host is tried as a standby before any is tried as a primary.
    /// libpq itself orders the hosts so only if one call names them all.
    ///
    /// - Parameters:
    ///   - applicationName: the `application_name` unless the address has one.
    ///   - silenceMax: how long sent data may stay unacknowledged.
    /// - Returns: the keywords and values of each attempt.
    func attempts(applicationName: String, silenceMax: Duration) -> [[String: String]] {
        var common = [
            "application_name": applicationName,
            // Detects a vanished peer in less than half a minute.
            "keepalives": "1",
            "keepalives_idle": "10",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "\(silenceMax.roundedUp(toMultipleOf: .milliseconds(1)))",
        ]
        // Of several servers the primary is used, unless the address says otherwise.
        if hostCount > 1 { common["target_session_attrs"] = "read-write" }
        common.merge(options) { _, given in given }
        // Text is UTF-8 regardless of the environment.
        common["client_encoding"] = "UTF8"
        let prefersStandby = common["target_session_attrs"] == "prefer-standby"
        let roles = prefersStandby && hostCount > 1 ? ["standby", "any"] : [nil]
        return roles.flatMap { role in
            (0..<hostCount).map { index in
                attempt(at: index, role.map { ["target_session_attrs": $0] } ?? [:], common)
            }
        }
    }

    /// The parameters of the host at an index.
    private func attempt(
        at index: Int,
        _ own: [String: String],
        _ common: [String: String]
    ) -> [String: String] {
        var attempt = common.merging(own) { $1 }
        for key in ["host", "hostaddr", "port"] {
            let entries = Self.list(options[key])
            // One port stands for all hosts.
            if entries.count > 1, index < entries.count { attempt[key] = entries[index] }
        }
        return attempt
    }

    /// The address in the environment variables that libpq reads.
    ///
    /// Keywords without a variable, such as those of keepalives, are left out.
    ///
    /// - Parameter database: another database of the same server; nil for that of the address.
    /// - Returns: the variables, a password among them.
    func variables(database: String? = nil) -> [String: String] {
        var given = options
        if hostCount > 1, given["target_session_attrs"] == nil {
            given["target_session_attrs"] = "read-write"
        }
        if let database { given["dbname"] = database }
        // Text is UTF-8 regardless of the environment.
        given["client_encoding"] = "UTF8"
        var variables: [String: String] = [:]
        guard let list = unsafe PQconndefaults() else { return variables }
        defer { unsafe PQconninfoFree(list) }
        var entry = unsafe list
        while let key = unsafe entry.pointee.keyword {
            if let variable = unsafe entry.pointee.envvar,
                let value = unsafe given[String(cString: key)]
            {
                unsafe variables[String(cString: variable)] = value
            }
            unsafe entry += 1
        }
        return variables
    }

    /// The keywords of a text; nil if it is not an address.
    private static func options(of text: String) -> [String: String]? {
        // A zero byte would end the text early.
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        var words: UnsafeMutablePointer<CChar>?
        guard let list = unsafe PQconninfoParse(text, &words) else {
            // libpq's message repeats parts of the text.
            unsafe PQfreemem(words)
            return nil
        }
        defer { unsafe PQconninfoFree(list) }
        return unsafe values(of: list)
    }

    /// The keywords of a list of libpq that have a value.
    @unsafe
    static func values(of list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var entry = unsafe list
        // The list ends with an entry without a keyword.
        while let key = unsafe entry.pointee.keyword {
            if let value = unsafe entry.pointee.val {
                unsafe values[String(cString: key)] = String(cString: value)
            }
            unsafe entry += 1
        }
        return values
    }
}

extension Duration {
    /// The number of units, rounded up; 0 for a negative duration.
    func roundedUp(toMultipleOf unit: Duration) -> Int {
        let whole = Int128(attoseconds)
        let part = Int128(unit.attoseconds)
        guard whole > 0 else { return 0 }
        return Int(clamping: (whole + part - 1) / part)
    }
}
