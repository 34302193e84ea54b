import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("The archive queue is bounded and writes only differences")
struct ArchiveQueueTests {
    private static let now = Timestamp.noon(7_200)

    private static func page(
        _ minutes: Range<Int>,
        of market: MarketID = "BTC_KRW",
        close: FixedDecimal = "2",
        askedAt: Int? = nil
    ) -> CandlePage {
        let askedAt = Timestamp.noon((askedAt ?? minutes.upperBound) * 60 + 30)
        return CandlePage(
            market: market,
            interval: .minute1,
            candles: minutes.map { minute in
                Candle(
                    openTime: .noon(minute * 60),
                    open: "1",
                    high: "9",
                    low: "1",
                    close: close,
                    volume: "1",
                    origin: .rest
                )
            },
            requestedAt: askedAt,
            answeredAt: askedAt
        )
    }

    private static func market(_ number: Int) throws -> MarketID {
        try #require(MarketID(symbol: "M\(number)", quote: .krw))
    }

    private func plan() -> ArchiveQueue {
        var plan = ArchiveQueue(expecting: .live)
        plan.identify(.live)
        return plan
    }

    /// The candles of the next write.
    private func candles(_ plan: inout ArchiveQueue) -> StoredCandlesDTO? {
        guard case .candles(let candles) = plan.next(now: Self.now) else { return nil }
        return candles
    }

    @Test("nothing is written before the feed is identified, then under that feed")
    func identity() throws {
        var plan = ArchiveQueue(expecting: .live)
        plan.add(Self.page(0..<3))
        plan.add(closes: [StoredPriceDTO(market: "BTC_KRW", price: "1", at: 0, tradeValue24h: nil)])
        #expect(plan.next(now: Self.now) == nil)
        plan.identify(.simulated)
        guard case .closes(_, "simulated") = plan.next(now: Self.now) else {
            Issue.record("the closes were not handed out")
            return
        }
        plan.succeeded()
        #expect(candles(&plan)?.series.feed == "simulated")
        plan.succeeded()
        plan.add(Self.page(0..<3, of: "ETH_KRW"))
        plan.identify(.live)
        #expect(plan.next(now: Self.now) == nil)
    }

    @Test("a replay is never written")
    func recording() {
        var plan = ArchiveQueue(expecting: .replay)
        plan.add(Self.page(0..<3))
        plan.identify(.replay)
        #expect(plan.next(now: Self.now) == nil)
        #expect(plan.waitingPages == 0)
    }

    @Test("a second page writes only new and changed rows, and the span")
    func difference() throws {
        var plan = plan()
        plan.add(Self.page(0..<5))
        #expect(candles(&plan)?.rows.count == 5)
        plan.succeeded()
        plan.add(Self.page(0..<5))
        #expect(plan.next(now: Self.now) == nil)
        plan.add(Self.page(0..<7))
        let second = try #require(candles(&plan))
        #expect(second.rows.map(\.openTime) == [5, 6].map { Timestamp.noon($0 * 60).microseconds })
        #expect(second.spans.map(\.to) == [Timestamp.noon(7 * 60).microseconds])
        plan.succeeded()
        plan.add(Self.page(0..<7, close: "3"))
        #expect(candles(&plan)?.rows.count == 7)
        plan.succeeded()
        // A minute without a trade moves the span alone.
        plan.add(Self.page(0..<7, close: "3", askedAt: 8))
        let last = try #require(candles(&plan))
        #expect(last.rows.isEmpty)
        #expect(last.spans.map(\.to) == [Timestamp.noon(8 * 60).microseconds])
    }

    @Test("a failed write is retried with all rows")
    func failure() {
        var plan = plan()
        plan.add(Self.page(0..<5))
        _ = candles(&plan)
        plan.failed(mayRetry: true)
        #expect(plan.waitingPages == 1)
        #expect(candles(&plan)?.rows.count == 5)
        plan.failed(mayRetry: false)
        #expect(plan.waitingPages == 0)
        #expect(plan.droppedPages == 1)
        plan.add(Self.page(0..<5))
        #expect(candles(&plan)?.rows.count == 5)
    }

