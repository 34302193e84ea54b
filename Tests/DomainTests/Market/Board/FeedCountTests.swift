import TestSupport
import Testing

@testable import Domain

@Suite("The board counts ignored entries by kind, and counts never decrease")
struct FeedCountTests {
    @Test("skipped entries are counted by their source")
    func skipped() {
        var sample = SampleBoard.live()
        for kind in SkippedEntries.Kind.allCases { sample.applyDetails(.skipped(2, kind)) }
        sample.applyDetails(.skipped(5, .book))
        for kind in SkippedEntries.Kind.allCases {
            #expect(sample.board.feed.skipped[kind] == (kind == .book ? 7 : 2))
        }
        #expect(sample.board.feed.entriesSkipped == 2 * SkippedEntries.Kind.allCases.count + 5)
    }

    @Test("only a trade older than a full tape is dropped and counted")
    func trades() {
        var sample = SampleBoard.live()
        let start = sample.now
        for _ in 0..<TradeTape.capacity {
            sample.wait(.milliseconds(10))
            sample.trade("BTC_KRW", at: "143210000")
        }
        #expect(sample.board.feed.tradesDropped == 0)
        for _ in 0..<3 {
            let late = Trade("BTC_KRW", price: "143210000", at: start.advanced(by: .seconds(-60)))
            sample.apply(.trade(late))
        }
        #expect(sample.board.feed.tradesDropped == 3)
        #expect(sample.board.tape(of: "BTC_KRW").dropped == 3)
    }

    @Test("a count of dropped trades alone is no visible change")
    func change() {
        var sample = SampleBoard.live()
        for _ in 0..<TradeTape.capacity {
            sample.wait(.milliseconds(10))
            sample.trade("BTC_KRW", at: "143210000")
        }
        let late = Trade(
            "BTC_KRW",
            price: "143210000",
            at: sample.now.advanced(by: .seconds(-60))
        )
        var board = sample.board
        let changes = board.apply(
            MarketEventBatch(events: [.trade(late)], receivedAt: sample.now)
        )
        #expect(!changes.feed)
    }
}
