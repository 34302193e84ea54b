import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("List and market side by side: literal parts, one bottom line, limits")
struct SplitRendererTests {
    private static let size = TerminalSize(columns: 439, rows: 24)

    @Test("439 × 24, Korean, market focused")
    func korean() {
        let frame = SplitSamples.frame(Self.size)
        expectPart(
            frame,
            rows: 0..<24,
            columns: 0..<61,
            """
            hoga 거래소  빗썸 실시간  변동 24시간               ● 실시간│
            [원화] BTC  인기  관심                     정렬 인기▼  1/480│
              자산명            현재가    변동률    변동금액   거래금액▼│
            › 비트코인 BTC 143,210,000  ▼ -1.34%  -1,945,000  98,123백만│
              엑스알… XRP        3,412  ▲ +0.21%          +7  61,020백만│
              폴리곤 … POL       312.4     0.00%           0   903,112원│
              ZZZ/KRW                -         -           -           -│
              1인치 1INCH       0.9159 ▲ +12.05%     +0.0985   1,204백만│
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
                                                                        │
            c 가운데  +- 호가 수  g 모아보기  w 창  Esc 목록  f 관심  p
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 60..<140,
            """
            │☆ 비트코인 Bitcoin BTC/KRW
            │143,210,000  ▼ -1,945,000  -1.34%  24시간
            │━ ▸ 호가 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
            │2.1801
            │1.9244
            │1.8004
            │1.3881
            │1.1075
            """
        )
    }

    @Test("439 × 24, Korean, list focused: its title is marked, no pane's is")
    func koreanList() {
        let frame = SplitSamples.frame(Self.size, inList: true)
        expectPart(
            frame,
            rows: 0..<4,
            columns: 0..<80,
            """
            ▸ hoga 거래소  빗썸 실시간  변동 24시간             ● 실시간│☆ 비트코인 Bitcoin
            [원화] BTC  인기  관심                     정렬 인기▼  1/480│143,210,000  ▼ -1,9
              자산명            현재가    변동률    변동금액   거래금액▼│─ 호가 ────────────
            › 비트코인 BTC 143,210,000  ▼ -1.34%  -1,945,000  98,123백만│2.1801
            """
        )
        expectPart(
            frame,
            rows: 23..<24,
            columns: 0..<100,
            """
            Enter 열기  w 상세  Tab 탭  f 관심  1-5 화면  / 검색  s 정렬  p 기간  r 새로고침  Esc 닫기
            """
        )
        #expect(!frame.lines.dropFirst().contains { $0.contains("▸") })
        #expect(frame.style(of: "▸ hoga", row: 0)?.emphasis == [.bold, .underline])
    }

    @Test("439 × 24, English")
    func english() {
        let frame = SplitSamples.frame(Self.size, language: .english)
        expectPart(
            frame,
            rows: 0..<9,
            columns: 0..<61,
            """
            hoga market  Bithumb live  change 24h                 ● live│
            [KRW] BTC  Popular  Favorites        sort popularity▼  1/480│
              Name               Price    Change      Amount      Value▼│
            › Bitcoin BTC  143,210,000  ▼ -1.34%  -1,945,000  98,123백만│
              XRP XRP/KRW        3,412  ▲ +0.21%          +7  61,020백만│
              POL (ex… POL       312.4     0.00%           0   903,112원│
              ZZZ/KRW                -         -           -           -│
              1inch 1INCH       0.9159 ▲ +12.05%     +0.0985   1,204백만│
                                                                        │
            """
        )
        expectPart(
            frame,
            rows: 0..<4,
            columns: 61..<139,
            """
            ☆ Bitcoin 비트코인 BTC/KRW
            143,210,000  ▼ -1,945,000  -1.34%  24h
            ━ ▸ Book ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
            2.1801
            """
        )
        expectPart(
            frame,
            rows: 23..<24,
            columns: 0..<80,
            """
            c center  +- levels  g group  w pane  Esc list  f star  p period  r reload
            """
        )
    }

    @Test("The selection has its own background with list focus, else it is bold")
    func mark() {
        let inList = SplitSamples.frame(Self.size, inList: true)
        let style = inList.style(of: "›", row: 3)
        #expect(style?.emphasis == [] && style?.background != CellStyle.plain.background)
        let inDetail = SplitSamples.frame(Self.size)
        #expect(inDetail.style(of: "›", row: 3)?.emphasis == .bold)
    }

    @Test("The open market is marked in the list when the selection moves away")
    func openMark() {
        let state = SplitSamples.screen(Self.size, inList: true, .list(.move(1)))
        let lines = SplitSamples.frame(state, Self.size).lines
        #expect(lines[3].hasPrefix("▸ 비트코인 BTC "))
        #expect(lines[4].hasPrefix("› 엑스알"))
    }

    @Test(
        "From 439 × 24 both are visible, below only the focused side",
        arguments: [
            (439, 24, true), (438, 24, false), (439, 23, false), (500, 80, true), (700, 24, true),
        ]
    )
    func limit(columns: Int, rows: Int, isSplit: Bool) {
        let size = TerminalSize(columns: columns, rows: rows)
        for inList in [false, true] {
            let state = SplitSamples.screen(size, inList: inList)
            #expect(state.isSplit == isSplit)
            let lines = SplitSamples.frame(state, size).lines
            let hasList = lines[1].contains("[원화]")
            let hasMarket = lines[0].contains("☆ 비트코인")
            #expect(hasList == (isSplit || state.focusedDetail == nil))
            #expect(hasMarket == (isSplit || state.focusedDetail != nil))
            #expect(lines.allSatisfy { TextWidth.columns($0) == columns })
        }
    }

    @Test("Beside the list the chart has a column for each bucket that it can show")
    func widths() throws {
        for columns in 439...TerminalSize.sideMax {
            let layout = try #require(SplitLayout(TerminalSize(columns: columns, rows: 24)))
            #expect((60...80).contains(layout.list.columns))
            #expect(layout.detail.columns >= 378)
            let room = MarketDetailLayout(layout.detail, view: DetailView(focus: .chart))
            let buckets = MarketDetailLayout.buckets(in: room.area(.chart))
            #expect(buckets >= ChartScreenState.bucketsRange.upperBound)
            #expect(layout.list.columns + 1 + layout.detail.columns == columns)
        }
    }

    @Test(
        "Help, menus and forms cover both, except title and bottom line",
        arguments: [true, false]
    )
    func overlays(inList: Bool) {
        let plain = SplitSamples.frame(Self.size, inList: inList)
        for (action, text) in [
            (MarketListAction.toggleHelp, "─ 도움말 ─"), (.openPeriods, "─ 변동률 기간 ─"),
        ] {
            let state = SplitSamples.screen(Self.size, inList: inList, .list(action))
            let frame = SplitSamples.frame(state, Self.size)
            #expect(frame.row(of: text) != nil)
            #expect(frame.lines[0] == plain.lines[0])
            #expect(frame.cursor == nil)
        }
    }

    @Test("The search field beside a market has the cursor")
    func search() {
        let state = SplitSamples.screen(
            Self.size,
            inList: true,
            .list(.beginSearch),
            .list(.typeSearch("비트"))
        )
        let frame = SplitSamples.frame(state, Self.size)
        #expect(frame.lines[1].contains("/비트"))
        #expect(frame.cursor?.row == 1)
        #expect((frame.cursor?.column).map { $0 < 60 } == true)
    }

    @Test("The bottom line shows the error of the focused side")
    func errors() {
        func error(_ message: String) -> ErrorViewState {
            ErrorViewState(code: "x", message: message, retryable: true, nextRetryAt: nil)
        }
        let list = Samples.document(health: Samples.health(.stale, error: error("list is lost")))
        var detail = DetailSamples.state()
        detail.orderBook.health = Samples.health(.stale, error: error("book is lost"))
        func bottom(inList: Bool, _ list: MarketListDocument) -> String {
            let state = SplitSamples.screen(Self.size, inList: inList)
            return SplitSamples.frame(state, Self.size, list: list, detail: detail).lines[23]
        }
        #expect(bottom(inList: true, list).hasPrefix("list is lost"))
        #expect(bottom(inList: false, list).hasPrefix("book is lost"))
        #expect(bottom(inList: true, Samples.document()).hasPrefix("book is lost"))
    }
}
