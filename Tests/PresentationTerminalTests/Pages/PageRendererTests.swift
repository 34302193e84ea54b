import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("The pages: literal lines")
struct PageRendererTests {
    @Test("입출금, 80 × 12: state signs, counts and time of the data")
    func assets() {
        expectLines(
            PageSamples.frame(PageSamples.screen(.assets, rows: 12), rows: 12),
            """
            hoga 입출금  빗썸 실시간                                  ● 실시간  21:03:11 KST
            [전체 480] 정상 468  중단 12                           정렬 이름▲  21:03:11 기준
              자산명▲                                        입금     출금
            › 비트코인 BTC                                   ● 정상   ● 정상
              이더리움 ETH                                   ● 정상   ○ 중단
              폴리곤 에코시스템 토큰 POL                     ○ 중단   ○ 중단
              ZZZ                                            -        -




            Enter 열기  Tab 상태  / 검색  s 정렬  Esc 닫기  1-5 화면        ? 도움말  q 종료
            """
        )
    }

    @Test("입출금, 40 × 12, with a search")
    func smallAssets() {
        let state = PageSamples.screen(
            .assets,
            columns: 40,
            rows: 12,
            .assets(.beginSearch),
            .assets(.typeSearch("ㅂㅌ"))
        )
        expectLines(
            PageSamples.frame(state, columns: 40, rows: 12),
            """
            입출금  빗썸 실시간   ● 실시간  21:03:11
            [전체 480]  /ㅂㅌ        이름▲  21:03:11
              자산명▲  입금  출금
            › 비트코인 BTC
              입금 ● 정상  출금 ● 정상
              이더리움 ETH
              입금 ● 정상  출금 ○ 중단
              폴리곤 에코시스템 토큰 POL
              입금 ○ 중단  출금 ○ 중단
              ZZZ
              입금 -       출금 -
            Enter 열기  Esc 검색 끝
            """
        )
    }

    @Test(
        "The smallest screen shows a row",
        arguments: [(.assets, [4, 5, 6]), (.portfolio, [4, 7])] as [(ScreenPage, [Int])]
    )
    func smallest(page: ScreenPage, heights: [Int]) {
        for rows in heights {
            let state = PageSamples.screen(page, columns: 20, rows: rows)
            let lines = PageSamples.frame(state, columns: 20, rows: rows).lines
            #expect(lines.contains { $0.contains(/^› (?:비|BTC)/) }, "\(lines)")
        }
    }

    @Test("Deposits and withdrawals that failed to load name the reason and the key")
    func failedAssets() throws {
        let health = Samples.health(.failed, ageSeconds: nil, error: Samples.reconnecting)
        let frame = PageSamples.frame(
            PageSamples.screen(.assets),
            assets: PageSamples.assets([], health: health)
        )
        let row = try #require(frame.row(of: "가져오지 못했습니다"))
        #expect(frame.lines[row + 2].contains("r 재시도"))
    }

    @Test("보유자산, 80 × 12: coins, cash and coins without a value")
    func portfolio() {
        expectLines(
            PageSamples.frame(PageSamples.screen(.portfolio, rows: 12), rows: 12),
            """
            hoga 보유자산  빗썸 실시간                                ● 실시간  21:03:11 KST
            혜진  총 9,780,100원  평가손익 +1,133,950  +16.09%
              자산명               수량      현재가  평가금액   평가손익  수익률   비중 입출
            › 비트코인 BTC       0.0500 143,210,000 7,160,500 +1,160,500 +19.34% 73.21%   ●●
              엑스알피 [… XRP  300.0000       3,412 1,023,600    -26,550  -2.53% 10.47%   ●○
              OLD               12.5000           -         -          -       -  0.00%   --
              현금 KRW                              1,596,000                    16.32%


              매수평균가 120,000,000
              ! 평가 불가: OLD
            a 추가  e 수정  x 삭제  c 현금  o 열기  Esc 거래소  1-5 화면    ? 도움말  q 종료
            """
        )
    }

    @Test("보유자산 of a new user offers the keys for coins, cash and name, as far as they fit")
    func newUser() throws {
        var document = PageSamples.portfolio([], displayName: nil, cash: nil, unvalued: [])
        document.state.totals.value = .zero
        func lines(rows: Int) throws -> [String] {
            let screen = PageSamples.screen(.portfolio, rows: rows)
            let frame = PageSamples.frame(screen, portfolio: document, rows: rows)
            let first = try #require(frame.row(of: "보유자산이 없습니다"))
            return frame.lines[first..<min(first + 4, rows - 1)].map { line in
                line.split(separator: " ").joined(separator: " ")
            }
        }
        let offers = ["보유자산이 없습니다", "a 보유자산 추가", "c 현금", "N 이름"]
        #expect(try lines(rows: 24) == offers)
        #expect(try lines(rows: 10) == Array(offers.prefix(3)) + [""])
    }

