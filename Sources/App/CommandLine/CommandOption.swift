import Domain
import PresentationTerminal

/// A flag of single commands that is not a setting: one row declares it.
///
/// Reader, help, completions and manual follow from the rows.
struct CommandOption: Sendable, Hashable {
    /// The flag with its hyphens.
    let flag: String
    /// The accepted values; nil for a flag without a value.
    let form: ValueForm?
    /// The description in help texts, one line.
    let summary: String

    init(_ flag: String, _ form: ValueForm? = nil, _ summary: String) {
        self.flag = flag
        self.form = form
        self.summary = summary
    }

    /// The query parameter of the HTTP contract with the same meaning.
    var parameterName: String { String(flag.dropFirst(2)) }

    /// The query parameter with a value of the command line.
    func parameter(_ value: String) -> (name: String, value: String) {
        let namesMarkets = self == .market || self == .markets
        return (parameterName, namesMarkets ? MarketArgument.names(value) : value)
    }

    /// The flag and its value as help texts show them.
    var spelling: String { form.map { flag + " " + $0.spelling } ?? flag }

    static func == (left: CommandOption, right: CommandOption) -> Bool { left.flag == right.flag }

    func hash(into hasher: inout Hasher) { hasher.combine(flag) }
}

extension CommandOption: CustomStringConvertible {
    var description: String { flag }
}

/// Parameters of documents.
extension CommandOption {
    static let tab = CommandOption(
        "--tab",
        .words(["markets", "popular", "favorites"]),
        "which list"
    )
    static let state = CommandOption(
        "--state",
        .words(["all", "normal", "suspended"]),
        "coins by deposit and withdrawal state"
    )
    static let quote = CommandOption("--quote", .words(of: Quote.self), "quote currency")
    static let sort = CommandOption(
        "--sort",
        .words([
            "popularity", "name", "price", "changeRate", "tradeValue", "deposit", "withdrawal",
        ]),
        "sort key"
    )
    static let direction = CommandOption(
        "--direction",
        .words(of: SortDirection.self),
        "sort direction"
    )
    static let period = CommandOption(
        "--period",
        .words(of: ChangePeriod.self),
        "period of the price change"
    )
    static let search = CommandOption(
        "--q",
        .text("TEXT"),
        "search names, symbols and Korean initial consonants"
    )
    static let markets = CommandOption("--markets", .text("A,B"), "only these markets")
    static let offset = CommandOption("--offset", .number(0...(.max)), "rows to skip")
    static let limit = CommandOption("--limit", .number(0...(.max)), "maximum rows")
    static let language = CommandOption("--lang", .words(of: Language.self), "interface language")
    static let market = CommandOption(
        "--market",
        .text("BTC_KRW"),
        "the market, for documents about one market"
    )
    static let documents = CommandOption(
        "--documents",
        .list(["market-list", "market-detail", "assets"]),
        "documents that the snapshot contains"
    )
    static let depth = CommandOption(
        "--depth",
        .number(1...30),
        "order book levels on each side, 1 to 30"
    )
    static let group = CommandOption(
        "--group",
        .text("PRICE"),
        "price step that groups order book levels"
    )
    static let interval = CommandOption(
        "--interval",
        .words(of: CandleInterval.self),
        "candle interval"
    )
    static let count = CommandOption("--count", .number(1...3_000), "maximum candles, up to 3000")
    static let since = CommandOption("--since", .text("ID"), "only trades after this one")
    static let before = CommandOption(
        "--before",
        .text("ID|TIME"),
        "only trades or candles before this one"
    )
    static let at = CommandOption(
        "--at",
        .text("TIME"),
        "only the candle at this time, e.g. 2026-11-20T21:00:00+09:00"
    )
}

