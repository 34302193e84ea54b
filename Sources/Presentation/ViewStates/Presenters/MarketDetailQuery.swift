public import Domain

/// A query for one market's detail.
public struct MarketDetailQuery: Sendable, Hashable {
    /// Maximum order book levels per side.
    public static let depthMax = OrderBookSnapshot.levelsMax
    /// Maximum trades of one document.
    public static let tradesMax = 200
    /// Maximum candles of one document.
    public static let candlesMax = 3_000

    /// A selection of candles.
    public enum CandleSelection: Sendable, Hashable {
        /// The newest `count`, of those that open before a time if one is given.
        case newest(count: Int, before: Timestamp?)
        /// The candle whose bucket contains a time.
        case at(Timestamp)
        /// Candles that open in a span, at most ``candlesMax``; used by screens.
        ///
        /// `isNewest` tells that the span ends with the newest bucket.
        case span(Range<Timestamp>, isNewest: Bool)
    }

    /// A selection of trades.
    public enum TradeSelection: Sendable, Hashable {
        /// The newest.
        case newest
        /// The oldest trades newer than this one.
        case since(TradeID)
        /// The newest trades older than this one.
        case before(TradeID)
    }

    /// The market.
    public var market: MarketID
    /// The period of the change in the header.
    public var period: ChangePeriod
    /// Order book levels per side, 1...30.
    public var depth: Int
    /// The price step of the book; nil for the market's tick size.
    public var group: FixedDecimal?
    /// The interval of the candles.
    public var interval: CandleInterval
    /// The candles.
    public var candles: CandleSelection
    /// The windows of the candles' moving averages, ascending, out of
    /// ``CandleSeries/averageWindows``.
    public var averageWindows: [Int]
    /// The indicators of the candles; used by screens.
    public var indicators = IndicatorSelection()
    /// The second market of the chart; used by screens.
    public var comparison: MarketID?
    /// The trades.
    public var trades: TradeSelection
    /// Maximum trades: 1...200 in documents, up to the whole tape on a screen.
    public var tradeLimit: Int
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of messages.
    ///
    /// Screens set the reader's language. In the service's documents it is always Korean, because
    /// `lang` decides `…Text` fields only.
    public var messageLanguage = Language.korean

    /// The defaults of the documents: 10 levels, 100 trades, 200 daily candles with all averages.
    public init(market: MarketID) {
        self.market = market
        period = .hours24
        depth = 10
        group = nil
        interval = .day1
        candles = .newest(count: 200, before: nil)
        averageWindows = CandleSeries.averageWindows
        trades = .newest
        tradeLimit = 100
        language = .korean
    }

    /// The change of the header.
    public var shownPeriods: Set<ShownPeriod> { .rows(period, of: [market]) }

    /// The subscriptions that the whole detail needs.
    public var interests: Set<DetailInterest> {
        bookInterests.union([
            DetailInterest(market: market, facet: .trades),
            DetailInterest(market: market, facet: .candles(.day1)),
        ]).union(candleInterests).union(comparisonQuery?.candleInterests ?? [])
    }

    /// The subscriptions that the candles need: their series, and those of past candles before it.
    public var candleInterests: Set<DetailInterest> {
        var facets: [DetailFacet] = [.candles(interval)]
        if let newestReach { facets.append(.newestCandles(interval, count: newestReach)) }
        if let span = selectedSpan {
            facets += CandleBlock.blocks(of: interval, in: span).map { .pastCandles($0) }
        }
        return Set(facets.map { DetailInterest(market: market, facet: $0) })
    }

    /// The time of candles that may be before the series: that of the selection, and the buckets
    /// before it that its averages need; nil if the series has them all.
    ///
    /// - Parameter now: the time of the exchange.
    /// - Returns: the time.
    func pastSpan(at now: Timestamp) -> Range<Timestamp>? {
        guard let newestReach else { return selectedSpan }
        let end = interval.nextBucket(after: now)
        return interval.advanced(end, by: -newestReach)..<end
    }

    /// Whether the newest candles of a document are selected, however many there are.
    var hasNewest: Bool { newestReach != nil }

    /// How many of the newest buckets are wanted, with those that averages need, if the series may
    /// have fewer; else nil.
    private var newestReach: Int? {
        guard case .newest(let count, before: nil) = candles else { return nil }
        let buckets = min(max(count, 0), Self.candlesMax) + averageLead
        return buckets > interval.seriesBuckets ? buckets : nil
    }

    /// As ``pastSpan(at:)`` of a selection that names its time; nil unless the newest candles, and
    /// those that averages need, may be more than the series has.
    private var selectedSpan: Range<Timestamp>? {
        switch candles {
        case .newest(_, before: nil): nil
        case .span(let span, isNewest: true) where !interval.isLong && !exceedsSeries(span): nil
        case .newest(let count, let before?):
            span(from: before, buckets: min(max(count, 0), Self.candlesMax), to: before)
        case .at(let time): span(from: time, buckets: 0, to: interval.nextBucket(after: time))
        case .span(let span, _):
            self.span(from: span.lowerBound, buckets: 0, to: span.upperBound)
        }
    }

    /// Whether a time of the newest candles, with those that averages need, is longer than the
    /// series.
    private func exceedsSeries(_ span: Range<Timestamp>) -> Bool {
        interval.bucketCount(from: span.lowerBound, to: span.upperBound) + averageLead
            > interval.seriesBuckets
    }

    /// The time from some buckets before a moment, and those that averages need, to an end.
    private func span(from moment: Timestamp, buckets: Int, to end: Timestamp) -> Range<Timestamp> {
        let start = interval.advanced(moment, by: -buckets - averageLead)
        return start..<max(start, end)
    }

    /// How many candles before one its averages need.
    private var averageLead: Int { max((averageWindows.max() ?? 1) - 1, indicators.lead) }

    /// The query for the candles of the second market; nil without one.
    public var comparisonQuery: MarketDetailQuery? {
        guard let comparison, comparison != market else { return nil }
        var query = MarketDetailQuery(market: comparison)
        query.depth = 1
        query.tradeLimit = 1
        query.interval = interval
        query.candles = candles
        query.averageWindows = []
        query.language = language
        query.messageLanguage = messageLanguage
        return query
    }

    /// The subscriptions that the order book needs; groups hold more levels than they show.
    public var bookInterests: Set<DetailInterest> {
        let book = DetailInterest(market: market, facet: .book)
        guard depth > OrderBookSnapshot.bestLevelsMax || group != nil else { return [book] }
        return [book, DetailInterest(market: market, facet: .deepBook)]
    }
}

extension CandleInterval {
    /// How many buckets the series of API 2.x reaches back at least, if the market is that old.
    fileprivate var seriesBuckets: Int {
        switch self {
        case .minute1: 1_600
        case .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .day1: 1_000
        case .hours6: 3_000 / 6
        case .hours12: 3_000 / 12
        // Whole ones of 1,000 days.
        case .week1: 1_000 / 7
        case .month1: 1_000 / 31
        }
    }

    /// Whether the series of API 2.x, of 1,000 days, has fewer candles than a wide screen shows.
    public var isLong: Bool {
        switch self {
        case .week1, .month1: true
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12,
            .day1:
            false
        }
    }
}
