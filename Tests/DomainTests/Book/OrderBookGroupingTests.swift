import TestSupport
import Testing

@testable import Domain

@Suite("Order book grouping")
struct OrderBookGroupingTests {
    @Test(
        "steps are the market's own and 2, 5, 10, 50 and 100 times that",
        arguments: [
            ("143210000", .krw, nil, ["1000", "2000", "5000", "10000", "50000", "100000"]),
            ("7500", .krw, nil, ["5", "10", "25", "50", "250", "500"]),
            ("0.5", .krw, nil, ["0.0001", "0.0002", "0.0005", "0.001", "0.005", "0.01"]),
            ("7500", .krw, "1", ["1", "2", "5", "10", "50", "100"]),
            ("7500", .krw, "10", ["5", "10", "25", "50", "250", "500"]),
            ("7500", .krw, "0", ["5", "10", "25", "50", "250", "500"]),
            (
                "0.01", .btc, nil,
                ["0.00000001", "0.00000002", "0.00000005", "0.0000001", "0.0000005", "0.000001"]
            ),
        ] as [(FixedDecimal, Quote, FixedDecimal?, [FixedDecimal])]
    )
    func steps(
        price: FixedDecimal,
        quote: Quote,
        finest: FixedDecimal?,
        expected: [FixedDecimal]
    ) {
        let steps = OrderBookGrouping.steps(for: price, quote: quote, finestStep: finest)
        #expect(steps == expected)
    }

    @Test("asks round up, bids round down, and quantities are summed")
    func groups() {
        let asks = bookLevels(["101": "1", "104": "2", "105": "3", "106": "0.5", "120": "1"])
        let bids = bookLevels(["100": "1", "99": "2", "96": "3", "95": "4", "94": "5"])
        #expect(
            OrderBookGrouping.group(asks, .ask, step: "5")
                == bookLevels(["105": "6", "110": "0.5", "120": "1"])
        )
        #expect(
            OrderBookGrouping.group(bids, .bid, step: "5")
                == bookLevels(["100": "1", "95": "9", "90": "5"])
        )
    }

    @Test(
        "the market's own step, zero and negative steps do not group",
        arguments: ["1", "0", "-5"] as [FixedDecimal]
    )
    func ungrouped(step: FixedDecimal) {
        let asks = bookLevels(["101": "1", "104": "2"])
        #expect(OrderBookGrouping.group(asks, .ask, step: step) == asks)
        #expect(OrderBookGrouping.group([], .bid, step: step).isEmpty)
    }

    @Test("bids below the step keep the lowest bid's price, because a bid of zero is impossible")
    func belowTheStep() {
        let bids = bookLevels(["12": "1", "9": "2", "4": "3", "1": "4"])
        let groups = OrderBookGrouping.group(bids, .bid, step: "10")
        #expect(groups == bookLevels(["10": "1", "1": "9"]))
        #expect(OrderBookGrouping.areTogether("9", "1", .bid, step: "10"))
        #expect(!OrderBookGrouping.areTogether("10", "1", .bid, step: "10"))
    }

    @Test("a group reports whether it has the last trade's price")
    func together() {
        #expect(OrderBookGrouping.areTogether("101", "105", .ask, step: "5"))
        #expect(!OrderBookGrouping.areTogether("100", "105", .ask, step: "5"))
        #expect(OrderBookGrouping.areTogether("99", "95", .bid, step: "5"))
        #expect(!OrderBookGrouping.areTogether("100", "95", .bid, step: "5"))
        #expect(OrderBookGrouping.areTogether("5", "5.0", .bid, step: "0"))
        #expect(!OrderBookGrouping.areTogether("5", "6", .bid, step: "0"))
    }

    @Test("extreme prices and quantities do not overflow")
    func extremes() {
        let largest = FixedDecimal(units: .max)
        let levels = [
            BookLevel(price: FixedDecimal(units: .max - 1), quantity: largest),
            BookLevel(price: largest, quantity: largest),
        ]
        // No multiple of the step lies above them: they stay unchanged.
        #expect(OrderBookGrouping.group(levels, .ask, step: "100") == levels)
        let bids = OrderBookGrouping.group(levels.reversed(), .bid, step: "100")
        #expect(bids.count == 1)
        #expect(bids.first?.quantity == largest)
        #expect((bids.first?.price.units ?? 1) % (FixedDecimal.unitsPerOne * 100) == 0)
    }

    @Test(
        "random books keep their total quantity, their order and uncrossed sides",
        arguments: 1...60 as ClosedRange<UInt64>
    )
    func properties(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var book = OrderBook()
        let touch = Int64.random(in: 1...300, using: &generator)
        for distance in 0..<Int64.random(in: 0...60, using: &generator) {
            let quantity = FixedDecimal(units: .random(in: 1...999_999_999, using: &generator))
            let isAsk = Bool.random(using: &generator)
            let price = isAsk ? touch + distance : max(1, touch - 1 - distance)
            let change = OrderBookDelta.Change(
                side: isAsk ? .ask : .bid,
                price: FixedDecimal(price),
                quantity: quantity
            )
            book.apply([change], at: 1)
        }
        for factor in OrderBookGrouping.factors {
            let step = FixedDecimal(factor)
            for side in BookSide.allCases {
                let levels = book.levels(side)
                let groups = OrderBookGrouping.group(levels, side, step: step)
                #expect(
                    groups.reduce(0) { $0 + $1.quantity.units }
                        == levels.reduce(0) { $0 + $1.quantity.units }
                )
                for (near, far) in zip(groups, groups.dropFirst()) {
                    #expect(side == .ask ? near.price < far.price : near.price > far.price)
                }
                for group in groups {
                    let members = levels.filter {
                        OrderBookGrouping.areTogether($0.price, group.price, side, step: step)
                    }
                    #expect(members.reduce(0) { $0 + $1.quantity.units } == group.quantity.units)
                    #expect(
                        members.allSatisfy {
                            side == .ask ? $0.price <= group.price : $0.price >= group.price
                        }
                    )
                    #expect(group.price.sign > 0)
                    let isOnGrid = group.price.units % step.units == 0
                    #expect(isOnGrid || group.price < step)
                }
                #expect(OrderBookGrouping.group(groups, side, step: step) == groups)
            }
            let ask = OrderBookGrouping.group(book.levels(.ask), .ask, step: step).first
            let bid = OrderBookGrouping.group(book.levels(.bid), .bid, step: step).first
            if let ask, let bid { #expect(bid.price < ask.price) }
        }
    }
}

