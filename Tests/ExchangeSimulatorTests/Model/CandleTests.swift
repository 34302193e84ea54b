import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Charts are folds of the market's trades, whatever the interval")
struct CandleTests {
    private static let exchange = SimulatedExchangeTests.exchange(seed: 2, won: 60, bitcoin: 13)
    /// The history of the first market.
    private static let past = exchange.markets[0].past?.archive()

    /// Buckets by their first minute.
    private static func byStart(_ rows: [CandleRow]) -> [Int: CandleRow] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0.start, $0) })
    }

    /// Compares the rows of a longer interval with a fold of a shorter one's, in their common
    /// range.
    private static func compare(
        _ span: ChartInterval,
        with parts: ChartInterval,
        of market: SimulatedMarket,
        _ archive: ChartArchive?
    ) throws {
        let rows = market.candles(span, archive: archive)
        let shorter = market.candles(parts, archive: archive)
        let oldest = try #require(shorter.first).start
        let folded = byStart(shorter.folded(by: span))
        var compared = 0
        for row in rows where row.start >= oldest {
            let expected = folded[row.start]
            #expect(
                expected?.open == row.open && expected?.high == row.high
                    && expected?.low == row.low && expected?.close == row.close
                    && expected?.volume == row.volume,
                "\(market.id) \(span) \(row.start)"
            )
            compared += 1
        }
        #expect(compared > 0)
    }

    @Test(
        "every interval is a fold of the same minutes, hours and days",
        arguments: [0, 7, 45, 56]
    )
    func folds(place: Int) throws {
        var exchange = Self.exchange
        var random = SeededRandom(seed: UInt64(place))
        let archive = try #require(exchange.markets[place].past).archive()
        // From before the first trade to beyond a day, in jumps across every kind of border.
        for _ in 0..<12 {
            for span in ChartInterval.allCases where span != .minute1 {
                let isLong = span.minutes >= 360
                try Self.compare(
                    span,
                    with: isLong ? .hour1 : (span.minutes >= 30 ? .minutes10 : .minute1),
                    of: exchange.markets[place],
                    archive
                )
            }
            let step = Duration.seconds(random.number(in: 1...14_000))
            exchange.advance(
                to: exchange.now.advanced(by: step),
                framesPerSecond: 6_000,
                framesPerEvent: 6
            ) { _, _ in }
        }
    }

    @Test("rows since the start equal the fold of the emitted trades")
    func trades() throws {
        var exchange = Self.exchange
        var trades: [SimulatedTrade] = []
        var random = SeededRandom(seed: 4)
        for _ in 0..<300 {
            let step = Duration.seconds(random.number(in: 1...600))
            exchange.advance(
                to: exchange.now.advanced(by: step),
                framesPerSecond: 600,
                framesPerEvent: 6
            ) { event, _ in if event.market == 0 { trades += event.trades } }
        }
        let start = SeoulMinute.number(of: SimulatedExchangeTests.start)
        for span in ChartInterval.allCases {
            let rows = Self.byStart(exchange.markets[0].candles(span, archive: nil))
            var naive: [Int: [SimulatedTrade]] = [:]
            for trade in trades {
                naive[span.start(of: SeoulMinute.number(of: trade.at)), default: []].append(trade)
            }
            var compared = 0
            for (bucket, trades) in naive where bucket > start {
                guard let row = rows[bucket] else {
                    // Only these are built from the last 25 hours alone.
                    #expect(span.minutes < 5, "\(span) \(bucket)")
                    continue
                }
                #expect(row.open == trades[0].price && row.close == trades.last?.price)
                #expect(row.high == trades.map(\.price).max())
                #expect(row.low == trades.map(\.price).min())
                #expect(row.volume == trades.reduce(0) { $0 + Int128($1.quantity) })
                compared += 1
            }
            #expect(compared > 0, "\(span)")
        }
    }

    @Test("the day's row equals the ticker's day, before and after midnight in Seoul")
    func day() throws {
        var exchange = Self.exchange
        let archive = try #require(Self.past)
        for _ in 0..<30 {
            let market = exchange.markets[0]
            let rows = market.candles(.hours24, archive: archive)
            let today = ChartInterval.hours24.start(of: market.history.minute)
            let row = rows.last { $0.start == today }
            #expect(row?.open == market.day.open)
            if let row {
                #expect(row.high == market.day.sums.high && row.low == market.day.sums.low)
                #expect(row.close == market.price)
                // The ticker includes tiny remainders of the generated history that charts drop.
                let dust = market.day.sums.volume - row.volume * 100
                #expect(dust >= 0 && dust < 200 * 1_440)
            }
            let before = rows.last { $0.start < today }
            #expect(before?.close == market.day.previousClose)
            exchange.advance(
                to: exchange.now.advanced(by: .seconds(3_571)),
                framesPerSecond: 60,
                framesPerEvent: 6
            ) { _, _ in }
        }
    }

    @Test(
        "answers have the recorded number of rows, ascending, on the tick table, from the same seed"
    )
    func recorded() throws {
        let market = Self.exchange.markets[0]
        let archive = try #require(Self.past)
        let counts: [ChartInterval: Int] = [
            .minutes10: 3_001, .minutes30: 3_001, .hour1: 5_001, .minutes5: 1_501,
        ]
        for span in ChartInterval.allCases {
            let written = market.writtenCandles(span, archive: archive)
            if let count = counts[span] { #expect(written.count == count, "\(span)") }
            #expect(zip(written, written.dropFirst()).allSatisfy { $0.minute <= $1.minute })
            let isRight = written.allSatisfy { item in
                let row = item.row
                return row.low <= min(row.open, row.close) && row.high >= max(row.open, row.close)
                    && row.volume > 0
                    && [row.open, row.high, row.low, row.close].allSatisfy(market.ladder.contains)
            }
            #expect(isRight, "\(span)")
        }
        #expect((1_400...1_500).contains(market.candles(.minute1, archive: archive).count))
        #expect(market.candles(.hours24, archive: archive).count > 2_700)
        let again = try #require(market.past).archive()
        #expect(again.days == archive.days && again.minutes10 == archive.minutes10)
        #expect(again.trades == archive.trades)
    }

    @Test("maintenance hours and old days are missing; one old row is sent nine times, one twice")
    func quirks() throws {
        let market = Self.exchange.markets[0]
        let archive = try #require(Self.past)
        let hours = market.candles(.hour1, archive: archive)
        let holes = zip(hours, hours.dropFirst()).map { ($1.start - $0.start) / 60 - 1 }
            .filter { $0 > 0 }
        #expect(holes.sorted() == [2, 2, 4, 6])
        let days = market.candles(.hours24, archive: archive)
        let missing = zip(days, days.dropFirst()).map { ($1.start - $0.start) / 1_440 - 1 }
            .filter { $0 > 0 }
        #expect(missing.sorted() == [45, 46])
        for (span, copies) in [(ChartInterval.minutes10, 9), (.hours24, 2), (.hour1, 1)] {
            let written = market.writtenCandles(span, archive: archive)
            let repeats = Dictionary(grouping: written, by: \.minute).values.map(\.count)
            #expect(repeats.max() == copies && repeats.count { $0 > 1 } == (copies > 1 ? 1 : 0))
        }
    }

    @Test("the running rows of 10m, 30m and 24h are off the grid, all others on it")
    func runningRow() {
        var exchange = Self.exchange
        let morning = SeoulTime.timestamp(
            year: 2026,
            month: 11,
            day: 20,
            hour: 14,
            minute: 57,
            second: 20
        )
        exchange.advance(to: morning, framesPerSecond: 600, framesPerEvent: 6) { _, _ in }
        let minute = SeoulMinute.number(of: morning)
        for span in ChartInterval.allCases {
            let last = exchange.markets[0].writtenCandles(span, archive: nil).last
            let expected =
                switch span {
                case .minutes10, .minutes30: minute
                case .hours24: minute - 57
                default: span.start(of: minute)
                }
            #expect(last?.minute == expected, "\(span)")
        }
        // Once its bucket is closed a row lies on the grid.
        let later = morning.advanced(by: .seconds(40 * 60))
        exchange.advance(to: later, framesPerSecond: 0, framesPerEvent: 6) { _, _ in }
        let last = exchange.markets[0].writtenCandles(.minutes30, archive: nil).last
        #expect(last?.minute == minute - 27)
    }

    @Test("an illiquid market has many empty minutes, and an untraded one only old rows")
    func illiquid() throws {
        let illiquid = try #require(Self.exchange.markets.first { (1..<500).contains($0.weight) })
        let archive = try #require(illiquid.past).archive()
        let rows = illiquid.candles(.minute1, archive: archive)
        #expect(rows.count < 700)
        let quiet = try #require(Self.exchange.markets.first { $0.weight == 0 })
        #expect(quiet.candles(.minute1, archive: nil).isEmpty)
        let past = try #require(quiet.past).archive()
        let newest = try #require(quiet.candles(.hour1, archive: past).last)
        #expect(newest.close == quiet.price)
        #expect(quiet.history.minute - newest.start >= 2 * 1_440)
        #expect(past.trades.last?.price == quiet.price)
    }
}