    @Test("a newer page replaces a queued page of the same series whose time it covers")
    func replacing() {
        var plan = plan()
        plan.add(Self.page(2..<5))
        plan.add(Self.page(0..<6))
        #expect(plan.waitingPages == 1)
        // This one does not reach as far back, so both are needed.
        plan.add(Self.page(3..<9))
        #expect(plan.waitingPages == 2)
        #expect(plan.droppedPages == 0)
    }

    @Test("beyond 64 pages the oldest are dropped and counted")
    func bound() throws {
        var plan = plan()
        for number in 0..<70 { plan.add(Self.page(0..<3, of: try Self.market(number))) }
        #expect(plan.waitingPages == 64)
        #expect(plan.droppedPages == 6)
        #expect(candles(&plan)?.series.market == "M6_KRW")
        for number in 100..<110 { plan.add(Self.page(0..<3, of: try Self.market(number))) }
        // The queue has no room left for the failed page.
        plan.failed(mayRetry: true)
        #expect(plan.waitingPages == 64)
    }

    @Test("remembered series are bounded; an evicted one is written with all rows again")
    func memory() throws {
        var plan = plan()
        for number in 0..<65 {
            plan.add(Self.page(0..<3, of: try Self.market(number)))
            #expect(candles(&plan)?.rows.count == 3)
            plan.succeeded()
        }
        plan.add(Self.page(0..<3, of: try Self.market(64)))
        #expect(plan.next(now: Self.now) == nil)
        plan.add(Self.page(0..<3, of: try Self.market(0)))
        #expect(candles(&plan)?.rows.count == 3)
    }

    @Test("candles older than the retention time are not written")
    func retention() {
        var plan = plan()
        plan.add(Self.page(0..<5))
        let later = Timestamp.noon(2 * 60).advanced(by: .seconds(30 * 86_400))
        guard case .candles(let candles) = plan.next(now: later) else {
            Issue.record("nothing was handed out")
            return
        }
        #expect(candles.rows.count == 3)
        #expect(candles.spans.map(\.from) == [Timestamp.noon(2 * 60).microseconds])
    }

    @Test("past candles are written with their whole span, beside the newest ones")
    func past() throws {
        var plan = plan()
        plan.add(Self.page(0..<5))
        #expect(candles(&plan)?.rows.count == 5)
        plan.succeeded()
        plan.add(Self.page(0..<6))
        var old = Self.page(-30..<(-20), askedAt: 6)
        old.spans = [.noon(-2_400)..<Timestamp.noon(-600)]
        plan.add(old)
        #expect(plan.waitingPages == 2)
        #expect(candles(&plan)?.rows.count == 1)
        plan.succeeded()
        let written = try #require(candles(&plan))
        #expect(written.rows.count == 10)
        #expect(
            written.spans == [
                .init(
                    from: Timestamp.noon(-2_400).microseconds,
                    to: Timestamp.noon(-600).microseconds
                )
            ]
        )
        plan.succeeded()
        // The newest page is still remembered: only its new row is written.
        plan.add(Self.page(0..<7))
        #expect(candles(&plan)?.rows.count == 1)
    }

    @Test("past candles beyond the retention are not written")
    func pastRetention() throws {
        var plan = plan()
        let month = 30 * 24 * 60
        // now is two hours after noon.
        var old = Self.page(-month + 110..<(-month + 130), askedAt: 6)
        old.spans = [.noon((-month + 100) * 60)..<Timestamp.noon((-month + 200) * 60)]
        plan.add(old)
        let written = try #require(candles(&plan))
        #expect(written.rows.count == 10)
        #expect(written.spans.first?.from == Timestamp.noon((-month + 120) * 60).microseconds)
        old.spans = [.noon((-month + 10) * 60)..<Timestamp.noon((-month + 115) * 60)]
        plan.succeeded()
        plan.add(old)
        #expect(plan.next(now: Self.now) == nil)
    }
}
