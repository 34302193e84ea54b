import Domain
import ViewStates
import PresentationTerminal

/// Duration of drawing the full detail of a market, 200 × 60, from an existing document.
enum FrameMeasurement {
    static let frame = Measurement(name: "frame") {
        let sample = FrameSample()
        let rounds = 200
        let time = Measurement.median {
            for _ in 0..<rounds { sample.draw() }
        }
        let microseconds = time.wholeMicroseconds / Int64(rounds)
        print("detail frame 200x60: \(microseconds) us")
    }
}

/// A detail of a busy day: thirty levels a side, five hundred trades, candles in every column.
private struct FrameSample {
    private static let size = TerminalSize(columns: 200, rows: 60)
    private let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 21)
    private let screen: ScreenState
    private let document: MarketDetailDocument
    private let flashing: Set<String>

    init() {
        var screen = ScreenState()
        let room = MarketDetailRenderer.room(in: Self.size)
        let market = MarketID(symbol: "BTC", quote: .krw)
        _ = ScreenReducer.reduce(&screen, .resize(visibleRows: 55, room: room))
        if let market { _ = ScreenReducer.reduce(&screen, .open(market)) }
        self.screen = screen
        let span = screen.detail?.chartSpan(now: now) ?? now..<now
        document = MarketDetailDocument(
            revision: "1",
            asOf: now,
            source: SourceViewState(exchange: "bithumb", feed: .live, api: "1"),
            state: Self.state(span, now)
        )
        flashing = Set(
            MarketDetailRenderer.flashingFigures(of: document.state).keys.sorted().prefix(5)
        )
    }

    func draw() {
        let frame = MarketDetailRenderer.render(
            document: document,
            days: nil,
            state: screen,
            now: now,
            flashing: flashing,
            size: Self.size,
            theme: Theme(colors: .trueColor),
            language: .korean
        )
        precondition(frame.size == Self.size, "a picture of another size")
    }

    private static let health = HealthViewState(
        phase: .ready,
        at: nil,
        staleAfter: nil,
        origin: .stream,
        complete: true,
        error: nil
    )

    private static func state(_ span: Range<Timestamp>, _ now: Timestamp) -> MarketDetailViewState {
        let asks = levels(from: 143_211_000, step: 1_000)
        let bids = levels(from: 143_210_000, step: -1_000)
        let rows = trades(now)
        return MarketDetailViewState(
            header: header(),
            orderBook: OrderBookViewState(
                health: health,
                depth: 30,
                group: FixedDecimal(1_000),
                levelsKept: 30,
                crossed: false,
                heals: 0,
                asks: asks,
                bids: bids,
                best: .init(ask: quote(asks[0]), bid: quote(bids[0])),
                spread: FixedDecimal(1_000),
                spreadText: "1,000",
                mid: FixedDecimal(143_210_500),
                totals: .init(
                    askQuantity: asks[29].cumulative,
                    bidQuantity: bids[29].cumulative,
                    bidSharePercent: FixedDecimal(50)
                )
            ),
            trades: TradesViewState(health: health, rows: rows, dropped: 0, gaps: []),
            chart: chart(span)
        )
    }

    private static func header() -> DetailHeaderViewState {
        var header = DetailHeaderViewState(
            health: health,
            market: "BTC_KRW",
            symbol: "BTC",
            quote: "KRW",
            name: .init(ko: "비트코인", en: "Bitcoin"),
            changePeriod: "24H",
            marks: MarksViewState(investmentWarning: false, alerts: [], state: .trading)
        )
        header.price = FixedDecimal(143_210_000)
        header.priceText = "143,210,000"
        header.changeRateText = "-1.34%"
        header.changeAmountText = "-1,945,000"
        header.priceDirection = .down
        header.today.high = FixedDecimal(145_880_000)
        header.today.low = FixedDecimal(142_900_000)
        header.rolling24h.volume = FixedDecimal(683)
        header.rolling24h.tradeValue = FixedDecimal(98_123_456_789)
        header.tradeStrengthPercent = FixedDecimal(92)
        header.sparkline = SparklineViewState(
            from: "2026-08-23",
            to: "2026-11-20",
            opens: (0..<90).map { FixedDecimal(Int64(131_200_000 + $0 * $0 % 97 * 130_000)) },
            complete: true
        )
        return header
    }

    private static func quote(_ level: OrderBookViewState.Level) -> OrderBookViewState.Best.Quote {
        .init(price: level.price, quantity: level.quantity)
    }

    private static let tenThousandth = FixedDecimal.unitsPerOne / 10_000

    private static func levels(from first: Int64, step: Int64) -> [OrderBookViewState.Level] {
        (0..<30).map { (place: Int64) in
            let price = FixedDecimal(first + place * step)
            let quantity = Int128(421 + place * 1_317 % 4_200)
            let ratio = FixedDecimal(units: FixedDecimal.unitsPerOne * quantity / 4_621)
            return OrderBookViewState.Level(
                price: price,
                priceText: NumberText.price(price, quote: .krw),
                quantity: FixedDecimal(units: quantity * tenThousandth),
                quantityText: NumberText.quantity(
                    FixedDecimal(units: quantity * tenThousandth)
                ),
                cumulative: FixedDecimal(place + 1),
                changeRatePercent: FixedDecimal(units: -65 * FixedDecimal.unitsPerOne / 100),
                priceDirection: .down,
                ratioBoth: ratio,
                ratioSide: ratio,
                isLastTrade: step < 0 && place == 0
            )
        }
    }

    private static func trades(_ now: Timestamp) -> [TradesViewState.Row] {
        (0..<500).map { age in
            let at = now.advanced(by: .milliseconds(-137 * age))
            let price = FixedDecimal(143_210_000 + Int64(age % 3) * 1_000)
            return TradesViewState.Row(
                id: TradeID(at: at, sequence: 0).text,
                at: at,
                timeText: TimeText.clock(at),
                price: price,
                priceText: NumberText.price(price, quote: .krw),
                quantity: FixedDecimal(units: 12 * tenThousandth),
                quantityText: "0.0012",
                amount: FixedDecimal(171_852),
                amountText: "171,852",
                side: age % 2 == 0 ? .buy : .sell,
                tickDirection: [.up, .down, .flat][age % 3]
            )
        }
    }

    private static func chart(_ span: Range<Timestamp>) -> ChartViewState {
        let count = CandleInterval.day1.bucketCount(from: span.lowerBound, to: span.upperBound)
        var candles: [ChartViewState.Candle] = []
        for place in 0..<max(count, 0) {
            let open = Int64(131_200_000 + place * place % 89 * 160_000)
            let close = open + Int64(place % 5 - 2) * 220_000
            let volume = FixedDecimal(Int64(400 + place % 7 * 60))
            candles.append(
                ChartViewState.Candle(
                    openTime: CandleInterval.day1.advanced(span.lowerBound, by: place),
                    open: FixedDecimal(open),
                    high: FixedDecimal(max(open, close) + 150_000),
                    low: FixedDecimal(min(open, close) - 140_000),
                    close: FixedDecimal(close),
                    volume: volume,
                    origin: .rest,
                    corrected: false,
                    closed: place < count - 1,
                    priceDirection: close > open ? .up : (close < open ? .down : .flat),
                    averages: CandleAverages(windows: CandleSeries.averageWindows) { measure, _ in
                        measure == .close ? FixedDecimal(close) : volume
                    }
                )
            )
        }
        return ChartViewState(
            health: health,
            interval: "24h",
            lastPrice: FixedDecimal(143_210_000),
            candles: candles,
            range: nil,
            gaps: []
        )
    }
}
