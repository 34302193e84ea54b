import DataSourcesRemote
import Domain
import ViewStates

extension RemoteTarget {
    /// The list of all markets, for every tab, order and search.
    ///
    /// Keys need no answer of the server, all clients of a period share the server's events, and
    /// rows sorted by name do not move.
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

    /// The detail of a market with at least the data of a query.
    ///
    /// Counts of candles and trades are rounded up to a few steps, so that scrolling seldom
    /// changes the target.
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

    /// The valued holdings of the user.
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
        case .span(let span, _):
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
