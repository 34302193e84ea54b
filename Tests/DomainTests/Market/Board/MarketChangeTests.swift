import TestSupport
import Testing

@testable import Domain

private let coin: MarketID = "XRP_KRW"
private let rollingPeriods = ChangePeriod.allCases.filter { $0.window != nil }

extension MarketBoard {
    /// The change of the tested coin.
    fileprivate func change(_ period: ChangePeriod, now: Timestamp) -> PriceChange? {
        market(coin).map { change(of: $0, over: period, now: now) }
    }

    fileprivate mutating func list(_ entry: ListingEntry, at: Timestamp) {
        apply(.listing(Listing(entry.market.quote, at: at, [entry])), at: at)
    }

    fileprivate mutating func trade(_ price: FixedDecimal, at: Timestamp) {
        apply(.trade(Trade(coin, price: price, at: at)), at: at)
    }
}

@Suite("Change: the exchange's own until a trade moves the price, then computed from its base")
struct MarketChangeTests {
    @Test("reported numbers are shown while their price is current", arguments: rollingPeriods)
    func reported(period: ChangePeriod) throws {
        var board = MarketBoard(kind: .live)
        // Numbers that no arithmetic gives: only repeating them can pass.
        let frame = TickerFrame(
            coin,
            period,
            at: .noon(1),
            open: "1000",
            close: "1010",
            amount: "11",
            rate: "1.23"
        )
        board.apply(.ticker(frame), at: .noon(1))
        let reported = PriceChange(
            ratePercent: "1.23",
            amount: "11",
            at: .noon(1),
            isWithoutTrade: false
        )
        #expect(board.change(period, now: .noon(2)) == reported)
        board.trade("1020", at: .noon(3))
        let reckoned = PriceChange(
            ratePercent: "2",
            amount: "20",
            at: .noon(1),
            isWithoutTrade: false
        )
        #expect(board.change(period, now: .noon(3)) == reckoned)
        board.trade("1010", at: .noon(4))
        #expect(board.change(period, now: .noon(4)) == reported)
    }

    @Test(
        "percentages round half away from zero to two decimals",
        arguments: [
            ("8000", "8000.4", "0.01"), ("8000", "7999.6", "-0.01"), ("8000", "8000.39", "0"),
            ("3", "4", "33.33"), ("3", "5", "66.67"), ("0.00000037", "0.00000038", "2.7"),
            ("1000", "1", "-99.9"),
        ] as [(FixedDecimal, FixedDecimal, FixedDecimal)]
    )
    func rounding(base: FixedDecimal, price: FixedDecimal, rate: FixedDecimal) {
        var board = MarketBoard(kind: .live)
        let frame = TickerFrame(coin, .hour1, at: .noon(1), open: base, close: base)
        board.apply(.ticker(frame), at: .noon(1))
        board.trade(price, at: .noon(2))
        #expect(board.change(.hour1, now: .noon(2))?.ratePercent == rate)
    }

    @Test("the result is rounded once, whatever the price", arguments: [1, 2, 3] as [UInt64])
    func exactness(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let base = FixedDecimal(units: Int128.random(in: 1...(1 << 90), using: &generator))
            let price = FixedDecimal(units: Int128.random(in: 1...(1 << 90), using: &generator))
            var board = MarketBoard(kind: .live)
            let frame = TickerFrame(coin, .hour1, at: .noon(1), open: base, close: base, rate: "0")
            board.apply(.ticker(frame), at: .noon(1))
            board.trade(price, at: .noon(2))
            let shown = board.change(.hour1, now: .noon(2))?.ratePercent
            let tenThousandths = (price.naive - base.naive) * .powerOfTen(4)
            let rate = tenThousandths.divided(by: base.naive, rounding: .halfAwayFromZero)
            let expected = (rate * .powerOfTen(16)).int128.map { FixedDecimal(units: $0) }
            if price != base { #expect(shown == expected, "\(base) to \(price)") }
        }
    }

    @Test("the newest frame is the base, and a frame wins over a listing of its second")
    func newestBase() {
        func amount(_ events: [MarketEvent]) -> FixedDecimal? {
            var board = MarketBoard(kind: .live)
            _ = board.apply(MarketEventBatch(events: events, receivedAt: .noon(20)))
            board.trade("1000", at: .noon(20))
            return board.change(.hours24, now: .noon(20))?.amount
        }
        func frame(_ open: FixedDecimal, _ second: Int) -> MarketEvent {
            .ticker(TickerFrame(coin, .hours24, at: .noon(second), open: open, close: "500"))
        }
        func listing(_ change: FixedDecimal, _ second: Int) -> MarketEvent {
            let entry = ListingEntry(
                coin,
                price: "600",
                changeAmount24h: change,
                changeRate24h: "1"
            )
            return .listing(Listing(at: .noon(second), [entry]))
        }
        #expect(amount([frame("400", 1), frame("300", 2)]) == "700")
        #expect(amount([frame("300", 2), frame("400", 1)]) == "700")
        #expect(amount([frame("400", 2), frame("300", 2)]) == "700")
        #expect(amount([frame("300", 2), listing("100", 2)]) == "700")
        #expect(amount([listing("100", 2), frame("300", 2)]) == "700")
        #expect(amount([frame("300", 2), listing("100", 3)]) == "500")
        #expect(amount([listing("100", 3), frame("300", 2)]) == "500")
        // A price that rose by its full value had no base.
        #expect(amount([listing("600", 3)]) == nil)
        #expect(amount([listing("700", 3)]) == nil)
    }

