import CPostgreSQL
public import DataSourceContracts

/// Where a PostgreSQL server is, and as whom it is talked to.
///
/// It is whatever libpq takes: a URL or a list of `key=value`, with one host or several. What it
/// leaves out, libpq takes from its own environment variables and files, such as `~/.pgpass`.
/// Source: PostgreSQL 15 manual, 34.1.1 "Connection Strings" and 34.1.2 "Parameter Key Words".
public struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    /// The keywords with their values as they were given, in libpq's order.
    private let options: [String: String]

    /// Reads an address.
    ///
    /// - Parameter text: `postgresql://user@host:port/database`, or `host=… dbname=…`.
    /// - Throws: ``StoreError`` with `refused` when libpq does not understand it, when it can be
    ///   understood in more than one way, and when a value would be refused on connecting. The
    ///   detail never repeats anything of the text: any part of it may be one of a password.
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
            throw StoreError(.refused, "in the address of the database \(remedy)")
        }
    }

    private static let remedy =
        "this is no address of a database: write postgresql://user@host:port/database, and "
        + "reserved characters of a password percent-encoded: / as %2F, @ as %40, : as %3A, "
        + "% as %25"

    /// User, hosts, ports and database; never a password.
    public var description: String {
        let user = options["user"].map { "\($0)@" } ?? ""
        let database = options["dbname"].map { "/\($0)" } ?? ""
        return "postgresql://\(user)\(hostNames.joined(separator: ","))\(database)"
    }

    /// The hosts with their ports, in the order in which they are tried.
    var hostNames: [String] {
        let ports = Self.list(options["port"])
        return hosts.enumerated().map { index, host in
            // One port stands for all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let name = host.contains(":") ? "[\(host)]" : host
            return port.isEmpty ? name : "\(name):\(port)"
        }
    }

    /// The role that it names, if it does.
    public var user: String? { options["user"] }

    /// How many hosts are tried one after the other; at least one.
    var hostCount: Int { max(1, hosts.count) }

    private var hosts: [String] { Self.list(options["host"] ?? options["hostaddr"]) }

    private static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// What a connection to each of the hosts is opened with, in the order of the address.
    ///
    /// - Parameters:
    ///   - applicationName: what the server shows for it, unless the address says otherwise.
    ///   - silenceMax: how long the network may leave what was sent without an answer.
    /// - Returns: for each host its keywords with their values.
    func attempts(applicationName: String, silenceMax: Duration) -> [[String: String]] {
        var common = [
            "application_name": applicationName,
            // A peer that vanished without a word is noticed in less than half a minute.
            "keepalives": "1",
            "keepalives_idle": "10",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "\(silenceMax.roundedUp(toMultipleOf: .milliseconds(1)))",
        ]
        // Of several servers the one that can be written is meant, unless the address says so.
        if hostCount > 1 { common["target_session_attrs"] = "read-write" }
        common.merge(options) { _, given in given }
        // Text is UTF-8 whatever the environment says.
        common["client_encoding"] = "UTF8"
        return (0..<hostCount).map { index in
            var attempt = common
            for key in ["host", "hostaddr", "port"] {
                let entries = Self.list(options[key])
                // One port stands for all hosts.
                if entries.count > 1, index < entries.count { attempt[key] = entries[index] }
            }
            return attempt
        }
    }

    /// The keywords that a text gives; nil when it is no address.
    private static func options(of text: String) -> [String: String]? {
        // A zero byte would end the text early.
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        var words: UnsafeMutablePointer<CChar>?
        guard let list = unsafe PQconninfoParse(text, &words) else {
            // Its words repeat parts of the text.
            unsafe PQfreemem(words)
            return nil
        }
        defer { unsafe PQconninfoFree(list) }
        var options: [String: String] = [:]
        var entry = unsafe list
        // The list ends with an entry without a keyword.
        while let key = unsafe entry.pointee.keyword {
            if let value = unsafe entry.pointee.val {
                unsafe options[String(cString: key)] = String(cString: value)
            }
            unsafe entry += 1
        }
        return options
    }
}

extension Duration {
    /// How many times the unit goes into this, rounded up; 0 for what is negative.
    func roundedUp(toMultipleOf unit: Duration) -> Int {
        let whole = Int128(attoseconds)
        let part = Int128(unit.attoseconds)
        guard whole > 0 else { return 0 }
        return Int(clamping: (whole + part - 1) / part)
    }
}
