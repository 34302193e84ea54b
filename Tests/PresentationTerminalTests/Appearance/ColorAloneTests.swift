import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite(
    "Direction is visible without color on every screen and in every theme",
    .tags(.manyCases)
)
struct ColorAloneTests {
    private static let widths = Cases.widths(40...200)

    private static let themes: [Theme] = ColorDepth.allCases.flatMap { depth in
        Theme.Shades.allCases.flatMap { shades in
            UserSettings.Colors.allCases.map {
                Theme(colors: depth, shades: shades, directions: $0)
            }
        }
    }

    /// Rows where a cell changes from up to down while its characters stay the same: those of its
    /// row, which may be folded, and in a chart also those of its column.
    private func silentRows(
        _ up: Frame,
        _ down: Frame,
        isChart: Bool,
        isFolded: Bool
    ) -> [Int] {
        let (width, lines) = (up.size.columns, [up.lines, down.lines])
        func column(_ frame: Frame, _ column: Int) -> [UInt32] {
            (0..<frame.size.rows).map { frame.cells[$0 * width + column].base }
        }
        return (0..<up.size.rows).filter { row in
            let reach = isFolded ? 1 : 0
            let near = max(row - reach, 0)...min(row + reach, up.size.rows - 1)
            guard lines[0][near] == lines[1][near] else { return false }
            return (0..<width).contains { place in
                let roles = [up, down].map { $0.cells[row * width + place].style.role }
                guard roles == [.up, .down] else { return false }
                return !isChart || column(up, place) == column(down, place)
            }
        }
    }

    private func expectTold(
        _ up: Frame,
        _ down: Frame,
        isChart: Bool = false,
        isFolded: Bool = false,
        _ words: String
    ) {
        for (up, down) in [(up, down), (up.inASCII, down.inASCII)] {
            #expect(up.cells.contains { $0.style.role == .up }, "\(words)")
            let silent = silentRows(up, down, isChart: isChart, isFolded: isFolded)
            #expect(silent.isEmpty, "\(words): \(silent.map { up.lines[$0] })")
        }
    }

    @Test("Market list rows", arguments: widths)
    func list(columns: Int) {
        func frame(_ direction: DirectionViewState) -> Frame {
            var row = Samples.row("BTC", "비트코인", "Bitcoin", price: "1,000", rate: "1.20%")
            row.priceDirection = direction
            return Samples.frame(Samples.document([row]), columns: columns, rows: 12)
        }
        expectTold(frame(.up), frame(.down), isFolded: columns < 60, "\(columns)")
    }

    private func detail(_ direction: DirectionViewState) -> MarketDetailViewState {
        var state = DetailSamples.state(levels: 12, trades: 12, candles: 30)
        let isUp = direction == .up
        let sign = isUp ? "+" : "-"
        state.header.priceDirection = direction
        state.header.changeRateText = sign + "1.34%"
        state.header.changeAmountText = sign + "1,945,000"
        for index in state.orderBook.asks.indices {
            state.orderBook.asks[index].priceDirection = direction
            state.orderBook.asks[index].changeRatePercent = isUp ? "0.65" : "-0.65"
            state.orderBook.bids[index].priceDirection = direction
            state.orderBook.bids[index].changeRatePercent = isUp ? "0.65" : "-0.65"
        }
        for index in state.trades.rows.indices {
            state.trades.rows[index].side = isUp ? .buy : .sell
            state.trades.rows[index].tickDirection = direction
        }
        // Every candle the other way round, between the same prices.
        for index in state.chart.candles.indices {
            let candle = state.chart.candles[index]
            let prices = [candle.open, candle.close].sorted()
            state.chart.candles[index].open = prices[isUp ? 0 : 1]
            state.chart.candles[index].close = prices[isUp ? 1 : 0]
            state.chart.candles[index].priceDirection = direction
        }
        return state
    }

