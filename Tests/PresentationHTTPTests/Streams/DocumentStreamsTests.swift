import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Domain
@testable import ViewStates
@testable import PresentationHTTP

@Suite("Streamed documents", .tags(.threads))
struct DocumentStreamsTests {
    private static let list = DocumentQuery.marketList(MarketListQuery())
    private static let detail = DocumentQuery.marketDetail(StreamFixture.detail)

    @Test("readers of one query share a topic")
    func status() throws {
        let bench = StreamFixture()
        let readers = try (0..<3).map { _ in try bench.streams.subscribe(to: Self.list) }
        let other = try bench.streams.subscribe(to: Self.detail)
        #expect(counts(bench) == [4, 2, 0])
        for reader in readers + [other] {
            _ = reader.served()
            reader.cancel()
        }
        readers[0].cancel()
        #expect(counts(bench) == [0, 0, 0])
    }

    @Test("details and transfers are leased from the first reader to the last")
    func interests() throws {
        let bench = StreamFixture()
        #expect(bench.interests.held.isEmpty)
        let readers = try (0..<2).map { _ in try bench.streams.subscribe(to: Self.detail) }
        #expect(bench.interests.held == StreamFixture.detail.interests)
        #expect(bench.assetInterests.areStatesWanted)
        readers[0].cancel()
        #expect(bench.interests.held == StreamFixture.detail.interests)
        readers[1].cancel()
        #expect(bench.interests.wanted.isEmpty && !bench.assetInterests.areStatesWanted)
        let again = try bench.streams.subscribe(to: Self.detail)
        #expect(bench.interests.held == StreamFixture.detail.interests)
        again.cancel()
    }

