import Domain
import ViewStates
import TestSupport

@testable import PresentationTerminal

/// Details of a market written by hand, in the shapes that presenters make.
enum DetailSamples {
    static let market = MarketID(stringLiteral: "BTC_KRW")
    static let price = FixedDecimal(143_210_000)
    private static let previousClose = FixedDecimal(144_155_000)

    static func document(_ state: MarketDetailViewState = state()) -> MarketDetailDocument {
        MarketDetailDocument(
            revision: "k3v9x2-1843",
            asOf: Samples.now,
            source: SourceViewState(exchange: "bithumb", feed: .live, api: "1"),
            state: state
        )
    }

    static func state(
        levels: Int = 30,
        trades: Int = 60,
        candles: Int = 90
    )
        -> MarketDetailViewState
    {
        MarketDetailViewState(
            header: header(),
            orderBook: book(asks: levels, bids: levels),
            trades: tape(trades),
            chart: chart(candles)
        )
    }

    /// The part of a state that answers a query.
    static func cut(
        _ state: MarketDetailViewState,
        to query: MarketDetailQuery
    ) -> MarketDetailViewState {
        var state = state
        state.orderBook.depth = query.depth
        state.orderBook.asks = Array(state.orderBook.asks.prefix(query.depth))
        state.orderBook.bids = Array(state.orderBook.bids.prefix(query.depth))
        state.trades.rows = Array(state.trades.rows.prefix(query.tradeLimit))
        state.chart.interval = query.interval.rawValue
        if case .span(let span, _) = query.candles {
            state.chart.candles.removeAll { !span.contains($0.openTime) }
        }
        return state
    }

    /// The header of a market before any data arrived.
    static func withheld(_ query: MarketDetailQuery) -> MarketDetailViewState {
        var state = cut(state(levels: 0, trades: 0, candles: 0), to: query)
        let health = Samples.health(.loading, ageSeconds: nil)
        state.orderBook.health = health
        state.orderBook.group = nil
        state.orderBook.levelsKept = 0
        state.trades.health = health
        state.chart.health = health
        return state
    }

    // MARK: Header

    static func header() -> DetailHeaderViewState {
        var header = DetailHeaderViewState(
            health: Samples.health(),
            market: "BTC_KRW",
            symbol: "BTC",
            quote: "KRW",
            name: .init(ko: "비트코인", en: "Bitcoin"),
            changePeriod: "24H",
            marks: MarksViewState(investmentWarning: false, alerts: [], state: .trading)
        )
        header.price = price
        header.priceText = "143,210,000"
        header.priceAt = Samples.now
        header.changeRatePercent = decimal("-1.34")
        header.changeRateText = "-1.34%"
        header.changeAmount = FixedDecimal(-1_945_000)
        header.changeAmountText = "-1,945,000"
        header.priceDirection = .down
        header.tickDirection = .up
        header.today.open = FixedDecimal(144_100_000)
        header.today.high = FixedDecimal(145_880_000)
        header.today.low = FixedDecimal(142_900_000)
        header.today.previousClose = previousClose
        header.today.volume = decimal("402.1882")
        header.today.tradeValue = decimal("57912345678.1")
        header.rolling24h.volume = decimal("683.2219")
        header.rolling24h.tradeValue = decimal("98123456789.5123")
        header.rolling24h.changeAmount = FixedDecimal(-1_945_000)
        header.rolling24h.changeRatePercent = decimal("-1.34")
        header.tradeStrengthPercent = decimal("92.17")
        header.sparkline = SparklineViewState(
            from: "2026-08-23",
            to: "2026-11-20",
            opens: (0..<90).map { FixedDecimal(Int64(131_200_000 + $0 * 130_000)) },
            complete: true
        )
        return header
    }

    // MARK: Book

