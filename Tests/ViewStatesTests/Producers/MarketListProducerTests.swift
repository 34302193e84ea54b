import Foundation
import TestSupport
import Testing
import UseCases

@testable import Domain
@testable import ViewStates

@Suite("Market lists", .tags(.threads))
struct MarketListProducerTests {
    @Test("a list is complete once every change is known, and unknown ones are empty until then")
    func changes() {
        var bench = MarketListFixture()
        var query = MarketListQuery()
        _ = bench.lists.document(query)
        query.period = .minutes30
        query.sort = .changeRate
        let first = bench.lists.document(query).state
        #expect(first.health.known == 0 && first.health.of == 3 && !first.health.complete)
        #expect(first.rows.count == 4)
        for row in first.rows {
            #expect(row.changeRatePercent == nil && row.changeAmount == nil)
            #expect(row.changeRateText == nil && row.changePeriod == "30M")
        }
        bench.wait(.seconds(2)) { sample in
            sample.closes(of: "BTC_KRW", [(.seconds(3_600), "143000000")])
            sample.closes(of: "XRP_KRW", [(.seconds(3_600), "700"), (.seconds(600), "710")])
        }
        let second = bench.lists.document(query).state
        #expect(second.health.known == 2 && second.health.of == 3 && !second.health.complete)
        #expect(second.rows.map(\.symbol).prefix(2) == ["XRP", "BTC"])
        #expect(second.rows.map(\.changeRatePercent).prefix(2) == ["6.21", "0.15"])
        bench.wait(.seconds(3)) { sample in
            let closes: [(Duration, FixedDecimal)] = [
                (.seconds(2_400), "4500000"), (.seconds(1_800), "4400000"),
            ]
            sample.closes(of: "ETH_KRW", closes, .minutes10)
        }
        let third = bench.lists.document(query).state
        #expect(third.health.known == 3 && third.health.complete)
        #expect(third.health.baseResolution == "10m")
    }

    @Test("the changes that requested lists show are in use, shown rows among them")
    func shownPeriods() {
        let bench = MarketListFixture()
        var query = MarketListQuery()
        query.period = .hour1
        query.limit = 1
        _ = bench.lists.bytes(query)
        #expect(bench.periods.wanted == [.list(.hour1, .krw), .row(.hour1, "BTC_KRW")])
        // A ranking by changes needs all of them, another order those of its rows.
        #expect(bench.lists.document(query).state.health.of == 1)
        query.sort = .changeRate
        #expect(bench.lists.document(query).state.health.of == 3)
    }

    @Test("within a snapshot all readers get the same revision and bytes")
    func shared() throws {
        let bench = MarketListFixture()
        let first = bench.lists.bytes(MarketListQuery())
        let second = bench.lists.bytes(MarketListQuery())
        #expect(first.revision == second.revision && first.bytes == second.bytes)
        let document = bench.lists.document(MarketListQuery())
        #expect(document.revision == first.revision && document.json == first.bytes)
        #expect(
            try JSONDecoder().decode(MarketListDocument.self, from: Data(first.bytes)) == document
        )
    }

    @Test("bytes equal the document, whichever is requested first")
    func bytesLater() {
        let bench = MarketListFixture()
        let document = bench.lists.document(MarketListQuery())
        #expect(bench.lists.bytes(MarketListQuery()).bytes == document.json)
    }

    @Test("a snapshot without changes keeps revision, time and bytes")
    func unchanged() {
        var bench = MarketListFixture()
        let first = bench.lists.document(MarketListQuery())
        let bytes = bench.lists.bytes(MarketListQuery()).bytes
        bench.wait(.milliseconds(100))
        let second = bench.lists.document(MarketListQuery())
        #expect(first == second)
        #expect(first.asOf == SampleBoard.start)
        #expect(bench.lists.bytes(MarketListQuery()).bytes == bytes)
    }

    @Test("a new price is a new revision with the time of its snapshot")
    func changed() {
        var bench = MarketListFixture()
        let first = bench.lists.document(MarketListQuery())
        bench.wait(.seconds(1)) { $0.trade("BTC_KRW", at: "143211000") }
        let second = bench.lists.document(MarketListQuery())
        #expect(first.revision == "epoch-1" && second.revision == "epoch-2")
        #expect(second.asOf == SampleBoard.start.advanced(by: .seconds(1)))
        #expect(second.state.rows.first?.priceText == "143,211,000")
    }

    @Test("going stale is a new revision without data")
    func stale() {
        var bench = MarketListFixture()
        let first = bench.lists.document(MarketListQuery())
        bench.wait(.seconds(5))
        let second = bench.lists.document(MarketListQuery())
        #expect(first.state.health.phase == .ready && second.state.health.phase == .stale)
        #expect(first.revision != second.revision)
        bench.wait(.seconds(5))
        #expect(bench.lists.document(MarketListQuery()).revision == second.revision)
    }

    @Test("another kind of feed is a new revision")
    func source() {
        var bench = MarketListFixture()
        let first = bench.lists.document(MarketListQuery())
        bench.wait(.zero) { $0.apply(.feed(.identified(.simulated))) }
        let second = bench.lists.document(MarketListQuery())
        #expect(first.source.feed == .live && second.source.feed == .simulated)
        #expect(first.revision != second.revision)
    }

    @Test("revisions change exactly when contents do, over random events")
    func property() {
        var generator = SeededGenerator(seed: 10)
        var bench = MarketListFixture()
        var queries = [MarketListQuery(), MarketListQuery(), MarketListQuery()]
        queries[1].sort = .price
        queries[2].searchText = "이더"
        var last: [MarketListQuery: MarketListDocument] = [:]
        var revisions: Set<String> = []
        for _ in 0..<300 {
            bench.randomStep(&generator)
            for query in queries where Int.random(in: 0..<4, using: &generator) > 0 {
                let document = bench.lists.document(query)
                if let old = last[query] {
                    let isSame = old.state == document.state && old.source == document.source
                    #expect(isSame == (old.revision == document.revision))
                    if isSame { #expect(old.asOf == document.asOf) }
                }
                if last[query]?.revision != document.revision {
                    #expect(revisions.insert(document.revision).inserted)
                }
                #expect(document.revision.hasPrefix("epoch-"))
                last[query] = document
            }
        }
        #expect(revisions.count > 20)
    }

    @Test("concurrent readers never get an older snapshot in a later revision")
    func threads() throws {
        var bench = MarketListFixture()
        let lists = bench.lists
        let count = 1_500
        // Threads of their own, more than there are processors, so that they overtake each other.
        let readers = (0..<6).map { _ in
            ReadingThread {
                var seen: [Int: Int] = [:]
                while seen.values.max() ?? 0 < count {
                    let document = lists.document(MarketListQuery())
                    let number = Int(document.revision.dropFirst("epoch-".count)) ?? 0
                    seen[number] = document.state.skipped
                }
                return seen
            }
        }
        for _ in 0..<count { bench.wait(.milliseconds(1)) { $0.apply(.skipped(1)) } }
        var skippedOfRevision: [Int: Int] = [:]
        for reader in readers {
            for (revision, skipped) in reader.join() {
                #expect(
                    skippedOfRevision.updateValue(skipped, forKey: revision) ?? skipped == skipped
                )
            }
        }
        let counts = skippedOfRevision.sorted { $0.key < $1.key }.map(\.value)
        #expect(counts == counts.sorted() && Set(counts).count == counts.count)
    }
}