    @Test("a stream beyond the limit of interests is rejected and not counted")
    func noInterest() throws {
        let bench = StreamFixture()
        let others = (0..<DetailInterests.interestsMax).map { number in
            DetailInterest(market: MarketID(stringLiteral: "C\(number)_KRW"), facet: .book)
        }
        let lease = bench.interests.enter(Set(others))
        #expect(throws: StreamRejection.tooManyInterests) {
            try bench.streams.subscribe(to: Self.detail)
        }
        #expect(counts(bench) == [0, 0, 0])
        lease?.release()
        _ = try bench.streams.subscribe(to: Self.detail)
    }

    @Test("a stream beyond the limit of topics is rejected until one has no reader")
    func topics() throws {
        let bench = StreamFixture(topicsMax: 2)
        let first = try bench.streams.subscribe(to: Self.list)
        let second = try bench.streams.subscribe(to: Self.detail)
        let third = DocumentQuery.assets(AssetsQuery())
        #expect(throws: StreamRejection.tooManyTopics) { try bench.streams.subscribe(to: third) }
        // Another reader of a topic makes no new one.
        try bench.streams.subscribe(to: Self.list).cancel()
        first.cancel()
        _ = try bench.streams.subscribe(to: third)
        #expect(throws: StreamRejection.tooManyTopics) {
            try bench.streams.subscribe(to: Self.list)
        }
        second.cancel()
    }

    @Test("a reader resumes while the cache has the document, and restarts after that")
    func kept() throws {
        var bench = StreamFixture(cacheBytesMax: 200_000)
        let client = StreamClient<MarketListViewState>()
        func visit() throws {
            try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
            try client.takeAll()
            client.disconnect()
        }
        try visit()
        #expect(counts(bench) == [0, 0, 0])
        bench.wait(.seconds(59)) { $0.trade("XRP_KRW", at: "744") }
        try visit()
        #expect(client.counts == ["snapshot": 1, "patch": 1])
        bench.streams.advance()
        // Other documents take its place.
        for number in 1...100 {
            _ = bench.documents.bytes(Self.query(number))
            #expect(bench.documents.cache.size.bytes <= 200_000)
        }
        bench.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "745") }
        try visit()
        #expect(client.counts == ["snapshot": 1, "patch": 1, "reset": 1])
    }

    @Test("documents of streams that came and went stay within the cache's budget")
    func cacheBudget() throws {
        let bench = StreamFixture(cacheBytesMax: 200_000)
        var size = 0
        for number in 1...100 {
            let reader = try bench.streams.subscribe(to: Self.query(number))
            _ = reader.served()
            size = bench.streams.status.bytes
            #expect(size > 0)
            reader.cancel()
            bench.streams.advance()
            #expect(bench.documents.cache.size.bytes <= 200_000)
        }
        #expect((5_000..<60_000).contains(size))
        #expect(bench.documents.cache.size.bytes > 100_000)
        #expect(bench.streams.status.bytes == 0)
    }

    @Test("a client has a third of the streams' bytes, and there is always some for another one")
    func readBudget() throws {
        let bench = StreamFixture(bytesMax: 6 << 20)
        var readers: [StreamSubscription] = []
        func open(_ number: Int, _ user: Int64) throws {
            readers.append(
                try bench.streams.subscribe(
                    to: Self.query(number),
                    for: StreamReader(owner: .user(UserID(user)), isGzip: false)
                )
            )
        }
        func openAll(_ user: Int64) -> Int {
            for number in 0..<1_000 {
                do { try open(Int(user) * 1_000 + number, user) } catch { return number }
            }
            return 1_000
        }
        // Before a document is made, its parameters tell what it will take.
        let first = openAll(1)
        #expect((1...4).contains(first))
        #expect(bench.streams.status.bytes <= 2 << 20)
        #expect(throws: StreamRejection.tooManyBytes) { try open(9_000, 1) }
        // A topic that is streamed already takes no more memory.
        try open(1_000, 1)
        for user in Int64(2)...20 { _ = openAll(user) }
        #expect(bench.streams.status.bytes < 6 << 20)
        let small = try bench.streams.subscribe(
            to: .orderBook(StreamFixture.detail),
            for: StreamReader(owner: .user(UserID(99)), isGzip: false)
        )
        readers.append(small)
        for reader in readers {
            _ = reader.served()
            reader.cancel()
        }
        #expect(bench.streams.status.bytes == 0)
        try open(9_000, 1)
    }

    /// Streams, topics and resets.
    private func counts(_ bench: StreamFixture) -> [Int] {
        let status = bench.streams.status
        return [status.streams, status.topics, Int(status.resets)]
    }

    private static func query(_ number: Int) -> DocumentQuery {
        var query = MarketListQuery()
        query.invalidMarketNames = ["\(number)"]
        return .marketList(query)
    }

    @Test("streamed documents keep their revisions, however many others are requested")
    func pinned() throws {
        let bench = StreamFixture(bytesMax: 4 << 30)
        func query(_ number: Int) -> DocumentQuery {
            var query = MarketListQuery()
            query.invalidMarketNames = ["\(number)"]
            return .marketList(query)
        }
        let numbers = 0..<300
        var streams = try numbers.map { try bench.streams.subscribe(to: query($0)) }
        let revisions = numbers.map { bench.documents.bytes(query($0)).revision }
        for number in numbers { _ = bench.documents.bytes(query(number + 1_000)) }
        #expect(numbers.map { bench.documents.bytes(query($0)).revision } == revisions)
        for stream in streams { stream.cancel() }
        streams = []
        for _ in 0..<60 { bench.streams.tick() }
        // Released documents are known again.
        #expect(numbers.map { bench.documents.bytes(query($0)).revision } == revisions)
    }

    @Test("run() wakes readers at each snapshot and ends when cancelled")
    func running() async throws {
        var bench = StreamFixture()
        let stream = try bench.streams.subscribe(to: Self.list)
        _ = (stream.served(), stream.next())
        let (news, input) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        stream.onUpdate { input.yield() }
        let streams = bench.streams
        await withTaskGroup { group in
            group.addTask { await streams.run() }
            bench.publish(after: .milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
            for await _ in news { break }
            let piece = stream.next()
            #expect(piece != .nothing && piece != .end)
            // Its clock counts the seconds between bookmarks.
            for _ in 0..<StreamSubscription.bookmarkSeconds {
                await bench.clock.untilSleeping()
                bench.clock.advance(by: .seconds(1))
            }
            #expect(stream.next() == .nothing || stream.next() != .end)
            group.cancelAll()
        }
    }
}

@Suite("Users' streams", .tags(.threads))
struct UserStreamTests {
    private static let favorites: UserDocumentQuery = {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        return .marketList(query)
    }()

