import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A book is grouped by the market's price steps and marks the level of the last trade")
struct OrderBookGroupTests {
    private static let market: MarketID = "BTC_KRW"

    @Test("asks round up and bids down; the depth counts groups; the best prices are ungrouped")
    func grouped() {
        let book = Self.present("143210000", group: "5000", depth: 2)
        #expect(book.group == "5000")
        #expect(book.asks.map(\.price) == ["143215000", "143220000"])
        #expect(book.asks.map(\.quantity) == ["3", "4"])
        #expect(book.asks.map(\.cumulative) == ["3", "7"])
        #expect(book.bids.map(\.price) == ["143210000", "143205000"])
        #expect(book.bids.map(\.quantity) == ["1", "2"])
        #expect(book.best.ask == .init(price: "143211000", quantity: "1"))
        #expect(book.best.bid == .init(price: "143210000", quantity: "1"))
        #expect(book.spread == "1000" && book.totals.askQuantity == "7")
    }

    @Test("the market's own step shows ungrouped levels")
    func ownStep() {
        let own = Self.present("143210000", group: nil, depth: 30)
        let same = Self.present("143210000", group: "1000", depth: 30)
        #expect(own == same && own.group == "1000" && own.asks.count == 5)
    }

    @Test(
        "at most one level is marked: that of the last trade's price, or its group",
        arguments: [
            ("143210000", nil, nil, "143210000"), ("143211000", nil, "143211000", nil),
            ("143216000", nil, "143216000", nil), ("143210500", nil, nil, nil),
            ("143230000", nil, nil, nil),
            ("143210000", "5000", nil, "143210000"), ("143211000", "5000", "143215000", nil),
            ("143207000", "5000", nil, "143205000"), ("143215000", "5000", "143215000", nil),
            // Between the sides, where both groups hold it.
            ("143210500", "5000", "143215000", nil),
            ("143900000", "5000", nil, nil),
        ] as [(FixedDecimal, FixedDecimal?, FixedDecimal?, FixedDecimal?)]
    )
    func mark(
        price: FixedDecimal,
        group: FixedDecimal?,
        ask: FixedDecimal?,
        bid: FixedDecimal?
    ) {
        let book = Self.present(price, group: group, depth: 30)
        #expect(book.asks.filter(\.isLastTrade).map(\.price) == (ask.map { [$0] } ?? []))
        #expect(book.bids.filter(\.isLastTrade).map(\.price) == (bid.map { [$0] } ?? []))
    }

    @Test("price steps follow the price, or a finer step in the book")
    func steps() {
        var sample = Self.sample("143210000")
        let steps: [FixedDecimal] = ["1000", "2000", "5000", "10000", "50000", "100000"]
        #expect(sample.board.priceSteps(of: Self.market) == steps)
        sample.wait(.seconds(1))
        sample.book(Self.market, asks: [["143211500": "1"]], bids: [["143211000": "1"]])
        #expect(sample.board.priceSteps(of: Self.market).first == "500")
        #expect(SampleBoard.live().board.priceSteps(of: "NEW_KRW").isEmpty)
        #expect(SampleBoard.live().board.priceSteps(of: "NONE_KRW").isEmpty)
        #expect(SampleBoard.live().board.priceSteps(of: "ETH_BTC").first == "0.00000001")
    }

    @Test("groups of any step keep the total quantity and never cross")
    func property() {
        for step in Self.sample("143210000").board.priceSteps(of: Self.market) {
            let book = Self.present("143210000", group: step, depth: 30)
            #expect(book.totals.askQuantity == "10" && book.totals.bidQuantity == "10")
            if let ask = book.asks.first, let bid = book.bids.first {
                #expect(ask.price > bid.price, "\(step)")
            }
            for level in book.asks + book.bids {
                #expect(level.price.units % step.units == 0)
            }
        }
    }

    @Test("a crossed book is marked and omits the older levels")
    func crossed() {
        var sample = Self.sample("143210000")
        sample.wait(.milliseconds(10))
        let change = OrderBookDelta.Change(side: .bid, price: "143212000", quantity: "9")
        sample.applyDetails(
            .depth(OrderBookDelta(market: Self.market, at: sample.now, changes: [change]))
        )
        let book = MarketDetailPresenter(names: .sample)
            .orderBook(sample.snapshot(), MarketDetailQuery(market: Self.market))
        #expect(book.crossed)
        #expect(book.bids.first?.price == "143212000")
        #expect(book.asks.first?.price == "143215000")
        #expect((book.spread?.sign ?? 0) > 0)
        #expect(book.levelsKept >= 5)
    }

    private static func sample(_ price: FixedDecimal) -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(market, .book)
        sample.book(
            market,
            asks: [
                ["143211000": "1"], ["143215000": "2"], ["143216000": "3"], ["143220000": "1"],
                ["143251000": "3"],
            ],
            bids: [["143210000": "1"], ["143207000": "2"], ["143204000": "3"], ["143199000": "4"]]
        )
        sample.wait(.milliseconds(10))
        sample.trade(market, at: price)
        return sample
    }

    private static func present(
        _ price: FixedDecimal,
        group: FixedDecimal?,
        depth: Int
    ) -> OrderBookViewState {
        var sample = sample(price)
        var query = MarketDetailQuery(market: market)
        query.group = group
        query.depth = depth
        return MarketDetailPresenter(names: .sample).orderBook(sample.snapshot(), query)
    }
}
