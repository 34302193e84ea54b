import Domain
import TestSupport
import Testing

@Suite("Alert rules on markets that join a running stream")
struct AlertNewMarketTests {
    private static let entry = ListingEntry("NEW_KRW", price: "100")

    @Test("the first trade after the price of a listing fires late, the next ones in time")
    func listing() throws {
        var bench = ObservedBoard.live()
        try bench.rule("NEW > 110 again 0s")
        try bench.rule("A > 1010 again 0s")
        let entries = [Self.entry, ListingEntry("A_KRW", price: "1000")]
        bench.list(.krw, entries, at: .noon(10))
        bench.list(.krw, entries, at: .noon(20))
        bench.trade("A_KRW", "1020", at: .noon(21))
        bench.trade("NEW_KRW", "120", at: .noon(21))
        #expect(bench.news() == ["A_KRW ↑ 1020", "NEW_KRW ↑ 120 interrupted"])
        bench.trade("NEW_KRW", "100", "130", at: .noon(22))
        #expect(bench.news() == ["NEW_KRW ↑ 130"])
    }

    @Test("a market that does not trade for long joins within half a minute")
    func rarelyTraded() throws {
        var bench = ObservedBoard.live()
        try bench.rule("NEW > 110 again 0s")
        bench.list(.krw, [Self.entry], at: .noon(10))
        bench.list(.krw, [Self.entry], at: .noon(41))
        try bench.rule("NEW > 115", createdAt: .noon(42))
        bench.trade("NEW_KRW", "120", at: .noon(3_600))
        #expect(bench.news() == ["NEW_KRW ↑ 120", "NEW_KRW ↑ 120"])
    }

    @Test("the change of a market that joins is late as its price is")
    func change() throws {
        var bench = ObservedBoard.live()
        try bench.rule("NEW MID > 5% again 0s")
        let entry = ListingEntry("NEW_KRW", price: "100", previousClose: "100")
        let busiest = ListingEntry("BTC_KRW", price: "100000000", tradeValue24h: "9000000")
        bench.list(.krw, [entry, busiest], at: .noon(2))
        bench.tick(at: .noon(3))
        bench.trade("NEW_KRW", "107", at: .noon(4))
        #expect(bench.news() == ["NEW_KRW ↑ 7 interrupted"])
        bench.trade("NEW_KRW", "100", "108", at: .noon(5))
        #expect(bench.news() == ["NEW_KRW ↑ 8"])
    }

    @Test("a price from before a new subscription stays lost when a term begins")
    func term() throws {
        for isListed in [false, true] {
            var bench = ObservedBoard.live()
            try bench.rule("A > 1010")
            bench.trade("A_KRW", "1000", at: .noon(3))
            bench.reconnect(at: .noon(4))
            if isListed { bench.prove(at: .noon(6)) }
            bench.begin(at: .noon(6))
            bench.trade("A_KRW", "1020", at: .noon(7))
            #expect(bench.news() == ["A_KRW ↑ 1020\(isListed ? "" : " interrupted")"])
        }
    }

    @Test("a listing from before the first trade stays uncertain when a term begins after it")
    func termAfterFirstTrade() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010")
        bench.trade("A_KRW", "1000", at: .noon(3))
        bench.reconnect(at: .noon(4))
        bench.list(at: .noon(6))
        bench.trade("BTC_KRW", "100000000", at: .noon(7))
        bench.begin(at: .noon(8))
        bench.trade("A_KRW", "1020", at: .noon(9))
        #expect(bench.news() == ["A_KRW ↑ 1020 interrupted"])
    }

    @Test("a change is uncertain as long as its price is")
    func uncertainChange() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A MID > 1%")
        bench.trade("A_KRW", "1000", at: .noon(3))
        bench.reconnect(at: .noon(4))
        bench.trade("BTC_KRW", "100000000", at: .noon(8))
        bench.tick(at: .noon(8))
        bench.trade("A_KRW", "1020", at: .noon(9))
        #expect(bench.news() == ["A_KRW ↑ 2 interrupted"])
    }

    @Test("an observer that begins on a running board knows which markets those are")
    func begin() throws {
        var bench = ObservedBoard.live()
        bench.list(.krw, [Self.entry, ListingEntry("A_KRW", price: "1000")], at: .noon(10))
        bench.observer = AlertObserver(feed: .live)
        try bench.rule("NEW > 110 again 0s")
        try bench.rule("A > 1010 again 0s")
        bench.begin(at: .noon(11))
        bench.trade("A_KRW", "1020", at: .noon(12))
        bench.trade("NEW_KRW", "120", at: .noon(12))
        #expect(bench.news() == ["A_KRW ↑ 1020", "NEW_KRW ↑ 120 interrupted"])
    }

    @Test("markets that were listed before the subscription fire in time once it has effect")
    func listedBefore() throws {
        for hasTrades in [false, true] {
            var bench = ObservedBoard()
            try bench.rule("NEW > 110 again 0s")
            bench.list(at: .noon(0))
            bench.list(.krw, [Self.entry], at: .noon(0))
            bench.apply(.feed(.subscribed), at: .noon(1))
            bench.list(.krw, [Self.entry], at: .noon(2))
            if hasTrades {
                bench.trade("BTC_KRW", "100000000", at: .noon(3))
                bench.list(.krw, [Self.entry], at: .noon(3))
            }
            bench.trade("NEW_KRW", "120", at: .noon(4))
            #expect(bench.news() == ["NEW_KRW ↑ 120\(hasTrades ? "" : " interrupted")"])
        }
    }
}