    @Test(
        "the change is unknown before the first frame of its period, not zero",
        arguments: rollingPeriods
    )
    func unknown(period: ChangePeriod) {
        var board = MarketBoard(kind: .live)
        board.trade("100", at: .noon(1))
        #expect(board.change(period, now: .noon(2)) == .unknown)
        board.apply(
            .ticker(TickerFrame(coin, period, at: .noon(2), open: "0", close: "100")),
            at: .noon(2)
        )
        #expect(board.change(period, now: .noon(2)) == .unknown)
    }

    private static let ethBTC: MarketID = "ETH_BTC"

    /// A board with a listing of the market, whose 24-hour amount the exchange rounds away.
    private static var bitcoinBoard: MarketBoard {
        var board = MarketBoard(kind: .live)
        let entry = ListingEntry(ethBTC, price: "0.05", changeRate24h: "-0.75")
        board.list(entry, at: .noon(1))
        return board
    }

    private static func dayChange(on board: MarketBoard, at second: Int) throws -> PriceChange {
        let state = try #require(board.market(ethBTC))
        return board.change(of: state, over: .hours24, now: .noon(second))
    }

    @Test("rate and amount have the base of the close while the exchange tells the rate alone")
    func oneBase() throws {
        var board = Self.bitcoinBoard
        func change(_ second: Int) throws -> PriceChange {
            try Self.dayChange(on: board, at: second)
        }
        let day = -86_400
        let closes = [(day - 120, "0.04"), (day, "0.025")].map { second, close in
            ClosePage.Row(openTime: .noon(second), close: FixedDecimal(stringLiteral: close))
        }
        let page = ClosePage(
            market: Self.ethBTC,
            interval: .minute1,
            rows: closes,
            until: .noon(day + 120),
            isWhole: true
        )
        board.apply(.closes(page), at: .noon(2))
        #expect(try change(2).ratePercent == "25")
        #expect(try change(2).amount == "0.01")
        #expect(try change(60).ratePercent == "100")
        #expect(try change(60).amount == "0.025")
        let frame = TickerFrame(
            Self.ethBTC,
            .hours24,
            at: .noon(61),
            open: "0.04",
            close: "0.05"
        )
        board.apply(.ticker(frame), at: .noon(61))
        #expect(try change(62).amount == "0.01")
    }

    @Test("a bitcoin market has no 24-hour amount until the first frame")
    func bitcoinMarket() throws {
        var board = Self.bitcoinBoard
        func change(_ second: Int) throws -> PriceChange {
            try Self.dayChange(on: board, at: second)
        }
        #expect(try change(1).ratePercent == "-0.75")
        #expect(try change(1).amount == nil)
        board.apply(.trade(Trade(Self.ethBTC, price: "0.051", at: .noon(2))), at: .noon(2))
        #expect(try change(2) == .unknown)
        let frame = TickerFrame(
            Self.ethBTC,
            .hours24,
            at: .noon(1),
            open: "0.05",
            close: "0.0505"
        )
        board.apply(.ticker(frame), at: .noon(3))
        #expect(try change(3).amount == "0.001")
        #expect(try change(3).ratePercent == "2")
        // A later listing has fewer digits than the frame.
        board.list(
            ListingEntry(Self.ethBTC, price: "0.0525", changeRate24h: "9"),
            at: .noon(9)
        )
        #expect(try change(9).amount == "0.0025")
        #expect(try change(9).ratePercent == "5")
    }
}

@Suite("A period without a trade has a change of exactly zero")
struct MarketWithoutTradeTests {
    private static func frame(_ period: ChangePeriod, volume: FixedDecimal) -> MarketEvent {
        .ticker(
            TickerFrame(coin, period, at: .noon(1), open: "90", close: "100", volume: volume)
        )
    }

