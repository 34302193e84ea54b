import Foundation
import ViewStates
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Steady, slow and resuming readers")
struct ResumedStreamTests {
    @Test(
        "all readers of a list end with the same document",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func marketList(seed: UInt64) throws {
        try run(.marketList(MarketListQuery()), MarketListViewState.self, seed: seed)
        try run(.marketList(StreamFixture.byPrice), MarketListViewState.self, seed: seed)
    }

    @Test(
        "all readers of a market detail end with the same document",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func detail(seed: UInt64) throws {
        try run(.marketDetail(StreamFixture.detail), MarketDetailViewState.self, seed: seed)
    }

    @Test(
        "all readers of book, trades and candles end with the same documents",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func blocks(seed: UInt64) throws {
        typealias Book = MarketBlockViewState<OrderBookViewState>
        typealias Trades = MarketBlockViewState<TradesViewState>
        typealias Chart = MarketBlockViewState<ChartViewState>
        try run(.orderBook(StreamFixture.detail), Book.self, seed: seed)
        try run(.trades(StreamFixture.detail), Trades.self, seed: seed)
        try run(.candles(StreamFixture.detail), Chart.self, seed: seed)
    }

    @Test(
        "all readers of deposits and withdrawals end with the same document",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func assets(seed: UInt64) throws {
        try run(.assets(AssetsQuery()), AssetsViewState.self, seed: seed)
    }

    @Test(
        "all readers of a snapshot end with the same document",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func snapshot(seed: UInt64) throws {
        let query = SnapshotQuery(
            marketList: StreamFixture.byPrice,
            marketDetail: StreamFixture.detail,
            assets: AssetsQuery()
        )
        try run(.snapshot(query), SnapshotViewState.self, seed: seed)
    }

    @Test(
        "all readers end with the same document, also with minimal bounds",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func forgetful(seed: UInt64) throws {
        var bounds = ChangeLog.Bounds()
        bounds.revisionsMax = 4
        bounds.removalsMax = 3
        let trades = MarketBlockViewState<TradesViewState>.self
        let seen = try run(.trades(StreamFixture.detail), trades, seed: seed, bounds: bounds)
        #expect(seen["bye"] ?? 0 > 0 && seen["reset"] ?? 0 > 0)
        let list = MarketListViewState.self
        try run(.marketList(StreamFixture.byPrice), list, seed: seed, bounds: bounds)
    }

    /// Runs three readers over one run of events.
    ///
    /// - Returns: how many events of each name they read.
    @discardableResult
    private func run<State: StreamedState>(
        _ query: DocumentQuery,
        _: State.Type,
        seed: UInt64,
        bounds: ChangeLog.Bounds = .init()
    ) throws -> [String: Int] {
        var bench = StreamFixture(bounds: bounds)
        let (streams, documents) = (bench.streams, bench.documents)
        let trial = ReaderScenario<State>(
            subscribe: { try streams.subscribe(to: query, resumingAfter: $0) },
            bytes: { documents.bytes(query).bytes }
        )
        return try trial.run(seed: seed) { generator in
            let event = StreamEvents.random(&generator)
            bench.wait(event.wait, event.change)
        }
    }
}

@Suite("Steady, slow and resuming readers of users' documents")
struct ResumedUserStreamTests {
    private static let favorites: MarketListQuery = {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        return query
    }()
    private static let everything = UserSnapshotQuery(
        market: SnapshotQuery(
            marketList: StreamFixture.byPrice,
            marketDetail: StreamFixture.detail,
            assets: AssetsQuery()
        ),
        portfolio: .korean
    )
    private static let own = UserSnapshotQuery(
        market: SnapshotQuery(marketList: favorites, marketDetail: nil),
        portfolio: .english
    )

    @Test(
        "all readers of list and portfolio end with the same document",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func alone(seed: UInt64) throws {
        try run(.marketList(Self.favorites), MarketListViewState.self, seed: seed)
        try run(.portfolio(.korean), PortfolioViewState.self, seed: seed)
    }

    @Test(
        "all readers of a user's snapshot end with the same document",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func several(seed: UInt64) throws {
        try run(.snapshot(Self.everything), SnapshotViewState.self, seed: seed)
        try run(.snapshot(Self.own), SnapshotViewState.self, seed: seed)
    }

    @Test(
        "all readers end with the same document, also with minimal bounds",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func forgetful(seed: UInt64) throws {
        var bounds = ChangeLog.Bounds()
        bounds.revisionsMax = 4
        bounds.removalsMax = 2
        let snapshot = SnapshotViewState.self
        let seen = try run(.snapshot(Self.everything), snapshot, seed: seed, bounds: bounds)
        #expect(seen["bye"] ?? 0 > 0 && seen["reset"] ?? 0 > 0)
    }

    @discardableResult
    private func run<State: StreamedState>(
        _ query: UserDocumentQuery,
        _: State.Type,
        seed: UInt64,
        bounds: ChangeLog.Bounds = .init()
    ) throws -> [String: Int] {
        var bench = StreamFixture(bounds: bounds)
        let person = StreamUser(4, bench)
        let streams = bench.streams
        let trial = ReaderScenario<State>(
            subscribe: { try streams.subscribe(to: person.query(query), resumingAfter: $0) },
            bytes: { person.producers.bytes(query).bytes }
        )
        return try trial.run(seed: seed) { generator in
            person.changeSomething(&generator)
            let event = StreamEvents.random(&generator)
            bench.wait(event.wait, event.change)
        }
    }
}

@Suite("Clients that list, then watch")
struct ListThenWatchTests {
    @Test(
        "streams that continue from GETs of several clients end with the same document",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) throws {
        try run(.marketList(StreamFixture.byPrice), MarketListViewState.self, seed: seed)
        try run(.marketDetail(StreamFixture.detail), MarketDetailViewState.self, seed: seed)
        try run(
            .trades(StreamFixture.detail),
            MarketBlockViewState<TradesViewState>.self,
            seed: seed
        )
        let several = SnapshotQuery(
            marketList: StreamFixture.byPrice,
            marketDetail: StreamFixture.detail,
            assets: AssetsQuery()
        )
        try run(.snapshot(several), SnapshotViewState.self, seed: seed)
    }

    private func run<State: StreamedState>(
        _ query: DocumentQuery,
        _: State.Type,
        seed: UInt64
    ) throws {
        var bench = StreamFixture()
        var generator = SeededGenerator(seed: seed)
        var clients: [(client: StreamClient<State>, starts: Int, askedAt: Timestamp)] = []
        var starts = 0
        var counts: [String: Int] = [:]
        for _ in 0..<150 {
            let event = StreamEvents.random(&generator)
            let source = SourceViewState(bench.sample.board.feed)
            bench.publish(after: event.wait, event.change)
            // Another feed starts all documents over.
            if SourceViewState(bench.sample.board.feed) != source { starts += 1 }
            // GETs happen between the cuts of streams, too.
            if Bool.random(using: &generator) {
                let answer = bench.documents.bytes(query).bytes
                clients.append((try StreamClient(answer: answer), starts, bench.sample.now))
            }
            if Bool.random(using: &generator) { bench.streams.advance() }
            // Answers of different ages.
            guard clients.count > 5 else { continue }
            let place = Int.random(in: clients.indices, using: &generator)
            let (client, start, askedAt) = clients.remove(at: place)
            try client.connect { try bench.streams.subscribe(to: query, resumingAfter: $0) }
            try client.takeAll()
            bench.streams.advance()
            try client.takeAll()
            let document = try StreamClient<State>(answer: bench.documents.bytes(query).bytes)
            #expect(client.document == document.document)
            for (name, count) in client.counts { counts[name, default: 0] += count }
            let isOld = bench.sample.now.duration(since: askedAt) > .seconds(60)
            #expect(client.counts["reset"] == nil || start < starts || isOld)
            client.disconnect()
        }
        #expect(counts["patch"] ?? 0 > 20 && counts["snapshot"] == nil)
    }
}

@Suite("Readers that alternate between instances")
struct AlternatingStreamTests {
    private typealias State = MarketBlockViewState<TradesViewState>

    @Test(
        "a reader misses no trade if fewer than the limit happen between connections",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func alternating(seed: UInt64) throws {
        var benches = [StreamFixture(epoch: "one"), StreamFixture(epoch: "two")]
        var generator = SeededGenerator(seed: seed)
        let client = StreamClient<State>()
        var query = StreamFixture.detail
        query.tradeLimit = 40
        var place = 0
        var seen: Set<String> = []
        for connection in 0..<60 {
            try client.connect {
                try benches[place].streams.subscribe(to: .trades(query), resumingAfter: $0)
            }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                // Both instances get the same trades and publish at different times.
                let event = StreamEvents.random(&generator)
                for index in benches.indices {
                    benches[index].change(event.wait, event.change)
                    if Bool.random(using: &generator) { benches[index].publishAndAdvance() }
                }
                benches[place].publishAndAdvance()
                try client.takeAll()
                #expect(client.document == benches[place].documents.trades.document(query))
                seen.formUnion(client.document?.state.block.rows.map(\.id) ?? [])
            }
            client.disconnect()
            if Int.random(in: 0..<3, using: &generator) > 0 { place = 1 - place }
            // At most 30 trades between connections, fewer than the limit.
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let event = StreamEvents.random(&generator)
                for index in benches.indices { benches[index].change(event.wait, event.change) }
            }
            for index in benches.indices { benches[index].publishAndAdvance() }
            if connection == 0 { #expect(client.counts["reset"] == nil) }
        }
        try client.connect {
            try benches[place].streams.subscribe(to: .trades(query), resumingAfter: $0)
        }
        try client.takeAll()
        seen.formUnion(client.document?.state.block.rows.map(\.id) ?? [])
        let tape = benches[0].sample.board.tape(of: StreamFixture.market)
        #expect(tape.count > 60)
        for age in 0..<tape.count { #expect(seen.contains(tape[age].id.text), "\(age)") }
        #expect(client.counts["reset"] ?? 0 > 10 && client.counts["patch"] ?? 0 > 10)
    }
}
