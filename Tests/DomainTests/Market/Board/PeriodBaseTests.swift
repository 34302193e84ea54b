import TestSupport
import Testing

@testable import Domain

private let coin: MarketID = "XRP_KRW"
private let other: MarketID = "BTC_KRW"

@Suite("A change over a period has the close at the period's beginning as its base")
struct PeriodBaseTests {
    private static func listing(_ price: FixedDecimal, at: Timestamp) -> MarketEvent {
        .listing(Listing(.krw, at: at, [ListingEntry(coin, price: price)]))
    }

    private static func page(_ closes: [(Int, FixedDecimal)], until: Int) -> MarketEvent {
        .closes(
            ClosePage(
                market: coin,
                interval: .minute1,
                rows: closes.map { .init(openTime: .noon($0.0 * 60), close: $0.1) },
                until: .noon(until * 60),
                isWhole: true
            )
        )
    }

    private static func rate(_ board: MarketBoard, at now: Timestamp) -> FixedDecimal? {
        board.market(coin).flatMap {
            board.change(of: $0, over: .minutes30, now: now).ratePercent
        }
    }

    @Test("the base of a frame adds no market and replaces no stored price, before a listing does")
    func unlisted() {
        var board = MarketBoard(kind: .live)
        let frame = TickerFrame(
            coin,
            .minutes30,
            at: .noon(3_600),
            open: "100",
            close: "110",
            value: "1",
            volume: "1"
        )
        board.apply(.base(frame), at: .noon(3_600))
        #expect(board.market(coin) == nil)
        let stored = StoredPrice(market: coin, price: "105", at: .noon(), tradeValue24h: nil)
        board.applyReference(.closes([stored], of: .live), at: .noon(3_600))
        board.apply(.base(frame), at: .noon(3_600))
        #expect(board.market(coin)?.price == "105")
        board.apply(Self.listing("110", at: .noon(3_601)), at: .noon(3_601))
        board.apply(.base(frame), at: .noon(3_602))
        #expect(Self.rate(board, at: .noon(3_602)) == "10")
    }