    @Test("Book, chart, trades and days of a market", arguments: widths)
    func market(columns: Int) throws {
        let days: [(DetailPane, [MarketDetailAction])] = [
            (.book, []), (.chart, []), (.trades, []), (.trades, [.toggleDays]),
        ]
        let place = try #require(Self.widths.firstIndex(of: columns))
        let theme = Self.themes[place % Self.themes.count]
        for (pane, actions) in days {
            func frame(_ direction: DirectionViewState) -> Frame {
                DetailSamples.frame(
                    detail(direction),
                    columns: columns,
                    rows: 24,
                    pane: pane,
                    actions: actions,
                    theme: theme
                )
            }
            expectTold(frame(.up), frame(.down), isChart: true, "\(columns) \(pane) \(actions)")
        }
    }

    @Test("Candles of every width and height in every theme", arguments: themes)
    func candles(theme: Theme) {
        let styles: [ChartPaneOptions.Style] = [.candles, .line]
        for (buckets, style) in [3, 8, 15, 30, 90, 365].flatMap({ count in
            styles.map { (count, $0) }
        }) {
            for body in ["100.1", "101", "110", "190"] {
                var options = ChartPaneOptions(span: ChartSamples.span(buckets))
                options.averages = []
                options.style = style
                func frame(_ open: String, _ close: String) -> Frame {
                    let candle = ChartSamples.candle(
                        ChartSamples.day,
                        open,
                        "200",
                        "50",
                        close
                    )
                    var chart = ChartSamples.chart([candle])
                    // The line at the last price would differ for both, whatever the candle is.
                    chart.lastPrice = "150"
                    return ChartSamples.frame(
                        chart,
                        options,
                        columns: 70,
                        rows: 20,
                        theme: theme
                    )
                }
                let words = "\(buckets) \(style) \(body)"
                expectTold(frame("100", body), frame(body, "100"), isChart: true, words)
            }
        }
    }

    @Test("A sparkline is higher above its first price and lower below it", arguments: 0..<200)
    func sparkline(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let reach: Int64 = [0, 1, 5, 1_000_000][Int(seed % 4)]
        let count = Int.random(in: 1...90, using: &generator)
        let prices = (0..<count).map { _ in
            FixedDecimal(5_000_000 + Int64.random(in: -reach...reach, using: &generator))
        }
        let columns = Int.random(in: 2...90, using: &generator)
        var frame = Frame(size: TerminalSize(columns: 90, rows: 1))
        let drawn = Sparkline.draw(prices, row: 0, columns: 0..<columns, into: &frame)
        #expect(drawn == min(count, columns))
        let first = frame.cells[0].base
        #expect(frame.cells[0].style.role == .plain)
        for cell in frame.cells.prefix(drawn) {
            switch cell.style.role {
            case .up: #expect(cell.base > first)
            case .down: #expect(cell.base < first)
            default: #expect(cell.base == first)
            }
        }
    }

    @Test("Holdings: prices, profits and totals", arguments: widths)
    func holdings(columns: Int) {
        func frame(_ direction: DirectionViewState) -> Frame {
            let sign = direction == .up ? "+" : "-"
            var row = PageSamples.holding(
                "BTC",
                "비트코인",
                quantity: "0.05",
                average: "120000000",
                price: "143210000",
                value: "7,160,500",
                profit: sign + "1,160,500",
                rate: sign == "+" ? "19.34" : "-19.34",
                share: "73.21"
            )
            row.priceDirection = direction
            var document = PageSamples.portfolio([row])
            let profit = FixedDecimal(direction == .up ? 1_133_950 : -1_133_950)
            document.state.totals.profit = profit
            document.state.totals.profitRatePercent = direction == .up ? "16.09" : "-16.09"
            return PageSamples.frame(
                PageSamples.screen(.portfolio, columns: columns),
                portfolio: document,
                columns: columns
            )
        }
        expectTold(frame(.up), frame(.down), "\(columns)")
    }

    @Test("Normal and suspended transfers", arguments: widths)
    func deposits(columns: Int) {
        func lines(_ state: TransferViewState?) -> [[String]] {
            let rows = [PageSamples.coin("BTC", "비트코인", "Bitcoin", state, state)]
            let frame = PageSamples.frame(
                PageSamples.screen(.assets, columns: columns),
                assets: PageSamples.assets(rows),
                columns: columns
            )
            return [frame.lines, frame.inASCII.lines]
        }
        let all = [lines(.normal), lines(.suspended), lines(nil)]
        for kind in 0...1 { #expect(Set(all.map { $0[kind] }).count == 3) }
    }
}
