public import Domain

extension MarketDetailPresenter {
    /// Presents candles with their moving averages.
    ///
    /// The cost depends on the returned candles only, not on the length of the series.
    public func chart(_ snapshot: BoardSnapshot, _ query: MarketDetailQuery) -> ChartViewState {
        let board = snapshot.board
        let detail = board.details[query.market]
        // An API without past candles has no more of the newest ones than its series.
        let isUnserved = query.hasNewest && detail?.isUnserved(query.interval) ?? false
        let pastSpan =
            isUnserved ? nil : query.pastSpan(at: board.exchangeTime(at: snapshot.capturedAt))
        let series = detail?.series(query.interval, reaching: pastSpan)
        let window = ChartWindow(series, query, now: snapshot.capturedAt)
        let candles = series.map { series in window.places.map { series[$0] } } ?? []
        // Only a closed bucket is known to have no trade.
        let known = query.interval.bucketStart(of: board.tradesKnown(at: snapshot.capturedAt))
        let gaps = series?.gaps(in: window.span, known: known) ?? []
        return ChartViewState(
            health: DetailHealthPresenter(snapshot, query).chart(
                series,
                isMissing: gaps.contains { $0.reason == .missing },
                progress: pastSpan.flatMap { detail?.progress(query.interval, in: $0) }
            ),
            interval: query.interval.rawValue,
            lastPrice: board.market(query.market)?.price,
            candles: zip(window.places, candles).map { place, candle in
                Self.candle(
                    candle,
                    query.interval,
                    // A candle with a successor is closed, whatever the clock says.
                    isClosed: place + 1 < series?.count ?? 0
                        || query.interval.nextBucket(after: candle.openTime)
                            <= board.exchangeTime(at: snapshot.capturedAt),
                    averages: CandleAverages(windows: query.averageWindows) {
                        series?.average($0, window: $1, at: place)
                    }
                )
            },
            range: Self.range(candles),
            gaps: gaps.map { GapViewState($0) }
        )
    }

    static func candle(
        _ candle: Candle,
        _ interval: CandleInterval,
        isClosed: Bool,
        averages: CandleAverages? = nil
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
            closed: isClosed,
            priceDirection: direction,
            averages: averages
        )
    }

    private static func range(_ candles: [Candle]) -> ChartViewState.Range? {
        guard let low = candles.lazy.map(\.low).min(), let high = candles.lazy.map(\.high).max()
        else { return nil }
        return .init(low: low, high: high)
    }
}

extension GapViewState {
    /// A gap between candles.
    init(_ gap: CandleGap) {
        self.init(
            from: gap.from,
            to: gap.to,
            reason: gap.reason == .noTrade ? .noTrade : .missing
        )
    }
}

extension MarketBoard {
    /// The time up to which all trades are known.
    func tradesKnown(at now: Timestamp) -> Timestamp {
        switch feed.connection {
        case .connecting, .subscribed, .live: exchangeTime(at: now)
        case .stale, .reconnecting, .ended:
            min(exchangeTime(at: now), feed.lastDataAt ?? now)
        }
    }
}
