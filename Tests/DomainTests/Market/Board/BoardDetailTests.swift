import TestSupport
import Testing

@testable import Domain

@Suite("The board holds details only while an interest exists")
struct BoardDetailTests {
    private let coin: MarketID = "XRP_KRW"
    private var book: DetailInterest { DetailInterest(market: coin, facet: .book) }
    private var trades: DetailInterest { DetailInterest(market: coin, facet: .trades) }
    private var minutes: DetailInterest {
        DetailInterest(market: coin, facet: .candles(.minute1))
    }

    private func board(_ interests: DetailInterest...) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        let entry = ListingEntry(coin, price: "100")
        board.apply(.listing(Listing(at: .noon(), [entry])), at: .noon())
        for interest in interests { board.applyDetails(.feed(.opened(interest)), at: .noon()) }
        return board
    }

    private func snapshot(
        at: Timestamp = .noon(1),
        ask: FixedDecimal = "101",
        origin: OrderBookSnapshot.Origin = .rest
    ) -> DetailEvent {
        .orderBook(
            OrderBookSnapshot(
                market: coin,
                at: at,
                asks: [BookLevel(price: ask, quantity: "2")],
                bids: [BookLevel(price: "99", quantity: "3")],
                origin: origin
            )
        )
    }

    private func delta(
        _ price: FixedDecimal,
        _ quantity: FixedDecimal,
        at: Timestamp
    )
        -> DetailEvent
    {
        .depth(
            OrderBookDelta(
                market: coin,
                at: at,
                changes: [.init(side: .ask, price: price, quantity: quantity)]
            )
        )
    }

    private func page(requestedAt: Int = 30) -> DetailEvent {
        .candles(
            CandlePage(
                market: coin,
                interval: .minute1,
                candles: [
                    Candle(
                        openTime: .noon(),
                        open: "1",
                        high: "2",
                        low: "1",
                        close: "2",
                        volume: "3",
                        origin: .rest
                    )
                ],
                requestedAt: .noon(requestedAt),
                answeredAt: .noon(requestedAt + 1)
            )
        )
    }

    private func history(_ rows: [Int], requestedAt: Int) -> DetailEvent {
        .tradeHistory(
            TradeHistory(
                market: coin,
                resolution: .millisecond,
                rows: rows.map {
                    TradeHistory.Row(at: .noon($0), price: "2", quantity: "1", side: .buy)
                },
                requestedAt: .noon(requestedAt)
            )
        )
    }

    @Test("an opened detail is needed until it is read")
    func needs() {
        var board = board(book, trades, minutes)
        #expect(board.detailNeeds.readings == [book, trades, minutes])
        board.applyDetails(snapshot(), at: .noon(1))
        #expect(board.detailNeeds.readings == [trades, minutes])
        board.applyDetails(
            .tradeHistory(TradeHistory(market: coin, rows: [], beginning: .firstTrade)),
            at: .noon(2)
        )
        #expect(board.detailNeeds.readings == [minutes])
        board.applyDetails(page(), at: .noon(31))
        #expect(board.detailNeeds.readings.isEmpty)
    }

    @Test("details without an interest are ignored")
    func unwanted() {
        var board = board()
        #expect(board.applyDetails(snapshot(), at: .noon(1)).isEmpty)
        #expect(board.applyDetails(delta("101", "1", at: .noon(2)), at: .noon(2)).isEmpty)
        #expect(board.applyDetails(page(), at: .noon(31)).isEmpty)
        #expect(board.details.isEmpty)
    }

    @Test("closing discards the detail; the rest of the market stays")
    func closing() {
        var board = board(book, minutes)
        board.applyDetails(snapshot(), page(), at: .noon(31))
        board.applyDetails(.feed(.closed(book)), at: .noon(32))
        #expect(board.details[coin]?.facets == [.candles(.minute1)])
        #expect(board.details[coin]?.book.isReady == false)
        #expect(board.details[coin]?.candles[.minute1]?.count == 1)
        board.applyDetails(.feed(.closed(minutes)), at: .noon(33))
        #expect(board.details.isEmpty)
        board.applyDetails(.feed(.opened(book)), at: .noon(34))
        #expect(board.detailNeeds.readings == [book])
    }

    @Test("a changed book changes its market, with its own revision")
    func revision() throws {
        var board = board(book)
        board.applyDetails(snapshot(), at: .noon(1))
        let before = try #require(board.market(coin)).revision
        let changes = board.applyDetails(delta("101", "5", at: .noon(2)), at: .noon(2))
        #expect(changes.markets[coin] == .book)
        #expect(changes.details)
        #expect(try #require(board.market(coin)).revision > before)
        #expect(board.details[coin]?.book.book.best(.ask)?.quantity == "5")
    }

    @Test("a book of an unlisted market is followed nevertheless")
    func unlisted() {
        let stranger: MarketID = "NEW_KRW"
        var board = MarketBoard(kind: .live)
        let interest = DetailInterest(market: stranger, facet: .book)
        board.applyDetails(.feed(.opened(interest)), at: .noon())
        let changes = board.applyDetails(
            .orderBook(
                OrderBookSnapshot(
                    market: stranger,
                    at: .noon(),
                    asks: [],
                    bids: [],
                    origin: .stream
                )
            ),
            at: .noon(1)
        )
        #expect(changes.details)
        #expect(board.details[stranger]?.book.isReady == true)
        #expect(board.market(stranger) == nil)
    }

    @Test("comparisons and corrections of all books are summed")
    func counting() {
        var board = board(book)
        board.applyDetails(snapshot(), at: .noon(1))
        #expect(board.detailStatus.comparisons == 0, "there was nothing to compare with")
        board.applyDetails(snapshot(at: .noon(2)), at: .noon(2))
        #expect(board.detailStatus.comparisons == 1)
        #expect(board.detailStatus.corrections == 0)
        board.applyDetails(snapshot(at: .noon(3), ask: "102", origin: .stream), at: .noon(3))
        #expect(board.detailStatus.comparisons == 2)
        #expect(board.detailStatus.corrections == 1)
        #expect(board.details[coin]?.book.corrections == 1)
    }

    @Test("a correction is counted by its known cause")
    func correctionReasons() {
        var board = board(book)
        board.applyDetails(snapshot(), at: .noon(1))
        board.applyDetails(snapshot(at: .noon(2), ask: "102", origin: .stream), at: .noon(2))
        #expect(board.detailStatus.correctionReasons[.mismatch] == 1)
        board.applyDetails(delta("90", "5", at: .noon(3)), at: .noon(3))
        #expect(board.details[coin]?.book.book.isCrossed == true)
        board.applyDetails(snapshot(at: .noon(4), ask: "103"), at: .noon(4))
        #expect(board.detailStatus.correctionReasons[.crossed] == 1)
        let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)
        board.applyDetails(
            .feed(.subscribed([coin])),
            .feed(.disconnected(attempt: 1, nextRetryAt: .noon(6), failure: failure)),
            at: .noon(5)
        )
        board.applyDetails(snapshot(at: .noon(7), ask: "104"), at: .noon(7))
        for reason in BookCorrections.Reason.allCases {
            #expect(board.detailStatus.correctionReasons[reason] == 1, "\(reason)")
        }
        #expect(board.detailStatus.corrections == 3)
        board.applyDetails(.feed(.closed(book)), at: .noon(8))
        #expect(board.detailStatus.corrections == 3, "counts stay after the last interest ends")
    }

    @Test("a lost book stream makes every book incomplete and needed again")
    func loss() {
        var board = board(book)
        board.applyDetails(.feed(.subscribed([coin])), snapshot(), at: .noon(1))
        #expect(board.detailStatus.subscribed == [coin])
        let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)
        board.applyDetails(
            .feed(.disconnected(attempt: 1, nextRetryAt: .noon(5), failure: failure)),
            at: .noon(2)
        )
        #expect(board.detailStatus.reconnects == 1)
        #expect(board.detailStatus.attempt == 1)
        #expect(board.detailStatus.nextRetryAt == .noon(5))
        #expect(board.details[coin]?.book.isComplete == false)
        #expect(board.details[coin]?.book.book.best(.ask) != nil, "the last good data stay")
        #expect(board.detailNeeds.readings == [book])
        board.applyDetails(.feed(.connected()), at: .noon(5))
        #expect(board.detailStatus.failure == nil)
        #expect(board.detailStatus.nextRetryAt == nil)
        #expect(board.details[coin]?.book.isComplete == false)
        board.applyDetails(.feed(.subscribed([coin])), snapshot(at: .noon(6)), at: .noon(6))
        #expect(board.detailStatus.failure == nil)
        #expect(board.details[coin]?.book.isComplete == true)
    }

    @Test("the loss of one book stream does not concern the books of another")
    func lossOfOne() {
        let other: MarketID = "BTC_KRW"
        var board = board(book, DetailInterest(market: other, facet: .book))
        board.applyDetails(.feed(.subscribed([coin, other])), snapshot(), at: .noon(1))
        let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)
        for market in [other, coin] {
            let event = DetailFeedEvent.disconnected(
                attempt: 1,
                nextRetryAt: .noon(5),
                failure: failure,
                markets: [market]
            )
            #expect(board.details[coin]?.book.isComplete == true)
            board.applyDetails(.feed(event), at: .noon(2))
            #expect(board.detailStatus.lost.contains(market))
        }
        #expect(board.detailStatus.reconnects == 2)
        #expect(board.details[coin]?.book.isComplete == false)
        board.applyDetails(.feed(.connected([other])), at: .noon(3))
        #expect(board.detailStatus.lost == [coin] && board.detailStatus.failure == failure)
        board.applyDetails(.feed(.subscribed([other, coin])), at: .noon(4))
        #expect(board.detailStatus.lost.isEmpty && board.detailStatus.failure == nil)
        #expect(board.detailStatus.attempt == 0)
    }

    @Test("a lost list stream makes tapes and candles needed again")
    func lossOfTrades() {
        var board = board(trades, minutes)
        board.apply(.feed(.live), at: .noon(31))
        board.applyDetails(
            page(),
            .tradeHistory(TradeHistory(market: coin, rows: [], beginning: .firstTrade)),
            at: .noon(31)
        )
        #expect(board.detailNeeds.readings.isEmpty)
        let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)
        board.apply(
            .feed(.reconnecting(attempt: 1, nextRetryAt: .noon(40), failure: failure)),
            at: .noon(35)
        )
        #expect(board.detailNeeds.readings == [trades, minutes])
    }

    @Test(
        "a silence of a list stream that lives on makes tapes and candles needed again",
        arguments: [FeedKind.live, .replay]
    )
    func silence(kind: FeedKind) {
        var board = MarketBoard(kind: kind)
        board.apply(.listing(Listing(at: .noon(), [ListingEntry(coin, price: "9")])), at: .noon())
        board.applyDetails(.feed(.opened(trades)), .feed(.opened(minutes)), at: .noon())
        board.apply(.feed(.subscribed), .feed(.live), at: .noon(20))
        board.apply(.trade(Trade(coin, price: "9", at: .noon(21))), at: .noon(21))
        let history = TradeHistory(market: coin, rows: [], beginning: .firstTrade)
        board.applyDetails(page(), .tradeHistory(history), at: .noon(31))
        board.apply(.trade(Trade(coin, price: "9", at: .noon(32))), at: .noon(32))
        board.apply(.feed(.stale), at: .noon(38))
        #expect(board.detailNeeds.readings.isEmpty)
        board.apply(.trade(Trade(coin, price: "9", at: .noon(40))), at: .noon(40))
        // REST does not tell the trades of a recording.
        let isLive = kind == .live
        #expect(board.detailNeeds.readings == (isLive ? [trades, minutes] : []))
        #expect(board.detailNeeds.lastTrades[coin] == (isLive ? .noon(32) : nil))
        #expect(board.tape(of: coin).gaps == (isLive ? [.noon(32)..<(.noon(40))] : []))
    }

    @Test("details read before the stream runs are read again")
    func readTooEarly() {
        var board = board(trades, minutes)
        let history = DetailEvent.tradeHistory(
            TradeHistory(market: coin, rows: [], beginning: .firstTrade)
        )
        board.applyDetails(page(), history, at: .noon(31))
        #expect(board.detailNeeds.readings.isEmpty)
        board.apply(.feed(.subscribed), at: .noon(32))
        #expect(board.detailNeeds.readings == [trades, minutes])
        board.applyDetails(page(requestedAt: 31), history, at: .noon(33))
        #expect(board.detailNeeds.readings == [minutes])
        board.applyDetails(page(requestedAt: 32), at: .noon(33))
        #expect(board.detailNeeds.readings.isEmpty)
    }

    @Test("trades between those that REST told and the first subscription are missing until read")
    func lateFirstSubscription() {
        var stored = MarketBoard(kind: .live)
        let close = StoredPrice(market: coin, price: "2", at: .noon(-9_000), tradeValue24h: nil)
        stored.applyReference(.closes([close], of: .live), at: .noon())
        stored.applyDetails(.feed(.opened(trades)), at: .noon())
        for var board in [board(trades), stored] {
            let isStored = board.feed.origin == .store
            board.applyDetails(history([10, 20], requestedAt: 21), at: .noon(21))
            #expect(board.detailNeeds.readings.isEmpty)
            // A listing tells no trades.
            if !isStored { board.apply(.listing(Listing(at: .noon(60), [])), at: .noon(60)) }
            board.apply(.feed(.subscribed), at: .noon(61))
            #expect(board.detailNeeds.lastTrades[coin] == .noon(20))
            board.applyDetails(history([50, 62], requestedAt: 63), at: .noon(63))
            #expect(board.tape(of: coin).gaps == [.noon(20) ..< .noon(50)], "\(isStored)")
        }
    }

    @Test("trades that are opened anew take each reading, although the clock was set back")
    func clockSetBack() {
        var board = board(trades)
        board.applyDetails(history([10, 20], requestedAt: 21), at: .noon(21))
        // The clock was wrong when the loss was noted.
        board.apply(.feed(.subscribed), at: .noon(961))
        board.applyDetails(history([10, 20, 50, 62], requestedAt: 63), at: .noon(63))
        #expect(board.detailNeeds.readings == [trades])
        board.applyDetails(.feed(.closed(trades)), .feed(.opened(trades)), at: .noon(64))
        board.applyDetails(history([10, 20, 50, 62], requestedAt: 65), at: .noon(66))
        #expect(board.detailNeeds.readings.isEmpty)
    }

    @Test("a loss is noted on the clock of requests, also after the local clock was set right")
    func clockSetRight() {
        var board = board(trades)
        let entry = ListingEntry(coin, price: "2")
        board.apply(.listing(Listing(at: .noon(900), [entry])), at: .noon())
        board.applyDetails(history([10, 20], requestedAt: 905), at: .noon(5))
        let loss = MarketEvent.feed(.subscribed)
        _ = board.apply(
            MarketEventBatch(events: [loss], receivedAt: .noon(910), clockLead: .zero)
        )
        #expect(board.detailNeeds.readings == [trades])
        board.applyDetails(history([10, 20, 911], requestedAt: 912), at: .noon(913))
        #expect(board.detailNeeds.readings.isEmpty)
    }

    @Test("details read before a subscription had effect are read again")
    func lateSubscription() {
        var board = board(trades, minutes)
        board.apply(.feed(.subscribed), .feed(.live), at: .noon(30))
        board.applyDetails(
            history([29, 30], requestedAt: 31),
            page(requestedAt: 31),
            at: .noon(32)
        )
        #expect(board.detailNeeds.readings.isEmpty)
        // The exchange has traded at 35, before the subscription had effect.
        board.apply(.trade(Trade(coin, price: "2", at: .noon(40))), at: .noon(40))
        #expect(board.detailNeeds.readings == [trades, minutes])
        #expect(board.detailNeeds.lastTrades[coin] == .noon(30))
        #expect(!board.tape(of: coin).isComplete)
        board.applyDetails(
            history([29, 30, 35, 40], requestedAt: 41),
            page(requestedAt: 41),
            at: .noon(42)
        )
        #expect(board.detailNeeds.readings.isEmpty)
        #expect(board.tape(of: coin).map(\.id.at) == [40, 35, 30, 29].map { .noon($0) })
        board.apply(.trade(Trade(coin, price: "2", at: .noon(43))), at: .noon(43))
        #expect(board.detailNeeds.readings.isEmpty, "the subscription is proved once")
    }

    @Test(
        "a market that joins a running subscription may lack trades before its first one",
        arguments: [false, true]
    )
    func lateMarket(isUnreadableBefore: Bool) {
        let late: MarketID = "ETH_KRW"
        let lateTrades = DetailInterest(market: late, facet: .trades)
        var board = board(lateTrades)
        var first = Listing(at: .noon(29), [ListingEntry(coin, price: "100")])
        // A market whose entry cannot be read is subscribed with the others.
        if isUnreadableBefore { first.unreadable = [late] }
        board.apply(.listing(first), .feed(.subscribed), .feed(.live), at: .noon(30))
        board.apply(.trade(Trade(coin, price: "100", at: .noon(31))), at: .noon(31))
        let entries = [ListingEntry(coin, price: "100"), ListingEntry(late, price: "2")]
        board.apply(.listing(Listing(at: .noon(40), entries)), at: .noon(40))
        board.applyDetails(
            .tradeHistory(
                TradeHistory(
                    market: late,
                    resolution: .millisecond,
                    rows: [TradeHistory.Row(at: .noon(39), price: "2", quantity: "1", side: .buy)],
                    requestedAt: .noon(41)
                )
            ),
            at: .noon(41)
        )
        #expect(board.detailNeeds.readings.isEmpty)
        board.apply(.trade(Trade(coin, price: "100", at: .noon(42))), at: .noon(42))
        #expect(board.detailNeeds.readings.isEmpty, "another market joined before")
        // The exchange has traded at 42, before it knew of the later subscription.
        board.apply(.trade(Trade(late, price: "2", at: .noon(43))), at: .noon(43))
        #expect(board.detailNeeds.readings == (isUnreadableBefore ? [] : [lateTrades]))
        #expect(board.detailNeeds.lastTrades[late] == (isUnreadableBefore ? nil : .noon(39)))
        #expect(board.tape(of: late).gaps == (isUnreadableBefore ? [] : [.noon(39)..<(.noon(43))]))
    }

    @Test("a silence before the snapshot of a list stream is a loss, too")
    func earlySilence() {
        var board = board(trades, minutes)
        board.apply(.feed(.subscribed), at: .noon(20))
        board.apply(.trade(Trade(coin, price: "9", at: .noon(21))), at: .noon(21))
        let history = TradeHistory(market: coin, rows: [], beginning: .firstTrade)
        board.applyDetails(page(), .tradeHistory(history), at: .noon(31))
        #expect(board.detailNeeds.readings.isEmpty)
        board.apply(.feed(.stale), at: .noon(38))
        board.apply(.trade(Trade(coin, price: "9", at: .noon(40))), at: .noon(40))
        #expect(board.feed.connection == .subscribed)
        #expect(board.detailNeeds.readings == [trades, minutes])
    }

    @Test("a failure stays until its detail is read or closed")
    func failures() {
        var board = board(book)
        let failure = FeedFailure(code: .timedOut, detail: "orderbook", isRetryable: true)
        board.applyDetails(.feed(.failed(book, failure, nextRetryAt: .noon(9))), at: .noon(1))
        board.applyDetails(.feed(.failed(minutes, failure, nextRetryAt: .noon(9))), at: .noon(1))
        #expect(board.details[coin]?.failures.keys.map { $0 } == [.book])
        #expect(board.details[coin]?.failures[.book]?.nextRetryAt == .noon(9))
        board.applyDetails(snapshot(), at: .noon(10))
        #expect(board.details[coin]?.failures.isEmpty == true)
    }

    @Test("trades go to the tape of every market and to the open candles")
    func recording() {
        var board = board(minutes)
        board.applyDetails(page(), at: .noon(31))
        board.apply(.trade(Trade(coin, price: "7", at: .noon(70))), at: .noon(70))
        let tape = board.tape(of: coin)
        #expect(tape.count == 1)
        #expect(tape[0].price == "7")
        let series = board.details[coin]?.candles[.minute1]
        #expect(series?.count == 2)
        #expect(series.map { $0[$0.count - 1].close } == "7")
        #expect(board.tape(of: "NEW_KRW").count == 0)
    }

    @Test("frames of the two connections are counted separately")
    func frames() {
        var board = board(book)
        _ = board.apply(
            DetailEventBatch(events: [snapshot()], receivedAt: .noon(1), frameCount: 3)
        )
        #expect(board.feed.framesReceived == 0)
        #expect(board.detailStatus.framesReceived == 3)
    }
}
