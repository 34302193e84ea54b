import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("The order book shows both sides around the spread and its problems")
struct BookPaneTests {
    private func frame(
        _ state: MarketDetailViewState = DetailSamples.state(),
        columns: Int = 80,
        rows: Int = 24,
        _ actions: [MarketDetailAction] = [],
        flashing: Set<String> = []
    ) -> Frame {
        DetailSamples.frame(
            state,
            columns: columns,
            rows: rows,
            actions: actions,
            flashing: flashing
        )
    }

    @Test("Each side is tinted from its edge to the price, the other side is not")
    func tones() throws {
        let frame = frame()
        let ask = try #require(frame.row(of: "143,211,000"))
        let bid = try #require(frame.row(of: "▶143,210,000◀"))
        func grounds(_ row: Int) -> [CellStyle.Background] {
            [0, 28, 40, 52, 79].map { frame.style(row: row, column: $0).background }
        }
        #expect(grounds(ask) == [.ask, .ask, .ask, .standard, .standard])
        #expect(grounds(bid) == [.standard, .standard, .bid, .bid, .bid])
    }

    @Test("The price has the color of its change, and the change its sign")
    func directions() throws {
        var state = DetailSamples.state()
        state.orderBook.asks[0].priceDirection = .up
        state.orderBook.asks[0].changeRatePercent = DetailSamples.decimal("0.25")
        state.orderBook.bids[0].priceDirection = .flat
        state.orderBook.bids[0].changeRatePercent = .zero
        state.orderBook.bids[1].changeRatePercent = nil
        state.orderBook.bids[1].priceDirection = nil
        let frame = frame(state)
        let ask = try #require(frame.row(of: "143,211,000"))
        #expect(frame.style(of: "143,211,000", row: ask)?.role == .up)
        #expect(frame.lines[ask].contains("143,211,000   +0.25%"))
        #expect(frame.lines[ask + 2].contains("▶143,210,000◀   0.00%"))
        #expect(frame.style(of: "143,210,000◀", row: ask + 2)?.role == .plain)
        #expect(!frame.lines[ask + 3].contains("%"))
        #expect(frame.style(of: "143,208,000", row: ask + 4)?.role == .down)
    }

    @Test("Without room for the change, its sign precedes the price")
    func narrow() throws {
        let frame = frame(columns: 40, rows: 12)
        let row = try #require(frame.row(of: "143,211,000"))
        #expect(frame.lines[row].contains("▼ 143,211,000"))
        #expect(frame.lines[row + 2].contains("▼▶143,210,000◀"))
        #expect(!frame.lines[row].contains("%"))
        #expect(frame.row(of: "█") != nil)
    }

    @Test("A very narrow book shows price and quantity completely", arguments: 28...60)
    func wholeFigures(columns: Int) {
        let frame = frame(columns: columns, rows: 12)
        for text in ["143,211,000", "143,210,000", "0.0421"] {
            #expect(frame.row(of: text) != nil, "\(text) at \(columns)")
        }
    }

    @Test("A side scrolled out of view leaves its best price at the edge")
    func sticky() throws {
        #expect(frame().row(of: "최우선 매수") == nil)
        let up = frame(DetailSamples.state(), [.scrollToFirst])
        let bid = try #require(up.row(of: "최우선 매수 143,210,000 0.0421"))
        #expect(bid == 21)
        #expect(up.style(row: bid, column: 0).background == .bid)
        #expect(up.row(of: "143,240,000") == 3)
        let down = frame(DetailSamples.state(), [.scrollToLast])
        #expect(down.row(of: "최우선 매도 143,211,000 0.0421") == 3)
        #expect(down.style(row: 3, column: 0).background == .ask)
        #expect(down.row(of: "143,181,000") == 21)
        // In the middle again, both are seen and neither is repeated.
        let middle = frame(DetailSamples.state(), [.scrollToLast, .recenter])
        #expect(middle == frame())
    }

    @Test("An empty side leaves its half blank; a book without both says so")
    func oneSided() throws {
        var state = DetailSamples.state()
        state.orderBook = DetailSamples.book(asks: 0, bids: 3)
        let bids = frame(state)
        #expect(bids.row(of: "▶143,210,000◀") == 13)
        #expect(bids.lines[4].prefix(40).allSatisfy { $0 == " " })
        state.orderBook = DetailSamples.book(asks: 0, bids: 0)
        #expect(frame(state).row(of: "호가가 없습니다") != nil)
        state.orderBook.health = Samples.health(.loading, ageSeconds: nil)
        #expect(frame(state).row(of: "불러오는 중입니다") != nil)
        state.orderBook.health = Samples.health(
            .failed,
            ageSeconds: nil,
            error: Samples.reconnecting
        )
        let failed = frame(state)
        let row = try #require(failed.row(of: "가져오지 못했습니다"))
        #expect(failed.lines[row + 1].contains("재연결 중 (3차)"))
        #expect(failed.lines[row + 2].contains("r 재시도"))
    }

