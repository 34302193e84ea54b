import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Random details of random sizes fill the screen exactly", .tags(.manyCases))
struct MarketDetailPropertyTests {
    @Test("Every line has the width of the screen", arguments: Cases.seeds(80, of: 200))
    func linesFill(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = TerminalSize(
            columns: Int.random(in: 1...(seed % 3 == 0 ? 240 : 100), using: &generator),
            rows: Int.random(in: 1...(seed % 3 == 0 ? 70 : 30), using: &generator)
        )
        let state = Self.state(&generator)
        let screen = Self.screen(state, size, &generator)
        let language: Language = Bool.random(using: &generator) ? .korean : .english
        guard let detail = screen.detail else { return }
        let query = detail.query(period: .hours24, language: language, now: Samples.now)
        let document = DetailSamples.document(
            Bool.random(using: &generator) ? DetailSamples.cut(state, to: query) : state
        )
        let frame = MarketDetailRenderer.render(
            document: document,
            days: detail.trades.showsDays ? DayList(state.chart, quote: .krw) : nil,
            state: screen,
            now: Samples.now.advanced(by: .seconds(Int64.random(in: -99...9, using: &generator))),
            flashing: Set(MarketDetailRenderer.flashingFigures(of: state).keys.prefix(9)),
            size: size,
            theme: Theme(colors: ColorDepth.allCases.randomElement(using: &generator) ?? .none),
            language: language
        )
        #expect(frame.size == size)
        for line in frame.lines {
            #expect(TextWidth.columns(line) == size.columns)
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test("0 to 30 levels on either side are drawn in place", arguments: 0...30)
    func levels(count: Int) {
        for (asks, bids) in [(count, count), (count, 0), (0, count), (30, count)] {
            var state = DetailSamples.state(levels: 0, trades: 0, candles: 1)
            state.orderBook = DetailSamples.book(asks: asks, bids: bids)
            let lines = DetailSamples.frame(
                state,
                columns: 80,
                rows: 70,
                actions: [.toggleMaximized]
            ).lines
            func row(_ level: OrderBookViewState.Level) -> Int? {
                lines.indices.dropFirst(3).first { lines[$0].contains(level.priceText) }
            }
            let rows = state.orderBook.asks.reversed().map(row) + state.orderBook.bids.map(row)
            #expect(rows.allSatisfy { $0 != nil }, "\(asks) asks, \(bids) bids")
            let places = rows.compactMap { $0 }
            #expect(places == places.sorted())
            guard asks > 0, bids > 0 else { continue }
            #expect(places[asks] == places[asks - 1] + 2)
        }
    }

    @Test(
        "An empty document, one candle and equal prices are drawn",
        arguments: [
            (0, 0, 0), (1, 1, 1), (30, 500, 365),
        ]
    )
    func extremes(levels: Int, trades: Int, candles: Int) {
        for size in [(40, 12), (80, 24), (200, 60), (120, 24), (20, 5), (1, 1)] {
            for pane in DetailPane.allCases {
                let state = DetailSamples.state(levels: levels, trades: trades, candles: candles)
                let frame = DetailSamples.frame(
                    state,
                    columns: size.0,
                    rows: size.1,
                    pane: pane,
                    actions: [.toggleDays, .scroll(3), .toggleCrosshair, .moveInTime(-2)]
                )
                #expect(frame.lines.allSatisfy { TextWidth.columns($0) == size.0 })
            }
        }
    }

    private static func state(_ generator: inout SeededGenerator) -> MarketDetailViewState {
        var state = DetailSamples.state(
            levels: Int.random(in: 0...30, using: &generator),
            trades: Int.random(in: 0...80, using: &generator),
            candles: Int.random(in: 0...120, using: &generator)
        )
        let phases: [HealthViewState.Phase] = [.loading, .ready, .stale, .failed, .ended]
        func health(_ generator: inout SeededGenerator) -> HealthViewState {
            let error = ErrorViewState(
                code: "x",
                message: RandomText.make(length: 30, &generator),
                retryable: Bool.random(using: &generator),
                nextRetryAt: Bool.random(using: &generator) ? Samples.now : nil
            )
            return Samples.health(
                phases.randomElement(using: &generator) ?? .ready,
                ageSeconds: Bool.random(using: &generator) ? 12 : nil,
                error: Bool.random(using: &generator) ? error : nil
            )
        }
        state.header.health = health(&generator)
        state.orderBook.health = health(&generator)
        state.trades.health = health(&generator)
        state.chart.health = health(&generator)
        state.header.name.ko = RandomText.make(length: 12, &generator)
        if Bool.random(using: &generator) { state.header.priceText = nil }
        if Bool.random(using: &generator) { state.header.sparkline = nil }
        if Bool.random(using: &generator) { state.header.today = .init() }
        state.header.deposit = [nil, .normal, .suspended].randomElement(using: &generator) ?? nil
        state.header.withdrawal =
            [nil, .normal, .suspended].randomElement(using: &generator) ?? nil
        state.header.marks.investmentWarning = Bool.random(using: &generator)
        state.orderBook.crossed = Bool.random(using: &generator)
        state.orderBook.heals = Int.random(in: 0...3, using: &generator)
        if Bool.random(using: &generator) { state.orderBook.bids = [] }
        if Int.random(in: 0..<4, using: &generator) == 0, !state.orderBook.asks.isEmpty {
            state.orderBook.asks[0].quantityText = "12,345,678,901,234.567890123456789012"
            state.orderBook.asks[0].priceText = "123,456,789,012,345.12345678"
        }
        state.trades.dropped = Int.random(in: 0...2, using: &generator)
        return state
    }

    private static func screen(
        _ state: MarketDetailViewState,
        _ size: TerminalSize,
        _ generator: inout SeededGenerator
    ) -> ScreenState {
        let some: [MarketDetailAction] = [
            .focusNext, .scroll(4), .scroll(-7), .scrollPage(1), .scrollToLast, .changeDepth(9),
            .nextGroup, .toggleDays, .longerInterval, .shorterInterval, .zoomIn, .zoomOut,
            .moveInTime(-9), .toggleCrosshair, .toggleIndicator(.study(.convergence)),
            .toggleVolume, .growVolume(2), .toggleLine, .toggleTicks, .togglePercent,
            .toggleMaximized, .nextLayout,
        ]
        var screen = DetailSamples.screen(
            state,
            columns: size.columns,
            rows: size.rows,
            pane: DetailPane.allCases.randomElement(using: &generator) ?? .book,
            actions: (0..<6).map { _ in some.randomElement(using: &generator) ?? .focusNext }
        )
        let overlays: [MarketListAction?] = [nil, nil, .toggleHelp, .openPeriods]
        if let overlay = overlays.randomElement(using: &generator) ?? nil {
            _ = ScreenReducer.reduce(&screen, .list(overlay))
        }
        return screen
    }
}
