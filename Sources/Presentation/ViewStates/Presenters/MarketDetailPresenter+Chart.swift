public import Domain

extension MarketDetailPresenter {
    /// Presents candles with their averages.
    ///
    /// The work is that of the candles returned, whatever the length of the series.
    public func chart(_ cut: BoardCut, _ query: MarketDetailQuery) -> ChartViewState {
        let board = cut.board
        let series = board.details[query.market]?.candles[query.interval]
        let window = ChartWindow(series, query, now: cut.cutAt)
        let candles = series.map { series in window.places.map { series[$0] } } ?? []
        // A bucket is without a trade only when it is over.
        let known = query.interval.bucketStart(of: board.tradesKnown(at: cut.cutAt))
        let gaps = series?.gaps(in: window.span, known: known) ?? []
        return ChartViewState(
            health: DetailHealthPresenter(cut, query).chart(
                series,
                isMissing: gaps.contains { $0.reason == .missing }
            ),
            interval: query.interval.rawValue,
            lastPrice: board.market(query.market)?.price,
            candles: candles.map { Self.candle($0, query.interval, now: cut.cutAt) },
            averages: .init(
                close: Self.averages(.close, series, window.places),
                volume: Self.averages(.volume, series, window.places)
            ),
            range: Self.range(candles),
            gaps: gaps.map { gap in
                GapViewState(
                    from: gap.from,
                    to: gap.to,
                    reason: gap.reason == .noTrade ? .noTrade : .missing
                )
            }
        )
    }

    private static func candle(
        _ candle: Candle,
        _ interval: CandleInterval,
        now: Timestamp
    ) -> ChartViewState.Candle {
        let origin: ChartViewState.Candle.Origin =
            switch candle.origin {
            case .store: .store
            case .rest: .rest
            case .live: .live
            }
        let direction: DirectionViewState =
            candle.close == candle.open ? .flat : (candle.close > candle.open ? .up : .down)
        return ChartViewState.Candle(
            openTime: candle.openTime,
            open: candle.open,
            high: candle.high,
            low: candle.low,
            close: candle.close,
            volume: candle.volume,
            origin: origin,
            corrected: candle.isCorrected,
            closed: interval.nextBucket(after: candle.openTime) <= now,
            priceDirection: direction
        )
    }

    private static func averages(
        _ measure: CandleSeries.Measure,
        _ series: CandleSeries?,
        _ places: Range<Int>
    ) -> ChartViewState.Averages {
        var averages: ChartViewState.Averages = [:]
        for window in CandleSeries.averageWindows {
            averages["\(window)"] =
                series.map { series in
                    places.map { series.average(measure, window: window, at: $0) }
                } ?? []
        }
        return averages
    }

    private static func range(_ candles: [Candle]) -> ChartViewState.Range? {
        guard let low = candles.lazy.map(\.low).min(), let high = candles.lazy.map(\.high).max()
        else { return nil }
        return .init(low: low, high: high)
    }
}

/// Which candles of a series are wanted, and the span of time in which gaps are.
struct ChartWindow {
    /// The candles' places in the series.
    let places: Range<Int>
    /// From the first bucket wanted to the end of the last.
    let span: Range<Timestamp>

    init(_ series: CandleSeries?, _ query: MarketDetailQuery, now: Timestamp) {
        guard let series else {
            places = 0..<0
            span = now..<now
            return
        }
        switch query.candles {
        case .newest(let count, let before):
            let end = before.map { series.index(openingAtOrAfter: $0) } ?? series.count
            places = max(0, end - Self.bounded(count))..<end
            let start = places.isEmpty ? before ?? now : series[places.lowerBound].openTime
            span = start..<max(start, min(before ?? now, now))
        case .at(let time):
            let start = query.interval.bucketStart(of: time)
            let end = query.interval.nextBucket(after: start)
            places = series.index(openingAtOrAfter: start)..<series.index(openingAtOrAfter: end)
            span = start..<end
        case .span(let wanted):
            let end = series.index(openingAtOrAfter: wanted.upperBound)
            let start = min(series.index(openingAtOrAfter: wanted.lowerBound), end)
            places = max(start, end - MarketDetailQuery.candlesMax)..<end
            let isCut = places.lowerBound > start
            let from = isCut ? series[places.lowerBound].openTime : wanted.lowerBound
            span = from..<max(from, wanted.upperBound)
        }
    }

    private static func bounded(_ count: Int) -> Int {
        min(max(count, 0), MarketDetailQuery.candlesMax)
    }
}

extension MarketBoard {
    /// Until when a time without a trade is known to have had none.
    fileprivate func tradesKnown(at now: Timestamp) -> Timestamp {
        switch feed.connection {
        case .connecting, .subscribed, .live: now
        case .stale, .reconnecting, .ended: min(now, feed.lastDataAt ?? now)
        }
    }
}
