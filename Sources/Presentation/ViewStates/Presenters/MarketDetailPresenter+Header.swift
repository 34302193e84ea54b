public import Domain

extension MarketDetailPresenter {
    /// Presents names, price, change and the day's figures.
    ///
    /// - Returns: a header without figures while the board does not have the market.
    public func header(
        _ snapshot: BoardSnapshot,
        _ query: MarketDetailQuery
    ) -> DetailHeaderViewState {
        let board = snapshot.board
        let market = board.market(query.market)
        let name = board.names(else: names)[query.market.symbol]
        var health = HealthPresenter.present(
            board.feed,
            hasMarkets: market != nil,
            now: snapshot.capturedAt,
            language: query.messageLanguage
        )
        let isChangeKnown = market.map {
            board.isChangeKnown(of: $0, over: query.period, now: snapshot.capturedAt)
        }
        health.complete = health.complete && isChangeKnown ?? true
        var header = DetailHeaderViewState(
            health: health,
            market: query.market.name,
            symbol: query.market.symbol,
            quote: query.market.quote.rawValue,
            name: .init(ko: name?.korean, en: name?.english),
            changePeriod: query.period.rawValue,
            marks: MarksViewState(
                board.reference.marks,
                of: query.market,
                isTrading: !board.hasListed(query.market.quote),
                now: snapshot.capturedAt
            )
        )
        let transfers = board.assets(at: snapshot.capturedAt).transfers(
            of: Asset(of: query.market),
            at: snapshot.capturedAt
        )
        header.deposit = transfers.deposit
        header.withdrawal = transfers.withdrawal
        header.sparkline = sparkline(snapshot, query.market)
        guard let market else { return header }
        copyRow(of: market, snapshot, query, into: &header)
        header.priceOrigin = market.priceSource.map(Self.word)
        header.tradeStrengthPercent = market.tradeStrengthPercent
        let day = market.today(on: board.day)
        header.today.open = day.open
        header.today.high = day.high
        header.today.low = day.low
        header.today.previousClose = market.previousClose(on: board.day)
        header.today.volume = day.volume
        header.today.tradeValue = day.tradeValue
        let rolling = board.change(of: market, over: .hours24, now: snapshot.capturedAt)
        header.rolling24h.volume = market.volume24h
        header.rolling24h.tradeValue = market.tradeValue24h
        header.rolling24h.changeAmount = rolling.amount
        header.rolling24h.changeRatePercent = rolling.ratePercent
        return header
    }

    /// Copies price and change of the market's row, so that header and list agree.
    private func copyRow(
        of market: MarketState,
        _ snapshot: BoardSnapshot,
        _ query: MarketDetailQuery,
        into header: inout DetailHeaderViewState
    ) {
        let row = MarketRowPresenter(
            board: snapshot.board,
            names: snapshot.board.names(else: names),
            period: query.period,
            language: query.language,
            now: snapshot.capturedAt
        ).present(market, rank: nil)
        header.price = row.price
        header.priceText = row.priceText
        header.priceAt = row.priceAt
        header.changeRatePercent = row.changeRatePercent
        header.changeRateText = row.changeRateText
        header.changeAmount = row.changeAmount
        header.changeAmountText = row.changeAmountText
        header.priceDirection = row.priceDirection
        header.tickDirection = row.tickDirection
        header.marks = row.marks
    }

    /// The open prices of the last ninety daily candles; nil without any.
    private func sparkline(_ snapshot: BoardSnapshot, _ market: MarketID) -> SparklineViewState? {
        guard let series = snapshot.board.details[market]?.candles[.day1],
            series.wasLoaded || series.storedAt != nil
        else { return nil }
        let today = SeoulTime(snapshot.capturedAt).day
        let start = SeoulTime.startOfDay(today - SparklineViewState.daysMax + 1)
        let first = series.index(openingAtOrAfter: start)
        guard first < series.count else { return nil }
        let candles = (first..<series.count).suffix(SparklineViewState.daysMax).map { series[$0] }
        guard let oldest = candles.first, let newest = candles.last else { return nil }
        let isMissing = series.gaps(in: start..<snapshot.capturedAt, known: snapshot.capturedAt)
            .contains { $0.reason == .missing }
        return SparklineViewState(
            from: TimeText.date(oldest.openTime),
            to: TimeText.date(newest.openTime),
            opens: candles.map(\.open),
            complete: series.isLoaded && !isMissing
        )
    }

    private static func word(_ source: MarketState.ValueSource) -> String {
        switch source {
        case .store: "store"
        case .listing: "listing"
        case .ticker: "ticker"
        case .trade: "trade"
        }
    }
}

extension CandleSeries {
    /// Whether REST candles were ever loaded, even if trades were lost since.
    var wasLoaded: Bool { isLoaded || finalUntil != nil }
}
