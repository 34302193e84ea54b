/// What hoga can be told to do.
enum Command: String, Sendable, CaseIterable {
    case watch
    case serve
    case snapshot
    case exchangeSimulate = "exchange simulate"
    case exchangeReplay = "exchange replay"
    case exchangeRecord = "exchange record"
    case configShow = "config show"

    /// The words on the command line.
    var words: [String] { rawValue.split(separator: " ").map(String.init) }

    /// What it does, in a line.
    var summary: String {
        switch self {
        case .watch: "the list of markets, live in the terminal; on a pipe once as plain text"
        case .serve: "the same view states as JSON over HTTP"
        case .snapshot: "one document as JSON, without a server"
        case .exchangeSimulate: "a server that looks like the exchange, with seeded markets"
        case .exchangeReplay: "a server that plays a recording of the exchange"
        case .exchangeRecord: "writes down what the exchange sends, to be replayed later"
        case .configShow: "every setting, its value and where that came from"
        }
    }

    /// Operands and what they are; nil without any.
    var operand: (name: String, summary: String)? {
        switch self {
        case .snapshot:
            (
                "DOCUMENT",
                "market-list, market-detail, order-book, trades, candles or snapshot"
            )
        case .exchangeReplay: ("PATH", "a recording: a .jsonl file, or a folder")
        case .exchangeRecord: ("PATH", "a new file, name.jsonl")
        case .watch, .serve, .exchangeSimulate, .configShow: nil
        }
    }

    /// The settings that have a flag here.
    var settings: [Setting] {
        let source: [Setting] = [
            .exchange, .restURL, .wsURL, .caFile, .replaySpeed, .simulatorSeed,
            .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate,
        ]
        switch self {
        case .watch: return source + [.period, .language]
        case .serve: return source + [.listen, .adminListen, .cutInterval]
        case .snapshot: return source
        case .exchangeSimulate:
            return [
                .listen, .simulatorSeed, .simulatorMarketsKRW, .simulatorMarketsBTC,
                .simulatorRate, .simulatorBookRate,
            ]
        case .exchangeReplay: return [.listen, .replaySpeed]
        case .exchangeRecord: return source
        case .configShow: return Setting.allCases
        }
    }

    /// Flags of this command alone, which are no settings.
    var options: [CommandOption] {
        switch self {
        case .watch: [.orSimulated]
        case .snapshot:
            [
                .market, .documents, .tab, .quote, .sort, .direction, .period, .search, .markets,
                .offset, .limit, .depth, .group, .interval, .count, .since, .before, .at,
                .language,
            ]
        case .exchangeRecord: [.details, .duration, .fileBytes, .files]
        case .serve, .exchangeSimulate, .exchangeReplay, .configShow: []
        }
    }
}

/// A flag of one command that is no setting.
enum CommandOption: String, Sendable, CaseIterable {
    case orSimulated = "--or-simulated"
    case tab = "--tab"
    case quote = "--quote"
    case sort = "--sort"
    case direction = "--direction"
    case period = "--period"
    case search = "--q"
    case markets = "--markets"
    case offset = "--offset"
    case limit = "--limit"
    case language = "--lang"
    case market = "--market"
    case documents = "--documents"
    case depth = "--depth"
    case group = "--group"
    case interval = "--interval"
    case count = "--count"
    case since = "--since"
    case before = "--before"
    case at = "--at"
    case details = "--details"
    case duration = "--for"
    case fileBytes = "--file-bytes"
    case files = "--files"

    /// What stands for the value in help texts; nil for a flag without one.
    var valueName: String? {
        switch self {
        case .orSimulated: nil
        case .tab: "markets|popular"
        case .quote: "KRW|BTC"
        case .sort: "popularity|name|price|changeRate|tradeValue"
        case .direction: "asc|desc"
        case .period: "24H|MID|12H|1H|30M"
        case .search: "TEXT"
        case .markets, .details: "A,B"
        case .offset, .limit, .depth, .count, .fileBytes, .files: "N"
        case .market: "BTC_KRW"
        case .documents: "market-list,market-detail"
        case .group: "PRICE"
        case .interval: "1m|3m|5m|10m|30m|1h|6h|12h|24h|1w|1mo"
        case .since: "ID"
        case .before: "ID|TIME"
        case .at: "TIME"
        case .language: "ko|en"
        case .duration: "DURATION"
        }
    }

    /// What it is for, in a line.
    var summary: String {
        switch self {
        case .orSimulated: "go on with the simulator if the exchange is out of reach for 5 s"
        case .tab: "which list"
        case .quote: "which quote currency"
        case .sort: "what to sort by"
        case .direction: "which way"
        case .period: "period of the price change"
        case .search: "search over names, symbols and initial consonants"
        case .markets: "only these markets"
        case .offset: "rows to pass over"
        case .limit: "rows at the most"
        case .language: "language of texts for people"
        case .market: "which market, where the document is about one"
        case .documents: "what a snapshot holds"
        case .depth: "levels of the book on each side, 1 to 30"
        case .group: "price step of the book's levels"
        case .interval: "interval of the candles"
        case .count: "candles at the most, up to 3000"
        case .since: "only trades after that one"
        case .before: "only trades or candles before that one"
        case .at: "only the candle that holds this time, 2026-11-20T21:00:00+09:00"
        case .details: "markets whose books, trades and candles are recorded too (BTC_KRW)"
        case .duration: "how long to record, 90s for example; without it until told to end"
        case .fileBytes: "a file of this size is put aside as name.1.jsonl (67108864)"
        case .files: "how many files are kept, the oldest go (8)"
        }
    }

    /// The parameter of the HTTP contract that it stands for.
    var parameterName: String { String(rawValue.dropFirst(2)) }
}
