import Domain
import UseCases
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("What is asked for is made of a new cut before that cut counts", .tags(.threads))
struct DocumentPrefetchTests {
    /// Answers from a board that a test publishes cuts of.
    private struct Scene {
        let markets: MarketServiceFixture
        let answers: DocumentPrefetcher
        let query = DocumentQuery.marketList(MarketListQuery())

        init() throws {
            markets = try MarketServiceFixture()
            answers = DocumentPrefetcher(documents: markets.documents, latest: markets.latest)
        }

        /// Runs the preparation, which waits for the next cut when this returns.
        func prepare() async -> Task<Void, Never> {
            let running = Task { [answers] in await answers.prepare() }
            while !answers.isAwaitingCut { await Task.yield() }
            return running
        }

        func trade(at price: Int64) {
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(price)) }
        }
    }

    @Test("Without preparation each cut counts at once")
    func none() throws {
        let scene = try Scene()
        for price in Int64(700)..<705 {
            _ = scene.answers.answer(scene.query)
            scene.trade(at: price)
            #expect(scene.answers.sequence == scene.markets.latest.sequence)
            #expect(scene.answers.standing(scene.query) == nil)
        }
    }

    @Test("With it, the answer stands at each cut that counts, in the codings that were asked for")
    func prepared() async throws {
        let scene = try Scene()
        let answers = scene.answers
        let running = await scene.prepare()
        _ = answers.answer(scene.query).body(.gzip)
        for price in Int64(700)..<720 {
            let old = answers.sequence
            scene.trade(at: price)
            while answers.sequence == old { await Task.yield() }
            #expect(answers.sequence == scene.markets.latest.sequence)
            let standing = try #require(answers.standing(scene.query))
            #expect(standing.sequence == answers.sequence && standing.document.isCompressed)
            let revision = scene.markets.documents.bytes(scene.query).revision
            #expect(standing.document.tag(.identity).hasPrefix("\"\(revision)."))
        }
        running.cancel()
        await running.value
        scene.trade(at: 800)
        #expect(answers.sequence == scene.markets.latest.sequence)
    }

    @Test("What nobody asks for any more is not made, and the cut counts at once")
    func unasked() async throws {
        let scene = try Scene()
        let answers = scene.answers
        let running = await scene.prepare()
        _ = answers.answer(scene.query)
        let old = answers.sequence
        scene.trade(at: 700)
        while answers.sequence == old { await Task.yield() }
        // Nobody asked since: the next one is made for whoever asks.
        scene.trade(at: 701)
        #expect(answers.sequence == scene.markets.latest.sequence)
        #expect(answers.standing(scene.query) == nil)
        running.cancel()
        await running.value
    }

    @Test("A cut that comes while the last one is prepared counts at once, and nothing goes back")
    func behind() async throws {
        let scene = try Scene()
        let answers = scene.answers
        let running = await scene.prepare()
        var highest = answers.sequence
        for price in Int64(0)..<300 {
            _ = answers.answer(scene.query)
            scene.trade(at: 700 + price % 7)
            if price.isMultiple(of: 3) { await Task.yield() }
            let sequence = answers.sequence
            #expect(sequence >= highest)
            // At most the newest one is still being prepared for.
            #expect(sequence + 1 >= scene.markets.latest.sequence)
            highest = sequence
            if let standing = answers.standing(scene.query) {
                #expect(standing.sequence >= sequence)
            }
        }
        running.cancel()
        await running.value
        #expect(answers.sequence == scene.markets.latest.sequence)
    }

    @Test("No document of a cut is given before that cut counts: then all of them are")
    func together() async throws {
        let scene = try Scene()
        let answers = scene.answers
        let running = await scene.prepare()
        let queries = (1...DocumentPrefetcher.preparedMax).map { limit in
            var query = MarketListQuery()
            query.limit = limit
            return DocumentQuery.marketList(query)
        }
        for query in queries { _ = answers.answer(query).body(.gzip) }
        for price in Int64(700)..<730 {
            let old = answers.sequence
            scene.trade(at: price)
            while answers.sequence == old {
                let given = queries.map { (answers.standing($0), answers.sequence) }
                for case (.some(let standing), old) in given {
                    #expect(standing.sequence == old)
                }
                await Task.yield()
            }
            for query in queries {
                #expect(answers.standing(query)?.sequence == answers.sequence)
            }
        }
        running.cancel()
        await running.value
    }

    @Test("A cut counts as soon as somebody has a document of it, prepared or not")
    func unprepared() async throws {
        let scene = try Scene()
        let answers = scene.answers
        let running = await scene.prepare()
        for limit in 1...60 {
            _ = answers.answer(scene.query)
            scene.trade(at: Int64(700 + limit))
            // Nobody asked this before: it is made of the newest cut while the other is prepared.
            var query = MarketListQuery()
            query.limit = limit
            _ = answers.answer(.marketList(query))
            #expect(answers.sequence == scene.markets.latest.sequence)
            // The other one says no older thing afterwards.
            if let standing = answers.standing(scene.query) {
                #expect(standing.sequence == scene.markets.latest.sequence)
            }
        }
        running.cancel()
        await running.value
    }

    @Test("What a new cut has no answer to is refused, though it was prepared", arguments: 0..<2)
    func refused(place: Int) async throws {
        let markets = try MarketServiceFixture()
        markets.openDetail()
        let answers = markets.service.answers
        let running = Task { await answers.prepare() }
        while !answers.isAwaitingCut { await Task.yield() }
        /// Asks on a connection of its own: others may have been idle for long.
        func ask(_ target: String) throws -> HTTPAnswer {
            let client = try TCPClient(port: markets.served.port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return HTTPAnswer(try client.receiveAnswer())
        }
        let rows = try ask("/v1/markets/XRP_KRW/trades").json["state"]?["rows"]?.elements
        let id = try #require(rows?.last?["id"]?.text)
        let target = "/v1/markets/XRP_KRW/trades?\(["since", "before"][place])=\(id)"
        for _ in 0..<3 { #expect(try ask(target).status == 200) }
        let old = answers.sequence
        // More than are kept of any market.
        markets.wait(.seconds(1)) { sample in
            for price in Int64(1)...600 { sample.trade("XRP_KRW", at: FixedDecimal(price)) }
        }
        while answers.sequence == old { await Task.yield() }
        for _ in 0..<3 { #expect(try ask(target).status == 410) }
        running.cancel()
        await running.value
    }
}
