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
        #expect(bench.streams.status == (streams: 4, topics: 2, resets: 0))
        for reader in readers + [other] { reader.cancel() }
        readers[0].cancel()
        #expect(bench.streams.status == (streams: 0, topics: 2, resets: 0))
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
        #expect(bench.streams.status == (streams: 0, topics: 0, resets: 0))
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
        #expect(bench.streams.status == (streams: 0, topics: 1, resets: 0))
        for _ in 0..<60 { bench.streams.tick() }
        #expect(bench.streams.status == (streams: 0, topics: 0, resets: 0))
    }

    @Test("beyond the bound the topics unread for longest are evicted")
    func keptMax() throws {
        let bench = StreamFixture()
        func query(_ number: Int) -> DocumentQuery {
            var query = MarketListQuery()
            query.offset = number
            return .marketList(query)
        }
        try bench.streams.subscribe(to: query(0)).cancel()
        bench.streams.tick()
        for number in 1...DocumentStreams.keptMax {
            try bench.streams.subscribe(to: query(number)).cancel()
        }
        bench.streams.tick()
        #expect(bench.streams.status.topics == DocumentStreams.keptMax)
        _ = try bench.streams.subscribe(to: query(1))
        #expect(bench.streams.status.topics == DocumentStreams.keptMax)
        _ = try bench.streams.subscribe(to: query(0))
        #expect(bench.streams.status.topics == DocumentStreams.keptMax + 1)
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
        _ = (stream.next(), stream.next())
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
            _ = stream.next()
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
            try bench.streams.subscribe(to: query).cancel()
        }
        let isKept = makers != nil
        #expect(isKept)
        for _ in 0..<DocumentStreams.keptSeconds { bench.streams.tick() }
        let isLeft = makers != nil
        #expect(!isLeft)
    }
}
