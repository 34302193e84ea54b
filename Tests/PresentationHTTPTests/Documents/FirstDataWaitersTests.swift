import Dispatch
import HTTPServer
import NetworkAddresses
import UseCases
import ViewStates
import Synchronization
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Waiting for first data", .tags(.threads))
struct FirstDataWaitersTests {
    private static let market: MarketID = "XRP_KRW"
    private static let book = DocumentQuery.orderBook(MarketDetailQuery(market: market))
    private static let trades = DocumentQuery.trades(MarketDetailQuery(market: market))

    @Test("a wait ends once, with the snapshot that has its data")
    func settled() {
        var bench = Bench()
        let (book, trades) = (Ends(), Ends())
        bench.wait(for: Self.book, end: book.end)
        bench.wait(for: Self.trades, end: trades.end)
        bench.publish(after: .milliseconds(100)) { $0.open(Self.market, .book, .trades) }
        #expect(book.count == 0 && trades.count == 0 && bench.waiters.count == 2)
        bench.publish(after: .milliseconds(100)) { $0.book(Self.market, asks: [], bids: []) }
        #expect(book.count == 1 && trades.count == 0 && bench.waiters.count == 1)
        bench.publish(after: .milliseconds(100)) { $0.joinTrades(Self.market) }
        bench.publish(after: .milliseconds(100)) { _ in }
        #expect(book.count == 1 && trades.count == 1 && bench.waiters.count == 0)
    }

    @Test("a wait for available data ends at once")
    func already() {
        var bench = Bench()
        bench.publish(after: .milliseconds(100)) { sample in
            sample.open(Self.market, .book)
            sample.book(Self.market, asks: [], bids: [])
        }
        let ends = Ends()
        bench.wait(for: Self.book, end: ends.end)
        #expect(ends.count == 1 && bench.waiters.count == 0)
    }

    @Test("a wait ends after three seconds of snapshots, or when the clock is set back")
    func patience() {
        var bench = Bench()
        let ends = Ends()
        bench.wait(for: Self.book, end: ends.end)
        bench.publish(after: .milliseconds(2_999)) { _ in }
        #expect(ends.count == 0)
        bench.publish(after: .milliseconds(1)) { _ in }
        #expect(ends.count == 1)
        bench.wait(for: Self.book, end: ends.end)
        bench.publish(after: .seconds(-3_600)) { _ in }
        #expect(ends.count == 2 && bench.waiters.count == 0)
    }

    @Test("a wait counts from the snapshot without the data")
    func since() {
        var bench = Bench()
        let since = bench.now
        bench.publish(after: .seconds(1)) { _ in }
        let ends = Ends()
        bench.waiters.wait(for: Self.book, by: Self.client(0), since: since, end: ends.end)
        bench.publish(after: .milliseconds(1_999)) { _ in }
        #expect(ends.count == 0)
        bench.publish(after: .milliseconds(1)) { _ in }
        #expect(ends.count == 1)
        bench.waiters.wait(for: Self.book, by: Self.client(0), since: since, end: ends.end)
        #expect(ends.count == 2 && bench.waiters.count == 0)
    }

    @Test("beyond the limit of waits a request is answered at once")
    func full() {
        var bench = Bench()
        let (waiting, next) = (Ends(), Ends())
        // The last place stays free: nobody may take half of it.
        let places = FirstDataWaiters.waitersMax - 1
        for number in 0..<places {
            bench.wait(for: Self.book, by: Self.client(number), end: waiting.end)
        }
        bench.wait(for: Self.book, by: Self.client(places), end: next.end)
        #expect(waiting.count == 0 && next.count == 1)
        bench.publish(after: .milliseconds(100)) { sample in
            sample.open(Self.market, .book)
            sample.book(Self.market, asks: [], bids: [])
        }
        #expect(waiting.count == places && bench.waiters.count == 0)
    }

    @Test("one client takes a third of the places; ended waits free its share")
    func share() {
        var bench = Bench()
        let (greedy, others) = (Ends(), Ends())
        let share = FirstDataWaiters.waitersMax / 3 + 1
        for _ in 0..<2 {
            for _ in 0..<FirstDataWaiters.waitersMax {
                bench.wait(for: Self.book, by: Self.client(0), end: greedy.end)
            }
            #expect(bench.waiters.count == share)
            #expect(greedy.count == FirstDataWaiters.waitersMax - share)
            for number in 1...100 {
                bench.wait(for: Self.book, by: Self.client(number), end: others.end)
            }
            #expect(others.count == 0 && bench.waiters.count == share + 100)
            bench.publish(after: DocumentQuery.patience) { _ in }
            #expect(bench.waiters.count == 0 && others.count == 100)
            greedy.reset()
            others.reset()
        }
    }