    @Test("it is unknown until the close is read, then moves from minute to minute")
    func moves() {
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(3_600))
        #expect(Self.rate(board, at: .noon(3_600)) == nil)
        let shown: Set = [ShownPeriod.list(.minutes30, .krw)]
        #expect(
            board.closeNeeds(of: shown, now: .noon(3_610)) == [
                CloseNeed(market: coin, period: .minutes30, moment: .noon(1_800), reason: .base)
            ]
        )
        let closes = Self.page([(28, "100"), (30, "88")], until: 60)
        let changes = board.apply(closes, at: .noon(3_611))
        #expect(changes.markets == [coin: .change])
        #expect(Self.rate(board, at: .noon(3_659)) == "10")
        #expect(Self.rate(board, at: .noon(3_660)) == "25")
        #expect(board.closeNeeds(of: shown, now: .noon(3_610)).isEmpty)
    }

    @Test("a frame's base counts until the price is more than a minute newer, then the close")
    func lostFrames() {
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(3_600))
        board.apply(
            .ticker(TickerFrame(coin, .minutes30, at: .noon(3_600), open: "55", close: "110")),
            at: .noon(3_600)
        )
        let shown: Set = [ShownPeriod.list(.minutes30, .krw)]
        let steps: [(Int, FixedDecimal?, Int)] = [(3_660, "100", 0), (3_661, nil, 1)]
        for (second, rate, needs) in steps {
            var entry = ListingEntry(coin, price: "110")
            entry.tradedAt = .noon(second)
            board.apply(.row(entry, at: .noon(second)), at: .noon(second))
            #expect(Self.rate(board, at: .noon(second)) == rate)
            #expect(board.closeNeeds(of: shown, now: .noon(second)).count == needs)
        }
        board.apply(Self.page([(28, "100"), (30, "88")], until: 61), at: .noon(3_661))
        #expect(Self.rate(board, at: .noon(3_661)) == "25")
    }

    @Test("rows on a screen go before lists, each in the order of popularity")
    func visibleRows() {
        var board = MarketBoard(kind: .live)
        let entries = ["A", "B", "C", "D", "E"].enumerated().map { rank, symbol in
            ListingEntry(
                MarketID(symbol: symbol, quote: .krw) ?? coin,
                price: "110",
                tradeValue24h: FixedDecimal(Int64(100 - rank))
            )
        }
        board.apply(.listing(Listing(.krw, at: .noon(3_600), entries)), at: .noon(3_600))
        func markets(_ shown: Set<ShownPeriod>) -> [String] {
            board.closeNeeds(of: shown, now: .noon(3_600)).map(\.market.symbol)
        }
        let list = ShownPeriod.list(.minutes30, .krw)
        let rows: Set<ShownPeriod> = .rows(.minutes30, of: ["E_KRW", "D_KRW", "X_KRW"])
        #expect(markets([list]) == ["A", "B", "C", "D", "E"])
        #expect(markets(rows.union([list])) == ["D", "E", "A", "B", "C"])
        #expect(markets(rows) == ["D", "E"])
        let columns: Set<ShownPeriod> = .columns(.minutes30, of: ["B_KRW", "C_KRW"])
        #expect(markets(rows.union(columns)) == ["D", "E", "B", "C"])
        #expect(markets(columns.union([list])) == ["A", "B", "C", "D", "E"])
        #expect(markets(columns.union([.list(.hour1, .krw)])).suffix(2) == ["B", "C"])
        // A row of one period does not ask for another one.
        #expect(markets([.row(.hour1, "C_KRW"), list]) == ["C", "A", "B", "C", "D", "E"])
        #expect(Set<ShownPeriod>.rows(.midnight, of: ["A_KRW"]).isEmpty)
        #expect(Set<ShownPeriod>.lists(.midnight, of: [.krw]).isEmpty)
    }

    /// The reasons and minutes of the needs when a window begins half an hour after noon, and a
    /// minute later.
    private static func needs(
        _ period: ChangePeriod,
        _ pages: (CandleInterval, opened: [Int], until: Int)...
    ) throws -> [String?] {
        let now = try 1_800 + Int(#require(period.window).components.seconds)
        var board = MarketBoard(kind: .live)
        board.apply(listing("110", at: .noon(now)), at: .noon(now))
        for page in pages {
            let closes = ClosePage(
                market: coin,
                interval: page.0,
                rows: page.opened.enumerated().map { index, minute in
                    .init(openTime: .noon(minute * 60), close: FixedDecimal(Int64(100 + index)))
                },
                until: .noon(page.until * 60),
                isWhole: page.0 != .minute1
            )
            board.apply(.closes(closes), at: .noon(now))
        }
        return [now, now + 60].map { now in
            board.closeNeeds(of: [.list(period, .krw)], now: .noon(now)).first.map {
                "\($0.reason) \($0.moment.duration(since: .noon()).components.seconds / 60)"
            }
        }
    }

    private static let coarse: (CandleInterval, opened: [Int], until: Int) =
        (.minutes10, opened: [10, 30], until: 50)

    @Test("the base of a long window has to reach ten minutes further, and then to be exact")
    func longWindows() throws {
        let needs = try [
            Self.needs(.hours12), Self.needs(.hours12, (.minute1, opened: [28], until: 30)),
            Self.needs(.hours12, Self.coarse),
            Self.needs(.hours12, (.minute1, opened: [28], until: 30), Self.coarse),
            Self.needs(.hours12, (.minutes10, opened: [10], until: 50)),
            Self.needs(.hours12, (.minute1, opened: [], until: 30)),
        ]
        #expect(
            needs == [
                ["base 30", "base 31"], ["reach 30", "reach 31"], [nil, "minute 31"],
                [nil, "minute 31"], [nil, nil], ["reach 30", "reach 31"],
            ]
        )
    }

    @Test(
        "the base of a window up to an hour has to be exact, and is read a minute ahead",
        arguments: [ChangePeriod.minutes30, .hour1]
    )
    func shortWindows(period: ChangePeriod) throws {
        let needs = try [
            Self.needs(period), Self.needs(period, (.minute1, opened: [28], until: 30)),
            Self.needs(period, (.minute1, opened: [28], until: 31)),
            Self.needs(period, (.minute1, opened: [28], until: 32)),
            Self.needs(period, Self.coarse),
            Self.needs(period, (.minute1, opened: [], until: 30)),
        ]
        #expect(
            needs == [
                ["base 30", "base 31"], ["minute 31", "minute 31"], [nil, "minute 32"],
                [nil, nil], ["minute 31", "minute 31"], ["minute 31", "minute 31"],
            ]
        )
    }

    @Test("a frame of the period wins from its arrival on")
    func frames() {
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(3_600))
        board.apply(Self.page([(28, "100")], until: 60), at: .noon(3_600))
        let frame = TickerFrame(
            coin,
            .minutes30,
            at: .noon(3_601),
            open: "55",
            close: "110",
            amount: "55",
            rate: "100"
        )
        board.apply(.ticker(frame), at: .noon(3_601))
        #expect(Self.rate(board, at: .noon(3_602)) == "100")
        let shown: Set = [ShownPeriod.list(.minutes30, .krw)]
        #expect(board.closeNeeds(of: shown, now: .noon(3_602)).isEmpty)
        board.apply(.trade(Trade(coin, price: "66", at: .noon(3_603))), at: .noon(3_603))
        #expect(Self.rate(board, at: .noon(3_603)) == "20")
    }

    @Test("a market that was not traded before the period has no change and is not counted")
    func newListing() {
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(3_600))
        let shown: Set = [ShownPeriod.list(.minutes30, .krw)]
        var states = board.changeStates(over: .minutes30, now: .noon(3_600))
        #expect(board.coverage(of: [coin], by: states).of == 1)
        board.apply(Self.page([(50, "100")], until: 60), at: .noon(3_600))
        #expect(Self.rate(board, at: .noon(3_600)) == nil)
        #expect(board.closeNeeds(of: shown, now: .noon(3_600)).isEmpty)
        states = board.changeStates(over: .minutes30, now: .noon(3_600))
        let coverage = board.coverage(of: [coin], by: states)
        #expect(coverage.known == 0 && coverage.of == 0 && coverage.isComplete)
    }

    @Test("a market that was not traded a minute ago makes no list incomplete before it is read")
    func untraded() {
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(3_600))
        let page = ClosePage(
            market: coin,
            interval: .minute1,
            rows: [],
            until: .noon(1_800),
            isWhole: false
        )
        board.apply(.closes(page), at: .noon(3_600))
        for minute in 0..<10 {
            let now = Timestamp.noon(3_600 + 60 * minute)
            let states = board.changeStates(over: .minutes30, now: now)
            #expect(board.coverage(of: [coin], by: states).isComplete)
        }
        // The first candle of ten minutes tells no minute of its own.
        let first = ClosePage(
            market: coin,
            interval: .minutes10,
            rows: [.init(openTime: .noon(1_800), close: "100")],
            until: .noon(3_000),
            isWhole: true
        )
        board.apply(.closes(first), at: .noon(3_600))
        for minute in 0...10 {
            let now = Timestamp.noon(3_600 + 60 * minute)
            let states = board.changeStates(over: .minutes30, now: now)
            let coverage = board.coverage(of: [coin], by: states)
            #expect(coverage.isComplete && coverage.of == minute / 10)
        }
    }

    /// A board that follows the closes of one market.
    private static func following(listsAfter: Bool = true) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        board.apply(listing("100", at: .noon(0)), at: .noon(0))
        board.apply(.feed(.subscribed), at: .noon(1))
        if listsAfter { board.apply(listing("100", at: .noon(2)), at: .noon(2)) }
        board.apply(.trade(Trade(coin, price: "100", at: .noon(3))), at: .noon(3))
        board.apply(.trade(Trade(coin, price: "100", at: .noon(61))), at: .noon(61))
        return board
    }

    @Test("a price from before the subscription is no close", arguments: [true, false])
    func listedBefore(isListed: Bool) {
        var board = Self.following(listsAfter: isListed)
        board.apply(.trade(Trade(coin, price: "110", at: .noon(1_900))), at: .noon(1_900))
        #expect(Self.rate(board, at: .noon(1_920)) == (isListed ? "10" : nil))
    }

    @Test("a market that is listed later has minutes of its own after its first trade")
    func listedLater() {
        var board = Self.following()
        let added: MarketID = "NEW_KRW"
        let listing = Listing(
            .krw,
            at: .noon(300),
            [ListingEntry(coin, price: "100"), ListingEntry(added, price: "9")]
        )
        board.apply(.listing(listing), at: .noon(300))
        for (second, price) in [(310, "10"), (330, "20"), (400, "25"), (2_100, "30")] {
            guard let price = try? FixedDecimal(parsing: price) else { continue }
            board.apply(
                .trade(Trade(added, price: price, at: .noon(second))),
                at: .noon(second)
            )
        }
        func rate(_ now: Int) -> FixedDecimal? {
            board.market(added).flatMap {
                board.change(of: $0, over: .minutes30, now: .noon(now)).ratePercent
            }
        }
        #expect(rate(2_159) == nil)
        #expect(rate(2_160) == "50")
        #expect(rate(2_220) == "20")
        let shown = ShownPeriod.row(.minutes30, added)
        #expect(board.closeNeeds(of: [shown], now: .noon(2_160)).isEmpty)
        let states = board.changeStates(over: .minutes30, now: .noon(2_160))
        #expect(board.coverage(of: [added], by: states).resolution == nil)
    }

    @Test("the exchange's minutes count if its clock is ahead")
    func clockLead() {
        var board = MarketBoard(kind: .simulated)
        // The exchange's clock is an hour ahead.
        board.apply(Self.listing("110", at: .noon(3_600)), at: .noon(0))
        board.apply(Self.page([(29, "100")], until: 60), at: .noon(1))
        #expect(Self.rate(board, at: .noon(2)) == "10")
    }

    @Test(
        "own trades alone give every base after half an hour",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func ownTrades(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var board = MarketBoard(kind: .live)
        board.apply(Self.listing("100", at: .noon(0)), at: .noon(0))
        board.apply(.feed(.subscribed), at: .noon(1))
        board.apply(Self.listing("100", at: .noon(2)), at: .noon(2))
        board.apply(.trade(Trade(other, price: "5", at: .noon(2))), at: .noon(2))
        board.apply(.feed(.live), at: .noon(2))
        var trades: [Trade] = []
        for second in stride(from: 10, to: 7_200, by: 10) {
            let now = Timestamp.noon(second)
            board.apply(.trade(Trade(other, price: "5", at: now)), at: now)
            if Int.random(in: 0..<20, using: &generator) == 0 {
                let price = FixedDecimal(Int64.random(in: 90...110, using: &generator))
                trades.append(Trade(coin, price: price, at: now))
                board.apply(.trade(trades[trades.count - 1]), at: now)
            }
            let minute = CandleInterval.minute1.bucketStart(of: now)
            let beginning = minute.advanced(by: .seconds(-1_800))
            guard beginning >= .noon(60), let price = trades.last?.price,
                now.duration(since: trades.last?.executedAt ?? now) < .seconds(1_800)
            else { continue }
            let base = trades.last { $0.executedAt < beginning }?.price ?? "100"
            let rate = Self.rate(board, at: now)
            let hundred = FixedDecimal(100)
            let exact = try? (price - base).multiplied(by: hundred, rounding: .halfEven)
                .divided(by: base, rounding: .truncate)
                .rounded(toFractionDigits: 2, .halfAwayFromZero)
            #expect(rate == exact)
        }
    }
}
