import Domain
import ViewStates

/// What is read of a service: a path and its parameters.
struct RemoteTarget: Sendable, Hashable {
    /// The path of the contract, with nothing in it that has to be escaped but what is.
    var path: String
    /// The parameters, in order.
    var parameters: [RemoteParameter] = []
    /// Whether it is a user's own, so that it takes a token.
    var isPersonal = false

    /// Path and query, escaped.
    var text: String {
        guard !parameters.isEmpty else { return path }
        let pairs = parameters.map { $0.name + "=" + Self.escaped($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// A text as it may stand in a path or query: RFC 3986, 2.3.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

/// One parameter of a query.
struct RemoteParameter: Sendable, Hashable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension RemoteTarget {
    /// All markets of both currencies, whatever a screen shows of them.
    ///
    /// One list for every tab, order and search: a key needs no answer of the service, everybody
    /// who looks at the same period reads the same events, and rows that stand by name do not move.
    static func list(_ period: ChangePeriod, _ language: Language) -> RemoteTarget {
        RemoteTarget(
            path: "/v1/stream",
            parameters: [
                RemoteParameter("documents", MarketListViewState.schemaName),
                RemoteParameter("tab", MarketListQuery.Tab.popular.rawValue),
                RemoteParameter("sort", MarketSortKey.name.rawValue),
                RemoteParameter("direction", SortDirection.ascending.rawValue),
                RemoteParameter("period", period.rawValue),
                RemoteParameter("limit", "\(MarketListQuery.limitMax)"),
                RemoteParameter("lang", language.rawValue),
            ]
        )
    }

    /// A market's detail, with at least what a query asks for.
    ///
    /// How many candles and trades there are is rounded up to few steps, so that scrolling does not
    /// ask anew for each row.
    static func detail(_ query: MarketDetailQuery, now: Timestamp) -> RemoteTarget {
        var parameters = [
            RemoteParameter("documents", MarketDetailViewState.schemaName),
            RemoteParameter("market", query.market.name),
            RemoteParameter("period", query.period.rawValue),
            RemoteParameter("depth", "\(query.depth)"),
        ]
        if let group = query.group {
            parameters.append(RemoteParameter("group", group.canonicalText))
        }
        parameters += [
            RemoteParameter("interval", query.interval.rawValue),
            RemoteParameter("count", "\(candleCount(query, now: now))"),
            RemoteParameter("limit", "\(step(query.tradeLimit, tradeSteps))"),
            RemoteParameter("lang", query.language.rawValue),
        ]
        return RemoteTarget(path: "/v1/stream", parameters: parameters)
    }

    /// Deposits and withdrawals.
    static func assets(_ query: AssetsQuery) -> RemoteTarget {
        var parameters = [
            RemoteParameter("documents", AssetsViewState.schemaName),
            RemoteParameter("state", query.filter.rawValue),
            RemoteParameter("sort", query.sort.rawValue),
            RemoteParameter("direction", query.direction.rawValue),
            RemoteParameter("lang", query.language.rawValue),
        ]
        if let text = query.searchText { parameters.append(RemoteParameter("q", text)) }
        return RemoteTarget(path: "/v1/stream", parameters: parameters)
    }

    /// What the user holds, valued.
    static func portfolio(_ language: Language) -> RemoteTarget {
        RemoteTarget(
            path: "/v1/me/stream",
            parameters: [
                RemoteParameter("documents", PortfolioViewState.schemaName),
                RemoteParameter("lang", language.rawValue),
            ],
            isPersonal: true
        )
    }

    private static let candleSteps = [200, 400, 800, 1_600, MarketDetailQuery.candlesMax]
    private static let tradeSteps = [1, 100, MarketDetailQuery.tradesMax]

    private static func candleCount(_ query: MarketDetailQuery, now: Timestamp) -> Int {
        switch query.candles {
        case .newest(let count, _): return min(max(count, 1), MarketDetailQuery.candlesMax)
        case .at: return 1
        case .span(let span):
            let length = query.interval.nextBucket(after: span.lowerBound)
                .duration(since: span.lowerBound)
            let whole = max(now, span.upperBound).duration(since: span.lowerBound)
            let buckets = whole.wholeMicroseconds / max(length.wholeMicroseconds, 1) + 2
            return step(Int(clamping: buckets), candleSteps)
        }
    }

    private static func step(_ count: Int, _ steps: [Int]) -> Int {
        steps.first { $0 >= count } ?? steps[steps.count - 1]
    }
}
