import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Indicators in the chart")
struct ChartStudyTests {
    private static func chart(_ selection: IndicatorSelection) -> ChartViewState {
        let candles = ChartSamples.walk(150, from: 50_000, step: 1_000, seed: 21)
        var chart = ChartSamples.chart(candles)
        chart.indicators = ChartIndicators(of: candles, selection)
        return chart
    }

    private static func frame(
        _ averages: Set<MovingAverage>,
        _ studies: Set<ChartStudy>,
        columns: Int = 70,
        rows: Int,
        colors: ColorDepth = .trueColor
    ) -> Frame {
        var options = ChartPaneOptions(span: ChartSamples.span(28))
        options.averages = averages
        options.studies = studies
        let added = averages.filter { !$0.isUsual }
        return ChartSamples.frame(
            chart(IndicatorSelection(averages: added, studies: studies)),
            options,
            columns: columns,
            rows: rows,
            colors: colors
        )
    }

    @Test("RSI and MACD have panes below the volume, with their values")
    func panes() {
        expectLines(
            Self.frame([], [.strength, .convergence], rows: 36),
            """
            일  11-20  시 38,175  고 39,369  저 37,599  종 39,141  +2.53%
                       · ╷◂41,588    ·             ·             ·
                         │   ╷
                     ╷ · ╫ ╽ │ ╷ ╷   ·             ·             ·
                   ╷ │ │ ║ ╿ ┃ │ │
                   ╫ ╽ ╫ ║ │ ┃ │ │ ╷ ╷             ·       ╷     ·
            ·   ·  ║·╿ ╫·│ │·╹ ╫·┃ │·│  ·   ·   ·   ·   ·  │·╷ │·   ·   ·   40,000
                   ║   │ │     │ ┃ ║ ┃ │           ·   │ │ │ ║ ┃ ·     │ ╷
            ╌╌╌╌╌╌╌╫╌╌╌╌╌╵╌╌╌╌╌│╌╿╌╫╌╿╌┃╌╷╌│╌╌╌╌╌╌╌╌╌╷╌│╌│╌║╌╫╌┃╌╌╌╌╌╌╌│╌║╌▲39,141
                   │   ·         │   ╵ ┃ │ │ │   ╷ │ ║ ╫ ┃ ║ │ ┃ ╽ ╫ ╻ ╽ ║
                   ╵             ╵     ╿ ╿ ┃ │   │ │ ║ │ ┃ ║ ╵ ╵ ╹ ╫ │ ┃ ║
            ·   ·   ·   ·   ·   ·   ·  │·│ ┃·╫ ╽·│ ╫·║ ╵·│ │·   ·   ·╵ │·│  38,000
                       ·             · │   ┃ ║ ╿ ┃ ║ ╵   │       ·     │ ╵
                                           ╹ ╫ │ ┃ ║                   │
                       ·             ·       │ ╵ │ ╵             ·
                                             │   │
            ·   ·   ·   ·   ·   ·   ·   · 36,230▸╵  ·   ·   ·   ·   ·   ·   36,000
            거래량 131.9890───────────────────────────────────────────────────────
                   █     ▇               ▆     ▆                             840.9
                   █     █         █   ▄ █   █ █ ▄     ▇ ▄
                   █     █         █   █ █   █ █ █     █ █
                   █     █     ▃   █   █ █ ▇ █ █ █   █ █ █ ▃   ▆
                   █   █ █     █   █   █ █ █ █ █ █ ▇ █ █ █ █   █       ▃
                   █   █ █     █   █   █ █ █ █ █ █ █ █ █ █ █   █ ▆     █
                   █ ▁ █ █ ▃ ▂ █ ▆ █ ▃ █ █ █ █ █ █ █ █ █ █ █ █ █ █ ▅ ▅ █ █
            RSI 14 50.15──────────────────────────────────────────────────────────

            · · · · · · · · · · · · · · · · · · · · · · · · ⣀⣀· · · · · ⢀⡀·     70
            · · · ·⠒⠒⠒⠒⠒⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠒⠒⠤⠤⠤⠤⠤⠤⣀⣀⠤⠤⠤⠤⣀⡠⠔⠒⠉⠉⠉⠉⠒⠒⠉⠉· ⠉⠉⠉⠉⠉⠉⠉⠉⠒⠊⠁ ·     30

            MACD 12,26,9 -406.3──시그널 -579.3──차이 173.0────────────────────────
                                                                             1,143
                           ▄ ▄ ▄ ▄ ▄                 ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▄
                   █ ▀ ▀ ▀           ▀ ▀ ▀ ▀ ▀ ▀ ▀ ▀          ⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⠤⠄       0
                   ⣒⣒⣒⠶⠶⠶⠶⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠶⠶⠶⠶⣤⣤⣤⣤⣤⣤⣤⣤⣀⣀⣤⣤⠤⠤⠶⠶⠶⠶⠛⠛⠒⠒⠒⠒⠉⠉⠉⠉⠉⠉⠉⠁
                     10-26         11-02         11-09         11-16
            """
        )
    }