    /// A client by number.
    fileprivate static func client(_ number: Int) -> RateLimits.Key {
        RateLimits.Key(NetworkAddress(10, 0, UInt8(number / 256), UInt8(number % 256)))
    }

    @Test("concurrent waits and snapshots lose no wait")
    func threads() async {
        for _ in 0..<50 {
            var bench = Bench()
            let ends = Ends()
            let (waiters, since) = (bench.waiters, bench.now)
            async let waiting: Void = withTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        for _ in 0..<20 {
                            waiters.wait(
                                for: Self.book,
                                by: Self.client(task),
                                since: since,
                                end: ends.end
                            )
                        }
                    }
                }
            }
            bench.publish(after: .milliseconds(100)) { sample in
                sample.open(Self.market, .book)
                sample.book(Self.market, asks: [], bids: [])
            }
            await waiting
            #expect(ends.count == 80 && waiters.count == 0)
        }
    }

    /// Waiters over the small exchange.
    private struct Bench {
        private var sample: SampleBoard
        private let latest: SnapshotPublisher
        let waiters: FirstDataWaiters

        init() {
            sample = .live()
            latest = SnapshotPublisher(sample.snapshot())
            waiters = FirstDataWaiters(latest: latest)
        }

        /// The time of the newest snapshot.
        var now: Timestamp { latest.value.capturedAt }

        func wait(
            for query: DocumentQuery,
            by client: RateLimits.Key = FirstDataWaitersTests.client(0),
            end: @escaping @Sendable () -> Void
        ) {
            waiters.wait(for: query, by: client, since: now, end: end)
        }

        mutating func publish(
            after wait: Duration,
            _ change: (inout SampleBoard) -> Void
        ) {
            sample.wait(wait)
            change(&sample)
            latest.publish(sample.snapshot())
        }
    }

    /// Counts how often waits ended.
    private final class Ends: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        @Sendable
        func end() { number.withLock { $0 += 1 } }

        func reset() { number.withLock { $0 = 0 } }
    }
}

@Suite("First request for a market over HTTP", .tags(.threads))
struct FirstRequestTests {
    @Test("the response comes with the snapshot that has the book")
    func waits() throws {
        let markets = try MarketServiceFixture()
        let looked = markets.interestSignal()
        let client = try TCPClient(port: markets.served.port)
        try client.send("GET /v1/markets/XRP_KRW/orderbook HTTP/1.1\r\nHost: h\r\n\r\n")
        looked.wait()
        // Others are answered meanwhile.
        #expect(try markets.list().status == 200)
        markets.openDetail()
        let answer = try HTTPAnswer(client.receiveAnswer())
        let state = try #require(try answer.json["state"])
        #expect(answer.status == 200 && state["health"]?["phase"] == .string("ready"))
        #expect(state["asks"]?.elements?.count == 3)
        // All waits have ended.
        #expect(try markets.served.ask("GET", "/v1/markets/XRP_KRW/orderbook").body == answer.body)
    }

    @Test("a price step is checked against the awaited book")
    func group() throws {
        let markets = try MarketServiceFixture()
        let looked = markets.interestSignal()
        let client = try TCPClient(port: markets.served.port)
        let target = "/v1/markets/XRP_KRW/orderbook?group=0.05"
        try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        looked.wait()
        markets.openDetail()
        #expect(try HTTPAnswer(client.receiveAnswer()).status == 400)
    }

    @Test("a market that turns out not to exist is 404")
    func unknown() throws {
        let markets = try MarketServiceFixture(SampleBoard())
        let looked = markets.interestSignal()
        let client = try TCPClient(port: markets.served.port)
        try client.send("GET /v1/markets/XRP_KRW/trades HTTP/1.1\r\nHost: h\r\n\r\n")
        looked.wait()
        markets.wait(.milliseconds(100)) { $0.list(.krw, []) }
        #expect(try HTTPAnswer(client.receiveAnswer()).status == 404)
    }

    @Test("after the time-out the document is loading")
    func patience() throws {
        let markets = try MarketServiceFixture()
        let looked = markets.interestSignal()
        let client = try TCPClient(port: markets.served.port)
        try client.send("GET /v1/markets/XRP_KRW/candles HTTP/1.1\r\nHost: h\r\n\r\n")
        looked.wait()
        markets.wait(DocumentQuery.patience) { _ in }
        let answer = try HTTPAnswer(client.receiveAnswer())
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["health"]?["phase"] == .string("loading"))
    }
}
