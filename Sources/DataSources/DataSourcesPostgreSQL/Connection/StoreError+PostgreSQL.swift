import DataSourceContracts

extension StoreError {
    /// The error fields of a statement or of a refused connection.
    struct PostgreSQLErrorFields: Sendable, Hashable {
        /// The SQLSTATE, five characters; empty without one.
        var state = ""
        /// The primary message in the server's language; it may hold values.
        var sentence = ""
        /// The schema, table, column, type or constraint, as far as given.
        var subjects: [String] = []

        /// Whether TLS failed before the server responded; the message is libpq's own.
        var isAboutTrust: Bool { state.isEmpty && sentence.contains("certificate") }

        /// The state of the connection after the error.
        enum End {
            case staysOpen
            /// The connection leads to the old primary after a failover.
            case isReadOnly
            /// The server closes the connection.
            case breaks
        }

        /// The state of the connection after this error.
        var end: End {
            switch state {
            case "25006": .isReadOnly
            case "57P01", "57P02", "57P03": .breaks
            default: state.hasPrefix("08") ? .breaks : .staysOpen
            }
        }
    }

    /// Translates an error of the server.
    ///
    /// - Parameters:
    ///   - fields: the error fields.
    ///   - location: the server, without a password.
    /// Source: PostgreSQL 15 manual, appendix A "PostgreSQL Error Codes".
    init(postgreSQL fields: PostgreSQLErrorFields, at location: String) {
        let kind = Self.kind(ofState: fields.state)
        var parts = [location]
        // Some messages repeat values of users; for those only names are reported.
        let isSafe = Self.isSafe(sentenceOfState: fields.state)
        if isSafe, !fields.sentence.isEmpty { parts.append(fields.sentence) }
        if !isSafe, !fields.subjects.isEmpty {
            parts.append("refused because of \(fields.subjects.joined(separator: "."))")
        }
        let state = fields.state.isEmpty ? "" : " (SQLSTATE \(fields.state))"
        let remedy =
            fields.isAboutTrust
            ? "check the server's certificate, and sslmode and sslrootcert of the address"
            : Self.remedy(forState: fields.state, kind)
        self.init(kind, "\(parts.joined(separator: ": "))\(state): \(remedy)")
    }

    /// The server is unreachable.
    ///
    /// - Parameters:
    ///   - reason: the cause, without values.
    ///   - location: the server, without a password.
    /// - Returns: an error with `unavailable`.
    static func away(_ reason: String, at location: String) -> StoreError {
        StoreError(.unavailable, "\(location): \(reason): check that the server runs")
    }

    /// No server of several is reachable: the failure of each, and the remedy of the last one.
    ///
    /// - Parameters:
    ///   - failures: the failure of each attempted server, in order.
    ///   - hosts: the names of all servers in the same order.
    ///   - location: the address, with which each failure begins.
    /// - Returns: one error with the code of the last failure.
    static func joining(
        _ failures: [StoreError],
        of hosts: [String],
        at location: String
    ) -> StoreError {
        guard let last = failures.last else { return away("no server was tried", at: location) }
        guard failures.count > 1 else { return last }
        var details: [String] = []
        for (index, failure) in failures.enumerated() {
            var text = failure.detail[...]
            if text.hasPrefix(location + ": ") { text = text.dropFirst(location.count + 2) }
            // The remedy appears once, at the end.
            if index < failures.count - 1, let end = text.ranges(of: ": ").last {
                text = text[..<end.lowerBound]
            }
            details.append((index < hosts.count ? "\(hosts[index]): " : "") + text)
        }
        return StoreError(last.code, "\(location): \(details.joined(separator: "; "))")
    }

    /// Too many calls wait, or a wait took too long.
    static func crowded(_ reason: String) -> StoreError {
        StoreError(.busy, "\(reason): try again in a moment")
    }

    /// The calling task was cancelled.
    static var taskCancelled: StoreError { StoreError(.busy, "the task was cancelled") }

    // MARK: SQLSTATE

    static func kind(ofState state: String) -> Code {
        switch state {
        case "": .unavailable
        case "53100": .full
        // Too many connections, cancelled statements, lock time-outs and serialization failures.
        case "53200", "53300", "53400", "57014", "55P03", "40001", "40P01": .busy
        case "25006": .readOnly
        // hoga.hold_lease: the lease expired or has another holder.
        case "HG001": .fenced
        case "42501": .unavailable
        case "XX001", "XX002": .damaged
        // A constraint that this version does not know or did not check.
        case "42P01", "42703", "42883", "42704", "42804", "42P10", "42P18": .incompatible
        default:
            switch state.prefix(2) {
            case "3F", "23", "42", "22", "0A", "54": .incompatible
            case "53", "55", "40": .busy
            default: .unavailable
            }
        }
    }

    /// Whether the primary message of such errors holds names only, never values.
    private static func isSafe(sentenceOfState state: String) -> Bool {
        switch state.prefix(2) {
        case "22", "23", "P0", "F0", "44": false
        default: true
        }
    }

    private static func remedy(forState state: String, _ kind: Code) -> String {
        if state.hasPrefix("28") { return "check the role, its password and pg_hba.conf" }
        switch state {
        case "42501":
            return "connect as a member of the role hoga_app, or as the owner to migrate; "
                + "'hoga migrate up' grants hoga_app what it lacks"
        case "3D000": return "create the database or use another"
        case "42P01", "3F000", "42703", "42883":
            return "run 'hoga migrate up' with the owner's role"
        default: break
        }
        return switch kind {
        case .unavailable: "check that the server runs and accepts this role"
        case .busy: "try again in a moment"
        case .full: "free space on the server's disk"
        case .readOnly: "connect to the server that can be written"
        case .damaged: "restore the database from a backup"
        case .incompatible: "use a compatible version of hoga, see 'hoga migrate status'"
        case .conflict, .tooMany: "read it again"
        case .notFound: "check the name or number"
        case .refused, .unauthorized, .forbidden, .fenced: "nothing was changed"
        }
    }
}
