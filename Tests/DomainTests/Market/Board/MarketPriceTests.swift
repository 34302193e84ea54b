import Domain
import TestSupport
import Testing

@Suite("Price: the newest by exchange time, and a trade wins within its second")
struct MarketPriceTests {
    private let coin: MarketID = "XRP_KRW"

    private func listing(_ price: FixedDecimal, at: Timestamp) -> MarketEvent {
        .listing(Listing(at: at, [ListingEntry(coin, price: price)]))
    }

    private func frame(_ price: FixedDecimal, at: Timestamp) -> MarketEvent {
        .ticker(TickerFrame(coin, .hour1, at: at, open: price, close: price))
    }

    private func trade(_ price: FixedDecimal, at: Timestamp) -> MarketEvent {
        .trade(Trade(coin, price: price, at: at))
    }

    /// The price after the events, which all arrive at one moment.
    private func price(_ events: MarketEvent...) -> FixedDecimal? {
        var board = MarketBoard(kind: .live)
        _ = board.apply(MarketEventBatch(events: events, receivedAt: .noon(60)))
        return board.market(coin)?.price
    }

    @Test("a ticker counts only in a later second than the last trade's")
    func tradeOwnsItsSecond() {
        let early = trade("100", at: .noon(plus: .milliseconds(10_001)))
        #expect(price(early, frame("99", at: .noon(10))) == "100")
        #expect(price(frame("99", at: .noon(10)), early) == "100")
        #expect(price(early, frame("99", at: .noon(11))) == "99")
        #expect(price(frame("99", at: .noon(11)), early) == "99")
        #expect(price(early, frame("99", at: .noon(9))) == "100")
    }

    @Test("a listing counts only in a later second than a trade's or a frame's")
    func listings() {
        let late = listing("98", at: .noon(plus: .milliseconds(10_900)))
        #expect(price(late, trade("100", at: .noon(10))) == "100")
        #expect(price(trade("100", at: .noon(10)), late) == "100")
        #expect(price(late, frame("99", at: .noon(10))) == "99")
        #expect(price(frame("99", at: .noon(10)), late) == "99")
        #expect(price(trade("100", at: .noon(9)), late) == "98")
        #expect(price(late, trade("100", at: .noon(9))) == "98")
    }

    @Test("trades of one second are ordered by microsecond")
    func trades() {
        let first = trade("100", at: .noon(plus: .microseconds(10_000_001)))
        let second = trade("101", at: .noon(plus: .microseconds(10_000_002)))
        let twin = trade("102", at: .noon(plus: .microseconds(10_000_002)))
        #expect(price(first, second) == "101")
        #expect(price(second, first) == "101")
        // Two trades in one microsecond are ordered by arrival.
        #expect(price(second, twin) == "102")
        #expect(price(second, twin, first) == "102")
    }

    @Test("a price of zero is ignored")
    func zero() throws {
        var board = MarketBoard(kind: .live)
        board.apply(trade("0", at: .noon(1)), frame("0", at: .noon(2)), at: .noon(3))
        #expect(try #require(board.market(coin)).price == nil)
        board.apply(trade("5", at: .noon(4)), trade("0", at: .noon(5)), at: .noon(6))
        #expect(board.market(coin)?.price == "5")
        #expect(board.market(coin)?.priceAt == .noon(4))
    }

    @Test("the tick is the direction of the last price change")
    func ticks() {
        var board = MarketBoard(kind: .live)
        let steps: [(MarketEvent, PriceDirection?)] = [
            (trade("100", at: .noon(1)), nil),
            (trade("101", at: .noon(2)), .up),
            (frame("101", at: .noon(3)), .up),
            (trade("101", at: .noon(4)), .flat),
            (listing("101", at: .noon(5)), .flat),
            (listing("99", at: .noon(6)), .down),
            (frame("99", at: .noon(7)), .down),
            (trade("98", at: .noon(8)), .down),
            (trade("200", at: .noon(7)), .down),
        ]
        for (index, (event, tick)) in steps.enumerated() {
            board.apply(event, at: .noon(10 + index))
            #expect(board.market(coin)?.tick == tick, "after step \(index)")
        }
    }
}

@Suite("Turnover: the newest of 24 hours")
struct MarketTurnoverTests {
    private let coin: MarketID = "XRP_KRW"

    @Test("listings and 24-hour frames set it, other periods do not")
    func periods() {
        var board = MarketBoard(kind: .live)
        let entry = ListingEntry(coin, price: "10", tradeValue24h: "500")
        board.apply(.listing(Listing(at: .noon(1), [entry])), at: .noon(1))
        #expect(board.market(coin)?.tradeValue24h == "500")
        for period in ChangePeriod.allCases where period != .hours24 {
            let frame = TickerFrame(coin, period, at: .noon(2), open: "10", close: "10", value: "7")
            board.apply(.ticker(frame), at: .noon(2))
            #expect(board.market(coin)?.tradeValue24h == "500")
        }
        let frame = TickerFrame(coin, .hours24, at: .noon(2), open: "9", close: "10", value: "501")
        board.apply(.ticker(frame), at: .noon(2))
        #expect(board.market(coin)?.tradeValue24h == "501")
    }

    @Test("a frame wins within its second, and older frames are ignored")
    func order() {
        var board = MarketBoard(kind: .live)
        let frame = TickerFrame(coin, .hours24, at: .noon(5), open: "9", close: "10", value: "501")
        board.apply(.ticker(frame), at: .noon(6))
        for second in [4, 5] {
            let entry = ListingEntry(coin, price: "10", tradeValue24h: "400")
            board.apply(.listing(Listing(at: .noon(second), [entry])), at: .noon(6))
            #expect(board.market(coin)?.tradeValue24h == "501")
        }
        let entry = ListingEntry(coin, price: "10", tradeValue24h: "400")
        board.apply(.listing(Listing(at: .noon(6), [entry])), at: .noon(6))
        #expect(board.market(coin)?.tradeValue24h == "400")
        board.apply(
            .listing(Listing(at: .noon(7), [ListingEntry(coin, price: "10")])),
            at: .noon(7)
        )
        #expect(board.market(coin)?.tradeValue24h == "400", "unknown is not a new value")
    }
}
