/// A flag of one command that is no setting.
enum CommandOption: String, Sendable, CaseIterable {
    case orSimulated = "--or-simulated"
    case ready = "--ready"
    case json = "--json"
    case tab = "--tab"
    case state = "--state"
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
    case replace = "--replace"
    case scope = "--scope"
    case expires = "--expires"
    case yes = "--yes"
    case once = "--once"
    case plain = "--plain"
    case every = "--every"
    case format = "--format"
    case output = "--output"
    case force = "--force"
    case quiet = "--quiet"
    case from = "--from"
    case to = "--to"

    /// What narrows down what `hoga watch` prints; parameters of the documents.
    static let printing: [CommandOption] = [
        .quote, .sort, .direction, .search, .markets, .limit, .depth,
    ]

    /// What every export takes.
    static let exporting: [CommandOption] = [.format, .output, .force, .quiet]

    /// What stands for the value in help texts; nil for a flag without one.
    var valueName: String? {
        switch self {
        case .orSimulated, .ready, .json, .replace, .yes, .once, .plain, .force, .quiet: nil
        case .tab: "markets|popular|favorites"
        case .state: "all|normal|suspended"
        case .quote: "KRW|BTC"
        case .sort: "popularity|name|price|changeRate|tradeValue|deposit|withdrawal"
        case .direction: "asc|desc"
        case .period: "24H|MID|12H|1H|30M"
        case .search: "TEXT"
        case .markets, .details: "A,B"
        case .offset, .limit, .depth, .count, .fileBytes, .files: "N"
        case .market: "BTC_KRW"
        case .documents: "market-list,market-detail,assets"
        case .group: "PRICE"
        case .interval: "1m|3m|5m|10m|30m|1h|6h|12h|24h|1w|1mo"
        case .since: "ID"
        case .before: "ID|TIME"
        case .at: "TIME"
        case .language: "ko|en"
        case .duration, .every: "DURATION"
        case .scope: "read|write"
        case .expires: "DURATION|never"
        case .format: "csv|json"
        case .output: "FILE"
        case .from, .to: "DATE|TIME"
        }
    }

    /// What it is for, in a line.
    var summary: String {
        switch self {
        case .orSimulated: "go on with the simulator if the exchange is out of reach for 5 s"
        case .ready: "the service must be ready, and not only alive"
        case .json: "one JSON object in place of lines"
        case .tab: "which list"
        case .state: "which coins, where the document is about deposits and withdrawals"
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
        case .scope: "whether changes may be made with it, or reading alone (write)"
        case .expires: "how long it opens something, 90d for example (365d)"
        case .yes: "it is meant: nothing of it can be brought back"
        case .replace: "put the file's favourites in place of all"
        case .once: "print it once and end, on a terminal too"
        case .plain: "print sentences, one a row, without drawing: for screen readers"
        case .every: "with --plain: again so often, but only what has changed; 1s to 24h"
        case .format: "comma-separated values as in RFC 4180, or JSON (csv)"
        case .output: "a file that appears when it is whole; without it to standard output"
        case .force: "put it in place of a file that is there"
        case .quiet: "tell no progress"
        case .from: "only candles that open then or later, 2026-11-20 or with time and offset"
        case .to: "only candles that open before"
        case .files: "how many files are kept, the oldest go (8)"
        }
    }

    /// The parameter of the HTTP contract that it stands for.
    var parameterName: String { String(rawValue.dropFirst(2)) }
}
