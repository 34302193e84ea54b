import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Tabs, search, empty lists and panels: literal lines")
struct MarketListPanelTests {
    private func frame(
        columns: Int = 40,
        rows: Int = 12,
        language: Language = .korean,
        _ change: (inout MarketListScreenState) -> Void
    ) -> Frame {
        var state = Samples.state(size: TerminalSize(columns: columns, rows: rows))
        change(&state)
        return Samples.frame(state: state, columns: columns, rows: rows, language: language)
    }

    @Test(
        "The open tab is in brackets, bold and underlined",
        arguments: [
            (MarketListTab.krw, "[원화] BTC  인기  관심 ", "[KRW] BTC  Popular  Favorites "),
            (.btc, " 원화 [BTC] 인기  관심 ", " KRW [BTC] Popular  Favorites "),
            (.favorites, " 원화  BTC  인기 [관심]", " KRW  BTC  Popular [Favorites]"),
            (.popular, " 원화  BTC [인기] 관심 ", " KRW  BTC [Popular] Favorites "),
        ]
    )
    func tabs(tab: MarketListTab, korean: String, english: String) {
        let frame = frame { $0.tab = tab }
        #expect(frame.lines[1].hasPrefix(korean))
        #expect(frame.style(of: "[", row: 1) == CellStyle(emphasis: [.bold, .underline]))
        #expect(self.frame(language: .english) { $0.tab = tab }.lines[1].hasPrefix(english))
    }

    @Test(
        "The sorted column has an arrow; popularity marks the rank, else the value",
        arguments: [
            (MarketListTab.krw, MarketSortKey.popularity, SortDirection.descending, "거래금액(백만)▼"),
            (.krw, .tradeValue, .ascending, "거래금액(백만)▲"), (.krw, .name, .ascending, "자산명▲"),
            (.krw, .price, .descending, "현재가▼"), (.krw, .changeRate, .ascending, "변동률▲"),
            (.popular, .popularity, .descending, "순위▼"),
            (.popular, .tradeValue, .descending, "거래금액▼"),
        ]
    )
    func sortArrow(
        tab: MarketListTab,
        key: MarketSortKey,
        direction: SortDirection,
        heading: String
    ) {
        let frame = frame(columns: 80) {
            $0.tab = tab
            $0.sort = key
            $0.direction = direction
        }
        #expect(frame.lines[2].contains(heading))
        #expect(frame.lines[2].filter { $0 == "▲" || $0 == "▼" }.count == 1)
        #expect(frame.lines[1].contains("정렬 " + MarketListStrings.sortKey(key).ko))
    }

    @Test("Only won markets show values in millions")
    func unit() {
        #expect(frame(columns: 80) { $0.tab = .krw }.lines[2].contains("(백만)"))
        #expect(!frame(columns: 80) { $0.tab = .btc }.lines[2].contains("백만"))
        #expect(!frame(columns: 80) { $0.tab = .popular }.lines[2].contains("백만"))
    }

    @Test("The search field shows its text with the cursor at the end")
    func search() {
        let typing = frame(columns: 80) {
            $0.isSearching = true
            $0.searchText = "비트ㅋ"
        }
        #expect(typing.lines[1].hasPrefix("[원화] BTC  인기  관심   /비트ㅋ "))
        #expect(typing.cursor == Frame.Position(row: 1, column: 32))
        #expect(typing.lines[23 - 12].hasPrefix("Enter 열기  Esc 검색 끝"))
        let kept = frame(columns: 80) { $0.searchText = "비트ㅋ" }
        #expect(kept.lines[1].contains("/비트ㅋ"))
        #expect(kept.cursor == nil)
        #expect(kept.lines[11].contains("Esc 지우기"))
    }

    @Test("A long search shows its end", arguments: [20, 30, 40, 80])
    func longSearch(columns: Int) throws {
        let frame = frame(columns: columns) {
            $0.isSearching = true
            $0.searchText = String(repeating: "가나다라", count: 15) + "끝"
        }
        let cursor = try #require(frame.cursor)
        let isCompact = columns < 40
        #expect(frame.lines[isCompact ? 0 : 1].contains("끝"))
        #expect(cursor.row == (isCompact ? 0 : 1) && cursor.column < columns)
        // In one line the search takes the tab's place.
        #expect(frame.lines[1].contains("[원화]") != isCompact)
    }

    @Test(
        "An empty list names the reason and the key that helps",
        arguments: [
            (
                MarketListViewState.EmptyReason.noMatch, "비트ㅋ", false, "일치하는 자산이 없습니다",
                "Esc 검색 지우기"
            ),
            (.noMatch, "비트ㅋ", true, "일치하는 자산이 없습니다", "Backspace 지우기"),
            (.noMatch, "", false, "표시할 자산이 없습니다", "Tab 다른 탭"),
            (.error, "", false, "시세를 가져오지 못했습니다", "r 재시도"),
            (.loading, "", false, "⠼ 시세를 불러오는 중입니다", ""),
            (.noFavorites, "", false, "관심 자산이 없습니다", "f 다른 탭에서 관심 추가"),
            (nil, "", false, "표시할 자산이 없습니다", "Tab 다른 탭"),
        ] as [(MarketListViewState.EmptyReason?, String, Bool, String, String)]
    )
    func empty(
        reason: MarketListViewState.EmptyReason?,
        search: String,
        isSearching: Bool,
        text: String,
        key: String
    ) throws {
        var state = Samples.state([])
        state.searchText = search
        state.isSearching = isSearching
        let document = Samples.document([], filtered: 0, emptyReason: reason)
        let frame = Samples.frame(document, state: state)
        let row = try #require(frame.row(of: text))
        #expect(frame.lines[row + 1].contains(key))
        #expect(frame.lines[1].contains("0/480"))
    }

