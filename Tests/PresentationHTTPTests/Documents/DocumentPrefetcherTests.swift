import Domain
import TestSupport
import Testing
import UseCases
import ViewStates

@testable import PresentationHTTP

@Suite("Prefetching documents of a new snapshot", .tags(.threads))
struct DocumentPrefetcherTests {
    /// A prefetcher over a board whose snapshots a test publishes.
    private struct Fixture {
        let markets: MarketServiceFixture
        let prefetcher: DocumentPrefetcher
        let query = DocumentQuery.marketList(MarketListQuery())

        init() throws {
            markets = try MarketServiceFixture()
            prefetcher = DocumentPrefetcher(documents: markets.documents, latest: markets.latest)
        }

        /// Starts prefetching; the prefetcher is idle when this returns.
        func run() async -> Task<Void, Never> {
            let running = Task { [prefetcher] in await prefetcher.run() }
            while !prefetcher.isIdle { await Task.yield() }
            return running
        }

        func trade(at price: Int64) {
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(price)) }
        }
    }

    @Test("without run(), each snapshot is served at once")
    func stopped() throws {
        let fixture = try Fixture()
        for price in Int64(700)..<705 {
            _ = fixture.prefetcher.document(fixture.query)
            fixture.trade(at: price)
            #expect(fixture.prefetcher.sequence == fixture.markets.latest.sequence)
            #expect(fixture.prefetcher.cached(fixture.query) == nil)
        }
    }

    @Test("requested documents are cached when their snapshot is served, in the requested codings")
    func prefetched() async throws {
        let fixture = try Fixture()
        let prefetcher = fixture.prefetcher
        let running = await fixture.run()
        _ = prefetcher.document(fixture.query).gzip { $0 }
        for price in Int64(700)..<720 {
            let old = prefetcher.sequence
            fixture.trade(at: price)
            while prefetcher.sequence == old { await Task.yield() }
            #expect(prefetcher.sequence == fixture.markets.latest.sequence)
            let document = try #require(prefetcher.cached(fixture.query))
            #expect(document.cached(.gzip) != nil)
            #expect(document.revision == fixture.markets.documents.bytes(fixture.query).revision)
        }
        running.cancel()
        await running.value
        fixture.trade(at: 800)
        #expect(prefetcher.sequence == fixture.markets.latest.sequence)
    }

    @Test("a document without new requests is not prefetched")
    func unrequested() async throws {
        let fixture = try Fixture()
        let prefetcher = fixture.prefetcher
        let running = await fixture.run()
        _ = prefetcher.document(fixture.query)
        let old = prefetcher.sequence
        fixture.trade(at: 700)
        while prefetcher.sequence == old { await Task.yield() }
        // No request since: the snapshot is served at once, without the document.
        fixture.trade(at: 701)
        #expect(prefetcher.sequence == fixture.markets.latest.sequence)
        #expect(prefetcher.cached(fixture.query) == nil)
        running.cancel()
        await running.value
    }

    @Test("a snapshot during prefetching is served at once, and the sequence never decreases")
    func busy() async throws {
        let fixture = try Fixture()
        let prefetcher = fixture.prefetcher
        let running = await fixture.run()
        var highest = prefetcher.sequence
        for price in Int64(0)..<300 {
            _ = prefetcher.document(fixture.query)
            fixture.trade(at: 700 + price % 7)
            if price.isMultiple(of: 3) { await Task.yield() }
            let sequence = prefetcher.sequence
            #expect(sequence >= highest)
            // Only the newest snapshot may still be prefetched.
            #expect(sequence + 1 >= fixture.markets.latest.sequence)
            highest = sequence
        }
        running.cancel()
        await running.value
        #expect(prefetcher.sequence == fixture.markets.latest.sequence)
    }

    @Test("readers never get an older snapshot after a newer one, whatever they request")
    func monotonic() async throws {
        let fixture = try Fixture()
        let prefetcher = fixture.prefetcher
        let running = await fixture.run()
        let queries = (1...DocumentPrefetcher.prefetchedMax).map { limit in
            var query = MarketListQuery()
            query.limit = limit
            return DocumentQuery.marketList(query)
        }
        for query in queries { _ = prefetcher.document(query) }
        for price in Int64(700)..<730 {
            let old = prefetcher.sequence
            fixture.trade(at: price)
            while prefetcher.sequence == old {
                for query in queries {
                    let before = prefetcher.sequence
                    guard prefetcher.cached(query) != nil else { continue }
                    let cached = fixture.markets.documents.cached(query, notBefore: before)
                    // A page is missing until its revision is kept, a moment after it was made.
                    if let cached { #expect(cached.sequence >= before) }
                    #expect(prefetcher.sequence >= before)
                }
                await Task.yield()
            }
            for query in queries { _ = prefetcher.document(query) }
        }
        running.cancel()
        await running.value
    }

    @Test("a request for another document serves the newest snapshot before prefetching ends")
    func early() async throws {
        let fixture = try Fixture()
        let prefetcher = fixture.prefetcher
        let running = await fixture.run()
        for limit in 1...60 {
            _ = prefetcher.document(fixture.query)
            fixture.trade(at: Int64(700 + limit))
            var query = MarketListQuery()
            query.limit = limit
            _ = prefetcher.document(.marketList(query))
            #expect(prefetcher.sequence == fixture.markets.latest.sequence)
        }
        running.cancel()
        await running.value
    }

    @Test("a prefetched trade page whose trade left the tape is 410", arguments: 0..<2)
    func expired(index: Int) async throws {
        let markets = try MarketServiceFixture()
        markets.openDetail()
        let prefetcher = markets.service.documents
        let running = Task { await prefetcher.run() }
        while !prefetcher.isIdle { await Task.yield() }
        /// Sends a request on a new connection.
        func ask(_ target: String) throws -> HTTPAnswer {
            let client = try TCPClient(port: markets.served.port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return HTTPAnswer(try client.receiveAnswer())
        }
        let rows = try ask("/v1/markets/XRP_KRW/trades").json["state"]?["rows"]?.elements
        let id = try #require(rows?.last?["id"]?.text)
        let target = "/v1/markets/XRP_KRW/trades?\(["since", "before"][index])=\(id)"
        for _ in 0..<3 { #expect(try ask(target).status == 200) }
        let old = prefetcher.sequence
        // More trades than a tape holds.
        markets.wait(.seconds(1)) { sample in
            for price in Int64(1)...600 { sample.trade("XRP_KRW", at: FixedDecimal(price)) }
        }
        while prefetcher.sequence == old { await Task.yield() }
        for _ in 0..<3 { #expect(try ask(target).status == 410) }
        running.cancel()
        await running.value
    }
}
