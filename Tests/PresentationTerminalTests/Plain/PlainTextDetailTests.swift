import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Markets and pages print once as aligned text")
struct PlainTextDetailTests {
    @Test("Book and trades are columns, highest price first")
    func detail() {
        let state = DetailSamples.state(levels: 3, trades: 4)
        let text = PlainTextDetail.text(of: DetailSamples.document(state), language: .korean)
        let parts = text.split(separator: "\n\n").map { $0.split(separator: "\n") }
        #expect(parts.count == 3)
        #expect(parts[0][0].hasPrefix("hoga 비트코인 BTC/KRW, "))
        #expect(parts[1].count == 7 && parts[1][0].hasPrefix("호가"))
        #expect(parts[1][1].contains(state.orderBook.asks[2].priceText))
        #expect(parts[1][6].contains(state.orderBook.bids[2].priceText))
        #expect(Set(parts[1].map { TextWidth.columns(String($0)) }).count == 1)
        #expect(parts[2].count == 5 && parts[2][0].hasPrefix("시간"))
    }

    @Test("An empty book and no trades say so")
    func empty() {
        let state = DetailSamples.state(levels: 0, trades: 0)
        let text = PlainTextDetail.text(of: DetailSamples.document(state), language: .english)
        #expect(text.hasSuffix("\n\nNo orders\n\nNo trades"))
    }

    @Test("Deposits print one line per coin")
    func assets() {
        let text = PlainTextPages.text(of: PageSamples.assets(), language: .korean)
        let lines = text.split(separator: "\n")
        #expect(lines[0].hasPrefix("hoga 입출금, 빗썸 실시간, "))
        #expect(lines[0].hasSuffix("전체 480, 정상 468, 중단 12"))
        #expect(lines.count == 2 + PageSamples.coins.count)
        #expect(lines.last.map { String($0) }?.hasPrefix("ZZZ ") == true)
    }

    @Test("Holdings print one line per coin and one for the cash")
    func portfolio() {
        let text = PlainTextPages.text(of: PageSamples.portfolio(), language: .korean)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3 + PageSamples.holdings.count + 1)
        #expect(lines[1].hasPrefix("총 "))
        #expect(lines[2].hasPrefix("자산명 "))
        #expect(lines.last.map { String($0) }?.hasPrefix("현금 ") == true)
    }
}