    /// Levels a thousand won apart; the last trade was at the best bid.
    static func book(asks: Int, bids: Int) -> OrderBookViewState {
        let askLevels = levels(asks, from: 143_211_000, step: 1_000)
        var bidLevels = levels(bids, from: 143_210_000, step: -1_000)
        if !bidLevels.isEmpty { bidLevels[0].isLastTrade = true }
        let best = (ask: askLevels.first.map(quote), bid: bidLevels.first.map(quote))
        let hasBoth = best.ask != nil && best.bid != nil
        return OrderBookViewState(
            health: Samples.health(),
            depth: max(asks, bids),
            group: FixedDecimal(1_000),
            levelsKept: max(asks, bids),
            crossed: false,
            heals: 0,
            asks: askLevels,
            bids: bidLevels,
            best: .init(ask: best.ask, bid: best.bid),
            spread: hasBoth ? FixedDecimal(1_000) : nil,
            spreadText: hasBoth ? "1,000" : nil,
            mid: hasBoth ? decimal("143210500") : nil,
            totals: .init(
                askQuantity: askLevels.last?.cumulative ?? .zero,
                bidQuantity: bidLevels.last?.cumulative ?? .zero,
                bidSharePercent: hasBoth ? decimal("65.49") : nil
            )
        )
    }

    private static func quote(_ level: OrderBookViewState.Level) -> OrderBookViewState.Best.Quote {
        .init(price: level.price, quantity: level.quantity)
    }

    private static func levels(
        _ count: Int,
        from first: Int64,
        step: Int64
    ) -> [OrderBookViewState.Level] {
        var cumulative = Int64(0)
        return (0..<Int64(max(count, 0))).map { place in
            // Ten-thousandths: 0.0421, then rising and falling.
            let quantity = 421 + place * 1_317 % 4_200
            cumulative += quantity
            let price = first + place * step
            let ratio = FixedDecimal(units: Int128(quantity * 100 / 4_621) * percent)
            let rate = FixedDecimal(units: Int128((price - 144_155_000) * 10_000 / 144_155_000))
            return OrderBookViewState.Level(
                price: FixedDecimal(price),
                priceText: NumberText.price(FixedDecimal(price), quote: .krw),
                quantity: FixedDecimal(units: Int128(quantity) * tenThousandth),
                quantityText: NumberText.quantity(
                    FixedDecimal(units: Int128(quantity) * tenThousandth)
                ),
                cumulative: FixedDecimal(units: Int128(cumulative) * tenThousandth),
                changeRatePercent: FixedDecimal(units: rate.units * percent),
                priceDirection: price > 144_155_000 ? .up : .down,
                ratioBoth: ratio,
                ratioSide: ratio,
                isLastTrade: false
            )
        }
    }

    private static let percent = FixedDecimal.unitsPerOne / 100
    private static let tenThousandth = FixedDecimal.unitsPerOne / 10_000

    // MARK: Trades

    /// One trade a second, newest first, the side changing every third.
    static func tape(_ count: Int, newerBy newer: Int = 0) -> TradesViewState {
        TradesViewState(
            health: Samples.health(),
            rows: (0..<max(count, 0)).map { trade($0 - newer) },
            dropped: 0,
            gaps: []
        )
    }

    /// The trade that was so many seconds ago.
    static func trade(_ age: Int) -> TradesViewState.Row {
        let at = Samples.now.advanced(by: .seconds(-age))
        let price = 143_210_000 + Int64((age % 3 + 3) % 3) * 1_000
        let amount = price * 12 / 10_000
        return TradesViewState.Row(
            id: TradeID(at: at, sequence: 0).text,
            at: at,
            timeText: TimeText.clock(at),
            price: FixedDecimal(price),
            priceText: NumberText.price(FixedDecimal(price), quote: .krw),
            quantity: decimal("0.0012"),
            quantityText: "0.0012",
            amount: FixedDecimal(amount),
            amountText: NumberText.grouped(FixedDecimal(amount), fractionDigitsMin: 0),
            side: age % 2 == 0 ? .buy : .sell,
            tickDirection: [.up, .down, .flat][(age % 3 + 3) % 3]
        )
    }

