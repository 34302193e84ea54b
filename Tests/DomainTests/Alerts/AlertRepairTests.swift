import Domain
import TestSupport
import Testing

@Suite("Alerts of trades that are read again")
struct AlertRepairTests {
    private static func run(_ prices: [FixedDecimal], from second: Int) -> [AlertPricePoint] {
        prices.enumerated().map { AlertPricePoint(price: $1, at: .noon(second + $0)) }
    }

    @Test("a crossing in a repaired gap fires once, late and with its true time")
    func crossing() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        _ = book.apply(trade: "1008", at: .noon(4))
        let event = AlertEvent.repaired(
            "A_KRW",
            Self.run(["1009", "1010", "1009", "1011", "1008"], from: 0)
        )
        let alerts = book.apply(event)
        #expect(alerts.map(\.at) == [.noon(1), .noon(3)])
        #expect(alerts.allSatisfy { $0.lateness == .repaired })
        #expect(book.apply(event).isEmpty)
    }

    @Test("a crossing in a repaired gap before a newer firing is not told")
    func tooLate() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        #expect(book.apply(trade: "1011", at: .noon(3)).count == 1)
        let points = Self.run(["1009", "1010", "1009", "1011"], from: 0)
        #expect(book.apply(.repaired("A_KRW", points)).isEmpty)
    }

    @Test("the first price after a gap is compared with the last repaired one")
    func end() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010", createdAt: .noon(-1))
        _ = book.apply(trade: "1011", at: .noon(0))
        _ = book.apply(.interrupted)
        #expect(book.apply(trade: "1011", at: .noon(2)).isEmpty)
        let points = Self.run(["1011", "1009", "1011"], from: 0)
        let alerts = book.apply(.repaired("A_KRW", points))
        #expect(alerts.map(\.at) == [.noon(2)])
        #expect(alerts.map(\.lateness) == [.repaired])
    }

    @Test("after a late firing the values seen since then decide on the hysteresis")
    func hysteresis() throws {
        for (since, count) in [("1005", 1), ("1009", 0)] as [(FixedDecimal, Int)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            _ = book.apply(.interrupted)
            _ = book.apply(trade: "1009", at: .noon(2))
            _ = book.apply(trade: since, at: .noon(3))
            _ = book.apply(trade: "1009", at: .noon(4))
            let points = Self.run(["1009", "1010", "1009"], from: 0)
            #expect(book.apply(.repaired("A_KRW", points)).count == 1)
            #expect(book.apply(trade: "1010", at: .noon(5)).count == count)
        }
    }

    @Test("trades of a later gap, repaired first, decide on the hysteresis as well")
    func otherOrder() throws {
        for (lost, count) in [("1005", 1), ("1009", 0)] as [(FixedDecimal, Int)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s ticks 2", createdAt: .noon(-1))
            for second in [0, 2, 4] {
                _ = book.apply(trade: "1009", at: .noon(second))
                _ = book.apply(.interrupted)
            }
            let later = Self.run(["1009", lost, "1009"], from: 2)
            #expect(book.apply(.repaired("A_KRW", later)).isEmpty)
            let earlier = Self.run(["1009", "1010", "1009"], from: 0)
            #expect(book.apply(.repaired("A_KRW", earlier)).map(\.at) == [.noon(1)])
            #expect(book.apply(trade: "1010", at: .noon(5)).count == count)
        }
    }

    @Test("a trade before the firing of the same moment, read again, does not arm the rule")
    func moment() throws {
        for (lost, count) in [("1012", 0), ("1013", 1)] as [(FixedDecimal, Int)] {
            var book = AlertBook(feed: .live)
            try book.add("A < 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1013", at: .noon(0))
            #expect(book.apply(trade: "1009", at: .noon(0)).count == 1)
            _ = book.apply(.interrupted)
            let before = AlertPricePoint(price: "1013", at: .noon(0))
            let points = [before] + Self.run(["1009", lost, "1009"], from: 0)
            #expect(book.apply(.repaired("A_KRW", points)).count == count)
        }
    }

    @Test("values after the last repaired trade do not let that trade fire")
    func rearmed() throws {
        var book = AlertBook(feed: .live)
        _ = book.apply(trade: "1014", at: .noon(0))
        _ = book.apply(.interrupted)
        try book.add("A < 1010 again 0s ticks 2", createdAt: .noon(1))
        _ = book.apply(trade: "1008", at: .noon(4))
        _ = book.apply(trade: "1013", at: .noon(5))
        let points = Self.run(["1014", "1013", "1010", "1011", "1008"], from: 0)
        #expect(book.apply(.repaired("A_KRW", points)).map(\.at) == [.noon(2)])
        #expect(book.apply(trade: "1009", at: .noon(6)).count == 1)
    }

    @Test("values after the first trade count although a listing came before it")
    func afterListing() throws {
        var book = AlertBook(feed: .live)
        _ = book.apply(trade: "1014", at: .noon(0))
        _ = book.apply(.interrupted)
        try book.add("A < 1010 again 0s ticks 1", createdAt: .noon(1))
        let subject = AlertSubject("A_KRW")
        let listing = AlertObservation(.price, of: subject, "1009", at: .noon(3), source: .listing)
        #expect(book.apply(.observed(listing)).isEmpty)
        _ = book.apply(trade: "1009", at: .noon(4))
        _ = book.apply(trade: "1012", at: .noon(5))
        let points = [(0, "1014"), (2, "1009"), (4, "1009")] as [(Int, FixedDecimal)]
        let run = points.map { AlertPricePoint(price: $1, at: .noon($0)) }
        #expect(book.apply(.repaired("A_KRW", run)).map(\.at) == [.noon(2)])
        #expect(book.apply(trade: "1009", at: .noon(6)).count == 1)
    }

    /// Trades of A after those of ``ObservedBoard/loseTrades()``, as REST tells them.
    private static func history(
        _ later: [(FixedDecimal, Timestamp)],
        in resolution: TradeHistory.Resolution
    ) -> TradeHistory {
        let known: [(FixedDecimal, Timestamp)] = [("1001", .noon(2)), ("1002", .noon(11))]
        let rows = (known + later).map { price, at in
            TradeHistory.Row(Trade("A_KRW", price: price, at: at), in: resolution)
        }
        return TradeHistory(
            market: "A_KRW",
            resolution: resolution,
            rows: rows,
            beginning: .firstTrade
        )
    }

    @Test(
        "trades that are read again before a slow stream brings them are told once",
        arguments: [TradeHistory.Resolution.millisecond, .second]
    )
    func slowStream(resolution: TradeHistory.Resolution) throws {
        // Also in the second of the stream's newest trade.
        for second in [11, 12] {
            var bench = ObservedBoard.live()
            try bench.rule("A < 1005 again 0s")
            bench.loseTrades()
            let at = Timestamp.noon(second).advanced(by: .milliseconds(300))
            let late: [(FixedDecimal, Timestamp)] = [("1001", at), ("1010", at)]
            bench.repair(Self.history(late, in: resolution), at: .noon(13))
            // The connection is open.
            bench.apply(.feed(.stale), at: .noon(13))
            for (price, at) in late {
                bench.apply(.trade(Trade("A_KRW", price: price, at: at)), at: .noon(14))
            }
            #expect(bench.news().isEmpty)
            bench.trade("A_KRW", "1001", at: .noon(13))
            #expect(bench.news() == ["A_KRW ↓ 1001"])
        }
    }

    @Test(
        "a change is late over trades that are read again, and known until the first of them",
        arguments: [(11_500, ["A_KRW ↑ 1.5 interrupted"]), (12_500, [])]
    )
    func changeOfSlowStream(createdAt: Int, told: [String]) throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 1%", createdAt: .noon(plus: .milliseconds(createdAt)))
        bench.loseTrades()
        bench.apply(.feed(.live), at: .noon(11))
        bench.pass(to: .noon(11))
        bench.trade("A_KRW", "1002", at: .noon(11))
        let late: [(FixedDecimal, Timestamp)] = [
            ("1002", .noon(11)), ("1020", .noon(12)), ("1015", .noon(13)),
        ]
        bench.repair(Self.history(late, in: .millisecond), at: .noon(14))
        bench.pass(to: .noon(14))
        #expect(bench.news() == told)
    }

    @Test("a trade that REST tells before a new stream does is told once, in whichever second")
    func newStream() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010 again 0s")
        bench.openTrades()
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.repair([("1001", 2), ("1020", 11)], at: .noon(12))
        #expect(bench.news() == ["A_KRW ↑ 1020 repaired"])
        bench.trade("A_KRW", "1020", at: .noon(11).advanced(by: .milliseconds(400)))
        bench.repair([("1001", 2), ("1020", 11)], at: .noon(13))
        #expect(bench.news().isEmpty)
    }

    @Test("a trade that was told before a listing does not make its price one of the stream")
    func listingAfterRepair() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A < 1000")
        bench.openTrades()
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.trade("BTC_KRW", "100000000", at: .noon(11))
        func at(_ milliseconds: Int) -> Timestamp { .noon(plus: .milliseconds(milliseconds)) }
        let rows = [(FixedDecimal("1001"), at(2_000)), ("1001", at(12_300)), ("1010", at(12_400))]
            .map { price, at in
                TradeHistory.Row(Trade("A_KRW", price: price, at: at), in: .millisecond)
            }
        bench.repair(
            TradeHistory(
                market: "A_KRW",
                resolution: .millisecond,
                rows: rows,
                beginning: .firstTrade
            ),
            at: at(12_500)
        )
        bench.list(.krw, [ListingEntry("A_KRW", price: "1020")], at: at(13_200))
        bench.apply(.trade(Trade("A_KRW", price: "1001", at: at(12_300))), at: at(13_300))
        bench.apply(.trade(Trade("A_KRW", price: "990", at: at(13_100))), at: at(13_300))
        #expect(bench.news() == ["A_KRW ↓ 990"])
    }

    @Test("a crossing in the second of the last trade before a loss is told")
    func sameSecond() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010")
        let at = Timestamp.noon(2).advanced(by: .milliseconds(300))
        bench.openTrades(at: at)
        bench.apply(.feed(.subscribed), at: .noon(10))
        bench.trade("A_KRW", "1002", at: .noon(11))
        bench.repair([("1001", 2), ("1020", 2), ("1003", 7), ("1002", 11)], at: .noon(12))
        #expect(bench.news() == ["A_KRW ↑ 1020 repaired"])
    }

    @Test("a listing in the last second of the run arms the rule if the run's times are exact")
    func aroundListing() throws {
        for (fraction, count) in [(0, 0), (200, 1)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1014", at: .noon(0))
            _ = book.apply(.interrupted)
            let at = Timestamp.noon(4).advanced(by: .milliseconds(400))
            let subject = AlertSubject("A_KRW")
            let listing = AlertObservation(.price, of: subject, "1005", at: at, source: .listing)
            _ = book.apply(.observed(listing))
            let end = Timestamp.noon(4).advanced(by: .milliseconds(fraction))
            let run = [
                AlertPricePoint(price: "1014", at: .noon(0)),
                AlertPricePoint(price: "1005", at: .noon(3)),
                AlertPricePoint(price: "1011", at: end),
            ]
            #expect(book.apply(.repaired("A_KRW", run)).map(\.at) == [end])
            #expect(book.apply(trade: "1012", at: .noon(9)).count == count)
        }
    }

    @Test("a trade in a listing's second is the newest price if the listing tells one before it")
    func secondOfListing() throws {
        // The listing's time and price, whether trades have whole seconds, the alerts at the end.
        let cases: [(Int, FixedDecimal, Bool, [Alert.Direction])] = [
            (100, "1008", true, []), (0, "1008", true, []), (100, "1008", false, [.up]),
            (100, "1007", true, [.up]),
        ]
        for (milliseconds, listed, isOfSecond, told) in cases {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s", createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            _ = book.apply(.interrupted)
            let subject = AlertSubject("A_KRW")
            func list(_ price: FixedDecimal, at: Timestamp) -> [Alert] {
                book.apply(
                    .observed(
                        AlertObservation(.price, of: subject, price, at: at, source: .listing)
                    )
                )
            }
            let at = Timestamp.noon(4).advanced(by: .milliseconds(milliseconds))
            #expect(list(listed, at: at).isEmpty)
            let prices: [(Int, FixedDecimal)] = [
                (0, "1009"), (3, "1008"), (4, "1010"), (4, "1011"),
            ]
            let run = prices.map { second, price in
                AlertPricePoint(price: price, at: .noon(second), isOfSecond: isOfSecond)
            }
            #expect(book.apply(.repaired("A_KRW", run)).map(\.at) == [.noon(4)])
            // Without any more trades the price may have been read once more.
            #expect(list("1012", at: .noon(14)).map(\.direction) == told)
        }
    }

    // MARK: Trades that stay lost

    /// Trades at seconds 0, 6 and 9, where those up to second 6 are still missing.
    private static func torn(_ prices: [FixedDecimal]) -> [AlertPricePoint] {
        zip([0, 6, 9], prices).map { second, price in
            AlertPricePoint(price: price, at: .noon(second), isAfterGap: second == 6)
        }
    }

    @Test("a crossing over trades that stay lost is told as one after an interruption")
    func overGap() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        #expect(book.apply(trade: "1008", at: .noon(9)).isEmpty)
        let alerts = book.apply(.repaired("A_KRW", Self.torn(["1009", "1012", "1008"])))
        #expect(alerts.map(\.at) == [.noon(6)])
        #expect(alerts.map(\.lateness) == [.interrupted])
    }

    @Test("a crossing that was told in a time whose trades stay lost is not told again")
    func toldInGap() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 1s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        let listing = AlertObservation(
            .price,
            of: AlertSubject("A_KRW"),
            "1011",
            at: .noon(3),
            source: .listing
        )
        #expect(book.apply(.observed(listing)).map(\.lateness) == [.interrupted])
        #expect(book.apply(trade: "1012", at: .noon(9)).isEmpty)
        #expect(book.apply(.repaired("A_KRW", Self.torn(["1009", "1012", "1012"]))).isEmpty)
    }

    @Test("a rule made in a time whose trades stay lost is not fired by the first one after it")
    func madeInGap() throws {
        for (createdAt, count) in [(-1, 1), (0, 1), (1, 0)] {
            var book = AlertBook(feed: .live)
            _ = book.apply(trade: "1009", at: .noon(0))
            _ = book.apply(.interrupted)
            try book.add("A > 1010", createdAt: .noon(createdAt))
            _ = book.apply(trade: "1008", at: .noon(9))
            let run = Self.torn(["1009", "1012", "1008"])
            #expect(book.apply(.repaired("A_KRW", run)).count == count)
        }
    }
}
