import Domain
import TestSupport
import Testing

@Suite("Stored values stay until the exchange delivers, and are marked as stored")
struct BoardReferenceTests {
    private let bitcoin: MarketID = "BTC_KRW"
    private let ripple: MarketID = "XRP_KRW"

    private func close(
        _ market: MarketID,
        _ price: FixedDecimal = "100",
        at: Timestamp = .noon(-86_400),
        value: FixedDecimal? = nil
    ) -> StoredPrice {
        StoredPrice(market: market, price: price, at: at, tradeValue24h: value)
    }

    /// A board whose first events are stored prices.
    private func board(_ closes: [StoredPrice]) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        board.applyReference(.closes(closes, of: .live), at: .noon())
        return board
    }

    private func listing(
        _ entries: [ListingEntry],
        _ quote: Quote = .krw,
        suspended: [MarketID] = [],
        unreadable: [MarketID] = []
    ) -> MarketEvent {
        .listing(
            Listing(
                quote: quote,
                at: .noon(10),
                entries: entries,
                suspended: suspended,
                unreadable: unreadable
            )
        )
    }

    private func list(_ board: MarketBoard, _ selection: ListMarkets.Selection) -> [MarketID] {
        ListMarkets(selection: selection)(board, names: CoinNames([:]), now: .noon(20)).order
    }

    @Test("a stored market without trading is not listed, but can be requested by name")
    func stoppedTrading() throws {
        var gone = close(ripple, "5")
        gone.isTrading = false
        let board = board([close(bitcoin), gone])
        #expect(list(board, .quote(.krw)) == [bitcoin])
        #expect(list(board, .markets([ripple])) == [ripple])
        let market = try #require(board.market(ripple))
        #expect(!market.isTrading && market.price == "5")
        #expect(board.marketCount == 1)
    }

    @Test("stored prices appear before any listing with their age, never as fresh")
    func beforeListing() throws {
        var board = MarketBoard(kind: .live)
        let closes = [close(bitcoin, value: "9"), close(ripple, "5", at: .noon(-7_200))]
        let changes = board.applyReference(.closes(closes, of: .live), at: .noon())
        #expect(changes.markets[bitcoin]?.contains([.listed, .price]) == true)
        let market = try #require(board.market(bitcoin))
        #expect(market.price == "100" && market.priceAt == .noon(-86_400))
        #expect(market.priceSource == .store && market.isStored)
        #expect(market.tradeValue24h == "9")
        #expect(list(board, .quote(.krw)) == [bitcoin, ripple])
        #expect(board.feed.origin == .store)
        #expect(board.feed.lastDataAt == .noon(-7_200))
        let failure = FeedFailure(code: .unreachable, detail: "", isRetryable: true)
        let events: [FeedEvent] = [
            .listingFailed(failure, nextRetryAt: .noon(1)), .subscribed,
            .reconnecting(attempt: 1, nextRetryAt: .noon(2), failure: failure),
        ]
        for event in events {
            board.apply(.feed(event), at: .noon(1))
            #expect(!board.feed.isFresh(at: .noon(1)))
            #expect(board.feed.origin == .store && !board.feed.isComplete)
            #expect(board.busiestMarket == nil)
        }
    }

    @Test("the first listing replaces them, whatever their times")
    func replaced() throws {
        var board = board([close(bitcoin, at: .noon(86_400), value: "9")])
        let before = try #require(board.market(bitcoin)).revision
        let changes = board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        let market = try #require(board.market(bitcoin))
        #expect(market.price == "7" && market.priceSource == .listing && !market.isStored)
        #expect(market.tick == nil, "a stored price is no price before")
        #expect(market.tradeValue24h == nil)
        #expect(market.revision > before)
        #expect(changes.markets[bitcoin]?.contains([.price, .tradeValue]) == true)
        #expect(board.feed.origin == .rest && board.feed.lastDataAt == .noon(10))
        #expect(board.feed.isFresh(at: .noon(10)))
    }

    @Test("an equal price at an equal time counts as a change if the exchange sends it")
    func samePrice() throws {
        var board = board([close(bitcoin, "7", at: .noon(10))])
        let changes = board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        #expect(changes.markets[bitcoin]?.contains(.price) == true)
        #expect(board.market(bitcoin)?.isStored == false)
    }

    @Test("a stored market missing in a listing is not listed, but can be requested by name")
    func forgotten() throws {
        var board = board([close(bitcoin), close(ripple, value: "999999"), close("ETH_BTC")])
        board.apply(
            listing([ListingEntry(bitcoin, price: "7", tradeValue24h: "1")]),
            at: .noon(10)
        )
        #expect(list(board, .all) == [bitcoin, "ETH_BTC"])
        #expect(list(board, .quote(.krw)) == [bitcoin])
        #expect(board.marketCount == 2)
        #expect(list(board, .markets([ripple])) == [ripple])
        #expect(try #require(board.market(ripple)).price == "100")
        #expect(board.isUnlistedStored(try #require(board.market(ripple))))
        #expect(board.busiestMarket == bitcoin, "stored prices are no sign of life")
    }

    @Test("a lost connection does not restore unlisted markets")
    func forgottenForGood() throws {
        var board = board([close(bitcoin), close(ripple)])
        board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        let failure = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        let event = FeedEvent.reconnecting(attempt: 1, nextRetryAt: .noon(12), failure: failure)
        board.apply(.feed(event), at: .noon(11))
        #expect(list(board, .all) == [bitcoin])
    }

    @Test("a stored market with an unreadable entry keeps its place, but not its old price")
    func unreadable() throws {
        var board = board([close(bitcoin), close(ripple)])
        board.apply(
            listing([ListingEntry(bitcoin, price: "7")], unreadable: [ripple]),
            at: .noon(10)
        )
        #expect(list(board, .all) == [bitcoin, ripple])
        #expect(board.market(ripple).map { $0.isTrading && $0.price == nil } == true)
        board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(20))
        #expect(board.market(ripple)?.isTrading == false, "it was listed, and vanished")
    }

    @Test("a suspended stored market with an unreadable entry keeps its stored price")
    func unreadableSuspended() {
        var halted = close(ripple)
        halted.isTrading = false
        var board = board([close(bitcoin), halted])
        board.apply(
            listing([ListingEntry(bitcoin, price: "7")], unreadable: [ripple]),
            at: .noon(10)
        )
        #expect(board.market(ripple).map { !$0.isTrading && $0.price == "100" } == true)
    }

    @Test("a suspended stored market keeps its stored price until it trades again")
    func suspended() throws {
        var board = board([close(bitcoin), close(ripple)])
        let changes = board.apply(
            listing([ListingEntry(bitcoin, price: "7")], suspended: [ripple]),
            at: .noon(10)
        )
        #expect(changes.markets[ripple] == .trading)
        let market = try #require(board.market(ripple))
        #expect(!market.isTrading && market.isStored && market.price == "100")
        #expect(!board.isUnlistedStored(market) && list(board, .all).contains(ripple))
        board.apply(
            listing([ListingEntry(bitcoin, price: "7"), ListingEntry(ripple, price: "8")]),
            at: .noon(20)
        )
        let resumed = try #require(board.market(ripple))
        #expect(resumed.isTrading && !resumed.isStored && resumed.price == "8")
        #expect(resumed.tick == nil)
    }

    @Test("no change is known since a stored price, however old it is")
    func noChange() throws {
        var board = board([close(bitcoin), close(ripple)])
        board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        let market = try #require(board.market(ripple))
        for period in ChangePeriod.allCases {
            #expect(board.change(of: market, over: period, now: .noon(200_000)) == .unknown)
        }
    }

    @Test("an unknown favorite stays while the exchange is unreachable")
    func favoriteOffline() {
        func favorites(_ board: MarketBoard) -> [MarketID] { list(board, .favorites(["NEW_KRW"])) }
        #expect(favorites(MarketBoard(kind: .live)) == [])
        var board = board([close(bitcoin)])
        #expect(favorites(board) == ["NEW_KRW"])
        #expect(board.marketOrPlaceholder("NEW_KRW", now: .noon())?.price == nil)
        #expect(board.marketOrPlaceholder("NEW_KRW", now: .noon())?.isTrading == true)
        board.apply(listing([ListingEntry("ETH_BTC", price: "1")], .btc), at: .noon(1))
        #expect(favorites(board) == [], "the listing of won markets is on its way")
        let failure = FeedFailure(code: .unreachable, detail: "", isRetryable: true)
        board.apply(.feed(.listingFailed(failure, nextRetryAt: .noon(3))), at: .noon(2))
        #expect(favorites(board) == ["NEW_KRW"])
        board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        #expect(favorites(board) == ["NEW_KRW"])
        #expect(board.marketOrPlaceholder("NEW_KRW", now: .noon())?.isTrading == false)
    }

    @Test("late stored prices only fill unknown markets")
    func late() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([ListingEntry(bitcoin, price: "7")]), at: .noon(10))
        board.applyReference(.closes([close(bitcoin), close(ripple)], of: .live), at: .noon(11))
        #expect(board.market(bitcoin)?.price == "7")
        #expect(board.market(ripple)?.price == "100")
        #expect(list(board, .all) == [bitcoin])
        #expect(board.feed.origin == .rest && board.feed.lastDataAt == .noon(10))
    }

    @Test("prices of another feed are ignored, and applied ones are discarded with their feed")
    func otherKind() throws {
        var board = MarketBoard(kind: .live)
        board.applyReference(.closes([close(bitcoin)], of: .simulated), at: .noon())
        #expect(board.markets.isEmpty && board.feed.origin == nil)
        let stored = [close(ripple), close(bitcoin)]
        board.applyReference(.closes(stored, of: .live), at: .noon())
        board.apply(.trade(Trade("ETH_KRW", price: "3", at: .noon())), at: .noon())
        board.applyReference(
            .names(CoinNames([:])),
            .assetStates([:], readAt: .noon()),
            .marks(MarketWarnings(warned: [], alerts: [:], readAt: .noon())),
            at: .noon()
        )
        let same = board.apply(.feed(.identified(.live)), at: .noon(1))
        #expect(same.isEmpty && board.markets.count == 3)
        let changes = board.apply(.feed(.identified(.simulated)), at: .noon(1))
        #expect(changes.feed && changes.reference)
        #expect(board.markets.map(\.id) == ["ETH_KRW"])
        #expect(board.market("ETH_KRW")?.price == "3" && board.market(bitcoin) == nil)
        #expect(board.tape(of: "ETH_KRW").first?.price == "3")
        #expect(board.reference.names == nil && board.reference.marks == nil)
        #expect(board.reference.assets == AssetStates())
    }

    @Test("a board with stored prices of another feed becomes empty")
    func nothingLeft() {
        var board = board([close(bitcoin)])
        board.apply(.feed(.identified(.replay)), at: .noon(1))
        #expect(board.markets.isEmpty)
        #expect(board.feed.origin == nil && board.feed.lastDataAt == nil)
    }

    @Test("stored prices leave room for the exchange's markets")
    func bound() throws {
        let closes = try (0..<MarketBoard.marketsMax).map { index in
            close(try #require(MarketID(symbol: "C\(index)", quote: .krw)))
        }
        var board = board(closes)
        #expect(board.markets.count == MarketBoard.storedMax)
        board.apply(listing([ListingEntry("NEW_KRW", price: "1")]), at: .noon(10))
        #expect(board.market("NEW_KRW")?.price == "1")
        #expect(board.feed.entriesSkipped == 0)
    }

    @Test("an invalid price is ignored")
    func badPrice() {
        #expect(board([close(bitcoin, "0"), close(ripple, "-1")]).markets.isEmpty)
    }

    @Test("an expired warning is not shown; one without an end is")
    func alerts() {
        let alerts = [
            MarketAlert(type: "A", step: nil, endsAt: .noon(10)),
            MarketAlert(type: "B", step: "DANGER", endsAt: nil),
            MarketAlert(type: "C", step: nil, endsAt: .noon(20)),
        ]
        let marks = MarketWarnings(warned: [], alerts: [bitcoin: alerts], readAt: .noon())
        var board = MarketBoard(kind: .live)
        board.applyReference(.marks(marks), at: .noon())
        func told(_ second: Int) -> [String]? {
            board.reference.marks?.alerts(of: bitcoin, at: .noon(second)).map(\.type)
        }
        #expect(told(9) == ["A", "B", "C"])
        #expect(told(10) == ["B", "C"])
        #expect(told(20) == ["B"])
        #expect(board.reference.marks?.alerts(of: ripple, at: .noon()) == [])
    }

    @Test("states stay after a failure, with its reason and the next attempt")
    func assetFailure() {
        var board = MarketBoard(kind: .live)
        let state = AssetState(isDepositOpen: true, isWithdrawalOpen: nil)
        let asset = Asset(of: bitcoin)
        board.applyReference(.assetStates([asset: state], readAt: .noon()), at: .noon())
        let failure = FeedFailure(code: .timedOut, detail: "", isRetryable: true)
        let event = ReferenceEvent.assetStatesFailed(failure, nextRetryAt: .noon(61))
        #expect(board.applyReference(event, at: .noon(60)).reference)
        #expect(board.reference.assets[asset] == state)
        #expect(board.reference.assets.failure == failure)
        #expect(board.reference.assets.nextRetryAt == .noon(61))
        #expect(board.reference.assets.staleAt == .noon(120))
        #expect(board.reference.assets.isFresh(at: .noon(119)))
        #expect(!board.reference.assets.isFresh(at: .noon(120)))
        #expect(!board.reference.assets.isFresh(at: .noon(-900)), "the clock was set back")
        board.applyReference(.assetStates([:], readAt: .noon(61)), at: .noon(61))
        #expect(board.reference.assets.failure == nil)
        #expect(board.reference.assets.nextRetryAt == nil)
    }

    @Test("states of a source that is gone are unknown")
    func assetsGone() {
        var board = MarketBoard(kind: .live)
        let asset = Asset(of: bitcoin)
        let state = AssetState(isDepositOpen: true, isWithdrawalOpen: true)
        board.applyReference(.assetStates([asset: state], readAt: .noon()), at: .noon())
        #expect(board.applyReference(.assetStatesGone, at: .noon(60)).reference)
        #expect(board.reference.assets[asset] == nil)
        #expect(board.reference.assets.readAt == nil)
    }

    @Test("deposits and withdrawals are unknown once API 1.x is left, but not for its silence")
    func assetsOfLeftAPI() {
        func use(_ code: FeedFailure.Code?) -> [ExchangeAPIUse] {
            let leave = code.map {
                let failure = FeedFailure(code: $0, detail: "ticker", isRetryable: true)
                return ExchangeAPIUse.Leave(failure: failure, at: .noon(60))
            }
            return [ExchangeAPIUse(api: .v1, leave: leave), ExchangeAPIUse(api: .v2)]
        }
        var board = MarketBoard(kind: .live)
        let asset = Asset(of: bitcoin)
        let state = AssetState(isDepositOpen: true, isWithdrawalOpen: true)
        board.applyReference(.assetStates([asset: state], readAt: .noon()), at: .noon())
        for code in [nil, FeedFailure.Code.silent] {
            #expect(!board.apply(.feed(.uses(use(code))), at: .noon(60)).reference)
            #expect(board.feed.apis == use(code))
            #expect(board.reference.assets[asset] == state)
        }
        #expect(board.assets(at: .noon(119))[asset] == state, "REST told them lately")
        #expect(board.assets(at: .noon(120))[asset] == nil, "it does not any more")
        let failure = FeedFailure(code: .timedOut, detail: "", isRetryable: true)
        var failed = board
        failed.applyReference(.assetStatesFailed(failure, nextRetryAt: .noon(62)), at: .noon(61))
        #expect(failed.assets(at: .noon(61))[asset] == nil)
        #expect(failed.assets(at: .noon(61)).failure == failure)
        failed.apply(.feed(.uses(use(nil))), at: .noon(62))
        #expect(failed.assets(at: .noon(62))[asset] == state, "1.x is used again")
        #expect(board.apply(.feed(.uses(use(.httpStatus))), at: .noon(60)).reference)
        #expect(board.reference.assets[asset] == nil && board.reference.assets.readAt == nil)
    }

    @Test("figures of frames of API 1.x are unknown once it is left, also for its silence")
    func framesOfLeftAPI() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([ListingEntry(bitcoin, price: "100")]), at: .noon(10))
        var frame = TickerFrame(bitcoin, .hours24, at: .noon(20), open: "90", close: "100")
        frame.buyVolume = "3"
        frame.sellVolume = "2"
        board.apply(.ticker(frame), at: .noon(20))
        #expect(board.market(bitcoin)?.tradeStrengthPercent != nil)
        let failure = FeedFailure(code: .silent, detail: "ticker", isRetryable: true)
        let leave = ExchangeAPIUse.Leave(failure: failure, at: .noon(60))
        let uses = [ExchangeAPIUse(api: .v1, leave: leave), ExchangeAPIUse(api: .v2)]
        let changes = board.apply(.feed(.uses(uses)), at: .noon(60))
        #expect(changes.markets[bitcoin]?.contains([.change, .figures]) == true)
        #expect(board.market(bitcoin)?.tradeStrengthPercent == nil)
        let market = try #require(board.market(bitcoin))
        #expect(board.change(of: market, over: .hours24, now: .noon(61)) == .unknown)
    }

    @Test("stored prices do not imply lost trades")
    func noLoss() {
        let interest = DetailInterest(market: bitcoin, facet: .candles(.minute1))
        let page = CandlePage(
            market: bitcoin,
            interval: .minute1,
            candles: [],
            requestedAt: .noon(),
            answeredAt: .noon()
        )
        var boards = [board([close(bitcoin)]), MarketBoard(kind: .live)]
        for index in boards.indices {
            boards[index].applyDetails(.feed(.opened(interest)), .candles(page), at: .noon())
            boards[index].apply(.feed(.subscribed), at: .noon())
        }
        #expect(boards[0].detailNeeds == boards[1].detailNeeds)
    }
}
