import Foundation
import TestSupport
import Testing
import UseCases

@testable import Domain
@testable import ViewStates

@Suite("Pages of a list's revision", .tags(.threads))
struct ListRevisionTests {
    @Test("pages of a revision are the list as it was, while the market moves", arguments: 1...6)
    func joined(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bench = MarketListFixture(.pages())
        for _ in 0..<20 {
            // Every list has a new order.
            bench.move(.seconds(2), &generator)
            let query = Self.query(&generator)
            let first = bench.lists.encoded(query).document
            let whole = bench.lists.document(query.whole)
            var other = query
            other.offset = Int.random(in: 0...8, using: &generator)
            other.limit = Int.random(in: 1...8, using: &generator)
            let unpinned = bench.lists.document(other).state
            var rows: [MarketRowViewState] = []
            var next = query
            (next.offset, next.revision) = (0, first.revision)
            while true {
                bench.move(.milliseconds(300), &generator)
                let document = try #require(bench.lists.page(next))
                let page = try Self.decoded(document)
                #expect(page.revision == first.revision && page.source == whole.source)
                #expect(page.asOf == (try Self.decoded(first)).asOf)
                #expect(page.state.filtered == whole.state.rows.count)
                #expect(page.state.query.offset == next.offset)
                rows += page.state.rows
                if page.state.rows.count < next.limit { break }
                next.offset += next.limit
            }
            #expect(rows == whole.state.rows)
            var same = query
            same.revision = first.revision
            #expect(bench.lists.page(same)?.json == first.json)
            other.revision = first.revision
            let page = try Self.decoded(try #require(bench.lists.page(other))).state
            #expect(page.rows == unpinned.rows && page.query == unpinned.query)
            #expect(page.health.known == unpinned.health.known)
            #expect(page.health.of == unpinned.health.of)
            #expect(page.health.complete == unpinned.health.complete)
            #expect(page.health.baseResolution == unpinned.health.baseResolution)
        }
    }

    private static func query(_ generator: inout SeededGenerator) -> MarketListQuery {
        var query = MarketListQuery()
        query.sort = MarketSortKey.allCases.randomElement(using: &generator)
        query.direction = Bool.random(using: &generator) ? .ascending : .descending
        query.period = Bool.random(using: &generator) ? .hours24 : .minutes30
        query.language = Bool.random(using: &generator) ? .korean : .english
        query.searchText = Bool.random(using: &generator) ? "A" : nil
        query.offset = Bool.random(using: &generator) ? 0 : 1
        query.limit = Int.random(in: 1...3, using: &generator)
        return query
    }

    private static func decoded(_ document: EncodedDocument) throws -> MarketListDocument {
        try JSONDecoder().decode(MarketListDocument.self, from: Data(document.json))
    }

    /// The first page of two rows, and a later one of its revision.
    private static let first = page(at: 0, of: nil)

    private static func page(at offset: Int, of revision: String?) -> MarketListQuery {
        var query = MarketListQuery()
        (query.offset, query.limit, query.revision) = (offset, 2, revision)
        return query
    }

    @Test("pages can be read for a minute after their revision was the newest")
    func lifetime() {
        var bench = MarketListFixture(.pages())
        let old = bench.lists.encoded(Self.first).document.revision
        bench.wait(.seconds(1)) { $0.trade("B9_KRW", at: "9999") }
        #expect(bench.lists.encoded(Self.first).document.revision != old)
        bench.wait(.milliseconds(58_900))
        #expect(bench.lists.page(Self.page(at: 2, of: old)) != nil)
        bench.wait(.milliseconds(100))
        #expect(bench.lists.page(Self.page(at: 2, of: old)) == nil)
    }

    @Test("the newest revision has pages, however long nothing changes")
    func unchanged() {
        var bench = MarketListFixture(.pages())
        bench.wait(.seconds(10))
        let revision = bench.lists.encoded(Self.first).document.revision
        for isCached in [false, true] {
            bench.wait(.seconds(300))
            // A stream may have compared the document already.
            if isCached { _ = bench.lists.document(Self.first) }
            let sequence = bench.latest.sequence
            let answer =
                bench.lists.cached(Self.first, notBefore: sequence)
                ?? bench.lists.encoded(Self.first)
            #expect(answer.document.revision == revision)
            #expect(bench.lists.page(Self.page(at: 2, of: revision)) != nil)
        }
    }

    @Test("a revision that a stream made has pages from the first answer with it on")
    func streamed() throws {
        var bench = MarketListFixture(.pages())
        let revision = bench.lists.follow(Self.first).current().encoded.revision
        #expect(bench.lists.page(Self.page(at: 2, of: revision)) == nil)
        #expect(bench.lists.cached(Self.first, notBefore: 0) == nil)
        bench.wait(.milliseconds(100)) { $0.trade("A2_KRW", at: "7777") }
        #expect(bench.lists.encoded(Self.first).document.revision == revision)
        #expect(bench.lists.cached(Self.first, notBefore: 0)?.document.revision == revision)
        let page = try #require(bench.lists.page(Self.page(at: 6, of: revision)))
        #expect(try Self.decoded(page).state.rows.contains { $0.price == "7777" })
    }

    @Test("other lists, other processes and whole lists have no pages")
    func unknown() {
        let bench = MarketListFixture(.pages())
        let revision = bench.lists.encoded(Self.first).document.revision
        #expect(bench.lists.page(Self.page(at: 2, of: revision)) != nil)
        var other = Self.page(at: 2, of: revision)
        other.sort = .name
        #expect(bench.lists.page(other) == nil)
        for text in ["other-1", "epoch-99", "epoch-01", "epoch"] {
            #expect(bench.lists.page(Self.page(at: 2, of: text)) == nil, "\(text)")
        }
        let whole = bench.lists.encoded(MarketListQuery()).document.revision
        #expect(bench.lists.page(Self.page(at: 2, of: whole)) == nil)
        #expect(bench.lists.page(Self.first) == nil)
    }

    @Test("an unknown revision takes no place in the cache")
    func noPlace() {
        let bench = MarketListFixture(.pages())
        for number in 0..<100 { _ = bench.lists.page(Self.page(at: number, of: "epoch-1")) }
        #expect(bench.lists.rows.cache.size.keys == 0)
    }

    @Test("revisions are bounded by half of the cache, the oldest go first, rows count once")
    func bounds() {
        var bench = MarketListFixture(.pages(), cacheBytesMax: 400_000)
        let revisions = (0..<200).map { number in
            bench.wait(.milliseconds(100)) {
                $0.trade("B9_KRW", at: FixedDecimal(Int64(5_000 + number)))
            }
            let revision = bench.lists.encoded(Self.first).document.revision
            #expect(bench.lists.rows.cache.size.bytes <= 210_000)
            if number == 20 { #expect(bench.lists.rows.cache.size.bytes < 110_000) }
            return revision
        }
        let isKept = revisions.map { bench.lists.page(Self.page(at: 2, of: $0)) != nil }
        #expect(!isKept[0] && isKept[199])
        #expect(isKept == isKept.sorted { !$0 && $1 })
        #expect(isKept.count(where: \.self) > 30)
    }

    @Test("a new revision drops those that are over")
    func over() {
        var bench = MarketListFixture(.pages())
        var sizes: [Int] = []
        for wait in [Duration.zero, .seconds(30), .seconds(31), .seconds(61)] {
            bench.wait(wait) { $0.trade("B9_KRW", at: FixedDecimal(5_000 + Int64(sizes.count))) }
            _ = bench.lists.encoded(Self.first)
            sizes.append(bench.lists.rows.cache.size.bytes)
        }
        // One, two, two, and one.
        #expect(sizes[0] < sizes[1] && sizes[3] < sizes[2])
        #expect(abs(sizes[2] - sizes[1]) < 5_000)
    }

    @Test("a full cache evicts the revisions of the list that was used longest ago")
    func evicted() {
        let bench = MarketListFixture(.pages(), cacheBytesMax: 100_000)
        let revision = bench.lists.encoded(Self.first).document.revision
        var other = Self.first
        for sort in MarketSortKey.allCases {
            for direction in [SortDirection.ascending, .descending] {
                (other.sort, other.direction) = (sort, direction)
                _ = bench.lists.encoded(other)
                #expect(bench.lists.rows.cache.size.bytes <= 100_000)
            }
        }
        #expect(bench.lists.page(Self.page(at: 2, of: revision)) == nil)
        // The next answer keeps it again.
        #expect(bench.lists.cached(Self.first, notBefore: 0) == nil)
        #expect(bench.lists.encoded(Self.first).document.revision == revision)
        #expect(bench.lists.page(Self.page(at: 2, of: revision)) != nil)
    }

    @Test(
        "a revision is an epoch of letters, digits and hyphens, and a counter",
        arguments: [
            ("k3v9x2-1842", true), ("epoch-u7-12", true), ("a-1", true), ("", false), ("a", false),
            ("-1", false), ("a-", false), ("a-x", false), ("a--1", false), ("a_b-1", false),
            ("é-1", false), ("a-１", false), ("a-1 ", false),
            ("a-" + String(repeating: "1", count: 21), false),
            (String(repeating: "a", count: 84) + "-1", false),
        ]
    )
    func form(text: String, isRevision: Bool) {
        #expect(DocumentRevision.isWellFormed(text) == isRevision)
    }
}

extension MarketListFixture {
    /// Advances the time and trades in some markets at random prices.
    fileprivate mutating func move(_ duration: Duration, _ generator: inout SeededGenerator) {
        let trades = (0..<4).map { _ in
            (
                market: SampleBoard.pageMarkets.randomElement(using: &generator) ?? "A0_KRW",
                price: FixedDecimal(Int64.random(in: 1...9, using: &generator))
            )
        }
        wait(duration) { sample in
            for trade in trades { sample.trade(trade.market, at: trade.price) }
        }
    }
}

extension SampleBoard {
    fileprivate static let pageMarkets: [MarketID] =
        (0..<10).map { MarketID(stringLiteral: "\($0 < 7 ? "A" : "B")\($0)_KRW") }

    /// A board of ten won markets, some of whose changes of half an hour are known.
    fileprivate static func pages() -> SampleBoard {
        var sample = SampleBoard()
        sample.apply(.feed(.subscribed))
        sample.list(
            .krw,
            pageMarkets.enumerated().map { place, market in
                let price = FixedDecimal(Int64(100 + place))
                return .sample(market, price: price, tradeValue: FixedDecimal(Int64(place)), "1")
            }
        )
        sample.apply(.feed(.live))
        for market in pageMarkets.prefix(4) {
            sample.trade(market, at: "5")
            sample.closes(of: market, [(.seconds(3_600), "4"), (.seconds(1_800), "4")], .minutes10)
        }
        return sample
    }
}
