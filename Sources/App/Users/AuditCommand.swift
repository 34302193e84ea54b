import DataSourceContracts
import Domain
import FoundationEssentials
import ViewStates

extension Command {
    static let userAudit = onStore(
        "user audit",
        "Print what administrators changed: users, tokens and migrations",
        options: [.auditedUser, .auditFrom, .auditTo, .auditRows, .json],
        requires: .existingAccounts
    ) { access, invocation throws(ProgramError) in
        try await AuditCommand(access: access).run(invocation)
    }
}

/// `hoga user audit`: the audit trail of a shared store.
struct AuditCommand: Sendable {
    /// The numbers of rows that can be asked for.
    static let rowsRange = 1...100_000
    private static let rowsStandard = 1_000

    let access: StoreAccess

    /// Prints the newest rows that the flags select, oldest first.
    func run(_ invocation: CommandInvocation) async throws(ProgramError) {
        guard let source = access.place.audit else {
            throw ProgramError(
                .usage,
                "a file keeps no audit trail, because its single user is its administrator; "
                    + "name a database with \(Setting.databaseURL.environmentName)"
            )
        }
        let filter = try Self.filter(invocation.options)
        let rows = try await StoreAccess.call { () async throws(StoreError) in
            try await source.audit(filter)
        }
        if rows.count == filter.rowsMax {
            Console.note(
                "only the newest \(rows.count) rows; add \(CommandOption.auditRows.flag) or "
                    + "\(CommandOption.auditTo.flag) to see older ones"
            )
        }
        if invocation.has(.json) {
            try Console.write(AuditDocument(rows: rows).json + [UInt8(ascii: "\n")])
        } else {
            for row in rows { try Console.line(Self.line(row)) }
        }
    }

    private static func filter(
        _ options: [CommandOption: String]
    ) throws(ProgramError) -> AuditFilter {
        let from = try ExportOptions.time(.auditFrom, options)
        let to = try ExportOptions.time(.auditTo, options)
        if let from, let to, from >= to {
            throw ProgramError(.usage, "--to must be later than --from")
        }
        var user: String?
        if let name = options[.auditedUser] { user = try UserCommand.name(name) }
        let rows = options[.auditRows].map { Int($0) } ?? rowsStandard
        guard let rows, rowsRange.contains(rows) else {
            throw ProgramError(
                .usage,
                "\(CommandOption.auditRows.flag) must be a whole number, "
                    + "\(rowsRange.lowerBound) to \(rowsRange.upperBound)"
            )
        }
        return AuditFilter(
            user: user,
            from: from?.microseconds,
            to: to?.microseconds,
            rowsMax: rows
        )
    }

    /// Time, role, administrator, action, subject and details, separated by tabs.
    static func line(_ row: AuditDTO) -> String {
        var details = row.token.map { ["token=\($0)"] } ?? []
        details += AuditDocument.details(of: row).sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
        return [
            TimeText.iso(Timestamp(microseconds: row.at)), row.role, row.administrator ?? "-",
            row.action, row.subject, details.isEmpty ? "-" : details.joined(separator: " "),
        ].joined(separator: "\t")
    }
}

/// Rows of an audit trail, as `hoga user audit --json` prints them.
///
/// ```
/// {"schema":"audit","version":1,"rows":[{"number":7,"at":"2026-11-20T21:03:11.100000+09:00",
///  "role":"hoga_owner","administrator":"lee","action":"token.add","user":1,"subject":"kim",
///  "token":3,"details":{"scope":"read"}}]}
/// ```
struct AuditDocument: Sendable {
    /// The rows, oldest first.
    let rows: [AuditDTO]

    /// The document as indented JSON.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            preconditionFailure("strings and numbers can always be encoded")
        }
    }

    /// The details of a row; empty if they are no object of strings.
    static func details(of row: AuditDTO) -> [String: String] {
        let data = Data(row.detailsJSON.utf8)
        return (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
    }
}

extension AuditDocument: Encodable {
    private enum Key: String, CodingKey {
        case schema, version, rows
    }

    func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        try root.encode("audit", forKey: .schema)
        try root.encode(1, forKey: .version)
        try root.encode(
            rows.map { row in
                JSONFields([
                    ("number", .number(row.number)), ("at", .time(row.at)),
                    ("role", .text(row.role)), ("administrator", .text(row.administrator)),
                    ("action", .text(row.action)), ("user", .number(row.user)),
                    ("subject", .text(row.subject)), ("token", .number(row.token)),
                    ("details", .texts(Self.details(of: row))),
                ])
            },
            forKey: .rows
        )
    }
}