    @Test("보유자산, 80 × 24, with a form that rejects its input")
    func form() {
        let state = PageSamples.screen(
            .portfolio,
            .portfolio(.add),
            .form(.type("eth")),
            .form(.submit),
            .form(.type("1e400")),
            .form(.submit)
        )
        let frame = PageSamples.frame(state, language: .english)
        expectLines(
            frame,
            """
            hoga holdings  Bithumb live                                 ● live  21:03:11 KST
            혜진  Total 9,780,100 KRW  Profit +1,133,950  +16.09%
              Coin              Quantity       Price     Value     Profit  Return  Share D/W
            › BTC                 0.0500 143,210,000 7,160,500 +1,160,500 +19.34% 73.21%  ●●
              XRP               300.0000       3,412 1,023,600    -26,550  -2.53% 10.47%  ●○
              OLD                12.5000           -         -          -       -  0.00%  --
              Cash KRW                               1,596,000                    16.32%









              Avg. price 120,000,000
              ! without a price: OLD
            ━━ Add a coin ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
              Coin           eth
            › Quantity       1e400
              Average price   empty if unknown
              Quantity: not a number
            Enter next, save  Tab move  Esc cancel
            """
        )
        #expect(frame.cursor == Frame.Position(row: 20, column: 22))
    }

    @Test("보유자산, 40 × 12: two lines per row")
    func smallPortfolio() {
        expectLines(
            PageSamples.frame(
                PageSamples.screen(.portfolio, columns: 40, rows: 12, .portfolio(.remove)),
                columns: 40,
                rows: 12
            ),
            """
            보유자산  빗썸        ● 실시간  21:03:11
            혜진  9,780,100원  +1,133,950  +16.09%
              자산명 수량   평가손익 수익률 평가금액
            › 비트코인 BTC                 7,160,500
                0.0500            +1,160,500 +19.34%
              엑스알피 [리플] XRP          1,023,600
              300.0000               -26,550  -2.53%
              ! 평가 불가: OLD
            ━━ 보유자산 삭제 ━━━━━━━━━━━━━━━━━━━━━━━
              BTC: 보유자산에서 삭제할까요? (y/n)

            y 예  n 아니오
            """
        )
    }

    @Test(
        "A halted coin says so in its row from 40 columns",
        arguments: [
            (40, Language.korean, "거래중단 OLD "), (80, .korean, "거래중단 OLD "),
            (200, .korean, "거래중단 OLD "), (40, .english, "suspended OLD "),
        ]
    )
    func halted(columns: Int, language: Language, text: String) {
        let rowCount = columns < 60 ? 16 : 12
        let state = PageSamples.screen(.portfolio, columns: columns, rows: rowCount)
        func rows(_ halted: Set<Asset>) -> [String] {
            PageSamples.frame(
                state,
                halted: halted,
                columns: columns,
                rows: rowCount,
                language: language
            ).lines.filter { $0.contains(text) }
        }
        #expect(rows([PageSamples.asset("OLD")]).count == 1)
        #expect(rows([]).isEmpty)
    }

    @Test("With room, the restriction is between name and symbol")
    func haltedWithName() throws {
        let frame = PageSamples.frame(
            PageSamples.screen(.portfolio, columns: 160),
            halted: [PageSamples.asset("BTC")],
            columns: 160
        )
        #expect(frame.lines[3].hasPrefix("› 비트코인 거래중단 BTC "))
    }

    @Test(
        "A narrow title keeps the data age and shortens or drops the page name",
        arguments: [
            (40, Language.english, "transfers  Bithumb  ● live  21:03:11"),
            (26, .english, "transfers  Bithumb  ● live"), (16, .english, "Bithumb  ● live"),
            (40, .korean, "입출금  빗썸 실시간   ● 실시간  21:03:11"),
        ]
    )
    func titles(columns: Int, language: Language, title: String) {
        let frame = PageSamples.frame(
            PageSamples.screen(.assets, columns: columns, rows: 12),
            columns: columns,
            rows: 12,
            language: language
        )
        let words = frame.lines[0].split(separator: " ")
        #expect(words == title.split(separator: " "), "\(frame.lines[0])")
    }