    @Test(
        "the zero change begins when the last trade is older than the period",
        arguments: rollingPeriods
    )
    func edges(period: ChangePeriod) throws {
        let window = try #require(period.window)
        var board = MarketBoard(kind: .live)
        board.apply(Self.frame(period, volume: "5"), at: .noon(1))
        board.trade("100", at: .noon(10))
        let edge = Timestamp.noon(10).advanced(by: window)
        #expect(board.change(period, now: edge)?.isWithoutTrade == false)
        #expect(board.change(period, now: edge)?.ratePercent == "11.11")
        let quiet = board.change(period, now: edge.advanced(by: .microseconds(1)))
        #expect(quiet?.isWithoutTrade == true)
        #expect(quiet?.ratePercent == .zero)
        #expect(quiet?.amount == .zero)
        #expect(quiet?.at == .noon(1), "the frame keeps its time")
    }

    @Test("the zero change is measured by receive time, whatever the exchange's clock")
    func receiveTime() {
        var board = MarketBoard(kind: .replay)
        let old = Timestamp(milliseconds: 1_647_010_800_000)
        board.apply(.trade(Trade(coin, price: "100", at: old)), at: .noon(10))
        #expect(board.change(.minutes30, now: .noon(1_810))?.isWithoutTrade == false)
        #expect(board.change(.minutes30, now: .noon(1_811))?.isWithoutTrade == true)
    }

    @Test("a coin without volume has a change of zero at once, until its first trade")
    func quietCoin() {
        var board = MarketBoard(kind: .live)
        let entry = ListingEntry(
            coin,
            price: "100",
            volumeToday: "0",
            volume24h: "0",
            changeAmount24h: "0",
            changeRate24h: "0"
        )
        board.list(entry, at: .noon(1))
        for period in ChangePeriod.allCases {
            #expect(board.change(period, now: .noon(1))?.isWithoutTrade == true)
            #expect(board.change(period, now: .noon(1))?.ratePercent == .zero)
        }
        board.trade("101", at: .noon(2))
        for period in ChangePeriod.allCases {
            #expect(board.change(period, now: .noon(2))?.isWithoutTrade == false)
        }
        // This answer was made before the trade and arrives after it.
        board.list(entry, at: .noon(1))
        #expect(board.change(.hours24, now: .noon(2))?.isWithoutTrade == false)
    }

    @Test("the zero change ends when the volume grows, not when it shrinks")
    func volumes() {
        var board = MarketBoard(kind: .live)
        func list(_ volume: FixedDecimal, _ second: Int) {
            board.list(ListingEntry(coin, price: "100", volume24h: volume), at: .noon(second))
        }
        func isWithoutTrade(_ second: Int) -> Bool? {
            board.change(.minutes30, now: .noon(second))?.isWithoutTrade
        }
        list("10", 0)
        list("9", 1_000)
        #expect(isWithoutTrade(1_801) == true)
        list("9.1", 2_000)
        #expect(isWithoutTrade(3_800) == false)
        #expect(isWithoutTrade(3_801) == true)
        // Frames have other causes too: only a larger volume proves a trade.
        board.apply(Self.frame(.minutes30, volume: "1"), at: .noon(4_000))
        board.apply(Self.frame(.minutes30, volume: "1"), at: .noon(5_000))
        #expect(isWithoutTrade(5_801) == true)
        board.apply(Self.frame(.minutes30, volume: "2"), at: .noon(6_000))
        #expect(isWithoutTrade(7_800) == false)
    }

    @Test("a listing that repeats a trade does not delay the zero change")
    func explainedVolume() {
        var board = MarketBoard(kind: .live)
        board.list(ListingEntry(coin, price: "100", volume24h: "10"), at: .noon(0))
        board.trade("100", at: .noon(1))
        board.list(ListingEntry(coin, price: "100", volume24h: "11"), at: .noon(10))
        #expect(board.change(.minutes30, now: .noon(1_802))?.isWithoutTrade == true)
        // The trade behind this one was not received.
        board.list(ListingEntry(coin, price: "100", volume24h: "12"), at: .noon(20))
        #expect(board.change(.minutes30, now: .noon(1_820))?.isWithoutTrade == false)
    }

    @Test("the change is unknown for a time without a connection")
    func gap() {
        var board = MarketBoard(kind: .live)
        board.apply(.feed(.live), .trade(Trade(coin, price: "100", at: .noon(0))), at: .noon(0))
        let failure = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        let loss = FeedEvent.reconnecting(attempt: 1, nextRetryAt: .noon(2), failure: failure)
        board.apply(.feed(loss), at: .noon(1))
        #expect(board.change(.minutes30, now: .noon(9_000))?.isWithoutTrade == false)
        // A listing without more volume proves that there was no trade until then.
        board.list(ListingEntry(coin, price: "100"), at: .noon(1_801))
        #expect(board.change(.minutes30, now: .noon(1_801))?.isWithoutTrade == true)
        board.trade("100", at: .noon(1_802))
        board.apply(.feed(.ended), at: .noon(1_803))
        #expect(board.change(.minutes30, now: .noon(9_000))?.isWithoutTrade == false)
    }
}
