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

    @Test("markets that were listed before the stream was subscribed fire in time")
    func listedBefore() throws {
        var bench = ObservedBoard()
        try bench.rule("NEW > 110 again 0s")
        bench.list(at: .noon(0))
        bench.list(.krw, [Self.entry], at: .noon(0))
        bench.apply(.feed(.subscribed), at: .noon(1))
        bench.list(.krw, [Self.entry], at: .noon(2))
        bench.trade("NEW_KRW", "120", at: .noon(3))
        #expect(bench.news() == ["NEW_KRW ↑ 120"])
    }
}
