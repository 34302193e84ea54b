import Domain
import ViewStates

/// The options of an export: data, format and destination.
struct ExportOptions: Sendable, Equatable {
    /// The format of an export.
    enum Format: String, Sendable, CaseIterable {
        /// Comma-separated values as in RFC 4180: a header, lines end with CR LF.
        case csv
        /// One JSON document.
        case json
    }

    /// The data.
    enum Subject: Sendable, Equatable {
        /// Candles that open in a time span; nil is unbounded.
        case candles(MarketID, CandleInterval, from: Timestamp?, to: Timestamp?)
        /// The newest trades.
        case trades(MarketID)
        /// The favorites.
        case favorites
    }

    /// The data.
    let subject: Subject
    /// The format.
    let format: Format
    /// The file; nil for standard output.
    let path: String?
    /// Whether an existing file is replaced.
    let isReplacing: Bool
    /// Whether to hide progress.
    let isQuiet: Bool

    /// Reads the command line.
    ///
    /// - Throws: ``ProgramError`` `usage`, naming the flag.
    init(_ invocation: CommandInvocation) throws(ProgramError) {
        let options = invocation.options
        format = try Self.choice(.format, options) ?? .csv
        path = options[.output]
        isReplacing = options[.force] != nil
        isQuiet = options[.quiet] != nil
        if path == nil, isReplacing {
            throw ProgramError(.usage, "--force only works with --output")
        }
        let market = invocation.operands.first ?? ""
        switch invocation.command {
        case .exportCandles:
            let (from, to) = (try Self.time(.from, options), try Self.time(.to, options))
            if let from, let to, from >= to {
                throw ProgramError(.usage, "--to must be later than --from")
            }
            subject = .candles(
                try MarketArgument.market(market, of: "MARKET"),
                try Self.choice(.interval, options) ?? .day1,
                from: from,
                to: to
            )
        case .exportTrades: subject = .trades(try MarketArgument.market(market, of: "MARKET"))
        default: subject = .favorites
        }
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ option: CommandOption,
        _ options: [CommandOption: String]
    ) throws(ProgramError) -> Value? {
        guard let text = options[option] else { return nil }
        guard let value = Value(rawValue: text) else {
            throw ProgramError(
                .usage,
                "\(option.flag) must be one of "
                    + Value.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return value
    }

    /// A time with its offset, or a date: midnight in Seoul.
    static func time(
        _ option: CommandOption,
        _ options: [CommandOption: String]
    ) throws(ProgramError) -> Timestamp? {
        guard let text = options[option] else { return nil }
        let time =
            TimeText.timestamp(iso8601: text)
            ?? TimeText.timestamp(iso8601: text + "T00:00:00+09:00")
        guard let time else {
            throw ProgramError(
                .usage,
                "\(option.flag) must be a date like 2026-11-20 or a time like "
                    + "2026-11-20T21:00:00+09:00"
            )
        }
        return time
    }
}
