import TestSupport
import Testing

@testable import Domain

@Suite("Order books of API 2.x: whole frames of fifteen levels, and REST beyond them")
struct BestLevelsBookTests {
    /// A frame of API 2.x: asks from `first` up, bids from `first` − 1 down.
    private static func frame(
        _ seconds: Int,
        first: Int64 = 101,
        asks: Int = 15,
        bids: Int = 15,
        origin: OrderBookSnapshot.Origin = .stream
    ) -> OrderBookSnapshot {
        var frame = OrderBookSnapshot.stream(seconds * 1_000_000)
        frame.api = .v2
        frame.origin = origin
        frame.asks = levels((0..<asks).map { first + Int64($0) }, quantity: seconds)
        frame.bids = levels((0..<bids).map { first - 1 - Int64($0) }, quantity: seconds)
        (frame.asksListed, frame.bidsListed) = (asks, bids)
        return frame
    }

    private static func answer(_ seconds: Int, first: Int64 = 101) -> OrderBookSnapshot {
        frame(seconds, first: first, asks: 30, bids: 30, origin: .rest)
    }

    private static func levels(_ prices: [Int64], quantity: Int) -> [BookLevel] {
        prices.map {
            BookLevel(price: FixedDecimal($0), quantity: FixedDecimal(Int64(quantity)))
        }
    }

    @Test("each frame replaces the whole book, and corrects nothing")
    func frames() {
        var book = LocalOrderBook()
        for second in 1...4 {
            let frame = Self.frame(second, first: 100 + Int64(second), bids: 4)
            book.apply(frame)
            #expect(book.book.levels(.ask) == frame.asks)
            #expect(book.book.levels(.bid) == frame.bids)
            #expect(book.newestAt == frame.at)
        }
        #expect(book.api == .v2 && book.deepAt == nil)
        #expect(book.comparisons == 0 && book.corrections == 0)
        #expect(book.origin == .stream && book.isComplete && !book.needsReload)
    }