    @Test("The book title shows crossing, corrections and the price step")
    func remarks() {
        var state = DetailSamples.state()
        state.orderBook.crossed = true
        state.orderBook.heals = 2
        let line = frame(state).lines[2]
        for text in ["!호가 역전", "보정 2", "모아보기 1,000", "9호가"] { #expect(line.contains(text)) }
        #expect(!frame().lines[2].contains("!호가 역전"))
    }

    @Test("The book title tells when levels beyond the fifteenth were read, if they are shown")
    func deepLevels() {
        var state = DetailSamples.state()
        state.orderBook = DetailSamples.book(asks: 30, bids: 30)
        state.orderBook.health.deepAt = .noon(plus: .seconds(5))
        let wide = frame(state, columns: 200, rows: 80)
        #expect(wide.row(of: "16호가부터 12:00:05") != nil)
        #expect(!frame(state).lines[2].contains("16호가부터"), "nine levels are shown")
    }

    @Test(
        "The book title shows the number of levels present",
        arguments: [
            (30, 30, "9호가", "9 levels"), (5, 5, "5호가", "5 levels"),
            (1, 1, "1호가", "1 level "), (3, 5, "3/5호가", "3/5 levels"),
            (0, 1, "0/1호가", "0/1 levels"),
        ]
    )
    func depth(asks: Int, bids: Int, korean: String, english: String) {
        var state = DetailSamples.state()
        state.orderBook = DetailSamples.book(asks: asks, bids: bids)
        #expect(frame(state).lines[2].contains(" " + korean))
        let line = DetailSamples.frame(state, language: .english).lines[2] + " "
        #expect(line.contains(" " + english))
    }

    @Test("A stale book stays dimmed, with its age in the title and the reason below")
    func stale() throws {
        var state = DetailSamples.state()
        state.orderBook.health = Samples.health(
            .stale,
            ageSeconds: 12,
            error: Samples.reconnecting
        )
        let frame = frame(state)
        #expect(frame.lines[2].contains("○ 끊김 · 지연 12초"))
        #expect(frame.lines[23].hasPrefix("재연결 중 (3차)"))
        #expect(frame.lines[23].contains("r 재시도"))
        let row = try #require(frame.row(of: "143,211,000"))
        for text in ["0.0421", "143,211,000", "-0.65%"] {
            let style = try #require(frame.style(of: text, row: row))
            #expect(style == CellStyle(on: .ask, emphasis: .dim))
        }
    }

    @Test("A changed quantity is reversed, and trailing zeros are dimmed")
    func flash() throws {
        var state = DetailSamples.state()
        state.orderBook.asks[0].quantityText = "0.5000"
        state.orderBook.asks[1].quantityText = "12.0000"
        let name = FigureName.ask(state.orderBook.asks[2])
        #expect(MarketDetailRenderer.flashingFigures(of: state)[name] != nil)
        let frame = frame(state, flashing: [name])
        let row = try #require(frame.row(of: "143,211,000"))
        #expect(frame.style(of: "0.5", row: row) == CellStyle(on: .ask))
        #expect(frame.style(of: "000 ", row: row) == CellStyle(on: .ask, emphasis: .dim))
        #expect(frame.style(of: ".0000", row: row - 1) == CellStyle(on: .ask, emphasis: .dim))
        #expect(frame.style(of: "0.3055", row: row - 2)?.emphasis == .reverse)
    }

    @Test("Strength above 100 is red, below blue, unknown a dash")
    func strength() throws {
        func style(_ percent: String?) throws -> CellStyle? {
            var state = DetailSamples.state()
            state.header.tradeStrengthPercent = percent.map(DetailSamples.decimal)
            let frame = frame(state)
            let row = try #require(frame.row(of: "체결강도"))
            let text = percent.map { $0 + "%" } ?? "-"
            return frame.style(of: text, row: row)
        }
        #expect(try style("325.85")?.role == .up)
        #expect(try style("92.17")?.role == .down)
        #expect(try style("100.00")?.role == .plain)
        #expect(try style(nil)?.role == .plain)
    }

    @Test("With few rows each key figure names its period; unknown ones are dashes")
    func facts() throws {
        let low = frame(DetailSamples.state(), rows: 14)
        #expect(low.row(of: "24시간 거래금액") != nil)
        #expect(low.row(of: "당일 고가") != nil)
        let high = frame(DetailSamples.state(), rows: 60)
        for text in ["24시간", "변동률", "당일", "전일종가         144,155,000", "402.1882"] {
            #expect(high.row(of: text) != nil, "\(text)")
        }
        var state = DetailSamples.state()
        state.header.today = .init()
        let unknown = frame(state)
        let row = try #require(unknown.row(of: "전일종가"))
        #expect(unknown.lines[row].hasSuffix(" -"))
    }
}
