import Domain
import TestSupport
import Testing

@Suite("Alerts where messages of one second do not tell their order")
struct AlertMomentTests {
    private static let subject = AlertSubject("A_KRW")

    private static func at(_ milliseconds: Int) -> Timestamp {
        .noon(plus: .milliseconds(milliseconds))
    }

    /// A run of trades of API 1.x: prices of whole seconds.
    private static func run(_ rows: [(Int, FixedDecimal)]) -> AlertEvent {
        .repaired(
            "A_KRW",
            rows.map { AlertPricePoint(price: $1, at: .noon($0), isOfSecond: true) }
        )
    }

    private static func listing(_ price: FixedDecimal, at: Timestamp) -> AlertEvent {
        .observed(AlertObservation(.price, of: subject, price, at: at, source: .listing))
    }

    private static func frame(_ price: FixedDecimal, at: Timestamp) -> AlertEvent {
        .observed(AlertObservation(.price, of: subject, price, at: at, source: .ticker))
    }

    // MARK: Runs

    @Test("a crossing of a run that is read twice does not fire for an arming later in its second")
    func armedInSecond() throws {
        var book = AlertBook(feed: .live)
        try book.add("A < 1010 again 0s ticks 2", createdAt: .noon(-1))
        _ = book.apply(trade: "1012", at: .noon(0))
        #expect(book.apply(trade: "1009", at: .noon(0)).count == 1)
        let rows: [(Int, FixedDecimal)] = [(0, "1009"), (5, "1011"), (5, "1010"), (5, "1013")]
        for _ in 1...2 {
            _ = book.apply(.interrupted)
            #expect(book.apply(Self.run(rows)).isEmpty)
        }
        _ = book.apply(.interrupted)
        #expect(book.apply(Self.run(rows + [(5, "1010")])).map(\.value) == ["1010"])
    }

    @Test("a crossing that a frame told with the time of its second is not told again by the run")
    func toldByFrame() throws {
        for (again, count) in [(300, 0), (1_300, 1)] {
            var book = AlertBook(feed: .live)
            try book.add("A 1005..1010 again 0s", createdAt: .noon(-1))
            _ = book.apply(trade: "1006", at: .noon(0))
            _ = book.apply(.interrupted)
            let told = book.apply(Self.frame("1003", at: .noon(5)))
            #expect(told.map(\.direction) == [.down])
            let rows: [(Int, FixedDecimal)] = [
                (0, "1006"), (5_000 + again, "1004"), (5_000 + again, "1003"),
            ]
            let run = rows.map { AlertPricePoint(price: $1, at: Self.at($0)) }
            #expect(book.apply(.repaired("A_KRW", run)).count == count)
        }
    }

