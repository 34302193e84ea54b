import Domain
import ViewStates
import TestSupport
import Testing

@Suite("An order book is limited to its depth, with sums, ratios and shares")
struct OrderBookPresenterTests {
    private static let market: MarketID = "BTC_KRW"

    @Test("a random book of 0 to 30 levels a side equals plain sums over its levels")
    func property() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<300 {
            let counts = (0..<2).map { _ in Int.random(in: 0...30, using: &generator) }
            let asks = Self.levels(counts[0], from: 143_211_000, by: 1_000, &generator)
            let bids = Self.levels(counts[1], from: 143_210_000, by: -1_000, &generator)
            let depth = Int.random(in: 1...30, using: &generator)
            let book = Self.present(asks: asks, bids: bids) { $0.depth = depth }
            #expect(book.depth == depth && book.levelsKept == max(counts[0], counts[1]))
            let shown = (asks: Array(asks.prefix(depth)), bids: Array(bids.prefix(depth)))
            let largest = (shown.asks + shown.bids).map(\.quantity).max()
            try Self.check(book.asks, shown.asks, largest: largest)
            try Self.check(book.bids, shown.bids, largest: largest)
            #expect(book.totals.askQuantity == Self.sum(shown.asks))
            #expect(book.totals.bidQuantity == Self.sum(shown.bids))
            // The best prices are those of the whole book, whatever the depth.
            #expect(book.best.ask?.price == asks.first?.price)
            #expect(book.best.bid?.quantity == bids.first?.quantity)
            let isTwoSided = !asks.isEmpty && !bids.isEmpty
            #expect(book.spread == (isTwoSided ? "1000" : nil))
            #expect(book.spreadText == (isTwoSided ? "1,000" : nil))
            #expect(book.mid == (isTwoSided ? "143210500" : nil))
            #expect((book.totals.bidSharePercent == nil) == (asks.isEmpty && bids.isEmpty))
            #expect(!book.crossed && book.heals == 0 && book.group == "1000")
        }
    }

    @Test(
        "the bids' share of both sides has two decimals, rounded half away from zero",
        arguments: [
            ("1", "3", "75"), ("3.1022", "5.8871", "65.49"), ("1", nil, "0"), (nil, "1", "100"),
            ("2", "1", "33.33"), ("1", "2", "66.67"), ("199.99", "0.01", "0.01"),
        ] as [(FixedDecimal?, FixedDecimal?, FixedDecimal)]
    )
    func share(ask: FixedDecimal?, bid: FixedDecimal?, percent: FixedDecimal) {
        let book = Self.present(
            asks: ask.map { [["143211000": $0]] } ?? [],
            bids: bid.map { [["143210000": $0]] } ?? []
        )
        #expect(book.totals.bidSharePercent == percent)
    }

    @Test(
        "a level has its change from the previous close, rounded half away from zero",
        arguments: [
            ("143210000", "143210000", "0", .flat), ("101", "100", "1", .up),
            ("99", "100", "-1", .down), ("100.005", "100", "0.01", .up),
            ("99.995", "100", "-0.01", .down), ("100.004", "100", "0", .flat),
            ("0.0002", "0.0001", "100", .up), ("143210000", "144155000", "-0.66", .down),
        ] as [(String, String, String, DirectionViewState)]
    )
    func change(
        price: String,
        previousClose: String,
        percent: String,
        direction: DirectionViewState
    ) {
        let book = Self.present(
            asks: [],
            bids: [BookLevel(price: .init(stringLiteral: price), quantity: .one)],
            previousClose: .init(stringLiteral: previousClose)
        )
        #expect(book.bids.first?.changeRatePercent == .init(stringLiteral: percent))
        #expect(book.bids.first?.priceDirection == direction)
    }

    @Test("without a previous close no level has a change")
    func unknownPreviousClose() {
        let book = Self.present(
            asks: [["101": "1"]],
            bids: [["100": "1"]],
            previousClose: nil
        )
        for level in book.asks + book.bids {
            #expect(level.changeRatePercent == nil && level.priceDirection == nil)
        }
    }

    @Test(
        "quantities have four decimals, truncated, or all of them if the four would be zeros",
        arguments: [
            ("0.0421", "0.0421"), ("5", "5.0000"), ("1234567.8", "1,234,567.8000"),
            ("0.99999", "0.9999"), ("0.0001", "0.0001"), ("0.00009999", "0.00009999"),
            ("0.000000000000000001", "0.000000000000000001"), ("0", "0.0000"),
        ] as [(FixedDecimal, String)]
    )
    func quantityText(quantity: FixedDecimal, text: String) {
        #expect(NumberText.quantity(quantity) == text)
    }

    @Test(
        "prices and spreads have the decimals of their price band",
        arguments: [
            ("BTC_KRW", "143211000", "143210000", "143,211,000", "1,000"),
            ("BTC_KRW", "1001", "1000", "1,001", "1"),
            ("BTC_KRW", "100.1", "100", "100.1", "0.1"),
            ("BTC_KRW", "10.01", "10", "10.01", "0.01"),
            ("BTC_KRW", "7.524", "7.523", "7.524", "0.001"),
            ("BTC_KRW", "0.0312", "0.0311", "0.0312", "0.0001"),
            ("ETH_BTC", "0.0315", "0.03149999", "0.03150000", "0.00000001"),
        ] as [(MarketID, String, String, String, String)]
    )
    func bands(
        market: MarketID,
        ask: String,
        bid: String,
        text: String,
        spreadText: String
    ) {
        let book = Self.present(
            market,
            asks: [BookLevel(price: .init(stringLiteral: ask), quantity: .one)],
            bids: [BookLevel(price: .init(stringLiteral: bid), quantity: .one)]
        )
        #expect(book.asks.first?.priceText == text && book.spreadText == spreadText)
        #expect(book.group == book.spread)
    }

    @Test("a quantity has its ratio to the largest of its side and of both sides")
    func ratios() {
        let book = Self.present(
            asks: [["101": "1"], ["102": "2"]],
            bids: [["100": "4"], ["99": "0.0001"], ["98": "0.02"]]
        )
        #expect(book.asks.map(\.ratioSide) == ["0.5", "1"])
        #expect(book.asks.map(\.ratioBoth) == ["0.25", "0.5"])
        #expect(book.bids.map(\.ratioSide) == ["1", "0", "0.01"])
        #expect(book.bids.map(\.ratioBoth) == ["1", "0", "0.01"])
    }

    @Test("sums that overflow saturate at the largest number")
    func overflow() {
        let most = FixedDecimal(units: .max)
        let levels = [BookLevel(price: "1", quantity: most), ["2": "1"]]
        let book = Self.present(asks: levels, bids: [])
        #expect(book.asks.map(\.cumulative) == [most, most])
        #expect(book.totals.askQuantity == most)
    }

    private static func levels(
        _ count: Int,
        from first: Int64,
        by step: Int64,
        _ generator: inout SeededGenerator
    ) -> [BookLevel] {
        (0..<Int64(count)).map { number in
            let quantity = Int128.random(in: 1...5_000_000_000, using: &generator)
            return BookLevel(
                price: FixedDecimal(first + number * step),
                quantity: FixedDecimal(units: quantity * 1_000_000_000_000)
            )
        }
    }

    private static func check(
        _ shown: [OrderBookViewState.Level],
        _ levels: [BookLevel],
        largest: FixedDecimal?
    ) throws {
        #expect(shown.map(\.price) == levels.map(\.price))
        #expect(shown.map(\.quantity) == levels.map(\.quantity))
        let sideLargest = levels.map(\.quantity).max()
        for (index, level) in shown.enumerated() {
            #expect(level.cumulative == sum(Array(levels[...index])))
            #expect(level.priceText == NumberText.price(level.price, quote: .krw))
            #expect(level.quantityText == NumberText.quantity(level.quantity))
            #expect(try level.ratioSide == part(level.quantity, of: #require(sideLargest)))
            #expect(try level.ratioBoth == part(level.quantity, of: #require(largest)))
        }
    }

    private static func sum(_ levels: [BookLevel]) -> FixedDecimal {
        FixedDecimal(units: levels.reduce(0) { $0 + $1.quantity.units })
    }

    /// Hundredths by whole numbers: twice the remainder decides.
    private static func part(_ quantity: FixedDecimal, of largest: FixedDecimal) -> FixedDecimal {
        let (hundredths, rest) = (quantity.units * 100).quotientAndRemainder(
            dividingBy: largest.units
        )
        let rounded = hundredths + (rest * 2 >= largest.units ? 1 : 0)
        return FixedDecimal(units: rounded * (FixedDecimal.unitsPerOne / 100))
    }

    private static func present(
        _ market: MarketID = market,
        asks: [BookLevel],
        bids: [BookLevel],
        previousClose: FixedDecimal? = "143210000",
        _ change: (inout MarketDetailQuery) -> Void = { _ in }
    ) -> OrderBookViewState {
        var sample = SampleBoard.live()
        let best = bids.first?.price ?? asks.first?.price
        let entry = ListingEntry(market, price: best, previousClose: previousClose)
        sample.wait(.seconds(1))
        sample.list(market.quote, [entry])
        sample.open(market, .book)
        sample.book(market, asks: asks, bids: bids)
        var query = MarketDetailQuery(market: market)
        change(&query)
        return MarketDetailPresenter(names: .sample).orderBook(sample.snapshot(), query)
    }
}