@Suite("Order and ranks", .tags(.threads))
struct MarketListOrderTests {
    private var byPrice = MarketListQuery()

    init() { byPrice.sort = .price }

    @Test("rows keep their places for two seconds")
    func interval() {
        var bench = MarketListFixture()
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
        bench.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "5000000") }
        bench.wait(.microseconds(999_999))
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
        #expect(bench.lists.document(byPrice).state.rows[2].priceText == "5,000,000")
        bench.wait(.microseconds(1))
        #expect(bench.symbols(byPrice) == ["BTC", "XRP", "ETH", "NEW"])
    }

    @Test("two seconds count from the last order")
    func standing() {
        var bench = MarketListFixture()
        _ = bench.symbols(byPrice)
        bench.wait(.seconds(2)) { $0.trade("XRP_KRW", at: "5000000") }
        #expect(bench.symbols(byPrice) == ["BTC", "XRP", "ETH", "NEW"])
        bench.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "1") }
        #expect(bench.symbols(byPrice) == ["BTC", "XRP", "ETH", "NEW"])
        bench.wait(.seconds(1))
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
    }

    @Test("an unchanged order also lasts two seconds")
    func confirmed() {
        var bench = MarketListFixture()
        _ = bench.symbols(byPrice)
        bench.wait(.seconds(2))
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
        bench.wait(.milliseconds(1_999)) { $0.trade("XRP_KRW", at: "5000000") }
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
        bench.wait(.milliseconds(1))
        #expect(bench.symbols(byPrice) == ["BTC", "XRP", "ETH", "NEW"])
    }

    @Test("a new market is listed at once")
    func newMarket() {
        var bench = MarketListFixture()
        _ = bench.symbols(byPrice)
        bench.wait(.milliseconds(100)) { $0.trade("AAA_KRW", at: "10") }
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "AAA", "NEW"])
    }

    @Test("a clock set back does not freeze the order")
    func clockSetBack() {
        var bench = MarketListFixture()
        _ = bench.symbols(byPrice)
        bench.trade("XRP_KRW", at: "5000000")
        bench.wait(.seconds(-3_600))
        #expect(bench.symbols(byPrice) == ["BTC", "XRP", "ETH", "NEW"])
    }

    @Test("each query has its own order")
    func queries() {
        var bench = MarketListFixture()
        _ = bench.symbols(byPrice)
        bench.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "5000000") }
        var other = byPrice
        other.direction = .ascending
        #expect(bench.symbols(other) == ["ETH", "XRP", "BTC", "NEW"])
        #expect(bench.symbols(byPrice) == ["BTC", "ETH", "XRP", "NEW"])
    }

    @Test("ranks last two seconds, the same for every query")
    func ranks() {
        var bench = MarketListFixture()
        let ripple: MarketID = "XRP_KRW"
        #expect(bench.lists.ranks(bench.latest.value)[ripple] == 4)
        bench.wait(.milliseconds(1_999)) {
            $0.list(.krw, [.sample("XRP_KRW", price: "1", tradeValue: "99999999999999", "0")])
        }
        #expect(bench.lists.ranks(bench.latest.value)[ripple] == 4)
        #expect(bench.lists.document(byPrice).state.rows.map(\.rank) == [1, 3, 4, nil])
        bench.wait(.milliseconds(1))
        #expect(bench.lists.ranks(bench.latest.value)[ripple] == 1)
        #expect(bench.lists.document(MarketListQuery()).state.rows.map(\.rank) == [1, 2, 4, nil])
    }
}
