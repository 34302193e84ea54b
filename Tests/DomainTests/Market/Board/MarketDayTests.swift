import Domain
import TestSupport
import Testing

@Suite("Day change: relative to the previous close of the current day")
struct MarketDayTests {
    private let coin: MarketID = "XRP_KRW"
    /// Midnight in Seoul after the test's noon.
    private let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
    private var day: Int { SeoulTime(midnight).day }

    private func list(
        _ board: inout MarketBoard,
        _ previousClose: FixedDecimal?,
        price: FixedDecimal = "110",
        volumeToday: FixedDecimal? = "1",
        at: Timestamp
    ) {
        let entry = ListingEntry(
            coin,
            price: price,
            previousClose: previousClose,
            volumeToday: volumeToday
        )
        board.apply(.listing(Listing(at: at, [entry])), at: at)
    }

    private func change(_ board: MarketBoard, now: Timestamp) throws -> PriceChange {
        let market = try #require(board.market(coin))
        return board.change(of: market, over: .midnight, now: now)
    }

    @Test("the previous close comes from the listing, never from a frame")
    func previousClose() throws {
        var board = MarketBoard(kind: .live)
        let frame = TickerFrame(coin, .midnight, at: .noon(1), open: "50", close: "110")
        board.apply(.ticker(frame), at: .noon(1))
        #expect(try change(board, now: .noon(1)).ratePercent == nil)
        list(&board, "100", at: .noon(2))
        #expect(try change(board, now: .noon(2)).ratePercent == "10")
        #expect(try change(board, now: .noon(2)).amount == "10")
        let later = TickerFrame(coin, .midnight, at: .noon(3), open: "50", close: "120")
        board.apply(.ticker(later), at: .noon(3))
        #expect(try change(board, now: .noon(3)).ratePercent == "20")
    }

    @Test("the change is unknown from midnight until a listing of the new day")
    func midnightPasses() throws {
        var board = MarketBoard(kind: .live)
        list(&board, "100", at: midnight.advanced(by: .microseconds(-1)))
        #expect(try change(board, now: midnight).ratePercent == "10")
        board.apply(.dayBegan(day), at: midnight)
        #expect(try change(board, now: midnight).ratePercent == nil)
        board.apply(.trade(Trade(coin, price: "120", at: midnight)), at: midnight)
        #expect(try change(board, now: midnight).ratePercent == nil)
        // This answer was made on the day before.
        list(&board, "100", at: midnight.advanced(by: .milliseconds(-1)))
        #expect(try change(board, now: midnight).ratePercent == nil)
        list(&board, "110", price: "120", at: midnight.advanced(by: .seconds(1)))
        #expect(try change(board, now: midnight.advanced(by: .seconds(1))).ratePercent == "9.09")
    }

    @Test("the change of all markets is unknown once one listing has the new day")
    func listingBringsDay() throws {
        let other: MarketID = "ETH_BTC"
        var board = MarketBoard(kind: .live)
        list(&board, "100", at: .noon())
        let entry = ListingEntry(other, price: "0.05", previousClose: "0.04")
        board.apply(.listing(Listing(.btc, at: .noon(), [entry])), at: .noon())
        list(&board, "110", at: midnight)
        let market = try #require(board.market(other))
        #expect(board.change(of: market, over: .midnight, now: midnight).ratePercent == nil)
        #expect(try change(board, now: midnight).ratePercent == .zero)
        #expect(board.day == day)
    }

    @Test("a past day does not return")
    func daysAscend() throws {
        var board = MarketBoard(kind: .live)
        board.apply(.dayBegan(day), at: midnight)
        board.apply(.dayBegan(day - 1), at: midnight)
        list(&board, "100", at: .noon())
        #expect(board.day == day)
        list(&board, "55", at: midnight)
        list(&board, "100", at: .noon())
        #expect(try change(board, now: midnight).ratePercent == "100", "of 55, not of 100")
    }

    @Test("the change of a coin without a trade today is zero, even without a previous close")
    func quietToday() throws {
        var board = MarketBoard(kind: .live)
        list(&board, nil, volumeToday: "0", at: .noon())
        #expect(try change(board, now: .noon(1)).isWithoutTrade)
        board.apply(.trade(Trade(coin, price: "120", at: .noon(2))), at: .noon(2))
        #expect(try change(board, now: .noon(2)) == .unknown)
        list(&board, "100", price: "120", at: .noon(3))
        #expect(try change(board, now: .noon(3)).ratePercent == "20")
        #expect(try change(board, now: .noon(99_999)).isWithoutTrade == false, "a day is no window")
    }

    @Test("a zero change stays through the other quote currency's listing, until the day ends")
    func quietUntilMidnight() throws {
        var board = MarketBoard(kind: .live)
        list(&board, "100", volumeToday: "0", at: .noon())
        board.apply(.listing(Listing(.btc, at: .noon(1), [])), at: .noon(1))
        #expect(try change(board, now: .noon(1)).isWithoutTrade)
        list(&board, "100", volumeToday: nil, at: midnight)
        #expect(try change(board, now: midnight).ratePercent == "10")
        #expect(try change(board, now: midnight).isWithoutTrade == false)
    }
}
