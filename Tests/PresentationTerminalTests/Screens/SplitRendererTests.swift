import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("List and market side by side: literal parts, one bottom line, limits")
struct SplitRendererTests {
    private static let size = TerminalSize(columns: 160, rows: 24)

    @Test("160 × 24, Korean, market focused")
    func korean() {
        let frame = SplitSamples.frame(Self.size)
        expectPart(
            frame,
            rows: 0..<24,
            columns: 0..<61,
            """
            hoga 거래소  빗썸 실시간  변동 24시간               ● 실시간│
            [원화] BTC  인기  관심                   정렬 인기▼  480/480│
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
            rows: 0..<24,
            columns: 61..<109,
            """
            ☆ 비트코인 Bitcoin BTC/KRW
            143,210,000  ▼ -1,945,000  -1.34%  24시간  ▁▂▂▂▂
            ━ ▸ 1 호가 ━━━━━━━━━━━ 모아보기 1,000 ━━ 9호가 ━
              ▎██ 0.2557  143,219,000   -0.64%
               ▊█ 0.1240  143,218,000   -0.64%
            ▌████ 0.4123  143,217,000   -0.65%
              ███ 0.2806  143,216,000   -0.65%
               ▍█ 0.1489  143,215,000   -0.65%
            ▎████ 0.4372  143,214,000   -0.65%
             ▊███ 0.3055  143,213,000   -0.65%
               ▏█ 0.1738  143,212,000   -0.65%
                ▌ 0.0421  143,211,000   -0.65%
            ─────── 호가차 1,000 · 중간 143,210,500 ────────
                         ▶143,210,000◀  -0.65% 0.0421 ▌
                          143,209,000   -0.65% 0.1738 █▉
                          143,208,000   -0.65% 0.3055 ███▎
                          143,207,000   -0.65% 0.4372 ████▊
                          143,206,000   -0.65% 0.1489 █▋
                          143,205,000   -0.65% 0.2806 ███
                          143,204,000   -0.65% 0.4123 ████▌
                          143,203,000   -0.66% 0.1240 █▎
                          143,202,000   -0.66% 0.2557 ██▊
            매도잔량 7.3125 34.51%    매수잔량 7.3125 65.49%
            간  r 새로고침
            """
        )
    }

    @Test("160 × 24, Korean: chart and trades")
    func koreanRight() {
        let frame = SplitSamples.frame(Self.size)
        expectPart(
            frame,
            rows: 0..<24,
            columns: 109..<160,
            """
                                         ● 실시간  21:03:11 KST
            ▂▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▇▇▇▇▇▇▇█
            │─ 2 차트 ──────────────────────────────────── 일 ─
            │고 142,940,000  종 142,890,000  +0.08%
            │이평  5 -  10 -  20 -  60 -  120 -
            │╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╷╷╥╥╻║╨◂143,210,000
            │     ·      ·      ·    ╥╥╻╫╫╹╨╨╹·
            │·   ·   ·   ·  ╥╥╻╥║┃╨╨╹╵   ·   ·   ·  140,000,000
            │     ·╥╥╻╥╫╽╨╨╹╨   ·      ·      ·
            │ ╥╻╨╨╹╨╵
            │거래량 700.0000───────────────────────────────────
            │ ⡄⡆⡇   ⡀⡄⡆⡇   ⡀⡄⡆⡇   ⡀⡄⡆⡇   ⡀⡄⡆⡇   ⡀⡄⡆         760
            │ ⡇⡇⡇⡄⡆⡇⡇⡇⡇⡇⡄⡆⡇⡇⡇⡇⡇⡄⡆⡇⡇⡇⡇⡇⡄⡆⡇⡇⡇⡇⡇⡄⡆⡇⡇⡇⡇
            │ ⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇⡇
            │   10-19  10-26  11-02  11-09  11-16
            │─ 3 시세 ───────────────────────── [체결] d 일별 ─
            │시간      구분           가격  체결량  체결금액
            │21:03:11  매수  ▲ 143,210,000  0.0012   171,852
            │21:03:10  매도  ▼ 143,211,000  0.0012   171,853
            │21:03:09  매수    143,212,000  0.0012   171,854
            │21:03:08  매도  ▲ 143,210,000  0.0012   171,852
            │21:03:07  매수  ▼ 143,211,000  0.0012   171,853
            │21:03:06  매도    143,212,000  0.0012   171,854
                                               ? 도움말  q 종료
            """
        )
    }

    @Test("160 × 24, Korean, list focused: its title is marked, no pane's is")
    func koreanList() {
        let frame = SplitSamples.frame(Self.size, inList: true)
        expectPart(
            frame,
            rows: 0..<4,
            columns: 0..<80,
            """
            ▸ hoga 거래소  빗썸 실시간  변동 24시간             ● 실시간│☆ 비트코인 Bitcoin
            [원화] BTC  인기  관심                   정렬 인기▼  480/480│143,210,000  ▼ -1,9
              자산명            현재가    변동률    변동금액   거래금액▼│─ 호가 ────────────
            › 비트코인 BTC 143,210,000  ▼ -1.34%  -1,945,000  98,123백만│  ▎██ 0.2557  143,2
            """
        )
        expectPart(
            frame,
            rows: 23..<24,
            columns: 0..<100,
            """
            Enter 열기  w 상세  Tab 탭  f 관심  1-4 화면  / 검색  s 정렬  p 기간  r 새로고침  Esc 닫기
            """
        )
        #expect(!frame.lines.dropFirst().contains { $0.contains("▸") })
        #expect(frame.style(of: "▸ hoga", row: 0)?.emphasis == [.bold, .underline])
    }

    @Test("160 × 24, English")
    func english() {
        let frame = SplitSamples.frame(Self.size, language: .english)
        expectPart(
            frame,
            rows: 0..<9,
            columns: 0..<61,
            """
            hoga market  Bithumb live  change 24h                 ● live│
            [KRW] BTC  Popular  Favorites      sort popularity▼  480/480│
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
            columns: 61..<109,
            """
            ☆ Bitcoin 비트코인 BTC/KRW
            143,210,000  ▼ -1,945,000  -1.34%  24h  ▁▂▂▂▂▂▂▂
            ━ ▸ 1 Book ━━━━━━━━━━━ group 1,000 ━━ 9 levels ━
              ▎██ 0.2557  143,219,000   -0.64%
            """
        )
        expectPart(
            frame,
            rows: 0..<4,
            columns: 109..<160,
            """
                                           ● live  21:03:11 KST
            ▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆▇▇▇▇▇▇▇█
            │─ 2 Chart ────────────────────────────────── day ─
            │H 142,940,000  C 142,890,000  +0.08%
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
        #expect(inList.style(of: "›", row: 3) == CellStyle(on: .selected))
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
        "From 160 × 24 both are visible, below only the focused side",
        arguments: [
            (160, 24, true), (159, 24, false), (160, 23, false), (250, 80, true), (200, 24, true),
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

    @Test("The list has at least 60 columns and the market 99 at any width")
    func widths() throws {
        for columns in 160...TerminalSize.sideMax {
            let layout = try #require(SplitLayout(TerminalSize(columns: columns, rows: 24)))
            #expect((60...80).contains(layout.list.columns))
            #expect(layout.detail.columns >= 99)
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