    @Test("Filter names equal the state texts", arguments: Language.allCases)
    func filterWords(language: Language) {
        let pairs = [(AssetFilter.normal, TransferViewState.normal), (.suspended, .suspended)]
        for (filter, state) in pairs {
            #expect(
                PageStrings.filter(filter)[language] == AssetsPresenter.text(of: state, language)
            )
        }
    }

    @Test("더보기, 60 × 24")
    func more() {
        expectLines(
            PageSamples.frame(
                PageSamples.screen(.more, columns: 60, rows: 24),
                columns: 60,
                rows: 24
            ),
            """
            hoga 더보기                                     21:03:11 KST
            설정
              t  테마 [자동] 밝게  어둡게  고대비
              c  색상 [상승 빨강·하락 파랑] 상승 초록·하락 빨강
              l  언어 [한국어] 영어 English

            hoga
              버전 0.3.0
              빌드 0a1b2c3

            데이터 안내
              빗썸 공개 시세이며 투자 권유가 아닙니다.

            만든 사람
              The hoga authors

            라이선스
              libcurl 7.88.1 · curl
                Copyright Daniel Stenberg; curl.se/docs/copyright.html




            t 테마  c 색상  l 언어  Esc 거래소          ? 도움말  q 종료
            """
        )
    }

    @Test("The help scrolls to its end on a low screen")
    func help() {
        let state = PageSamples.screen(
            .market,
            columns: 40,
            rows: 12,
            .list(.toggleHelp),
            .rows(.move(99))
        )
        expectLines(
            PageSamples.frame(state, columns: 40, rows: 12),
            """
            hoga  빗썸  24시간    ● 실시간  21:03:11
            …
            s S            정렬 기준·방향
            p              변동률 기간
            r              새로고침·재시도
            i              인기 순위 기준
            Enter Esc      확인 / 닫기·지우기
            ?              도움말
            q ^C           종료
            y Y            값·화면 복사
            유 경          투자유의·경보 종목
            Esc 닫기                ? 도움말  q 종료
            """
        )
    }

    @Test("200 × 60: all columns and hints fit", arguments: Language.allCases)
    func large(language: Language) {
        for page in ScreenPage.allCases where page != .market {
            let frame = PageSamples.frame(
                PageSamples.screen(page, columns: 200, rows: 60),
                columns: 200,
                rows: 60,
                language: language
            )
            #expect(frame.lines[0].contains(PageStrings.page(page)[language]))
            #expect(frame.lines[59].contains("1-5 "))
            guard page == .portfolio else { continue }
            for column in PortfolioColumn.allCases {
                #expect(frame.lines[2].contains(column.heading[language]))
            }
        }
    }
}

@Suite("Favorites, warnings and store state are visible without color")
struct PersonalMarksTests {
    private static let favorites = ["XRP_KRW", "POL_KRW"].map { MarketID(stringLiteral: $0) }

