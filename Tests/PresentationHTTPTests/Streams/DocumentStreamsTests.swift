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
        #expect(counts(bench) == [0, 2, 0])
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

    @Test("at the limit an unread topic is evicted, else the stream is rejected")
    func topics() throws {
        let bench = StreamFixture(topicsMax: 2)
        let first = try bench.streams.subscribe(to: Self.list)
        let second = try bench.streams.subscribe(to: Self.detail)
        let third = DocumentQuery.assets(AssetsQuery())
        #expect(throws: StreamRejection.tooManyTopics) { try bench.streams.subscribe(to: third) }
        // Another reader of a topic makes no new one.
        try bench.streams.subscribe(to: Self.list).cancel()
        _ = first.served()
        first.cancel()
        _ = try bench.streams.subscribe(to: third)
        #expect(throws: StreamRejection.tooManyTopics) {
            try bench.streams.subscribe(to: Self.list)
        }
        second.cancel()
    }

    @Test("an unread topic is kept for a minute")
    func kept() throws {
        let bench = StreamFixture()
        let client = StreamClient<MarketListViewState>()
        func visit() throws {
            try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
            try client.takeAll()
            client.disconnect()
        }
        try visit()
        for _ in 0..<59 { bench.streams.tick() }
        try visit()
        #expect(counts(bench) == [0, 1, 0])
        for _ in 0..<60 { bench.streams.tick() }
        #expect(counts(bench) == [0, 0, 0])
    }

    @Test("a topic that no reader was served of is not kept")
    func unserved() throws {
        let bench = StreamFixture()
        try bench.streams.subscribe(to: Self.list).cancel()
        #expect(counts(bench) == [0, 0, 0])
    }

    @Test("a client's unread topics share an eighth of the cache, the newest are kept")
    func unreadShare() throws {
        let bench = StreamFixture(cacheBytesMax: 8 * 100_000)
        let size = try visit(bench, 0)
        #expect((5_000..<40_000).contains(size))
        let kept = 100_000 / size
        for number in 1...kept + 3 {
            bench.streams.tick()
            try visit(bench, number)
        }
        #expect(counts(bench) == [0, kept, 0])
        // Another client has a share of its own.
        try visit(bench, 1_000, owner: .user(UserID(4)))
        #expect(counts(bench) == [0, kept + 1, 0])
    }

    @Test("unread topics leave the cache with the documents that were used longest ago")
    func cacheBudget() throws {
        let bench = StreamFixture(cacheBytesMax: 200_000)
        try visit(bench, 0)
        let isKept = { bench.streams.status.topics == 1 }
        #expect(isKept())
        for number in 1...100 where isKept() {
            _ = bench.documents.bytes(Self.query(number))
            #expect(bench.documents.cache.size.bytes <= 200_000)
            bench.streams.advance()
        }
        #expect(!isKept())
        // A topic with readers does not count.
        let reader = try bench.streams.subscribe(to: Self.query(0))
        _ = reader.served()
        for number in 1...100 { _ = bench.documents.bytes(Self.query(number)) }
        bench.streams.advance()
        #expect(isKept())
    }

    @Test("streams are rejected once a client's topics take its share, or all take the budget")
    func readBudget() throws {
        let bench = StreamFixture(bytesMax: 4 * 60_000)
        var readers: [StreamSubscription] = []
        func open(_ number: Int, _ user: Int64) throws {
            let reader = try bench.streams.subscribe(
                to: Self.query(number),
                for: StreamReader(owner: .user(UserID(user)), isGzip: false)
            )
            _ = reader.served()
            readers.append(reader)
        }
        func openAll(_ user: Int64) -> Int {
            for number in 0... {
                do { try open(Int(user) * 100 + number, user) } catch { return number }
            }
            return 0
        }
        let count = openAll(1)
        #expect((2..<60).contains(count))
        #expect(throws: StreamRejection.tooManyBytes) { try open(1_000, 1) }
        // A topic that is streamed already takes no more memory.
        try open(100, 1)
        #expect((2...5).allSatisfy { openAll($0) > 0 } == false)
        #expect(bench.streams.status.bytes < bench.streams.bytesMax * 5 / 4)
        for reader in readers { reader.cancel() }
        #expect(bench.streams.status.bytes == 0)
        try open(1_000, 1)
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

    /// Reads the first event of a stream; returns the bytes of its topic.
    @discardableResult
    private func visit(
        _ bench: StreamFixture,
        _ number: Int,
        owner: StreamQuota.Owner = .process
    ) throws -> Int {
        let reader = try bench.streams.subscribe(
            to: Self.query(number),
            for: StreamReader(owner: owner, isGzip: false)
        )
        defer { reader.cancel() }
        guard case .bytes = reader.served() else { throw StreamRejection.notStreamed }
        return bench.streams.status.bytes
    }

    @Test("streamed documents keep their revisions, however many others are requested")
    func pinned() throws {
        let bench = StreamFixture()
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
            reader.cancel()
        }
        let isKept = makers != nil
        #expect(isKept)
        for _ in 0..<DocumentStreams.keptSeconds { bench.streams.tick() }
        bench.streams.advance()
        let isLeft = makers != nil
        #expect(!isLeft)
    }
}
