import Domain
import TestSupport
import Testing

@Suite("Feed status: freshness and completeness")
struct FeedStatusTests {
    private let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)

    private func listing(_ second: Int, _ quote: Quote = .krw) -> MarketEvent {
        let market: MarketID = quote == .krw ? "BTC_KRW" : "ETH_BTC"
        let other: MarketID = quote == .krw ? "XRP_KRW" : "XRP_BTC"
        let entries = [
            ListingEntry(market, price: "100", tradeValue24h: "10"),
            ListingEntry(other, price: "100", tradeValue24h: "5"),
        ]
        return .listing(Listing(quote, at: .noon(second), entries))
    }

    private func trade(_ market: MarketID, _ second: Int) -> MarketEvent {
        .trade(Trade(market, price: "100", at: .noon(second)))
    }

    @Test("data is fresh for five seconds after the last sign of life, by receive time")
    func freshness() {
        var board = MarketBoard(kind: .live)
        #expect(!board.feed.isFresh(at: .noon()))
        #expect(board.feed.staleAt == nil)
        board.apply(listing(0), at: .noon(0))
        #expect(board.feed.staleAt == .noon(5))
        #expect(board.feed.isFresh(at: .noon(plus: .microseconds(4_999_999))))
        #expect(!board.feed.isFresh(at: .noon(5)))
        #expect(!board.feed.isFresh(at: .noon(-900)), "the clock was set back")
    }

    @Test("after the clock was set back, a sign of life before it counts from the next data on")
    func clockSetBack() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), at: .noon(900))
        board.apply(trade("XRP_KRW", 1), at: .noon(2))
        #expect(board.feed.isFresh(at: .noon(2)))
        #expect(!board.feed.isFresh(at: .noon(7)))
    }

    @Test("only the busiest market counts as sign of life once it is known")
    func signsOfLife() {
        var board = MarketBoard(kind: .live)
        board.apply(trade("XRP_KRW", 1), at: .noon(1))
        #expect(board.feed.lastActivityAt == .noon(1), "the busiest market is not known yet")
        board.apply(listing(2), at: .noon(2))
        board.apply(.feed(.subscribed), listing(3, .btc), .feed(.live), at: .noon(3))
        board.apply(trade("XRP_KRW", 4), at: .noon(4))
        #expect(board.feed.lastActivityAt == .noon(2))
        #expect(board.feed.lastDataAt == .noon(4))
        let frame = TickerFrame("BTC_KRW", .hour1, at: .noon(5), open: "1", close: "1")
        board.apply(.ticker(frame), at: .noon(5))
        #expect(board.feed.lastActivityAt == .noon(5))
        board.apply(listing(6), at: .noon(6))
        #expect(board.feed.lastActivityAt == .noon(5), "a listing is no sign of the stream")
    }

    @Test("listings count as sign of life until the first connection")
    func listingsBeforeStream() {
        var board = MarketBoard(kind: .live)
        for second in [0, 10, 20] {
            board.apply(listing(second), at: .noon(second))
            #expect(board.feed.lastActivityAt == .noon(second))
        }
        board.apply(.feed(.subscribed), listing(30), at: .noon(30))
        #expect(board.feed.lastActivityAt == .noon(20))
    }

    @Test("of the listings of two quote currencies the older one is the sign of life")
    func olderListing() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), at: .noon(0))
        board.apply(listing(7, .btc), at: .noon(7))
        #expect(board.feed.isComplete && !board.feed.isFresh(at: .noon(7)))
        board.apply(listing(8), at: .noon(8))
        #expect(board.feed.lastActivityAt == .noon(7))
    }

    @Test("a listing of five seconds before a subscription does not complete the data after it")
    func listingBeforeSubscription() {
        for (kind, isComplete) in [(FeedKind.live, false), (.replay, true)] {
            var board = MarketBoard(kind: kind)
            board.apply(listing(0), at: .noon(0))
            board.apply(listing(1, .btc), at: .noon(1))
            board.apply(.feed(.subscribed), at: .noon(5))
            #expect(board.feed.isComplete == isComplete)
            #expect(board.feed.listedQuotes.contains(.btc))
            board.apply(listing(6), at: .noon(6))
            #expect(board.feed.isComplete)
        }
    }

    @Test("a listing whose rows took long to read is as old as its request")
    func slowListing() {
        for (requestedAt, counts) in [(10, 10), (35, 35), (nil, 35), (50, 35)] {
            var listed = Listing(.krw, at: .noon(0), [ListingEntry("BTC_KRW", price: "100")])
            listed.requestedAt = requestedAt.map { .noon($0) }
            var board = MarketBoard(kind: .live)
            board.apply(.listing(listed), at: .noon(35))
            #expect(board.feed.lastActivityAt == .noon(counts))
        }
    }

    @Test("data is complete when both quote currencies were read since the loss")
    func completeness() {
        var board = MarketBoard(kind: .live)
        func isComplete(_ events: MarketEvent...) -> Bool {
            _ = board.apply(MarketEventBatch(events: events, receivedAt: .noon()))
            return board.feed.isComplete
        }
        #expect(!isComplete(listing(0)))
        #expect(isComplete(listing(0, .btc)))
        #expect(isComplete(.feed(.subscribed)))
        #expect(isComplete(.feed(.live)))
        #expect(isComplete(.feed(.stale)))
        let loss = FeedEvent.reconnecting(attempt: 1, nextRetryAt: .noon(), failure: failure)
        #expect(!isComplete(.feed(loss)))
        #expect(!isComplete(listing(8), listing(8, .btc)), "the stream is not connected")
        #expect(!isComplete(.feed(loss), .feed(.subscribed), .feed(.live)))
        #expect(!isComplete(listing(9)))
        #expect(isComplete(listing(9, .btc)))
        #expect(isComplete(.feed(.ended)))
    }

    @Test("the feed becomes stale and recovers with the busiest market's frames")
    func staleAndBack() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), .feed(.subscribed), .feed(.live), at: .noon(0))
        board.apply(.feed(.stale), at: .noon(5))
        #expect(board.feed.connection == .stale)
        #expect(!board.feed.isFresh(at: .noon(5)))
        board.apply(trade("XRP_KRW", 6), at: .noon(6))
        #expect(board.feed.connection == .stale)
        let changes = board.apply(trade("BTC_KRW", 7), at: .noon(7))
        #expect(board.feed.connection == .live)
        #expect(changes.feed)
    }

    @Test("a market that the stream tells as suspended is no longer the busiest one")
    func busiestSuspended() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), .feed(.subscribed), .feed(.live), at: .noon(0))
        var entry = ListingEntry("BTC_KRW", price: "100", tradeValue24h: "10")
        entry.isSuspended = true
        board.apply(.state(entry, at: .noon(-60)), at: .noon(1))
        #expect(board.feed.lastActivityAt == .noon(0), "it is no sign of life")
        #expect(board.busiestMarket == "XRP_KRW")
        board.apply(trade("XRP_KRW", 2), at: .noon(2))
        #expect(board.feed.lastActivityAt == .noon(2))
    }

    @Test("the feed is not live before the snapshot, however a silence ends")
    func silenceBeforeSnapshot() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), .feed(.subscribed), .feed(.stale), at: .noon(5))
        #expect(board.feed.connection == .subscribed)
        var silent = board
        silent.apply(.feed(.live), at: .noon(6))
        #expect(silent.feed.connection == .stale, "complete, but nothing comes")
        board.apply(trade("BTC_KRW", 6), at: .noon(6))
        #expect(board.feed.connection == .subscribed)
        board.apply(.feed(.live), at: .noon(7))
        #expect(board.feed.connection == .live)
    }

    @Test("silence ends with its connection")
    func silenceIsOver() {
        var board = MarketBoard(kind: .live)
        let loss = FeedEvent.reconnecting(attempt: 1, nextRetryAt: .noon(), failure: failure)
        board.apply(.feed(.live), .feed(.stale), .feed(loss), at: .noon(10))
        board.apply(.feed(.subscribed), .feed(.live), at: .noon(11))
        #expect(board.feed.connection == .live)
    }

    @Test("losses are counted, not attempts")
    func reconnects() {
        var board = MarketBoard(kind: .live)
        func lose(_ attempt: Int) {
            board.apply(
                .feed(.reconnecting(attempt: attempt, nextRetryAt: .noon(), failure: failure)),
                at: .noon()
            )
        }
        lose(1)
        #expect(board.feed.reconnects == 0, "there was nothing to lose yet")
        board.apply(.feed(.subscribed), .feed(.live), at: .noon())
        lose(1)
        lose(2)
        #expect(board.feed.reconnects == 1)
        #expect(board.feed.connection == .reconnecting(attempt: 2, nextRetryAt: .noon()))
        #expect(board.feed.streamFailure == failure)
        board.apply(.feed(.live), at: .noon())
        #expect(board.feed.streamFailure == nil)
    }

    @Test("a failed listing is reported until one succeeds")
    func listingFailures() {
        var board = MarketBoard(kind: .live)
        board.apply(.feed(.listingFailed(failure, nextRetryAt: .noon(7))), at: .noon(0))
        #expect(board.feed.listingFailure == failure)
        #expect(board.feed.listingRetryAt == .noon(7))
        board.apply(listing(7), at: .noon(7))
        #expect(board.feed.listingFailure == nil)
        #expect(board.feed.listingRetryAt == nil)
    }

    @Test("origin, kind and counts of the newest data are reported")
    func origins() {
        var board = MarketBoard(kind: .live)
        board.apply(listing(0), .feed(.identified(.simulated)), .skipped(2), at: .noon(0))
        #expect(board.feed.origin == .rest)
        #expect(board.feed.kind == .simulated)
        board.apply(.feed(.subscribed), trade("XRP_KRW", 1), listing(1), at: .noon(1))
        #expect(board.feed.origin == .stream)
        let loss = FeedEvent.reconnecting(attempt: 1, nextRetryAt: .noon(), failure: failure)
        board.apply(.feed(loss), listing(2), .skipped(1), at: .noon(2))
        #expect(board.feed.origin == .rest)
        #expect(board.feed.entriesSkipped == 3)
        _ = board.apply(MarketEventBatch(events: [], receivedAt: .noon(3), frameCount: 4))
        #expect(board.feed.framesReceived == 4)
    }

    @Test("the status is final once a recording has ended")
    func ended() {
        var board = MarketBoard(kind: .replay)
        board.apply(listing(0), .feed(.ended), at: .noon(0))
        #expect(board.feed.connection == .ended)
        #expect(!board.feed.isFresh(at: .noon(0)))
    }
}
