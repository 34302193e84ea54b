import TestSupport
import Testing

@testable import Domain

@Suite("A held coin is halted if its market is suspended or the complete list has no market of it")
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

    @Test("a coin whose only market is listed is not halted, in either quote currency")
    func trading() {
        let board = board([(.krw, ["BTC_KRW"]), (.btc, ["ETH_BTC"])])
        #expect(!isHalted("BTC", board))
        #expect(!isHalted("ETH", board))
    }

    @Test("a coin with a delisted won market is halted, and so is a never listed coin")
    func gone() {
        let board = board([
            (.krw, ["BTC_KRW", "XRP_KRW"]), (.btc, ["XRP_BTC"]), (.krw, ["BTC_KRW"]),
        ])
        // The won market values the coin, whatever the other one does.
        #expect(isHalted("XRP", board))
        #expect(isHalted("OLD", board))
    }

    @Test("no coin is halted before both quote currencies are listed")
    func unknown() {
        #expect(!isHalted("OLD", board([])))
        #expect(!isHalted("OLD", board([(.krw, ["BTC_KRW"])])))
    }
}
