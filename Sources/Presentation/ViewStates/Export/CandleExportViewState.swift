public import Domain

/// The document `candles-export`, version 1: all candles of a span, without averages.
public typealias CandleExportDocument = Document<CandleExportViewState>

/// All known candles of one market in a span of time, for analysis.
///
/// Members have the names of the document `candles`.
public struct CandleExportViewState: DocumentState {
    /// `candles-export`.
    public static let schemaName = "candles-export"

    /// `BTC_KRW`.
    public var market: String
    /// `1m` to `24h`, `1w`, `1mo`.
    public var interval: String
    /// The start of the requested span; nil for the first known candle.
    public var from: Timestamp?
    /// The end of the span; nil for now.
    public var to: Timestamp?
    /// Ascending by time.
    public var candles: [ChartViewState.Candle]
    /// Spans without a candle, from the first candle up to now.
    public var gaps: [GapViewState]

    /// Makes an export.
    public init(
        market: String,
        interval: String,
        from: Timestamp?,
        to: Timestamp?,
        candles: [ChartViewState.Candle],
        gaps: [GapViewState]
    ) {
        self.market = market
        self.interval = interval
        self.from = from
        self.to = to
        self.candles = candles
        self.gaps = gaps
    }

    /// About 240 bytes a candle.
    public var estimatedJSONSize: Int { 512 + candles.count * 240 + gaps.count * 120 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("All known candles of a span of time.")
        fields.add("market", \.market, .market)
        fields.add("interval", \.interval, .values(of: CandleInterval.self))
        fields.add("from", \.from)
        fields.add("to", \.to)
        fields.add("candles", \.candles)
        fields.add("gaps", \.gaps)
    }
}

extension MarketDetailPresenter {
    /// Presents all candles of a span of time.
    ///
    /// - Parameters:
    ///   - series: the candles, of the board or extended from the store.
    ///   - snapshot: the board; it tells up to when all trades are known.
    ///   - market: the market.
    ///   - from: the start of the span; nil for the first candle.
    ///   - to: the end of the span; nil for now.
    /// - Returns: the candles that open in the span, and the gaps between them.
    public func candleExport(
        _ series: CandleSeries,
        _ snapshot: BoardSnapshot,
        of market: MarketID,
        from: Timestamp?,
        to: Timestamp?
    ) -> CandleExportViewState {
        let interval = series.interval
        let first = from.map { series.index(openingAtOrAfter: $0) } ?? 0
        let end = to.map { series.index(openingAtOrAfter: $0) } ?? series.count
        let places = min(first, end)..<end
        let now = snapshot.board.exchangeTime(at: snapshot.capturedAt)
        let start = from ?? series.first?.openTime ?? now
        let known = interval.bucketStart(of: snapshot.board.tradesKnown(at: snapshot.capturedAt))
        let gaps = series.gaps(in: start..<max(start, min(to ?? now, now)), known: known)
        return CandleExportViewState(
            market: market.name,
            interval: interval.rawValue,
            from: from,
            to: to,
            candles: places.map { place in
                Self.candle(series[place], interval, isClosed: isClosed(place, series, now))
            },
            gaps: gaps.map { GapViewState($0) }
        )
    }

    /// Whether a candle is final; one with a successor is, whatever the clock says.
    private func isClosed(_ place: Int, _ series: CandleSeries, _ now: Timestamp) -> Bool {
        place + 1 < series.count
            || series.interval.nextBucket(after: series[place].openTime) <= now
    }
}