    @Test("levels of REST count strictly beyond the fifteenth, with their own time")
    func deep() {
        var book = LocalOrderBook()
        book.apply(Self.answer(1))
        #expect(book.book.levels(.ask).count == 30)
        #expect(book.deepAt == .noon(plus: .seconds(1)))
        // The market rises by three steps: of the thirty old asks twelve lie beyond the frame.
        let frame = Self.frame(2, first: 104)
        book.apply(frame)
        #expect(
            book.book.levels(.ask)
                == frame.asks + Self.levels(Array(119...130), quantity: 1)
        )
        #expect(
            book.book.levels(.bid)
                == frame.bids + Self.levels(Array((71...88).reversed()), quantity: 1)
        )
        #expect(book.deepAt == .noon(plus: .seconds(1)))
        #expect(book.newestAt == frame.at)
        // An answer that arrives after a newer frame refreshes the levels beyond alone.
        book.apply(Self.frame(4, first: 104))
        book.apply(Self.answer(3, first: 104))
        #expect(book.book.levels(.ask, limit: 15) == Self.frame(4, first: 104).asks)
        #expect(book.book.levels(.ask).last?.quantity == FixedDecimal(3))
        #expect(book.deepAt == .noon(plus: .seconds(3)))
        #expect(book.newestAt == .noon(plus: .seconds(4)))
    }

    @Test("a level that is gone does not come back from REST where a frame ends without quantities")
    func emptyEnd() {
        var book = LocalOrderBook()
        book.apply(Self.answer(1))
        // The last of the fifteen asks, 115, is listed without a quantity.
        var frame = Self.frame(2, asks: 14)
        (frame.asksListed, frame.emptyAskPrice) = (15, FixedDecimal(115))
        book.apply(frame)
        let asks = book.book.levels(.ask)
        #expect(
            asks.map(\.price) == (101...114).map { FixedDecimal($0) }
                + (116...130).map { FixedDecimal($0) }
        )
        #expect(book.deepAt == .noon(plus: .seconds(1)))
    }

    @Test("the levels of REST have a time of their own, however few the frame's are")
    func fewLevels() {
        var book = LocalOrderBook()
        var answer = Self.answer(1)
        answer.asks = Self.levels([101, 102, 140], quantity: 1)
        answer.bids = []
        (answer.asksListed, answer.bidsListed) = (30, 0)
        book.apply(answer)
        var frame = Self.frame(2, asks: 2, bids: 0)
        (frame.asksListed, frame.emptyAskPrice) = (15, FixedDecimal(115))
        book.apply(frame)
        #expect(book.count(.ask) == 3)
        #expect(book.deepAt == .noon(plus: .seconds(1)))
    }

    @Test("a side of fewer than fifteen levels is whole: nothing of REST lies beyond it")
    func shortSide() {
        var book = LocalOrderBook()
        book.apply(Self.answer(1))
        book.apply(Self.frame(2, asks: 14))
        #expect(book.count(.ask) == 14)
        #expect(book.count(.bid) == 30)
    }

    @Test("levels of REST that do not reach the fifteenth do not count, and are read again")
    func hole() {
        var book = LocalOrderBook()
        book.apply(Self.answer(1))
        #expect(!book.lacksDeepLevels)
        // The market falls by twenty steps: nobody told the asks from 96 to 100.
        let frame = Self.frame(2, first: 81)
        book.apply(frame)
        #expect(book.book.levels(.ask) == frame.asks)
        #expect(book.count(.bid) == 15 && book.lacksDeepLevels)
        book.apply(Self.answer(3, first: 81))
        #expect(book.count(.ask) == 30 && !book.lacksDeepLevels)
    }

    @Test("levels beyond are dropped once they are 30 s older than the best ones")
    func old() {
        var book = LocalOrderBook()
        book.apply(Self.answer(1))
        book.apply(Self.frame(31))
        #expect(book.count(.ask) == 30)
        book.apply(Self.frame(32))
        #expect(book.count(.ask) == 15 && book.deepAt == nil)
    }

    @Test("a frame that is older than the newest one has no effect")
    func late() {
        var book = LocalOrderBook()
        book.apply(Self.frame(3))
        let before = book
        book.apply(Self.frame(2))
        #expect(book == before)
    }

    @Test("after a loss the next snapshot of at least that time completes the book")
    func loss() {
        var book = LocalOrderBook()
        book.apply(Self.frame(3))
        book.markLoss()
        #expect(!book.isComplete && book.needsReload)
        book.apply(Self.frame(2))
        #expect(!book.isComplete)
        book.apply(Self.frame(3))
        #expect(book.isComplete && !book.needsReload)
    }

    @Test("a frame of another generation begins the book anew, whatever its time")
    func generations() {
        var book = LocalOrderBook()
        book.apply(.wide(9_000_000, asks: 30, bids: 30))
        #expect(book.api == .v1)
        book.apply(Self.frame(5, asks: 3, bids: 3))
        #expect(book.api == .v2 && book.count(.ask) == 3 && book.count(.bid) == 3)
        // Changes of API 1.x wait for its snapshot.
        book.apply(.at(8_000_000, asks: ["101": "7"]))
        #expect(book.book.levels(.ask) == Self.frame(5, asks: 3, bids: 3).asks)
        book.apply(.wide(7_000_000, asks: 30, bids: 30))
        #expect(book.api == .v1 && book.count(.ask) == 30 && book.deepAt == nil)
        #expect(book.book.best(.ask)?.quantity == FixedDecimal(7))
    }

    @Test("a REST answer of another generation begins the book anew, too")
    func answerOfOther() {
        var book = LocalOrderBook()
        book.apply(Self.frame(5))
        book.apply(.rest(milliseconds: 4_000, asks: ["101": "1"]))
        #expect(book.api == .v1 && book.count(.ask) == 1 && book.isComplete)
        book.apply(Self.answer(3))
        #expect(book.api == .v2 && book.count(.ask) == 30 && book.isComplete)
    }
}