@Suite("Order book step")
struct OrderBookStepTests {
    @Test(
        "the step is the table's, or a finer one on which all prices lie",
        arguments: [
            (["143211000"], ["143210000"], .krw, "1000"),
            (["143210500"], ["143210000"], .krw, "500"),
            (["143211000"], ["143210200"], .krw, "200"),
            (["143210300"], ["143210000"], .krw, "100"),
            (["143210001"], [], .krw, "1"),
            ([], ["7505", "7500"], .krw, "5"),
            ([], ["7505", "7501"], .krw, "1"),
            (["0.00000152"], ["0.00000151"], .btc, "0.00000001"),
            (["0.000001525"], ["0.00000151"], .btc, "0.000000005"),
            // Around a band border the finer step applies.
            (["5000", "5005"], ["4999", "4998"], .krw, "1"),
            // A market may still have the steps of an older table.
            (["1000", "1001"], ["999.9", "999.8"], .krw, "0.1"),
            // A price far below, in another band, does not matter.
            (["101"], ["100", "99.99", "0.0123"], .krw, "1"),
        ] as [([FixedDecimal], [FixedDecimal], Quote, FixedDecimal)]
    )
    func finestStep(
        asks: [FixedDecimal],
        bids: [FixedDecimal],
        quote: Quote,
        expected: FixedDecimal
    ) {
        var book = OrderBook()
        book.apply(asks.map { .init(side: .ask, price: $0, quantity: .one) }, at: 1)
        book.apply(bids.map { .init(side: .bid, price: $0, quantity: .one) }, at: 1)
        #expect(book.finestStep(quote: quote) == expected)
    }

    @Test("every price near the best lies on the step", arguments: 1...30 as ClosedRange<UInt64>)
    func divides(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let unit = Int64.random(in: 1...40, using: &generator)
        var book = OrderBook()
        for _ in 0..<30 {
            let price = FixedDecimal(5_000 + unit * Int64.random(in: 1...99, using: &generator))
            book.apply([.init(side: .ask, price: price, quantity: .one)], at: 1)
        }
        let step = try #require(book.finestStep(quote: .krw))
        #expect(step.sign > 0 && step <= "5")
        for level in book.levels(.ask) { #expect(level.price.units % step.units == 0) }
    }
}