    @Test("a price that was read before it was made is not news to a new rule")
    func madeAfterRun() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A < 1002")
        bench.loseTrades()
        let at = Self.at(11_300)
        bench.trade("A_KRW", "1003", at: at)
        bench.list(at: Self.at(11_100))
        bench.apply(.feed(.stale), at: .noon(12))
        bench.repair([("1001", 2), ("1002", 11), ("1003", 11), ("1008", 11)], at: .noon(13))
        _ = bench.news()
        try bench.rule("A < 1005", createdAt: .noon(11))
        bench.begin(at: .noon(14))
        #expect(bench.news().isEmpty)
    }

    @Test("a change is not told in time after trades that were read again in its moment")
    func changeOfMoment() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 1%")
        bench.loseTrades()
        bench.apply(.feed(.live), at: .noon(11))
        bench.pass(to: .noon(11))
        bench.trade("A_KRW", "1003", at: Self.at(11_300))
        bench.repair([("1001", 2), ("1002", 11), ("1003", 11), ("1020", 11)], at: .noon(13))
        bench.pass(to: .noon(14))
        #expect(bench.news() == ["A_KRW ↑ 2 interrupted"])
    }

    @Test("trades of a firing's second with exact times do not arm the rule before the next value")
    func roundedFiring() throws {
        for (next, count) in [(FixedDecimal("1007"), 1), ("1009", 0)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            _ = book.apply(.interrupted)
            #expect(book.apply(Self.run([(0, "1009"), (5, "1007"), (5, "1010")])).count == 1)
            let rows: [(Int, FixedDecimal)] = [(5_300, "1007"), (5_600, "1010"), (6_000, "1009")]
            let run = rows.map { AlertPricePoint(price: $1, at: Self.at($0)) }
            #expect(book.apply(.repaired("A_KRW", run)).isEmpty)
            _ = book.apply(trade: next, at: .noon(7))
            #expect(book.apply(trade: "1010", at: .noon(8)).count == count)
        }
    }

    @Test("an arming that a frame of a whole second tells does not let an earlier trade of it fire")
    func armedByFrame() throws {
        for (last, count) in [([], 0), ([(5_400, "1010")], 1)] as [([(Int, FixedDecimal)], Int)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            #expect(book.apply(trade: "1010", at: .noon(0)).count == 1)
            _ = book.apply(.interrupted)
            _ = book.apply(Self.frame("1007", at: .noon(5)))
            let rows = [(0, "1010"), (4_900, "1009"), (5_200, "1010"), (5_300, "1007")] + last
            let run = rows.map { AlertPricePoint(price: $1, at: Self.at($0)) }
            #expect(book.apply(.repaired("A_KRW", run)).count == count)
        }
    }

    @Test(
        "the trades of a firing's millisecond before it, read again, do not arm the rule",
        arguments: [true, false]
    )
    func armedBeforeFiring(isFirst: Bool) throws {
        let prices: [FixedDecimal] = ["1012", "1012", "1011", "1010"]
        var book = AlertBook(feed: .live)
        _ = book.apply(Self.listing("1011", at: .noon(0)))
        _ = book.apply(.interrupted)
        if !isFirst { _ = book.apply(trade: "1011", at: Self.at(5_100)) }
        for price in prices { _ = book.apply(trade: price, at: Self.at(5_200)) }
        try book.add("A < 1010 again 0s ticks 1", createdAt: .noon(1))
        let run = prices.map { AlertPricePoint(price: $0, at: Self.at(5_200)) }
        #expect(book.apply(.repaired("A_KRW", run)).count == 1)
        _ = book.apply(trade: "1011", at: .noon(6))
        #expect(book.apply(trade: "1010", at: .noon(7)).isEmpty)
        // Later ones do.
        _ = book.apply(trade: "1012", at: .noon(8))
        #expect(book.apply(trade: "1010", at: .noon(9)).count == 1)
    }

    @Test("a crossing that a stream of milliseconds told is not told by one of microseconds")
    func toldByOtherStream() throws {
        for (again, count) in [(200, 0), (201, 1)] {
            var book = AlertBook(feed: .live)
            try book.add("A < 1010 again 0s", createdAt: .noon(-1))
            _ = book.apply(trade: "1011", at: .noon(0))
            _ = book.apply(.interrupted)
            #expect(book.apply(trade: "1008", at: Self.at(5_200)).count == 1)
            _ = book.apply(trade: "1011", at: Self.at(5_200))
            let later = Self.at(5_000 + again).advanced(by: .microseconds(7))
            #expect(book.apply(trade: "1010", at: later).count == count)
        }
    }

    @Test("a trade of the stream in the second of a listing follows the last one read again")
    func afterRun() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1007", at: .noon(0))
        _ = book.apply(.interrupted)
        _ = book.apply(Self.listing("1008", at: Self.at(5_400)))
        _ = book.apply(Self.run([(0, "1007"), (5, "1008"), (5, "1009")]))
        let told = book.apply(trade: "1010", at: Self.at(5_200))
        #expect(told.map(\.value) == ["1010"])
    }

    // MARK: Listings

    @Test("a trade before the time of a listing in its second crosses what both orders cross")
    func tradeBeforeListing() throws {
        for (before, count) in [(FixedDecimal("1012"), 0), ("1008", 1)] {
            var book = AlertBook(feed: .live)
            _ = book.apply(trade: before, at: .noon(0))
            _ = book.apply(.interrupted)
            // The second time it only tells that the price is still the current one.
            for _ in 1...2 {
                #expect(book.apply(Self.listing("1009", at: Self.at(5_200))).isEmpty)
            }
            try book.add("A > 1010 again 0s", createdAt: .noon(0))
            #expect(book.apply(trade: "1011", at: Self.at(5_100)).count == count)
            // The next trade is compared with that one.
            #expect(book.apply(trade: "1009", at: Self.at(5_101)).isEmpty)
            #expect(book.apply(trade: "1010", at: Self.at(5_300)).count == 1)
        }
    }

    @Test(
        "trades that arrive after a listing are what a trade before it is compared with",
        arguments: [nil, false, true]
    )
    func tradesAfterListing(isReadAgain: Bool?) throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(4))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        _ = book.apply(Self.listing("1009", at: Self.at(5_200)))
        switch isReadAgain {
        case true?: _ = book.apply(Self.run([(0, "1009"), (4, "1011")]))
        case false?: _ = book.apply(trade: "1011", at: .noon(4))
        case nil: break
        }
        let told = book.apply(trade: "1012", at: Self.at(5_100))
        #expect(told.count == (isReadAgain == nil ? 1 : 0))
    }

    @Test("a change at a trade before the listing of its second is not told")
    func changeBeforeListing() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 1% again 0s")
        bench.tick(at: .noon(1))
        bench.trade("A_KRW", "1020", at: .noon(5))
        #expect(bench.news() == ["A_KRW ↑ 2"])
        bench.reconnect(at: .noon(10))
        bench.apply(.feed(.live), at: .noon(11))
        let entry = ListingEntry("A_KRW", price: "1005", previousClose: "1000")
        bench.list(.krw, [entry, ObservedBoard.standard[1]], at: Self.at(12_400))
        bench.pass(to: Self.at(12_500))
        bench.trade("A_KRW", "1020", at: Self.at(12_200))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1005", at: Self.at(12_400))
        bench.trade("A_KRW", "1020", at: Self.at(12_600))
        #expect(bench.news() == ["A_KRW ↑ 2"])
    }

    // MARK: Frames

    @Test("a frame of a whole second does not replace a listing in it, but its trades do")
    func frameAfterListing() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        _ = book.apply(Self.listing("1008", at: Self.at(5_900)))
        #expect(book.apply(Self.frame("1011", at: .noon(5))).isEmpty)
        #expect(book.apply(trade: "1011", at: Self.at(5_950)).count == 1)
    }

    @Test("a frame that a listing of its second did not replace is not confirmed by it")
    func unconfirmedFrame() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A < 1000")
        bench.trade("A_KRW", "1001", at: .noon(2))
        bench.apply(.feed(.subscribed), at: .noon(10))
        let frame = TickerFrame("A_KRW", .hours24, at: .noon(12), open: "1000", close: "1002")
        bench.apply(.ticker(frame), at: Self.at(12_200))
        bench.list(.krw, [ListingEntry("A_KRW", price: "1003")], at: Self.at(12_800))
        bench.trade("BTC_KRW", "100000000", at: Self.at(12_500))
        bench.begin(at: .noon(13))
        bench.trade("A_KRW", "990", at: .noon(14))
        #expect(bench.news() == ["A_KRW ↓ 990 interrupted"])
    }

    @Test("after a trade in the second of a frame, at another price, the next crossing is late")
    func tradeOfFrame() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010 again 0s")
        bench.openTrades()
        bench.apply(.feed(.subscribed), .feed(.live), at: .noon(10))
        bench.repair([("1001", 2), ("1000", 11)], at: .noon(12))
        let frame = TickerFrame("A_KRW", .hours24, at: .noon(12), open: "1000", close: "1000")
        bench.apply(.ticker(frame), at: .noon(12))
        // The stream repeats what REST has told: the price of the frame is the current one.
        bench.trade("A_KRW", "1000", at: Self.at(11_400))
        bench.trade("A_KRW", "1012", at: Self.at(12_500))
        bench.trade("A_KRW", "1020", at: Self.at(13_100))
        let comment: Comment = "the trade at 12.5 s may have been before the frame"
        #expect(bench.news() == ["A_KRW ↑ 1020 interrupted"], comment)
        bench.trade("A_KRW", "1000", "1020", at: .noon(14))
        #expect(bench.news() == ["A_KRW ↑ 1020"])
    }
}