    // MARK: Chart

    /// Days, the newest one running.
    static func chart(_ count: Int) -> ChartViewState {
        let today = CandleInterval.day1.bucketStart(of: Samples.now)
        let candles = (0..<max(count, 0)).map { place in
            candle(CandleInterval.day1.advanced(today, by: place - count + 1), place)
        }
        return ChartViewState(
            health: Samples.health(),
            interval: "24h",
            lastPrice: price,
            candles: candles,
            range: candles.isEmpty
                ? nil : .init(low: FixedDecimal(131_000_000), high: FixedDecimal(146_000_000)),
            gaps: []
        )
    }

    private static func candle(_ openTime: Timestamp, _ place: Int) -> ChartViewState.Candle {
        let open = Int64(131_200_000 + place * 130_000)
        let close = place % 3 == 0 ? open - 90_000 : open + 120_000
        return ChartViewState.Candle(
            openTime: openTime,
            open: FixedDecimal(open),
            high: FixedDecimal(max(open, close) + 50_000),
            low: FixedDecimal(min(open, close) - 40_000),
            close: FixedDecimal(close),
            volume: FixedDecimal(Int64(400 + place % 7 * 60)),
            origin: .rest,
            corrected: false,
            closed: true,
            priceDirection: close > open ? .up : .down
        )
    }

    static func decimal(_ text: String) -> FixedDecimal {
        (try? FixedDecimal(parsing: text)) ?? .zero
    }
}

// MARK: Screens

extension DetailSamples {
    /// A screen with the sample's market open, after some actions.
    static func screen(
        _ state: MarketDetailViewState = state(),
        columns: Int = 80,
        rows: Int = 24,
        pane: DetailPane = .book,
        actions: [MarketDetailAction] = []
    ) -> ScreenState {
        let size = TerminalSize(columns: columns, rows: rows)
        var screen = ScreenState()
        let room = MarketDetailRenderer.room(in: size)
        _ = ScreenReducer.reduce(&screen, .resize(visibleRows: rows, room: room))
        _ = ScreenReducer.reduce(&screen, .open(market))
        if pane != .book { _ = ScreenReducer.reduce(&screen, .detail(.focus(pane))) }
        let facts = DetailExtent(document(state), days: state.chart.candles.count, now: Samples.now)
        _ = ScreenReducer.reduce(&screen, .detail(.shown(facts)))
        for action in actions {
            _ = ScreenReducer.reduce(&screen, .detail(action))
            _ = ScreenReducer.reduce(&screen, .detail(.shown(facts)))
        }
        return screen
    }

    /// The frame of a state with more data than the screen queries.
    static func frame(
        _ state: MarketDetailViewState = state(),
        screen: ScreenState? = nil,
        columns: Int = 80,
        rows: Int = 24,
        feed: FeedLabel = .live,
        language: Language = .korean,
        pane: DetailPane = .book,
        actions: [MarketDetailAction] = [],
        flashing: Set<String> = [],
        colors: ColorDepth = .trueColor,
        theme: Theme? = nil
    ) -> Frame {
        let screen =
            screen
            ?? Self.screen(state, columns: columns, rows: rows, pane: pane, actions: actions)
        guard let detail = screen.detail else {
            return Frame(size: TerminalSize(columns: 1, rows: 1))
        }
        let query = detail.query(period: .hours24, language: language, now: Samples.now)
        var document = document(cut(state, to: query))
        document.source.feed = feed
        let days = detail.daysQuery(language: language)
            .map { _ in DayList(state.chart, quote: .krw) }
        return MarketDetailRenderer.render(
            document: document,
            days: days,
            state: screen,
            now: Samples.now,
            flashing: flashing,
            size: TerminalSize(columns: columns, rows: rows),
            theme: theme ?? Theme(colors: colors),
            language: language
        )
    }
}
