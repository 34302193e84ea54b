import TestSupport
import Testing

@testable import Domain

@Suite("The day's figures are those of the Seoul day in force")
struct DayStatisticsTests {
    private let coin: MarketID = "XRP_KRW"
    private let day = SeoulTime(.noon()).day

    private func entry(
        open: FixedDecimal? = "100",
        high: FixedDecimal? = "110",
        low: FixedDecimal? = "90"
    ) -> ListingEntry {
        var entry = ListingEntry(coin, price: "100", volumeToday: "7", volume24h: "9")
        entry.openToday = open
        entry.highToday = high
        entry.lowToday = low
        entry.tradeValueToday = "700"
        return entry
    }

    private func board(_ entry: ListingEntry) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        board.apply(.listing(Listing(at: .noon(10), [entry])), at: .noon(10))
        return board
    }

    private func today(_ board: MarketBoard) -> DayStatistics? {
        board.market(coin)?.today(on: board.day)
    }

    @Test("A listing tells them all")
    func listing() {
        let figures = today(board(entry()))
        #expect(figures?.open == "100")
        #expect(figures?.high == "110")
        #expect(figures?.low == "90")
        #expect(figures?.volume == "7")
        #expect(figures?.tradeValue == "700")
        #expect(board(entry()).market(coin)?.volume24h == "9")
    }

    @Test("Trades widen the extremes at once, and an older listing never narrows them")
    func extremes() {
        var board = board(entry())
        board.apply(.trade(Trade(coin, price: "120", at: .noon(11))), at: .noon(11))
        board.apply(.trade(Trade(coin, price: "80", at: .noon(12))), at: .noon(12))
        board.apply(.listing(Listing(at: .noon(10), [entry()])), at: .noon(13))
        #expect(today(board)?.high == "120")
        #expect(today(board)?.low == "80")
    }

    @Test("Trades alone are no extremes of a day that nobody saw begin")
    func tradesAlone() {
        var board = board(entry(open: nil, high: nil, low: nil))
        board.apply(.trade(Trade(coin, price: "120", at: .noon(11))), at: .noon(11))
        #expect(today(board)?.high == nil)
        #expect(today(board)?.low == nil)
    }

    @Test("A frame since midnight is newer than a listing before it")
    func frame() {
        var board = board(entry())
        var frame = TickerFrame(
            coin,
            .midnight,
            at: .noon(20),
            open: "101",
            close: "102",
            value: "800",
            volume: "8"
        )
        frame.highPrice = "112"
        frame.lowPrice = "95"
        board.apply(.ticker(frame), at: .noon(20))
        #expect(today(board)?.open == "101")
        #expect(today(board)?.high == "112")
        #expect(today(board)?.low == "90", "a low of the day stays one")
        #expect(today(board)?.volume == "8")
        #expect(today(board)?.tradeValue == "800")
    }

    @Test("At midnight nothing is known of the new day, until a frame of it")
    func midnight() {
        var board = board(entry())
        let changes = board.apply(.dayBegan(day + 1), at: .noon(50_000))
        #expect(changes.markets[coin]?.contains(.figures) == true)
        #expect(today(board) == DayStatistics())
        #expect(board.market(coin)?.previousClose(on: board.day) == nil)
        let at = SeoulTime.startOfDay(day + 1).advanced(by: .seconds(1))
        board.apply(
            .ticker(TickerFrame(coin, .midnight, at: at, open: "5", close: "6")),
            at: at
        )
        #expect(today(board)?.open == "5")
        #expect(today(board)?.high == nil)
    }

    @Test(
        "The strength of trades is bought in per cent of sold, two decimals, exact",
        arguments: [
            ("44.41644978", "13.63083704", "325.85"), ("1", "3", "33.33"), ("2", "3", "66.67"),
            ("0", "3", "0"), ("1", "0.0001", "1000000"), ("1", "800", "0.13"),
            ("1.24999999", "1000", "0.12"),
        ] as [(FixedDecimal, FixedDecimal, FixedDecimal)]
    )
    func strength(bought: FixedDecimal, sold: FixedDecimal, expected: FixedDecimal) {
        var board = board(entry())
        var frame = TickerFrame(coin, .hours24, at: .noon(20), open: "1", close: "1")
        frame.buyVolume = bought
        frame.sellVolume = sold
        board.apply(.ticker(frame), at: .noon(20))
        #expect(board.market(coin)?.tradeStrengthPercent == expected)
    }

    @Test("While nothing was sold there is no strength, and an older frame brings none back")
    func noStrength() {
        var board = board(entry())
        var frame = TickerFrame(coin, .hours24, at: .noon(20), open: "1", close: "1")
        frame.buyVolume = "5"
        frame.sellVolume = .zero
        board.apply(.ticker(frame), at: .noon(20))
        #expect(board.market(coin)?.tradeStrengthPercent == nil)
        frame.sellVolume = "5"
        frame.at = .noon(19)
        board.apply(.ticker(frame), at: .noon(21))
        #expect(board.market(coin)?.tradeStrengthPercent == nil)
    }
}
