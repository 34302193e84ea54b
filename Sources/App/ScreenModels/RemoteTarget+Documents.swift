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
    /// Counts of candles and trades are rounded up to a few steps, and the end of a chart in the
    /// past to a block of candles, so that scrolling seldom changes the target.
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
        let candles = candles(query, now: now)
        parameters += [
            RemoteParameter("interval", query.interval.rawValue),
            RemoteParameter("count", "\(candles.count)"),
        ]
        if let before = candles.before {
            parameters.append(RemoteParameter("candlesBefore", TimeText.iso(before)))
        }
        parameters += [
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

    /// How many candles are requested, and before which time; nil for the newest.
    private static func candles(
        _ query: MarketDetailQuery,
        now: Timestamp
    ) -> (count: Int, before: Timestamp?) {
        switch query.candles {
        case .newest(let count, let before):
            return (min(max(count, 1), MarketDetailQuery.candlesMax), before)
        case .at: return (1, nil)
        case .span(let span, let isNewest):
            // The running candle is among the newest; of long ones a screen may show more than
            // the server's series has.
            let isPast = !isNewest || query.interval.isLong
            let last = max(span.lowerBound, span.upperBound.advanced(by: .microseconds(-1)))
            let end = isPast ? CandleBlock(query.interval, around: last).end : max(now, last)
            let lead = query.indicators.lead
            let buckets = query.interval.bucketCount(from: span.lowerBound, to: end) + 1 + lead
            return (step(buckets, candleSteps), isPast ? end : nil)
        }
    }

    private static func step(_ count: Int, _ steps: [Int]) -> Int {
        steps.first { $0 >= count } ?? steps[steps.count - 1]
    }
}
