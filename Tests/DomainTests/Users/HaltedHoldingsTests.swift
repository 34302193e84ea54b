import TestSupport
import Testing

@testable import Domain

@Suite("A coin that is held is halted when its market is suspended, or the exchange names none")
struct HaltedHoldingsTests {
    private func board(_ listings: [(Quote, [MarketID])]) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        for (number, (quote, markets)) in listings.enumerated() {
            let entries = markets.map { ListingEntry($0, price: "100") }
            let at = Timestamp.noon(number)
            board.apply(.listing(Listing(quote, at: at, entries)), at: at)
        }
        return board
    }

    private func isHalted(_ symbol: String, _ board: MarketBoard) -> Bool {
        board.isHalted(Asset(of: MarketID(stringLiteral: symbol + "_KRW")))
    }

    @Test("What the exchange names trades, in either currency")
    func trading() {
        let board = board([(.krw, ["BTC_KRW"]), (.btc, ["ETH_BTC"])])
        #expect(!isHalted("BTC", board))
        #expect(!isHalted("ETH", board))
    }

    @Test("What it named once and names no longer is halted, as is what it never named")
    func gone() {
        let board = board([
            (.krw, ["BTC_KRW", "XRP_KRW"]), (.btc, ["XRP_BTC"]), (.krw, ["BTC_KRW"]),
        ])
        // The won market values the coin, whatever the other one does.
        #expect(isHalted("XRP", board))
        #expect(isHalted("OLD", board))
    }

    @Test("Nothing is halted before the exchange has named its markets")
    func unknown() {
        #expect(!isHalted("OLD", board([])))
        #expect(!isHalted("OLD", board([(.krw, ["BTC_KRW"])])))
    }
}
