import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Chart styles follow their meaning")
struct ChartStyleTests {
    private func roles(_ frame: Frame, _ glyphs: Set<Character>) -> Set<CellStyle.Role> {
        var roles: Set<CellStyle.Role> = []
        for (row, line) in frame.lines.enumerated() {
            for (column, glyph) in line.enumerated() where glyphs.contains(glyph) {
                roles.insert(frame.style(row: row, column: column).role)
            }
        }
        return roles
    }

    private func frame(
        _ candle: ChartViewState.Candle,
        _ health: HealthViewState = ChartSamples.ready,
        colors: ColorDepth = .trueColor
    ) -> Frame {
        ChartSamples.frame(
            ChartSamples.chart([candle], health: health),
            ChartSamples.plainOptions,
            columns: 60,
            rows: 12,
            colors: colors,
            language: .english
        )
    }

    @Test("A rising candle and its wicks are red, a falling one blue, an unchanged one plain")
    func directions() {
        let day = ChartSamples.day
        let rise = frame(ChartSamples.candle(day, "10", "30", "5", "20"))
        #expect(roles(rise, ["║", "╫", "╥", "╨", "│", "╷", "╵"]) == [.up])
        #expect(rise.style(of: "20.00", row: 0)?.role == .up)
        #expect(rise.style(of: "+100.00%", row: 0)?.role == .up)
        let fall = frame(ChartSamples.candle(day, "20", "30", "5", "10"))
        #expect(roles(fall, ["┃", "╽", "╿", "╻", "╹", "│", "╷", "╵"]) == [.down])
        let flat = frame(ChartSamples.candle(day, "20", "30", "5", "20"))
        #expect(roles(flat, ["┼", "─", "│", "╷", "╵"]) == [.plain])
    }

    @Test(
        "A rising candle is hollow, a falling one filled, in every theme",
        arguments: ColorDepth.allCases
    )
    func hollow(colors: ColorDepth) {
        let day = ChartSamples.day
        let rise = frame(ChartSamples.candle(day, "10", "30", "5", "20"), colors: colors)
        let text = rise.lines.joined()
        #expect(text.contains("║") && !text.contains("┃"))
        let fall = frame(ChartSamples.candle(day, "20", "30", "5", "10"), colors: colors)
        #expect(!fall.lines.joined().contains("║") && fall.lines.joined().contains("┃"))
    }

    @Test("The last price has the color of its candle only")
    func lastPrice() throws {
        let candle = ChartSamples.candle(ChartSamples.day, "10", "30", "5", "20")
        let tag = try #require(frame(candle).row(of: "▲"))
        #expect(
            frame(candle).style(of: "20.00", row: tag) == CellStyle(.up, emphasis: .reverse)
        )
        var chart = ChartSamples.chart([candle])
        chart.lastPrice = FixedDecimal(21)
        let later = ChartSamples.frame(chart, ChartSamples.plainOptions, columns: 60, rows: 12)
        let row = try #require(later.row(of: "◂"))
        #expect(later.style(of: "21.00", row: row) == CellStyle(emphasis: .reverse))
    }

    @Test("Each average has its own color in legend and plots")
    func averages() throws {
        let candles = ChartSamples.walk(200, from: 100_000, step: 3_000, seed: 5)
        let roles: [CellStyle.Role] = [.average1, .average2, .average3, .average4, .average5]
        for (window, role) in zip(CandleSeries.averageWindows, roles) {
            var options = ChartPaneOptions(span: ChartSamples.span(40))
            options.averages = [MovingAverage(.simple, window: window)]
            let frame = ChartSamples.frame(
                ChartSamples.chart(candles),
                options,
                columns: 90,
                rows: 30
            )
            let dots = Set((0x2801...0x28FF).compactMap { UnicodeScalar($0).map(Character.init) })
            #expect(self.roles(frame, dots) == [role])
            #expect(frame.style(of: "\(window) ", row: 1)?.role == role)
            let divider = frame.lines.first { $0.hasPrefix("거래량") }
            #expect(try #require(divider).contains("─\(window) "))
        }
    }

    @Test("Outdated figures are dimmed", arguments: [HealthViewState.Phase.stale, .failed])
    func old(phase: HealthViewState.Phase) {
        let candle = ChartSamples.candle(ChartSamples.day, "10", "30", "5", "20")
        let frame = frame(candle, Samples.health(phase))
        #expect(frame.style(of: "20.00", row: 0) == CellStyle(.up, emphasis: .dim))
    }

    @Test("Corrected candles and stray opening prices are marked")
    func marks() {
        var candle = ChartSamples.candle(ChartSamples.day, "100", "2200", "2000", "2100")
        candle.corrected = true
        let chart = ChartSamples.chart([candle])
        let title = ChartSamples.frame(
            chart,
            ChartSamples.plainOptions,
            columns: 100,
            rows: 12
        ).lines[0]
        #expect(title.contains("시 100.0*"))
        #expect(title.contains("정정"))
    }

    @Test("All averages are drawn by default")
    func standardAverages() {
        let options = ChartPaneOptions(span: ChartSamples.span(20))
        #expect(options.averages == Set(MovingAverage.usual))
    }

    @Test("The divider leaves each plot four rows", arguments: 1...40)
    func divider(rows: Int) throws {
        var options = ChartPaneOptions(span: ChartSamples.span(20))
        let area = FrameArea(TerminalSize(columns: 40, rows: rows))
        guard let possible = ChartPane.volumeRows(in: area, options: options)?.possible else {
            #expect(rows < 11)
            return
        }
        #expect(possible.lowerBound == 4)
        for wanted in [-1, 4, 9, 100] {
            options.volumeRows = wanted
            let layout = ChartLayout(area: area, options: options)
            let present = try #require(layout.volumeRows)
            #expect(possible.contains(present))
            #expect(ChartPane.volumeRows(in: area, options: options)?.present == present)
            #expect(layout.prices.count >= 4 && layout.bars.count >= 3)
        }
        options.showsVolume = false
        #expect(ChartPane.volumeRows(in: area, options: options) == nil)
    }
}