    @Test("changes of user state and market reach users' streams")
    func documents() throws {
        var bench = StreamFixture()
        let person = StreamUser(4, bench)
        let list = StreamClient<MarketListViewState>()
        let portfolio = StreamClient<PortfolioViewState>()
        let queries = [person.query(Self.favorites), person.query(.portfolio(.korean))]
        try list.connect {
            try bench.streams.subscribe(to: queries[0], resumingAfter: $0)
        }
        try portfolio.connect {
            try bench.streams.subscribe(to: queries[1], resumingAfter: $0)
        }
        try list.takeAll()
        try portfolio.takeAll()
        #expect(list.document?.state.emptyReason == .noFavorites)
        let steps: [[MarketID]] = [
            ["XRP_KRW"], ["BTC_KRW", "XRP_KRW"], ["XRP_KRW", "BTC_KRW"], ["BTC_KRW"], [],
            ["GONE_KRW", "ETH_BTC"],
        ]
        for (number, markets) in steps.enumerated() {
            person.keep(markets, cash: FixedDecimal(Int64(number + 1)))
            bench.wait(.milliseconds(100)) { $0.trade("BTC_KRW", at: "143000000") }
            try list.takeAll()
            try portfolio.takeAll()
            let shown = list.document?.state.rows ?? []
            #expect(shown.map(\.market) == markets.map(\.name))
            #expect(
                shown.map { $0.favorite?.position }
                    == Array(1...max(markets.count, 1))
                    .prefix(markets.count).map { $0 }
            )
            #expect(portfolio.document == person.producers.portfolio.document(.korean))
            #expect(portfolio.document?.state.cash.amount == FixedDecimal(Int64(number + 1)))
        }
        #expect(list.counts["patch"] == steps.count && list.counts["reset"] == nil)
        #expect(bench.assetInterests.areStatesWanted)
    }

    @Test("ids of other users and of public documents are reset")
    func foreign() throws {
        let bench = StreamFixture()
        let (one, other) = (StreamUser(4, bench), StreamUser(5, bench))
        let plain = UserDocumentQuery.marketList(MarketListQuery())
        let ids = [
            one.producers.bytes(plain).revision,
            bench.documents.bytes(.marketList(MarketListQuery())).revision,
        ]
        for id in ids {
            let stream = try bench.streams.subscribe(to: other.query(plain), resumingAfter: id)
            _ = stream.served()
        }
        #expect(bench.streams.status.resets == 2)
    }

    @Test("new producers for a user never repeat a revision")
    func anew() {
        let bench = StreamFixture()
        let plain = UserDocumentQuery.marketList(MarketListQuery())
        let revisions = (0..<3).map { _ in StreamUser(4, bench).producers.bytes(plain).revision }
        #expect(Set(revisions).count == 3)
    }

    @Test("stored documents are not streamed", arguments: [UserDocumentQuery.settings, .cash, .me])
    func notStreamed(query: UserDocumentQuery) {
        let bench = StreamFixture()
        let person = StreamUser(4, bench)
        #expect(throws: StreamRejection.notStreamed) {
            try bench.streams.subscribe(to: person.query(query))
        }
        #expect(bench.streams.status.topics == 0)
    }

    @Test("user state is kept loaded each second while it has readers")
    func keepLoaded() throws {
        let bench = StreamFixture()
        let person = StreamUser(4, bench)
        let stream = try bench.streams.subscribe(to: person.query(.portfolio(.english)))
        bench.streams.tick()
        bench.streams.tick()
        #expect(person.readings.withLock { $0 } == 2)
        stream.cancel()
        bench.streams.tick()
        #expect(person.readings.withLock { $0 } == 2)
    }

    @Test("a topic retains its producers")
    func makers() throws {
        let bench = StreamFixture()
        weak var makers: UserDocumentProducers?
        do {
            let producers = StreamUser(4, bench).producers
            makers = producers
            let query = UserStreamSource(
                user: UserID(4),
                query: .portfolio(.korean),
                producers: producers,
                keepLoaded: {}
            )
            let reader = try bench.streams.subscribe(to: query)
            _ = reader.served()
            let isKept = makers != nil
            #expect(isKept)
            reader.cancel()
        }
        bench.streams.advance()
        let isLeft = makers != nil
        #expect(!isLeft)
    }
}
