import Domain
import TestSupport
import Testing

@Suite("Listings: the board follows the exchange's list of markets")
struct MarketListingTests {
    private let bitcoin: MarketID = "BTC_KRW"
    private let ripple: MarketID = "XRP_KRW"

    private func listing(
        _ markets: [MarketID],
        suspended: [MarketID] = [],
        unreadable: [MarketID] = [],
        _ quote: Quote = .krw,
        second: Int
    ) -> MarketEvent {
        .listing(
            Listing(
                quote: quote,
                at: .noon(second),
                entries: markets.map { ListingEntry($0, price: "100") },
                suspended: suspended,
                unreadable: unreadable
            )
        )
    }

    @Test("new keys are added in order of appearance")
    func newKeys() {
        var board = MarketBoard(kind: .live)
        board.apply(listing([ripple, bitcoin], second: 0), at: .noon(0))
        let changes = board.apply(
            listing([bitcoin, "NEW_KRW", ripple], second: 10),
            at: .noon(10)
        )
        #expect(board.markets.map(\.id) == [ripple, bitcoin, "NEW_KRW"])
        #expect(changes.markets["NEW_KRW"]?.contains(.listed) == true)
        #expect(changes.markets[bitcoin]?.contains(.listed) == false)
    }

    @Test("a vanished market is suspended with its values, and trades again when it reappears")
    func vanished() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([bitcoin, ripple], second: 0), at: .noon(0))
        let changes = board.apply(listing([bitcoin], second: 10), at: .noon(10))
        #expect(changes.markets[ripple] == .trading)
        #expect(try #require(board.market(ripple)).isTrading == false)
        #expect(try #require(board.market(ripple)).price == "100")
        #expect(try #require(board.market(bitcoin)).isTrading)
        #expect(board.apply(listing([bitcoin], second: 20), at: .noon(20)).markets[ripple] == nil)
        let back = board.apply(listing([bitcoin, ripple], second: 30), at: .noon(30))
        #expect(back.markets[ripple]?.contains(.trading) == true)
        #expect(try #require(board.market(ripple)).isTrading)
    }

    @Test("a market without values is suspended, known before or not")
    func emptyArrays() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([bitcoin, ripple], second: 0), at: .noon(0))
        board.apply(listing([bitcoin], suspended: [ripple, "OLD_KRW"], second: 9), at: .noon(9))
        #expect(try #require(board.market(ripple)).isTrading == false)
        #expect(try #require(board.market("OLD_KRW")).isTrading == false)
        #expect(try #require(board.market("OLD_KRW")).price == nil)
    }

    @Test("a market with an unreadable entry keeps trading")
    func unreadable() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([bitcoin, ripple], second: 0), at: .noon(0))
        let event = listing([bitcoin], unreadable: [ripple, "ODD_KRW"], second: 9)
        let changes = board.apply(event, at: .noon(9))
        #expect(try #require(board.market(ripple)).isTrading)
        #expect(changes.markets[ripple] == nil)
        #expect(board.market("ODD_KRW") == nil, "nothing is known of it but its name")
    }

    @Test("a listing affects only its own quote currency")
    func quotes() throws {
        var board = MarketBoard(kind: .live)
        board.apply(listing([bitcoin, ripple], second: 0), at: .noon(0))
        board.apply(listing(["ETH_BTC"], .btc, second: 1), at: .noon(1))
        #expect(board.markets.map(\.isTrading) == [true, true, true])
        board.apply(listing([], .btc, second: 11), at: .noon(11))
        #expect(board.markets.map(\.isTrading) == [true, true, false])
    }

    @Test("a market known only from the stream is not suspended")
    func streamOnly() throws {
        var board = MarketBoard(kind: .live)
        board.apply(.trade(Trade("NEW_KRW", price: "5", at: .noon(0))), at: .noon(0))
        board.apply(listing([bitcoin], second: 1), at: .noon(1))
        #expect(try #require(board.market("NEW_KRW")).isTrading)
    }

    @Test("the number of markets is bounded, and excess ones are counted")
    func bound() throws {
        var board = MarketBoard(kind: .live)
        let markets = try (0..<MarketBoard.marketsMax + 3).map { index in
            try #require(MarketID(symbol: "C\(index)", quote: .krw))
        }
        let changes = board.apply(listing(markets, second: 0), at: .noon(0))
        #expect(board.markets.count == MarketBoard.marketsMax)
        #expect(changes.markets.count == MarketBoard.marketsMax)
        #expect(board.feed.entriesSkipped == 3)
    }

    @Test("the busiest market trades in won and has the largest turnover")
    func busiest() {
        var board = MarketBoard(kind: .live)
        func list(_ entries: [ListingEntry], _ quote: Quote = .krw, second: Int) {
            let listing = Listing(quote, at: .noon(second), entries)
            board.apply(.listing(listing), at: .noon(second))
        }
        list(
            [ListingEntry("A_KRW", price: "1"), ListingEntry("B_KRW", tradeValue24h: "0")],
            second: 0
        )
        #expect(board.busiestMarket == nil, "without turnover there is no busiest market")
        list(
            [
                ListingEntry("A_KRW", tradeValue24h: "5"),
                ListingEntry("B_KRW", tradeValue24h: "7"),
                ListingEntry("C_KRW"),
            ],
            second: 10
        )
        #expect(board.busiestMarket == "B_KRW")
        list([ListingEntry("A_BTC", tradeValue24h: "9")], .btc, second: 11)
        #expect(board.busiestMarket == "B_KRW")
        list([ListingEntry("A_KRW", tradeValue24h: "5"), ListingEntry("C_KRW")], second: 20)
        #expect(board.busiestMarket == "A_KRW")
    }

    @Test("a market that only frames name is never the busiest one")
    func busiestUnlisted() {
        var board = MarketBoard(kind: .live)
        let listing = Listing(.krw, at: .noon(0), [ListingEntry("A_KRW", tradeValue24h: "5")])
        board.apply(.listing(listing), at: .noon(0))
        var frame = TickerFrame("B_KRW", .hours24, at: .noon(1), open: "1", close: "1")
        frame.tradeValue = "9"
        board.apply(.ticker(frame), at: .noon(1))
        let entry = ListingEntry("C_KRW", price: "1", tradeValue24h: "9")
        board.apply(.row(entry, at: .noon(1)), at: .noon(1))
        board.apply(.listing(listing), at: .noon(2))
        #expect(board.busiestMarket == "A_KRW")
    }
}