    private func frame(
        status: StoreStatus = .ready,
        refusal: RejectedChange? = nil,
        columns: Int = 80,
        rows: Int = 12
    ) -> Frame {
        var state = PageSamples.screen(.market, columns: columns, rows: rows)
        let user = PageSamples.personal(status: status, refusal: refusal) {
            $0.favorites = Revised(Self.favorites, revision: 2)
        }
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        return MarketListRenderer.render(
            document: Samples.document(),
            pinned: Samples.wonRows.filter { row in
                state.list.pinned.contains { $0.name == row.market }
            },
            state: state,
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: columns, rows: rows),
            language: .korean
        )
    }

    @Test("The pinned block has a heading that counts its rows; the list has its own below")
    func pinned() {
        let frame = frame()
        #expect(frame.lines[2].hasPrefix("── ★ 관심 1/2 ───"))
        #expect(frame.lines[3].hasPrefix(" ★엑스알피 [리플] XRP/KRW "))
        #expect(frame.lines[4].hasPrefix("  자산명  "))
        #expect(frame.lines[5].hasPrefix("› 비트코인 BTC/KRW "))
        #expect(frame.lines[6].hasPrefix(" ★엑스알피 [리플] XRP/KRW "))
    }

    @Test("A store without persistence is named beside the hints, with the reason if it fits")
    func status() {
        let full = StoreFailure(.full, "the disk is full")
        #expect(frame(status: .failing(full)).lines[11].hasPrefix("저장 안 됨: 디스크 공간 부족  Enter"))
        #expect(frame(status: .volatile(full), columns: 40).lines[11].hasPrefix("저장 안 됨"))
        #expect(frame(status: .opening).lines[11].hasPrefix("Enter"))
        #expect(frame(status: .waiting(full)).lines[11].hasPrefix("저장 안 됨"))
    }

    @Test("A refused change is a red line with its reason")
    func refusal() throws {
        let refusal = RejectedChange(
            change: .putCash(.zero),
            failure: StoreFailure(.refused, "1,000 favorites are the most"),
            number: 1
        )
        let frame = frame(refusal: refusal)
        #expect(
            frame.lines[11].hasPrefix("저장 안 됨: 허용되지 않음 – 1,000 favorites are the most")
        )
        #expect(frame.style(of: "저장", row: 11) == CellStyle(.error, emphasis: .bold))
    }

    @Test("Stored prices show OFFLINE with their age in the title")
    func offline() {
        var health = Samples.health(.stale, ageSeconds: 7_300)
        health.origin = .store
        let frame = Samples.frame(Samples.document(health: health))
        #expect(frame.lines[0].contains("○ OFFLINE · 지연 2시간"))
    }

    @Test("An empty 관심 names the key that adds a favorite")
    func noFavorites() throws {
        var state = Samples.state([])
        state.tab = .favorites
        let frame = Samples.frame(
            Samples.document([], filtered: 0, emptyReason: .noMatch),
            state: state
        )
        let row = try #require(frame.row(of: "관심 자산이 없습니다"))
        #expect(frame.lines[row + 1].contains("f 다른 탭에서 관심 추가"))
    }

    @Test(
        "A detail lists each warning with step and end, shortened on narrow screens",
        arguments: [
            (200, "유의 경보 가격 급등락 주의 ~11-21 09:00, 소수계정 집중 위험"),
            (80, "유의 경보 가격 급등락 주의 ~11-21 +1"), (40, "유의 경보 2"),
        ]
    )
    func alerts(columns: Int, text: String) {
        var state = DetailSamples.state()
        let end = SeoulTime.timestamp(year: 2026, month: 11, day: 21, hour: 9)
        state.header.marks.investmentWarning = true
        state.header.marks.alerts = [
            .init(type: "PRICE_SUDDEN_FLUCTUATION", step: "CAUTION", endsAt: end),
            .init(type: "SPECIFIC_ACCOUNT_HIGH_TRANSACTION", step: "DANGER", endsAt: nil),
        ]
        let frame = DetailSamples.frame(state, columns: columns, rows: 30)
        #expect(frame.lines[0].contains(text), "\(frame.lines[0])")
    }

    @Test("Warnings take precedence over the name", arguments: [40, 80])
    func nameBesideAlerts(columns: Int) {
        var state = DetailSamples.state()
        state.header.symbol = "TRX"
        state.header.name = .init(ko: "트론", en: "Tron")
        let end = SeoulTime.timestamp(year: 2026, month: 11, day: 21, hour: 9)
        state.header.marks.alerts = [
            .init(type: "PRICE_SUDDEN_FLUCTUATION", step: "CAUTION", endsAt: end),
            .init(type: "SPECIFIC_ACCOUNT_HIGH_TRANSACTION", step: "DANGER", endsAt: end),
        ]
        let line = DetailSamples.frame(state, columns: columns, rows: 30).lines[0]
        #expect(line.hasPrefix("☆ 트론 "), "\(line)")
        #expect(line.contains("TRX/KRW") && line.contains("경보") && line.contains("● 실시간"))
    }

    @Test(
        "The detail names the suspended transfers, and nothing while unknown",
        arguments: [
            (TransferViewState.normal, TransferViewState.normal, "● 입출금 가능"),
            (.suspended, .normal, "○ 입금 중단"), (.normal, .suspended, "○ 출금 중단"),
            (.suspended, .suspended, "○ 입출금 중단"), (nil, .suspended, "○ 출금 중단"),
            (nil, nil, ""), (.normal, nil, ""),
        ] as [(TransferViewState?, TransferViewState?, String)]
    )
    func transfers(deposit: TransferViewState?, withdrawal: TransferViewState?, text: String) {
        var state = DetailSamples.state()
        state.header.deposit = deposit
        state.header.withdrawal = withdrawal
        let line = DetailSamples.frame(state).lines[1]
        #expect(text.isEmpty ? !line.contains("금 ") : line.contains(text), "\(line)")
    }
}
