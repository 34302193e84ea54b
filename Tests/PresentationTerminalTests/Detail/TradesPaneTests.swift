import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Trades show side and tick without color, keep their position and count new ones")
struct TradesPaneTests {
    private func frame(
        _ state: MarketDetailViewState = DetailSamples.state(),
        columns: Int = 80,
        rows: Int = 24,
        language: Language = .korean,
        _ actions: [MarketDetailAction] = []
    ) -> Frame {
        DetailSamples.frame(
            state,
            columns: columns,
            rows: rows,
            language: language,
            pane: .trades,
            actions: actions
        )
    }

    @Test("The side is a color and a word, the tick an arrow")
    func sides() {
        let frame = frame()
        #expect(frame.lines[4].contains("매수    ▲ 143,210,000"))
        #expect(frame.lines[5].contains("매도    ▼ 143,211,000"))
        #expect(frame.lines[6].contains("매수      143,212,000"))
        #expect(frame.style(of: "매수", row: 4)?.role == .up)
        #expect(frame.style(of: "143,210,000", row: 4)?.role == .up)
        #expect(frame.style(of: "매도", row: 5)?.role == .down)
    }

    @Test("Trades of an earlier Seoul day show the day instead of the time")
    func earlierDays() throws {
        var state = DetailSamples.state()
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 20)
        state.trades.rows[0].at = midnight
        state.trades.rows[0].timeText = TimeText.clock(midnight)
        state.trades.rows[1].at = midnight.advanced(by: .microseconds(-1))
        state.trades.rows[1].timeText = "23:59:59"
        let frame = frame(state)
        #expect(frame.lines[4].hasPrefix("00:00:00    매수    ▲ 143,210,000"))
        #expect(frame.lines[5].hasPrefix("11-19       매도    ▼ 143,211,000"))
        let wide = DetailSamples.frame(state, columns: 104, rows: 24)
        #expect(wide.row(of: "00:00:00 B") != nil)
        #expect(wide.row(of: "11-19    S") != nil)
        #expect(wide.row(of: "23:59:59") == nil)
    }

    @Test("While scrolled, lines stay and new trades are counted")
    func counter() {
        let old = DetailSamples.state()
        let screen = DetailSamples.screen(old, pane: .trades, actions: [.scroll(2)])
        var new = old
        new.trades = DetailSamples.tape(72, newerBy: 12)
        let before = DetailSamples.frame(old, screen: screen)
        let after = DetailSamples.frame(new, screen: screen)
        #expect(before.lines[4].hasPrefix("21:03:09"))
        #expect(Array(after.lines[4...22]) == Array(before.lines[4...22]))
        #expect(!before.lines[2].contains("새 체결"))
        #expect(after.lines[2].contains("새 체결 12"))
        // All that is held is new: there may have been more.
        new.trades = DetailSamples.tape(500, newerBy: 900)
        #expect(DetailSamples.frame(new, screen: screen).lines[2].contains("새 체결 500+"))
    }

    @Test("At the newest trade, lines move and nothing is counted")
    func newest() {
        var state = DetailSamples.state()
        state.trades = DetailSamples.tape(60, newerBy: 2)
        let frame = frame(state)
        #expect(frame.lines[4].hasPrefix("21:03:13"))
        #expect(!frame.lines[2].contains("새 체결"))
    }

    @Test("Dropped trades are counted in the title")
    func lost() {
        var state = DetailSamples.state()
        state.trades.dropped = 3
        state.trades.gaps = [GapViewState(from: Samples.now, to: Samples.now, reason: .missing)]
        #expect(frame(state).lines[2].contains("!누락 4"))
        #expect(frame(state, language: .english).lines[2].contains("!lost 4"))
    }

    @Test("Narrow screens drop the amount, then the time, never the side", arguments: 18...60)
    func narrow(columns: Int) {
        let line = frame(columns: columns, rows: 12).lines[4]
        #expect(line.contains("매수"))
        #expect(columns < 26 || line.contains("143,210,000"))
        #expect(columns < 36 || line.contains("0.0012"))
        #expect(!line.contains("…") || columns < 36)
    }

    @Test("Days: close and change are colored by the change and signed")
    func days() {
        let frame = frame(DetailSamples.state(), [.toggleDays])
        #expect(frame.lines[4].hasPrefix("2026-11-20    142,890,000    +130,000    ▲ +0.09%"))
        #expect(frame.style(of: "142,890,000", row: 4)?.role == .up)
        #expect(frame.style(of: "142,420,000", row: 6)?.role == .down)
        #expect(frame.lines[2].contains("[일별] d 체결"))
        let scrolled = DetailSamples.frame(pane: .trades, actions: [.toggleDays, .scroll(5)])
        #expect(scrolled.lines[4].hasPrefix("2026-11-15"))
    }

    @Test(
        "Empty trades and days say so",
        arguments: [
            ([MarketDetailAction](), "체결이 없습니다"), ([.toggleDays], "일별 시세가 없습니다"),
        ]
    )
    func empty(actions: [MarketDetailAction], text: String) {
        let state = DetailSamples.state(levels: 3, trades: 0, candles: 0)
        #expect(frame(state, actions).row(of: text) != nil)
    }
}
