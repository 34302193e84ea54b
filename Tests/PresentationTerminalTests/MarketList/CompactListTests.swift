import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("The compact list: one market a line")
struct CompactListTests {
    @Test("20 × 4: a rate gives way to an expensive coin's price")
    func smallest() {
        expectLines(
            Samples.frame(columns: 20, rows: 4),
            """
            [원화]       ● 1/480
            › BTC    143,210,000
              XRP  3,412  +0.21%
              POL  312.4   0.00%
            """
        )
    }

    @Test("40 × 6: five coins with name, price and rate")
    func fiveCoins() {
        expectLines(
            Samples.frame(columns: 40, rows: 6),
            """
            [원화]  24시간  인기▼    ● 실시간  1/480
            › 비트코인 BTC/KRW   143,210,000  -1.34%
              엑스알피 [리플] XRP/KRW  3,412  +0.21%
              폴리곤 에코시스템 … POL  312.4   0.00%
              ZZZ/KRW                      -       -
              1인치 1INCH/KRW         0.9159 +12.05%
            """
        )
    }

    @Test("40 × 6, English, simulated")
    func english() {
        expectLines(
            Samples.frame(
                Samples.document(feed: .simulated),
                columns: 40,
                rows: 6,
                language: .english
            ),
            """
            [KRW]  [SIMULATED]  24h    ● live  1/480
            › Bitcoin BTC/KRW    143,210,000  -1.34%
              XRP XRP/KRW              3,412  +0.21%
              POL (ex-MATIC) POL/KRW   312.4   0.00%
              ZZZ/KRW                      -       -
              1inch 1INCH/KRW         0.9159 +12.05%
            """
        )
    }

    @Test("A compact list is as tall as wanted, without hints", arguments: [12, 24, 60])
    func wanted(rows: Int) {
        var state = Samples.state()
        state.wantsCompact = true
        let size = TerminalSize(columns: 40, rows: rows)
        #expect(MarketListRenderer.visibleRows(in: size, wantsCompact: true) == rows - 1)
        let compact = Samples.frame(state: state, columns: 40, rows: rows)
        #expect(compact.lines[5].hasPrefix("  1인치 1INCH/KRW"))
        #expect(compact.row(of: "q 종료") == nil)
        #expect(Samples.frame(columns: 40, rows: rows).row(of: "q 종료") == rows - 1)
    }

    @Test("A search is typed in the first line; a notice takes its place")
    func firstLine() {
        var state = Samples.state()
        state.isSearching = true
        state.searchText = "비트"
        let search = Samples.frame(state: state, columns: 30, rows: 5)
        #expect(search.lines[0].hasPrefix("/비트"))
        #expect(search.cursor == Frame.Position(row: 0, column: 5))
        var screen = ScreenState(list: Samples.state())
        screen.notice = .unlisted
        let frame = MarketListRenderer.render(
            document: Samples.document(),
            pinned: [],
            state: screen,
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: 40, rows: 6),
            language: .korean
        )
        #expect(frame.lines[0].hasPrefix("목록을 불러오는 중"))
        #expect(frame.lines[1].hasPrefix("› 비트코인"))
    }

    @Test("A compact list has no pinned block and no market beside it")
    func plain() {
        var state = ScreenState(list: Samples.state())
        state.list.favorites = state.list.order
        let room = PaneSizes()
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 23, room: DetailRoom(room)))
        #expect(!state.list.pinned.isEmpty)
        let compact = ScreenAction.resize(
            visibleRows: 23,
            room: DetailRoom(room),
            isListCompact: true
        )
        _ = ScreenReducer.reduce(&state, compact)
        #expect(state.list.pinned.isEmpty && state.list.visibleRows == 23)
    }
}

@Suite("A larger window shows at least what a smaller one does", .tags(.manyCases))
struct ListGrowthTests {
    private static let figures = [
        "143,210,000", "-1.34%", "-1,945,000", "98,123백만", "3,412", "+0.21%", "+7", "61,020백만",
    ]

    /// The words of the list's rows.
    private static func words(_ columns: Int, _ rows: Int, _ tab: MarketListTab) -> Set<String> {
        let size = TerminalSize(columns: columns, rows: rows)
        var state = Samples.state(size: size)
        state.tab = tab
        let lines = Samples.frame(state: state, columns: columns, rows: rows).lines.dropFirst()
        return Set(lines.flatMap { $0.split(separator: " ") }.map(String.init))
    }

    @Test("One more column or row hides no figure", arguments: Cases.widths(20...300))
    func figuresStay(columns: Int) {
        for tab in [MarketListTab.krw, .popular] {
            for rows in [4, 5, 8, 11, 12, 13, 24, 36, 60, 99] {
                // The second market of two-line rows may be below the edge.
                let shown = Self.words(columns, rows, tab).intersection(Self.figures)
                #expect(shown.contains("143,210,000"))
                let wider = Self.words(columns + 1, rows, tab)
                let taller = Self.words(columns, rows + 1, tab)
                #expect(shown.isSubset(of: wider), "\(columns) × \(rows), \(tab)")
                #expect(shown.isSubset(of: taller), "\(columns) × \(rows), \(tab)")
            }
        }
    }

    @Test("No figure is cut", arguments: Cases.widths(20...300))
    func figuresAreWhole(columns: Int) {
        let whole = Set(
            Samples.wonRows.flatMap {
                [$0.priceText, $0.changeRateText, $0.changeAmountText, $0.tradeValueText]
            }
            .compactMap { $0 }
        )
        for rows in [4, 11, 12, 24] {
            let cut = Self.words(columns, rows, .krw).filter { word in
                word.contains { $0 == "," || $0 == "." || $0 == "%" } && !whole.contains(word)
            }
            #expect(cut.isEmpty, "\(columns) × \(rows)")
        }
    }

    @Test("Long figures lose no column to a wider gap", arguments: 60...200)
    func longFigures(columns: Int) {
        let row = Samples.row(
            "MIND",
            "이름",
            price: "123,456,789.1234567",
            rate: "+777,777.78%",
            amount: "+888,888,888",
            value: "999,999,999,999백만"
        )
        func shown(_ columns: Int) -> Set<Substring> {
            let line = Samples.frame(Samples.document([row]), columns: columns, rows: 12).lines[3]
            return Set(line.split(separator: " ").filter { $0.contains(",") })
        }
        #expect(shown(columns).isSubset(of: shown(columns + 1)))
    }
}
