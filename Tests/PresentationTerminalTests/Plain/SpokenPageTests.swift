import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("A spoken page is one sentence per row without drawing")
struct SpokenPageTests {
    /// Characters that screen readers spell out or skip: frames, bars, arrows, marks.
    private static let drawing = Set("▲▼│─┌┐└┘█▏▎▍▌▋▊▉●○✕■★☆›|⠋·")

    @Test("The list is its heading and each row's spoken text")
    func list() {
        var rows = Samples.bitcoinRows
        rows[0].spokenText = "이더리움, 현재가 0.03412000 BTC, 변동률 +0.44%, 거래금액 12.345 BTC"
        let document = Samples.document(rows, feed: .simulated, filtered: 1)
        let page = SpokenPage(document, .korean)
        #expect(
            page.heading == "hoga 거래소, 모의 SIMULATED, 변동 24시간, 2026-11-20 21:03:11 KST, 480개 중 1개"
        )
        #expect(page.sentences == rows.map(\.spokenText))
        #expect(page.text == page.heading + "\n" + rows[0].spokenText)
    }

    @Test("Problems and empty lists are sentences")
    func ailing() {
        let health = Samples.health(.stale, ageSeconds: 7, error: Samples.reconnecting)
        let document = Samples.document([], health: health, emptyReason: .noMatch)
        let page = SpokenPage(document, .english)
        #expect(
            page.sentences == ["7s behind, 재연결 중 (3차)", "Nothing matches the search"]
        )
        #expect(page.heading.hasPrefix("hoga market, Bithumb live, change 24h, 2026-11-20 "))
    }

    @Test("The first sentence of a list names how many changes are known")
    func coverage() {
        var health = Samples.health()
        (health.known, health.of, health.complete) = (378, 480, false)
        let document = Samples.document(health: health, period: "30M")
        #expect(SpokenPage(document, .korean).sentences.first == "변동률: 전체 480개 중 378개 확인")
        #expect(
            SpokenPage(document, .english).sentences.first == "change known for 378 of 480 markets"
        )
        (health.known, health.baseResolution, health.complete) = (480, "10m", true)
        let coarse = Samples.document(health: health, period: "12H")
        #expect(SpokenPage(coarse, .korean).sentences.first == "변동률 기준가: 10분 단위")
        #expect(SpokenPage(coarse, .english).sentences.first == "change base accurate to 10m")
        (health.known, health.baseResolution) = (480, nil)
        let whole = SpokenPage(Samples.document(health: health), .korean)
        #expect(whole.sentences == Samples.wonRows.map(\.spokenText))
    }

    @Test("A market lists figures, best levels and newest trades")
    func market() {
        var state = DetailSamples.state(levels: 2, trades: 1)
        state.header.deposit = .normal
        state.header.withdrawal = .suspended
        let page = SpokenPage(DetailSamples.document(state), .korean)
        #expect(page.heading == "hoga 비트코인 BTC/KRW, 빗썸 실시간, 2026-11-20 21:03:11 KST")
        #expect(
            page.sentences.first
                == "비트코인, 현재가 143,210,000원, 변동률 -1.34%, 변동금액 -1,945,000, 24시간"
        )
        #expect(page.sentences.contains("입금 정상, 출금 중단"))
        let ask = state.orderBook.asks[0]
        let bid = state.orderBook.bids[1]
        #expect(page.sentences.contains("매도 1호가 \(ask.priceText)원, 잔량 \(ask.quantityText)"))
        #expect(page.sentences.contains("매수 2호가 \(bid.priceText)원, 잔량 \(bid.quantityText)"))
        let trade = state.trades.rows[0]
        let side = trade.side == .buy ? "매수" : "매도"
        #expect(
            page.sentences.last == "체결 \(trade.timeText), \(side), \(trade.priceText)원, "
                + "체결량 \(trade.quantityText), 체결금액 \(trade.amountText)원"
        )
        let english = SpokenPage(DetailSamples.document(state), .english)
        #expect(english.sentences.first?.hasPrefix("Bitcoin, Price 143,210,000 KRW, ") == true)
    }

    @Test("Holdings list totals, each coin and the cash")
    func portfolio() {
        let page = SpokenPage(PageSamples.portfolio(), .korean)
        #expect(page.sentences.first?.hasPrefix("총 ") == true)
        #expect(
            page.sentences.contains(
                "비트코인, 수량 0.0500, 매수평균가 120,000,000원, 현재가 143,210,000원, "
                    + "평가금액 7,160,500원, 평가손익 +1,160,500원, 수익률 +19.34%, 비중 73.21%"
            )
        )
        #expect(page.sentences.last?.hasPrefix("현금 1,596,000원, 비중 ") == true)
        #expect(page.sentences.contains { $0.hasPrefix("OLD, ") && $0.contains("현재가 없음") })
    }

    @Test(
        "Sentences contain no drawing characters in either language",
        arguments: [Language.korean, .english]
    )
    func drawing(language: Language) {
        let pages = [
            SpokenPage(Samples.document(feed: .replay), language),
            SpokenPage(DetailSamples.document(), language),
            SpokenPage(PageSamples.assets(), language),
            SpokenPage(PageSamples.portfolio(), language),
        ]
        for page in pages {
            for line in [page.heading] + page.sentences {
                #expect(Self.drawing.isDisjoint(with: line), "\(line)")
                #expect(!line.contains("\n") && !line.contains("\u{1B}"))
            }
        }
    }

    @Test("An update contains only new sentences")
    func updates() {
        var rows = Samples.bitcoinRows
        rows[0].spokenText = "a"
        let first = SpokenPage(Samples.document(rows), .english)
        let same = SpokenPage(Samples.document(rows), .english)
        #expect(same.text(since: first, .english) == "21:03:11, 0 changed")
        rows[0].spokenText = "b"
        let next = SpokenPage(Samples.document(rows), .korean)
        #expect(next.text(since: first, .korean) == "21:03:11, 변경 1건\nb")
    }
}
