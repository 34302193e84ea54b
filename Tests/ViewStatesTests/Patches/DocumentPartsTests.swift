import JSON
import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("The parts of a document add up to its bytes")
struct DocumentPartsTests {
    @Test(
        "the parts of every document equal its bytes over random events, in any order of requests"
    )
    func documents() {
        var bench = DetailFeedHarness()
        var generator = SeededGenerator(seed: 52)
        let followed = DetailFeedHarness.queries.map { ($0, bench.documents.follow($0)) }
        for _ in 0..<100 {
            bench.randomStep(&generator)
            for (query, document) in followed {
                let isFirst = Bool.random(using: &generator)
                let early = isFirst ? bench.documents.bytes(query) : nil
                let version = document.version()
                let (bytes, revision) = early ?? bench.documents.bytes(query)
                #expect(version.json == bytes && version.revision.text == revision)
            }
        }
    }

    @Test(
        "the parts of random states equal their bytes, unknown and empty values included",
        arguments: 0..<40 as Range<UInt64>
    )
    func anyValues(seed: UInt64) {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: seed))
        expect(samples.list())
        expect(samples.assets())
        expect(samples.portfolio())
        expect(samples.detail())
        expect(
            SnapshotViewState(
                marketList: samples.list(),
                marketDetail: nil,
                assets: samples.assets(),
                portfolio: samples.portfolio()
            )
        )
    }

    private func expect(_ state: some StreamedState) {
        var writer = PartWriter(after: nil)
        state.write(to: &writer, after: nil)
        var (whole, composed) = (JSONWriter(), JSONWriter())
        state.write(to: &whole)
        writer.document.write(to: &composed)
        #expect(whole.bytes == composed.bytes)
        // A second writer makes the same parts.
        var again = PartWriter(after: writer.document)
        state.write(to: &again, after: state)
        #expect(again.document.parts.map(\.path) == writer.document.parts.map(\.path))
    }

    @Test("unchanged rows share their encoded bytes between versions, at any position")
    func fragments() throws {
        var bench = DetailFeedHarness()
        bench.wait(.milliseconds(1)) { $0.trade(DetailFeedHarness.market, at: "1") }
        let followed = bench.documents.follow(
            .trades(MarketDetailQuery(market: DetailFeedHarness.market))
        )
        let before = try rows(followed.version())
        bench.wait(.milliseconds(100)) { $0.trade(DetailFeedHarness.market, at: "2") }
        let after = try rows(followed.version())
        #expect(after.count == before.count + 1)
        for (old, new) in zip(before, after.dropFirst()) { #expect(old === new) }
    }

    @Test("all lists of a period and language share the encoded bytes of their rows")
    func shared() throws {
        let bench = DetailFeedHarness()
        var popular = MarketListQuery()
        popular.tab = .popular
        popular.quote = nil
        let lists = try [MarketListQuery(), popular].map { query in
            try rows(bench.documents.follow(.marketList(query)).version())
        }
        for fragment in lists[0] {
            #expect(lists[1].contains { $0 === fragment })
        }
        popular.language = .english
        let english = try rows(bench.documents.follow(.marketList(popular)).version())
        #expect(!english.contains { $0 === lists[0][0] })
    }

    private func rows(_ version: DocumentVersion) throws -> [EncodedRow] {
        let part = try #require(version.state.parts.first { $0.path.text == "rows" })
        guard case .rows(let rows, _) = part.content else { return [] }
        return rows.map(\.fragment)
    }
}