    @Test("The first failure is shown in the list with its reason")
    func failed() throws {
        let health = Samples.health(.failed, ageSeconds: nil, error: Samples.reconnecting)
        let document = Samples.document([], health: health, emptyReason: .error)
        let frame = Samples.frame(document)
        let row = try #require(frame.row(of: "시세를 가져오지 못했습니다"))
        #expect(frame.lines[row + 1].contains("재연결 중 (3차)"))
        #expect(frame.lines[row + 2].contains("r 재시도"))
    }

    @Test("The spinner turns with time")
    func spinner() {
        let pictures = (0..<10).map { step in
            Spinner.text(at: Samples.now.advanced(by: Spinner.interval * step))
        }
        #expect(Set(pictures).count == 10)
    }

    @Test("Help, 80 × 24")
    func help() throws {
        let frame = frame(columns: 80, rows: 24) { $0.overlay = .help }
        let top = try #require(frame.row(of: "─ 도움말 ─"))
        let lines = frame.lines[top..<(top + 22)].map { line in
            line.drop { $0 != "┌" && $0 != "│" && $0 != "└" }
        }
        let expected = """
            ┌─ 도움말 ────────────────────────────────────────┐
            │ ↑ k ↓ j                이동                     │
            │ PgUp ^B PgDn ^F Space  페이지 이동              │
            │ Home g End G           처음·끝                  │
            │ Enter w                상세 열기                │
            │ Tab Shift-Tab          탭                       │
            │ f A a                  관심 / 알림 추가         │
            │ F P                    관심을 위에 고정         │
            │ K < J >                관심 순서 위·아래로      │
            │ 1 2 3 4 5              거래·입출·보유·기타·알림 │
            │ : ^P                   코인·화면·기능 바로가기  │
            │ /                      이름·심볼·초성 검색      │
            │ s S                    정렬 기준·방향           │
            │ p                      변동률 기간              │
            │ r                      새로고침·재시도          │
            │ i                      인기 순위 기준           │
            │ Enter Esc              확인 / 닫기·지우기       │
            │ ?                      도움말                   │
            │ q ^C                   종료                     │
            │ y Y                    값·화면 복사             │
            │ 유 경                  투자유의·경보 종목       │
            └─────────────────────────────────────────────────┘
            """
        for (line, wanted) in zip(lines, expected.split(separator: "\n")) {
            #expect(line.hasPrefix(wanted))
        }
    }

    @Test("Help on a low screen: unframed between title and hints")
    func lowHelp() {
        expectLines(
            frame(language: .english) { $0.overlay = .help },
            """
            hoga  Bithumb  24h      ● live  21:03:11
            ↑ ↓            move
            PgUp PgDn      by page
            Home End       first, last
            Enter w        open market
            Tab Shift-Tab  tabs
            f A            favorite / add an alert
            F              pin favorites
            K J            move favorite
            1 2 3 4 5      list/coins/own/more/alert
            …
            Esc close                 ? help  q quit
            """
        )
    }

    @Test("The period menu checks the current item and marks the selection")
    func periods() {
        expectLines(
            frame { $0.overlay = .periods(.midnight) },
            """
            hoga  빗썸  24시간    ● 실시간  21:03:11
            [원화] BTC  인기  관심      인기▼  1/480
              자 ┌─ 변동률 기간 ─────────────┐현재가
            › 비 │   ✓ 24시간                │10,000
               98│ ›   어제대비              │-1.34%
              엑 │     12시간                │ 3,412
               61│     1시간                 │+0.21%
              폴 │     30분                  │ 312.4
                9│ 거래금액은 늘 24시간 기준 │ 0.00%
              ZZZ└───────────────────────────┘     -
                        -                -         -
            Enter 확인  Esc 닫기              q 종료
            """
        )
    }

    @Test("The selected period is visible on any screen height", arguments: ChangePeriod.allCases)
    func lowPeriods(marked: ChangePeriod) {
        for rows in 4...9 {
            let frame = frame(columns: 20, rows: rows) { $0.overlay = .periods(marked) }
            #expect(frame.row(of: MarketListStrings.period(marked).ko) != nil)
            #expect(frame.lines.contains { $0.contains("›") })
        }
    }

    @Test("The popularity rule in both languages")
    func rule() {
        expectLines(
            frame { $0.overlay = .popularityRule },
            """
            hoga  빗썸  24시간    ● 실시간  21:03:11
            [원화] BTC  인기  관심      인기▼  1/480
              자산명 거래금액▼         변동률 현재가
            ›┌─ 인기 순위 기준 ───────────────────┐0
             │ 최근 24시간 거래금액이 큰          │%
             │ 순서입니다. BTC 마켓의 거래금액은  │2
             │ 비트코인의 원화 시세로 환산해 함께 │%
             │ 비교합니다.                        │4
             └────────────────────────────────────┘%
              ZZZ/KRW                              -
                        -                -         -
            Esc 닫기                ? 도움말  q 종료
            """
        )
        let english = frame(columns: 80, language: .english) { $0.overlay = .popularityRule }
        #expect(english.row(of: "Popularity ranking") != nil)
        #expect(english.row(of: "last 24 hours") != nil)
    }

    @Test("An overlay hides neither the data source nor the search cursor")
    func overlayOverSearch() {
        for overlay in [MarketListScreenState.Overlay.help, .popularityRule, .periods(.hour1)] {
            let frame = frame {
                $0.overlay = overlay
                $0.isSearching = true
            }
            #expect(frame.lines[0].contains("빗썸"))
            #expect(frame.cursor == nil)
        }
    }
}
