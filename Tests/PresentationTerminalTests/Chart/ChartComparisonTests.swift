import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A second market in the chart")
struct ChartComparisonTests {
    private static let btc = MarketID(symbol: "BTC", quote: .krw)
    private static let eth = MarketID(symbol: "ETH", quote: .krw)

    /// Twenty days; the second market has a tenth of the prices and twice the changes.
    private static func chart() throws -> ChartViewState {
        var chart = ChartSamples.chart(ChartSamples.few)
        let other = ChartSamples.few.map { candle in
            let close = FixedDecimal(units: candle.close.units / 5 - 340 * FixedDecimal.unitsPerOne)
            return ChartSamples.candle(candle.openTime, close, close, close, close, volume: .one)
        }
        chart.comparison = ChartComparison(
            of: try #require(btc),
            with: try #require(eth),
            ChartSamples.chart(other)
        )
        return chart
    }

    private static func options(crosshair: Timestamp? = nil) -> ChartPaneOptions {
        var options = ChartSamples.plainOptions
        options.showsComparison = true
        options.crosshair = crosshair
        return options
    }

    @Test("both markets start at zero percent and the legend names both with their rates")
    func picture() throws {
        let frame = ChartSamples.frame(try Self.chart(), Self.options(), columns: 60, rows: 16)
        expectLines(
            frame,
            """
            일  11-20  시 3,480  고 3,510  저 3,475  종 3,505  +0.72%
            BTC +1.59%  ETH +3.14%  2026-11-11부터
                                                          ⢀⡄
                           ·             ·             · ⢠⠊⢸
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   +3.19%▸╷⡇  ⡀·    ETH
                           ·             ·             ·⢸╷ ╫⢸╽⡜
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⡸║╌╫╌⠟╌╥╌▲+1.59%
                           ·             ·     ╷       ·⡇║   ┃ ║
            ·   ·   ·   ·   ·   ·   ·   ·   ·⠤⣀⡀·╻  ·  ⢠⠃║  ·   ·  0.00%
                           ·             ·   ║ ⢣ ┃   ╫ ⢸ ║
            ·   ·   ·   ·   ·   ·   ·   ·   ·╨ ⢸·┃ │·║ ⡎·   ·   · -2.00%
                           ·             ·      ⡇╿ ┼⢠⠋⠉⠁
            ·   ·   ·   ·   ·   ·   ·   ·   -3.77%▸│⡎   ·   ·   · -4.00%
                           ·             ·      ⠸⡀ ⢰⠁  ·
                                                 ⠓⠒⠃
                         11-02         11-09         11-16
            """
        )
    }

    @Test("the legend tells the rates at the cross-hair")
    func crosshair() throws {
        let time = ChartSamples.few[3].openTime
        let frame = ChartSamples.frame(
            try Self.chart(),
            Self.options(crosshair: time),
            columns: 60,
            rows: 16
        )
        // 3,360 of 3,450, and 332 of 350.
        #expect(frame.lines[1].hasPrefix("BTC -2.61%  ETH -5.14%"))
    }

    @Test("the line places prices by their percentage of the first visible one")
    func points() throws {
        let line = try #require(ComparisonLine(try Self.chart(), Self.options()))
        #expect(line.base == "3450" && line.points.first?.price == "3450")
        // Twice the change of the first market.
        let prices = line.points.map { NumberText.grouped($0.price, fractionDigitsMin: 0) }
        #expect(prices[3].hasPrefix("3,272.5"))
    }

    @Test("a market whose past is not read yet counts from the same time as the other one")
    func commonStart() throws {
        var chart = try Self.chart()
        let late = try #require(chart.comparison?.closes.suffix(4))
        chart.comparison?.closes = Array(late)
        let line = try #require(ComparisonLine(chart, Self.options()))
        #expect(line.start == late.first?.openTime)
        #expect(line.base == chart.candles.suffix(4).first?.close)
        #expect(line.points.first?.percent == .zero && line.points.count == 4)
        chart.candles = chart.candles.suffix(2)
        #expect(ComparisonLine(chart, Self.options())?.base == chart.candles.first?.close)
    }

    @Test("a second market without candles leaves the first one in percent")
    func unread() throws {
        var chart = try Self.chart()
        chart.comparison?.closes = []
        let frame = ChartSamples.frame(chart, Self.options(), columns: 60, rows: 16)
        #expect(frame.lines.contains { $0.hasSuffix("0.00%") })
        #expect(!frame.lines.contains { $0.contains("ETH") })
    }
}
