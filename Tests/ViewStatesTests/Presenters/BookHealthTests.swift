import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A book's health has the book stream's state and the age of the data")
struct BookHealthTests {
    private static let market: MarketID = "XRP_KRW"

    @Test("a book without a snapshot is loading or failed")
    func loading() {
        var sample = SampleBoard.live()
        #expect(Self.health(&sample).phase == .loading)
        sample.open(Self.market, .book)
        #expect(Self.health(&sample).phase == .loading && Self.health(&sample).at == nil)
        let interest = DetailInterest(market: Self.market, facet: .book)
        let retryAt = sample.now.advanced(by: .seconds(2))
        sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: retryAt)))
        let health = Self.health(&sample)
        #expect(health.phase == .failed && !health.complete && health.staleAfter == nil)
        #expect(health.error?.code == "timed_out" && health.error?.message == "응답 시간 초과")
        #expect(health.error?.retryable == true && health.error?.nextRetryAt == retryAt)
        #expect(Self.health(&sample, .english).error?.message == "the request timed out")
    }

    @Test("a book is fresh for exactly ten seconds, from REST or stream")
    func fresh() {
        for origin in [OrderBookSnapshot.Origin.rest, .stream] {
            var sample = SampleBoard.live()
            sample.open(Self.market, .book)
            let at = sample.now
            sample.book(Self.market, asks: [["744": "1"]], bids: [], origin: origin)
            var health = Self.health(&sample)
            #expect(health.phase == .ready && health.at == at && health.complete)
            #expect(health.staleAfter == at.advanced(by: .seconds(10)) && health.error == nil)
            #expect(health.origin == (origin == .rest ? .rest : .stream))
            sample.wait(.microseconds(9_999_999))
            #expect(Self.health(&sample).phase == .ready)
            sample.wait(.microseconds(1))
            health = Self.health(&sample)
            #expect(health.phase == .stale && health.at == at)
            // The clock is set back.
            sample.wait(.seconds(-910))
            #expect(Self.health(&sample).phase == .stale)
        }
    }

    @Test("levels beyond the fifteenth have their own time, and a book of another API says so")
    func deep() throws {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book)
        var answer = OrderBookSnapshot(
            market: Self.market,
            at: sample.now,
            asks: (1...30).map { BookLevel(price: FixedDecimal(Int64(700 + $0)), quantity: .one) },
            bids: [],
            origin: .rest,
            api: .v2
        )
        sample.applyDetails(.orderBook(answer))
        let readAt = sample.now
        sample.wait(.seconds(1))
        answer.at = sample.now
        answer.origin = .stream
        answer.asks.removeLast(15)
        answer.asksListed = 15
        sample.applyDetails(.orderBook(answer))
        let health = Self.health(&sample)
        #expect(health.deepAt == readAt && health.api == "2" && health.at == sample.now)
        sample.apply(.feed(.reads(.v2)))
        #expect(Self.health(&sample).api == nil, "source.api says it")
        answer.api = .v1
        sample.applyDetails(.orderBook(answer))
        #expect(Self.health(&sample).deepAt == nil && Self.health(&sample).api == "1")
    }

    @Test("a book is not complete while levels that are wanted were not read")
    func deepMissing() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book)
        let levels = (1...15).map { BookLevel(price: FixedDecimal(Int64($0)), quantity: .one) }
        let frame = OrderBookSnapshot(
            market: Self.market,
            at: sample.now,
            asks: levels,
            bids: [],
            origin: .stream,
            api: .v2
        )
        sample.applyDetails(.orderBook(frame))
        #expect(Self.health(&sample).complete)
        sample.open(Self.market, .deepBook)
        #expect(!Self.health(&sample).complete && Self.health(&sample).error == nil)
        let interest = DetailInterest(market: Self.market, facet: .deepBook)
        let retryAt = sample.now.advanced(by: .seconds(2))
        sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: retryAt)))
        sample.applyDetails(.orderBook(frame))
        #expect(Self.health(&sample).error?.nextRetryAt == retryAt, "a frame has no such levels")
        var answer = frame
        answer.origin = .rest
        sample.applyDetails(.orderBook(answer))
        #expect(Self.health(&sample).complete && Self.health(&sample).error == nil)
    }

    @Test("a book whose stream is lost is stale and incomplete, with the time of the next attempt")
    func lost() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book)
        sample.applyDetails(.feed(.subscribed([Self.market])))
        sample.book(Self.market, asks: [["744": "1"]], bids: [])
        let retryAt = sample.now.advanced(by: .seconds(2))
        sample.applyDetails(
            .feed(.disconnected(attempt: 3, nextRetryAt: retryAt, failure: .sample))
        )
        var health = Self.health(&sample)
        #expect(health.phase == .stale && !health.complete)
        #expect(health.error?.code == "reconnecting" && health.error?.nextRetryAt == retryAt)
        #expect(health.error?.message == "재연결 중 (3차): 응답 시간 초과")
        // So is that of the books of the other API.
        sample.applyDetails(.feed(.connected([Self.market])))
        #expect(Self.health(&sample).error == nil)
        sample.applyDetails(
            .feed(
                .disconnected(
                    attempt: 3,
                    nextRetryAt: retryAt,
                    failure: .sample,
                    markets: ["ETH_KRW"]
                )
            )
        )
        #expect(Self.health(&sample).error == nil)
        // The stream of the list is another.
        let trades = MarketDetailPresenter(names: .sample)
            .trades(sample.snapshot(), MarketDetailQuery(market: Self.market)).health
        #expect(trades.error == nil)
        sample.applyDetails(.feed(.subscribed([Self.market])))
        sample.book(Self.market, asks: [["744": "1"]], bids: [])
        health = Self.health(&sample)
        #expect(health.phase == .ready && health.error == nil)
    }

    @Test("a book of an ended recording cannot turn stale")
    func ended() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book)
        sample.book(Self.market, asks: [["744": "1"]], bids: [])
        sample.apply(.feed(.ended))
        sample.wait(.seconds(60))
        let health = Self.health(&sample)
        #expect(health.phase == .ended && health.staleAfter == nil && health.error == nil)
    }

    private static func health(
        _ sample: inout SampleBoard,
        _ language: Language = .korean
    ) -> HealthViewState {
        var query = MarketDetailQuery(market: market)
        query.messageLanguage = language
        return MarketDetailPresenter(names: .sample).orderBook(sample.snapshot(), query).health
    }
}
