import Domain
import TestSupport
import Testing

@Suite("Alert rules on the events of a board")
struct AlertObserverTests {
    @Test("a crossing inside one batch fires with its own time")
    func insideBatch() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010")
        bench.trade("A_KRW", "1005", "1012", "1004", at: .noon(2))
        #expect(bench.fired.map(\.alert.at) == [.noon(2).advanced(by: .milliseconds(1))])
        #expect(bench.news() == ["A_KRW ↑ 1012"])
    }

    @Test("a rule knows the price of a market that no rule watched before")
    func newRule() throws {
        var bench = ObservedBoard.live()
        bench.trade("A_KRW", "1009", at: .noon(2))
        try bench.rule("A > 1010", createdAt: .noon(3))
        bench.trade("A_KRW", "1010", at: .noon(4))
        #expect(bench.news() == ["A_KRW ↑ 1010"])
    }

    @Test("listings, rows and frames tell prices until trades arrive")
    func otherPrices() throws {
        var bench = ObservedBoard()
        bench.list(.krw, at: .noon(0))
        try bench.rule("A > 1010 again 0s")
        bench.list(.krw, [ListingEntry("A_KRW", price: "1020")], at: .noon(5))
        #expect(bench.news() == ["A_KRW ↑ 1020"])
        bench.apply(.row(ListingEntry("A_KRW", price: "1000"), at: .noon(7)), at: .noon(7))
        let frame = TickerFrame("A_KRW", .hours24, at: .noon(9), open: "1000", close: "1030")
        bench.apply(.ticker(frame), at: .noon(9))
        #expect(bench.news() == ["A_KRW ↑ 1030"])
        // A listing with a trade that arrives after an earlier one of the same second.
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.trade("A_KRW", "1000", at: .noon(11))
        bench.list(.krw, [ListingEntry("A_KRW", price: "1020")], at: .noon(12))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1005", "1020", at: .noon(12))
        #expect(bench.news() == ["A_KRW ↑ 1020"])
    }

    @Test("a change that crosses within a batch fires, and the day's jump to zero does not")
    func change() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 3% again 0s")
        bench.tick(at: .noon(1))
        bench.trade("A_KRW", "1035", "1001", at: .noon(2))
        #expect(bench.news() == ["A_KRW ↑ 3.5"])
        bench.trade("A_KRW", "1040", at: .noon(3))
        #expect(bench.news() == ["A_KRW ↑ 4"])
        let midnight = SeoulTime.startOfDay(SeoulTime(.noon(0)).day + 1)
        bench.apply(.dayBegan(SeoulTime(midnight).day), at: midnight)
        bench.list(
            .krw,
            [ListingEntry("A_KRW", price: "1040", previousClose: "1040")],
            at: midnight.advanced(by: .seconds(1))
        )
        bench.trade("BTC_KRW", "100000000", at: midnight.advanced(by: .seconds(2)))
        bench.trade("A_KRW", "1041", at: midnight.advanced(by: .seconds(3)))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1080", at: midnight.advanced(by: .seconds(4)))
        #expect(bench.news() == ["A_KRW ↑ 3.85"])
    }

    @Test("trades before midnight that arrive after it do not change from the new day's base")
    func lateBeforeMidnight() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID < -1% again 0s")
        bench.tick(at: .noon(1))
        let midnight = SeoulTime.startOfDay(SeoulTime(.noon(0)).day + 1)
        func at(_ seconds: Int) -> Timestamp { midnight.advanced(by: .seconds(seconds)) }
        bench.trade("A_KRW", "1000", at: at(-3))
        bench.apply(.dayBegan(SeoulTime(midnight).day), at: midnight)
        bench.list(.krw, [ListingEntry("A_KRW", price: "1040", previousClose: "1040")], at: at(1))
        bench.trade("BTC_KRW", "100000000", at: at(2))
        bench.tick(at: at(2))
        bench.trade("A_KRW", "1001", at: at(-2))
        bench.trade("A_KRW", "1040", at: at(-1))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1020", at: at(3))
        #expect(bench.news() == ["A_KRW ↓ -1.92"])
    }

    @Test("a crossing during an interruption is late, and stale values never fire")
    func interruption() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010 again 0s")
        try bench.rule("A MID > 3% again 0s")
        bench.tick(at: .noon(1))
        let lost = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        bench.apply(
            .feed(.reconnecting(attempt: 1, nextRetryAt: .noon(6), failure: lost)),
            at: .noon(5)
        )
        bench.tick(at: .noon(20))
        #expect(bench.news().isEmpty)
        bench.apply(.feed(.subscribed), at: .noon(30))
        bench.trade("A_KRW", "1040", at: .noon(31))
        #expect(bench.news().first == "A_KRW ↑ 1040 interrupted")
    }

    @Test("prices that are read while the feed is lost are late, also the second one")
    func lostFeed() throws {
        for silence in [false, true] {
            var bench = ObservedBoard.live()
            try bench.rule("A > 1010 again 0s")
            let lost = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
            let loss =
                silence
                ? FeedEvent.stale
                : .reconnecting(attempt: 1, nextRetryAt: .noon(40), failure: lost)
            bench.apply(.feed(loss), at: .noon(5))
            bench.list(.krw, [ListingEntry("A_KRW", price: "1005")], at: .noon(10))
            // Rules that change let the board's prices be observed once more.
            bench.begin(at: .noon(11))
            bench.list(.krw, [ListingEntry("A_KRW", price: "1020")], at: .noon(20))
            #expect(bench.news() == ["A_KRW ↑ 1020 interrupted"])
            bench.list(.krw, [ListingEntry("A_KRW", price: "1000")], at: .noon(30))
            bench.apply(.feed(.subscribed), at: .noon(40))
            bench.list(.krw, [ListingEntry("A_KRW", price: "1000")], at: .noon(41))
            bench.trade("A_KRW", "1030", at: .noon(42))
            #expect(bench.news() == ["A_KRW ↑ 1030 interrupted"], "trades before it may be lost")
            bench.trade("A_KRW", "1000", "1040", at: .noon(43))
            #expect(bench.news() == ["A_KRW ↑ 1040"])
        }
    }

    @Test("a frame does not tell a price before the trades that it comes with")
    func frameBeforeTrades() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A < 1005 again 0s")
        bench.trade("A_KRW", "1000", at: .noon(5))
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.trade("BTC_KRW", "100000000", at: .noon(11))
        // The times of frames may be whole seconds.
        let frame = TickerFrame("A_KRW", .hours24, at: .noon(12), open: "1000", close: "1010")
        bench.apply(.ticker(frame), at: .noon(12))
        bench.trade("A_KRW", "1000", "1010", at: .noon(12).advanced(by: .milliseconds(300)))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1000", at: .noon(13))
        #expect(bench.news() == ["A_KRW ↓ 1000"])
    }

    @Test("a change is not that of a frame before the trades that it comes with")
    func changeBeforeTrades() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID < 0.5% again 0s")
        bench.trade("A_KRW", "1000", at: .noon(5))
        bench.apply(.feed(.subscribed), .feed(.live), at: .noon(10))
        bench.trade("BTC_KRW", "100000000", at: .noon(11))
        let frame = TickerFrame("A_KRW", .hours24, at: .noon(12), open: "1000", close: "1010")
        bench.apply(.ticker(frame), at: .noon(12))
        bench.trade("A_KRW", "1000", "1010", at: .noon(12).advanced(by: .milliseconds(300)))
        #expect(bench.news().isEmpty)
    }

    @Test("a listing in the second of a lost stream's last trade does not prove the trade's price")
    func listingInSecond() throws {
        var bench = ObservedBoard.live()
        func at(_ milliseconds: Int) -> Timestamp { .noon(plus: .milliseconds(milliseconds)) }
        bench.trade("A_KRW", "1010", at: at(5_000))
        bench.apply(.feed(.subscribed), .feed(.live), at: at(5_200))
        bench.list(at: at(5_400))
        try bench.rule("A MID < 0.5%", createdAt: at(5_300))
        bench.tick(at: at(5_500))
        bench.pass(to: at(5_600))
        bench.trade("A_KRW", "1000", at: at(5_700))
        #expect(bench.news().isEmpty)
    }

    @Test("a change that was not known for a while is late")
    func unknownBase() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 1% again 0s")
        bench.trade("A_KRW", "1005", at: .noon(5))
        bench.list(.krw, [ListingEntry("A_KRW", price: "1005")], at: .noon(6))
        bench.trade("A_KRW", "1020", at: .noon(7))
        bench.list(at: .noon(8))
        bench.pass(to: .noon(9))
        #expect(bench.news() == ["A_KRW ↑ 2 interrupted"])
    }

    @Test("a trade that is older than that of a listing does not cross its price")
    func tradeBeforeListing() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A < 1005 again 0s")
        func at(_ milliseconds: Int) -> Timestamp { .noon(plus: .milliseconds(milliseconds)) }
        bench.trade("A_KRW", "1000", at: .noon(5))
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.trade("BTC_KRW", "100000000", at: .noon(11))
        var entry = ListingEntry("A_KRW", price: "1020")
        entry.tradedAt = at(13_200)
        bench.list(.krw, [entry], at: at(13_500))
        bench.trade("A_KRW", "1000", at: at(13_050))
        bench.trade("A_KRW", "1020", at: at(13_200))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1000", at: at(13_201))
        #expect(bench.news() == ["A_KRW ↓ 1000"])
    }

    @Test("the change at a trade before a listing is not that at the end of its batch")
    func changeWithinBatch() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID < 0.5% again 0s")
        bench.trade("A_KRW", "1006", "1005", at: .noon(5))
        #expect(bench.news() == ["A_KRW ↓ 0.5"])
        bench.apply(.feed(.stale), at: .noon(10))
        var entry = ListingEntry("A_KRW", price: "1005", previousClose: "1000")
        entry.tradedAt = .noon(9)
        bench.list(.krw, [entry, ObservedBoard.standard[1]], at: .noon(11))
        // The stream brings what it held back.
        let prices: [(FixedDecimal, Int)] = [("1003", 7), ("1005", 9), ("1004", 12), ("1006", 12)]
        let events = prices.map { MarketEvent.trade(Trade("A_KRW", price: $0, at: .noon($1))) }
        let other = MarketEvent.trade(Trade("BTC_KRW", price: "100000000", at: .noon(12)))
        bench.apply([.feed(.live), other] + events, at: .noon(12))
        #expect(bench.news().isEmpty)
    }

    @Test("volume strength is that of the 24-hour frame")
    func strength() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A strength > 150")
        var frame = TickerFrame("A_KRW", .hours24, at: .noon(2), open: "1000", close: "1000")
        (frame.buyVolume, frame.sellVolume) = ("100", "100")
        bench.apply(.ticker(frame), at: .noon(2))
        (frame.at, frame.buyVolume) = (.noon(4), "160")
        bench.apply(.ticker(frame), at: .noon(4))
        #expect(bench.news() == ["A_KRW ↑ 160"])
    }

    @Test("a change whose window has become empty has the time of that")
    func emptyWindow() throws {
        var bench = ObservedBoard.live()
        let frame = TickerFrame("A_KRW", .minutes30, at: .noon(10), open: "1000", close: "1030")
        bench.trade("A_KRW", "1030", at: .noon(10))
        bench.apply(.ticker(frame), at: .noon(10))
        // Younger than the trade, and older than the end of its window.
        try bench.rule("A 30M < 1%", createdAt: .noon(600))
        bench.pass(to: .noon(601))
        bench.pass(to: .noon(1_812))
        #expect(bench.fired.map(\.alert.at) == [.noon(1_800)])
        #expect(bench.news() == ["A_KRW ↓ 0"])
    }

    @Test("a spread is that of a complete book")
    func spread() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A spread > 50bp")
        #expect(bench.observer.books == ["A_KRW"])
        func book(_ ask: FixedDecimal, at: Timestamp) -> DetailEvent {
            .orderBook(
                OrderBookSnapshot(
                    market: "A_KRW",
                    at: at,
                    asks: [BookLevel(price: ask, quantity: .one)],
                    bids: [BookLevel(price: "999", quantity: .one)],
                    origin: .stream
                )
            )
        }
        let interest = DetailInterest(market: "A_KRW", facet: .book)
        bench.details(.feed(.opened(interest)), .feed(.subscribed(["A_KRW"])), at: .noon(1))
        bench.details(book("1001", at: .noon(2)), at: .noon(2))
        #expect(bench.news().isEmpty)
        bench.details(book("1005", at: .noon(4)), at: .noon(4))
        #expect(bench.news().count == 1)
    }

    @Test("deposits, warnings and alerts fire when they begin or end")
    func reference() throws {
        var bench = ObservedBoard.live()
        for text in ["A deposit closes", "A caution set", "A alert set", "A alert lifted"] {
            try bench.rule(text)
        }
        let coin = try #require(Asset(symbol: "A"))
        func states(open: Bool, at: Timestamp) -> ReferenceEvent {
            .assetStates(
                [coin: AssetState(isDepositOpen: open, isWithdrawalOpen: true)],
                readAt: at
            )
        }
        func marks(_ warned: Set<MarketID>, _ alert: MarketAlert?, at: Timestamp) -> ReferenceEvent
        {
            let alerts: [MarketID: [MarketAlert]] = alert.map { ["A_KRW": [$0]] } ?? [:]
            return .marks(MarketWarnings(warned: warned, alerts: alerts, readAt: at))
        }
        bench.reference(
            states(open: true, at: .noon(2)),
            marks([], nil, at: .noon(2)),
            at: .noon(2)
        )
        #expect(bench.news().isEmpty)
        let alert = MarketAlert(type: "PRICE", step: nil, endsAt: .noon(100))
        bench.reference(
            states(open: false, at: .noon(62)),
            marks(["A_KRW"], alert, at: .noon(62)),
            at: .noon(62)
        )
        #expect(bench.news().sorted() == ["A_KRW ↑ 1", "A_KRW ↑ 1", "A_KRW ↓ 0"])
        bench.tick(at: .noon(99))
        #expect(bench.news().isEmpty)
        bench.tick(at: .noon(101))
        #expect(bench.news() == ["A_KRW ↓ 0"], "an alert that has ended")
    }

    @Test("a market that is listed, suspended or resumed fires")
    func listed() throws {
        var bench = ObservedBoard.live()
        for text in ["all listed", "A suspended", "A resumed"] { try bench.rule(text) }
        bench.trade("BTC_KRW", "100000000", at: .noon(8))
        bench.tick(at: .noon(8))
        let entries = [ListingEntry("B_KRW", price: "5"), ListingEntry("BTC_KRW", price: "9")]
        bench.list(.krw, entries, suspended: ["A_KRW"], at: .noon(10))
        #expect(bench.news().sorted() == ["A_KRW ↓ 0", "B_KRW ↑ 1"])
        bench.list(.krw, entries + [ListingEntry("A_KRW", price: "9")], at: .noon(12))
        #expect(bench.news() == ["A_KRW ↑ 1"])
    }

    @Test("holdings are valued at the board's prices once a second")
    func holdings() throws {
        var bench = ObservedBoard.live()
        try bench.rule("portfolio > 2500")
        try bench.rule("A return < -5%")
        let coin = try #require(Asset(symbol: "A"))
        bench.setOwner { owner in
            owner.holdings = [Holding(asset: coin, quantity: "2", averagePrice: "1000")]
            owner.cash = "400"
        }
        bench.trade("A_KRW", "1001", at: .noon(2))
        bench.tick(at: .noon(2))
        bench.trade("A_KRW", "1060", at: .noon(3))
        bench.tick(at: .noon(3))
        #expect(bench.news() == ["portfolio ↑ 2520"])
        bench.trade("A_KRW", "940", at: .noon(4))
        bench.tick(at: .noon(4))
        #expect(bench.news() == ["A_KRW ↓ -6"])
    }

    @Test("trades that are read again after a loss fire late with their true time")
    func repair() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010")
        #expect(bench.observer.repairedMarkets == ["A_KRW"])
        bench.loseTrades()
        #expect(bench.news().isEmpty)
        bench.repair([("1001", 2), ("1020", 6), ("1003", 7), ("1002", 11)], at: .noon(12))
        #expect(bench.fired.map(\.alert.at) == [.noon(6)])
        #expect(bench.news() == ["A_KRW ↑ 1020 repaired"])
    }

    @Test("trades that stay lost end a run in the middle")
    func repairWithGap() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010")
        bench.loseTrades()
        bench.repair(
            [("1020", 6), ("1003", 7), ("1002", 11)],
            beginning: .short(.notServed),
            at: .noon(12)
        )
        #expect(bench.fired.map(\.alert.at) == [.noon(6)])
        #expect(bench.fired.map(\.unknownSince) == [.noon(2)])
        #expect(bench.news() == ["A_KRW ↑ 1020 interrupted"])
    }

    @Test("a change is that of the newest trade, whatever frames told before it")
    func changeOfTrade() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID <> 2% again 0s")
        bench.trade("A_KRW", "1000", at: .noon(2))
        let ahead = TickerFrame("A_KRW", .hours24, at: .noon(5), open: "1000", close: "1050")
        bench.apply(.ticker(ahead), at: .noon(5))
        #expect(bench.news().isEmpty, "its trades are still to come")
        bench.trade("A_KRW", "1030", at: .noon(4))
        bench.trade("A_KRW", "1050", at: .noon(5))
        #expect(bench.fired.map(\.alert.at) == [.noon(4)])
        #expect(bench.news() == ["A_KRW ↑ 3"])
        bench.trade("A_KRW", "1010", at: .noon(3))
        #expect(bench.news().isEmpty, "it is older than the price")
    }

    @Test("a period that ends without a trade tells no change, at the time of the newest listing")
    func quietPeriod() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A 30M < 2%")
        let frame = TickerFrame("A_KRW", .minutes30, at: .noon(9), open: "1000", close: "1040")
        bench.apply(.ticker(frame), at: .noon(9))
        bench.trade("A_KRW", "1050", at: .noon(10))
        bench.trade("BTC_KRW", "100000000", at: .noon(11))
        bench.tick(at: .noon(11))
        let entries = [
            ListingEntry("A_KRW", price: "1050"),
            ListingEntry("BTC_KRW", price: "100000000", tradeValue24h: "9000000"),
        ]
        for second in [600, 1_200, 1_900] {
            bench.list(.krw, entries, at: .noon(second))
            bench.trade("BTC_KRW", "100000000", at: .noon(second + 1))
            bench.tick(at: .noon(second + 1))
        }
        #expect(bench.fired.map(\.alert.at) == [.noon(1_900)])
        #expect(bench.news() == ["A_KRW ↓ 0"])
    }
}
