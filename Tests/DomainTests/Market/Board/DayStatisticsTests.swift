import TestSupport
import Testing

@testable import Domain

@Suite("Day statistics belong to the current day in Seoul")
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

    @Test("a listing sets all of them")
    func listing() {
        let figures = today(board(entry()))
        #expect(figures?.open == "100")
        #expect(figures?.high == "110")
        #expect(figures?.low == "90")
        #expect(figures?.volume == "7")
        #expect(figures?.tradeValue == "700")
        #expect(board(entry()).market(coin)?.volume24h == "9")
    }

    @Test("trades widen the extremes at once, and an older listing never narrows them")
    func extremes() {
        var board = board(entry())
        board.apply(.trade(Trade(coin, price: "120", at: .noon(11))), at: .noon(11))
        board.apply(.trade(Trade(coin, price: "80", at: .noon(12))), at: .noon(12))
        board.apply(.listing(Listing(at: .noon(10), [entry()])), at: .noon(13))
        #expect(today(board)?.high == "120")
        #expect(today(board)?.low == "80")
    }

    @Test("trades alone are no extremes of a day observed from its middle")
    func tradesAlone() {
        var board = board(entry(open: nil, high: nil, low: nil))
        board.apply(.trade(Trade(coin, price: "120", at: .noon(11))), at: .noon(11))
        #expect(today(board)?.high == nil)
        #expect(today(board)?.low == nil)
    }

    @Test("a frame since midnight wins over a listing before it")
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

    @Test("at midnight everything is unknown until a frame of the new day")
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
        "the trade strength is bought volume in percent of sold volume, exact to two decimals",
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

    @Test("without sales there is no trade strength, and an older frame restores none")
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