/// Flags of `hoga watch`, `hoga health` and `hoga doctor`.
extension CommandOption {
    static let orSimulated = CommandOption(
        "--or-simulated",
        nil,
        "use the simulator if the exchange is unreachable for 5 s"
    )
    static let once = CommandOption("--once", nil, "print once and exit, also on a terminal")
    static let plain = CommandOption("--plain", nil, "print sentences for screen readers")
    static let every = CommandOption(
        "--every",
        .text("DURATION"),
        "with --plain: print changes at this interval, 1s to 24h"
    )
    static let lineFormat = CommandOption(
        "--format",
        .text("TEXT"),
        "text with fields in braces ({symbol} {price} {rate}): "
            + StatusFormat.Field.allCases.map(\.rawValue).joined(separator: ", ")
    )
    static let follow = CommandOption("--follow", nil, "then print a line for each change")
    static let compact = CommandOption(
        "--compact",
        nil,
        "one market a line at any window size"
    )
    static let ready = CommandOption("--ready", nil, "check readiness instead of liveness")
    static let json = CommandOption("--json", nil, "print one JSON object instead of lines")

    /// Parameters that narrow what `hoga watch` shows or prints.
    static let printing: [CommandOption] = [
        .tab, .quote, .sort, .direction, .search, .markets, .limit, .depth,
    ]
}

/// Flags of exports and imports.
extension CommandOption {
    static let format = CommandOption(
        "--format",
        .words(of: ExportOptions.Format.self),
        "CSV (RFC 4180) or JSON (csv)"
    )
    static let output = CommandOption(
        "--output",
        .path("FILE"),
        "write to a file, once the export is complete"
    )
    static let force = CommandOption("--force", nil, "replace an existing file")
    static let from = CommandOption(
        "--from",
        .text("DATE|TIME"),
        "only candles that open at or after this time"
    )
    static let to = CommandOption(
        "--to",
        .text("DATE|TIME"),
        "only candles that open before this time"
    )
    static let replace = CommandOption(
        "--replace",
        nil,
        "replace all favorites with those in the file"
    )
    static let quiet = CommandOption("--quiet", nil, "show no progress")

    /// Flags of every export.
    static let exporting: [CommandOption] = [.format, .output, .force, .quiet]
}

/// Flags of recordings, users, tokens and the audit trail.
extension CommandOption {
    static let details = CommandOption(
        "--details",
        .text("A,B"),
        "markets whose order book, trades and candles are recorded too (BTC_KRW)"
    )
    static let duration = CommandOption(
        "--for",
        .text("DURATION"),
        "how long to record, e.g. 90s; default: until interrupted"
    )
    static let fileBytes = CommandOption(
        "--file-bytes",
        .number(RecordingOptions.fileBytesRange),
        "size in bytes at which a file is rotated to name.1.jsonl (67108864)"
    )
    static let files = CommandOption(
        "--files",
        .number(RecordingOptions.filesRange),
        "files to keep; the oldest is deleted (8)"
    )
    static let scope = CommandOption(
        "--scope",
        .words(of: TokenScope.self),
        "permission of the token (write)"
    )
    static let expires = CommandOption(
        "--expires",
        .text("DURATION", or: ["never"]),
        "lifetime of the token, e.g. 90d (365d)"
    )
    static let note = CommandOption(
        "--note",
        .text("TEXT"),
        "what the token is for, shown in lists"
    )
    static let auditedUser = CommandOption(
        "--user",
        .text("NAME"),
        "only rows about this user, also under a former name or removed"
    )
    static let auditFrom = CommandOption(
        "--from",
        .text("DATE|TIME"),
        "only rows at or after this time"
    )
    static let auditTo = CommandOption(
        "--to",
        .text("DATE|TIME"),
        "only rows before this time"
    )
    static let auditRows = CommandOption(
        "--rows",
        .number(AuditCommand.rowsRange),
        "the newest rows that are printed (1000)"
    )
    static let overlap = CommandOption(
        "--overlap",
        .text("DURATION"),
        "how long the former token stays valid, e.g. 24h (revoked at once)"
    )
    static let yes = CommandOption("--yes", nil, "confirm the removal, which cannot be undone")
}