    @Test("Bollinger bands and an exponential average lie over the prices")
    func overPrices() {
        let ema = MovingAverage(.exponential, window: 12)
        expectLines(
            Self.frame([20, ema], [.bands], rows: 20, colors: .none),
            """
            일  11-20  시 38,175  고 39,369  저 37,599  종 39,141  +2.53%
            이평  20 38,490  E12 38,674  볼린저 39,814 38,490 37,166
                ⠉⠑⠢⠤⣀⣀◂41,588    · ⠈⠒⢄⡀        ·             ·
                     │⠉⠉⠒⠢⢄⡀          ⠈⠉⠉⠉⠒⠒⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠤⠤⠤⢄⡀
               ⠤⠤⠤⣀⣀⠤║⠤┃⣀╽ ⠈⠑⠢⢄⡀ ·             ·          ⠈⠑⠢⢄
            ·  ║·┃ ║·╫ │·┃⠉╫⠒╽⠤⠬⣑⡒⠤⢄⡀   ·   ·   ·   ·  ╷·  ╷· ⠉⠒⠤⢄⡀ ·       40,000
               ║ ╵ │ │ ╵   │ ┃ ╫ ╽⠑⠢⢌⡑⠢⠤⣀⣀     ·   ╷ ╷ │ ╫ ╽ ·    ⠈⠉⠉⠁
            ╌╌╌╫╌╌╌╵╌╵╌╌╌╌╌│╌┃╌║╌┃╌╽╌⠈⠑⠢⢄⣀⠉⠉⠒⠒⠤⠤⠤⠤⠤⠤⣀⣀⣀╫⣀║╌┃╌╌╌╌╌╌╌│╌╫╌ E12▲39,141
               │   ·         │   ╵ ┃ ╽ │ │⠉⠑⠤⣀⣀⣀⣀║⠤╫⣀┃⠤║⠒⠒⠛╿⠒┃⠶╫⠶╽⣤╽⣒║  20
            ·  ⠢⢄⣀⣀⣀·   ·   ·⢀⡠⠤⠒⠒⠒⠒⠤╿⡀┃·│ ╷·│ ╫·║ │·╿ ╫·╵  ·  ╵·│ ╿·╫      38,000
                   ·⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁   · │ ╵⠈┃⠒║⢄╿ ┃ ║ ╵   │ ╵     ·     │ │
                                       ╹ ╫ ⠈⠒┃⣀║⣀⣀⣀⣀        ⣀⣀⠤⠤⠤⠤⠒⠒⠒⠂
                   ·             ·       │ ╵ │ ·    ⠉⠉⠉⠉⠉⠉⠉⠉ ·
            ·   ·   ·   ·   ·   ·   ·   ·╵  ·╵◂36,230   ·   ·   ·   ·       36,000
            거래량 131.9890──20 448.4─────────────────────────────────────────────
               █     ▇         ▃   ▁ ▆   ▃ ▇ ▁     ▃ ▁                       840.9
               █⣀⣀⣀⣀⣀█⣀⣀       █   █⣀█⣀▂⣀█⣀█⠤█⣀⣀⠤▂⠤█⠤█⣀⣀⠤⠤⠤▁⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀
               █   ▆ █  ⠉⠉⠉▇⠒⠒⠉█⠉⠉⠉█ █ █ █ █ █ ▅ █ █ █ ▇   █       ▃
               █ ▁ █ █ ▂ ▁ █ ▃ █ ▁ █ █ █ █ █ █ █ █ █ █ █ ▄ █ █ ▃ ▃ █ ▅
                 10-26         11-02         11-09         11-16
            """
        )
    }

    @Test("A low chart leaves panes out before the prices, and says so", arguments: 8...40)
    func hiding(rows: Int) throws {
        var options = ChartPaneOptions(span: ChartSamples.span(20))
        options.averages = []
        options.studies = [.strength, .convergence]
        let area = FrameArea(TerminalSize(columns: 70, rows: rows))
        let layout = ChartLayout(area: area, options: options)
        #expect(layout.prices.count >= min(6, rows - 3))
        let shown =
            layout.studies.map { IndicatorRow.study($0.study) }
            + (layout.divider == nil ? [] : [.volume])
        #expect(
            Set(shown + layout.hidden) == [
                .study(.strength), .study(.convergence), .volume,
            ]
        )
        let title = Self.frame([], options.studies, rows: rows).lines[0]
        #expect(title.contains("자리 없음: ") == !layout.hidden.isEmpty)
    }

    @Test("The panes fill the area without overlapping", arguments: 14...60)
    func layout(rows: Int) {
        var options = ChartPaneOptions(span: ChartSamples.span(20))
        options.studies = [.strength, .convergence]
        let layout = ChartLayout(
            area: FrameArea(TerminalSize(columns: 70, rows: rows)),
            options: options
        )
        var next = layout.prices.upperBound
        if let divider = layout.divider {
            #expect(divider == next)
            next = layout.bars.upperBound
        }
        for pane in layout.studies {
            #expect(pane.divider == next && pane.rows.lowerBound == next + 1)
            #expect(pane.rows.count >= 3)
            next = pane.rows.upperBound
        }
        #expect(next == layout.times)
    }
}
