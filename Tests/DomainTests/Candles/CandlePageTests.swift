import Domain
import TestSupport
import Testing

/// A simulated day: trades, the delay of the stream, and REST's answers.
struct RestAndStream {
    let trades: [Trade]
    let interval: CandleInterval
    /// Delay of a trade on the stream.
    let latency: Duration
    var random: RandomTrades
    var series: CandleSeries
    var tape = TradeTape()
    /// Index of the next trade of the stream.
    private var next: Int

    init(
        _ trades: [Trade],
        _ interval: CandleInterval,
        from start: Int,
        latency: Duration,
        seed: UInt64
    ) {
        self.trades = trades
        self.interval = interval
        self.latency = latency
        random = RandomTrades(seed: seed)
        series = CandleSeries(interval: interval)
        next = start
    }

    /// Delivers the trades that arrive until `moment`; lost ones are dropped.
    mutating func hear(until moment: Timestamp, isLost: Bool = false) {
        while next < trades.count, trades[next].executedAt.advanced(by: latency) <= moment {
            if !isLost {
                tape.append(trades[next])
                series.apply(trades[next])
            }
            next += 1
        }
    }

    /// REST's answer to a request at `requestedAt`, with its quirks.
    mutating func page(at requestedAt: Timestamp, from start: Int = 0) -> CandlePage {
        let taken = requestedAt.advanced(by: pause(200))
        let served = interval.served
        let known = trades[start...].prefix { $0.executedAt <= taken }
        var rows = NaiveCandles.candles(of: Array(known), served).map { candle in
            var candle = candle
            candle.origin = .rest
            return candle
        }
        if let last = rows.last, served.bucketStart(of: taken) == last.openTime {
            // The running row has the time of the answer.
            rows[rows.count - 1].openTime = taken
        }
        if rows.count > 2 {
            let place = Int.random(in: 0..<rows.count, using: &random.generator)
            rows.insert(rows[place], at: place)
        }
        if Bool.random(using: &random.generator) { rows.reverse() }
        return CandlePage(
            market: RandomTrades.market,
            interval: served,
            candles: rows,
            requestedAt: requestedAt,
            answeredAt: taken.advanced(by: pause(200))
        )
    }

    /// Reads candles over REST while the stream runs.
    mutating func read(at requestedAt: Timestamp, from start: Int = 0) {
        let page = page(at: requestedAt, from: start)
        hear(until: page.answeredAt.advanced(by: pause(50)))
        series.apply(page, tape: tape)
    }

    /// Reads past trades over REST while the stream runs.
    mutating func readTrades(at requestedAt: Timestamp) {
        let taken = requestedAt.advanced(by: pause(200))
        let known = trades.prefix { $0.executedAt <= taken }.suffix(100)
        hear(until: taken.advanced(by: pause(200)))
        tape.join(TradeHistory(known))
    }

    private mutating func pause(_ milliseconds: Int) -> Duration {
        .milliseconds(Int.random(in: 0...milliseconds, using: &random.generator))
    }
}

@Suite("Candles from REST and stream form one series")
struct CandlePageTests {
    /// Delays of the stream, compared with an answer of up to 450 ms.
    static let latencies: [Duration] = [.zero, .milliseconds(300), .milliseconds(900)]

    @Test(
        "the series equals all trades, whenever REST is read",
        arguments: CandleInterval.allCases,
        latencies
    )
    func whole(interval: CandleInterval, latency: Duration) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            // Prices are all different, so the end of REST's data can be identified.
            var random = RandomTrades(seed: seed)
            let trades = random.list(900, within: .milliseconds(seed % 2 == 0 ? 900 : 9_000))
            var both = RestAndStream(trades, interval, from: 300, latency: latency, seed: seed)
            let start = Int.random(in: 0..<250, using: &random.generator)
            for index in [310, 330, 331, 500, 700, 880] {
                if index == 330 { both.readTrades(at: trades[index].executedAt) }
                both.read(at: trades[index].executedAt.advanced(by: .seconds(1)), from: start)
            }
            both.hear(until: .noon(99_999))
            let naive = NaiveCandles.candles(of: Array(trades[start...]), interval)
            #expect(both.series.numbers == naive.numbers)
            #expect(both.series.isLoaded)
            // REST never contradicted the trades.
            #expect(both.series.allSatisfy { !$0.isCorrected })
            try expectAverages(of: both.series)
        }
    }

    @Test("closed buckets are exact also with repeated prices", arguments: CandleInterval.allCases)
    func repeated(interval: CandleInterval) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = RandomTrades(seed: seed)
            let trades = random.list(900, within: .milliseconds(2_000), kinds: 2)
            var both = RestAndStream(
                trades,
                interval,
                from: 300,
                latency: .milliseconds(300),
                seed: seed
            )
            for index in [310, 400, 700, 899] {
                both.read(at: trades[index].executedAt.advanced(by: .seconds(1)))
            }
            both.hear(until: .noon(99_999))
            let naive = NaiveCandles.candles(of: trades, interval)
            #expect(both.series.dropLast().numbers == naive.dropLast().numbers)
            #expect(both.series.last?.openTime == naive.last?.openTime)
            #expect(both.series.last?.close == naive.last?.close)
            try expectAverages(of: both.series)
        }
    }

    @Test("the running candle is built from the tape if it has every trade")
    func tape() {
        var random = RandomTrades(seed: 31, from: .noon(-30))
        // All prices are equal, so they identify nothing.
        let trades = random.list(300, within: .milliseconds(500), kinds: 1)
        var both = RestAndStream(trades, .hour1, from: 0, latency: .milliseconds(300), seed: 3)
        both.readTrades(at: trades[100].executedAt)
        both.read(at: trades[200].executedAt)
        both.hear(until: .noon(99_999))
        #expect(both.series.numbers == NaiveCandles.candles(of: trades, .hour1).numbers)
    }

    @Test("a page after a loss restores the exact series", arguments: CandleInterval.allCases)
    func loss(interval: CandleInterval) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = RandomTrades(seed: seed)
            let trades = random.list(900, within: .seconds(4))
            var both = RestAndStream(
                trades,
                interval,
                from: 100,
                latency: .milliseconds(300),
                seed: seed
            )
            both.read(at: trades[150].executedAt)
            both.hear(until: trades[400].executedAt)
            both.series.markLoss(from: trades[400].executedAt)
            both.tape.markLoss(at: trades[400].executedAt)
            #expect(!both.series.isLoaded)
            both.hear(until: trades[500].executedAt, isLost: true)
            both.hear(until: trades[520].executedAt)
            #expect(!both.series.isLoaded)
            both.read(at: trades[520].executedAt)
            #expect(both.series.isLoaded)
            both.hear(until: .noon(99_999))
            #expect(both.series.numbers == NaiveCandles.candles(of: trades, interval).numbers)
            // Candles known to be incomplete were not wrong.
            #expect(both.series.allSatisfy { !$0.isCorrected })
            try expectAverages(of: both.series)
        }
    }
}

@Suite("Candle page: corrections")
struct CandleCorrectionTests {
    private static func candle(
        _ minute: Int,
        _ close: FixedDecimal,
        _ volume: FixedDecimal = "1",
        origin: Candle.Origin = .rest
    ) -> Candle {
        Candle(
            openTime: .noon(minute * 60),
            open: close,
            high: close,
            low: close,
            close: close,
            volume: volume,
            origin: origin
        )
    }

    private static func page(_ candles: [Candle], at second: Int) -> CandlePage {
        CandlePage(
            market: "BTC_KRW",
            interval: .minute1,
            candles: candles,
            requestedAt: .noon(second),
            answeredAt: .noon(second)
        )
    }

    private static func series(_ closes: [(Int, FixedDecimal)]) -> CandleSeries {
        var series = CandleSeries(interval: .minute1)
        series.apply(page([], at: -600), tape: TradeTape())
        for (minute, close) in closes {
            series.apply(Trade("BTC_KRW", price: close, at: .noon(minute * 60 + 10)))
        }
        return series
    }

    @Test("candles with other numbers than the trades stay marked as corrected")
    func corrected() throws {
        var series = Self.series([(0, "5"), (1, "6"), (2, "7"), (3, "8")])
        let rows = [Self.candle(0, "5"), Self.candle(1, "6", "9"), Self.candle(2, "7")]
        series.apply(Self.page(rows, at: 185), tape: TradeTape())
        #expect(series.map(\.origin) == [.rest, .rest, .rest, .live])
        #expect(series.map(\.isCorrected) == [false, true, false, false])
        #expect(series.map(\.volume) == ["1", "9", "1", "1"])
        #expect(series.finalUntil == .noon(180))
        try expectAverages(of: series, [1, 2, 3, 4])
        series.apply(Self.page(rows + [Self.candle(3, "8")], at: 245), tape: TradeTape())
        #expect(series.map(\.isCorrected) == [false, true, false, false])
        #expect(series.map(\.origin) == [.rest, .rest, .rest, .rest])
    }

    @Test("late trades do not change settled candles")
    func final() {
        var series = Self.series([(0, "5"), (1, "6")])
        series.apply(Self.page([Self.candle(0, "5")], at: 65), tape: TradeTape())
        let before = Array(series)
        series.apply(Trade("BTC_KRW", price: "9", at: .noon(59)))
        #expect(Array(series) == before)
        #expect(series.dropped == 0)
    }

    @Test("a candle that REST lacks is removed if REST has a later one")
    func holes() {
        var series = Self.series([(0, "5"), (1, "6"), (2, "7")])
        series.apply(
            Self.page([Self.candle(0, "5"), Self.candle(2, "7")], at: 200),
            tape: TradeTape()
        )
        #expect(series.map(\.close) == ["5", "7"])
        // A lagging answer removes nothing.
        series.apply(Trade("BTC_KRW", price: "8", at: .noon(250)))
        series.apply(Self.page([Self.candle(0, "5")], at: 400), tape: TradeTape())
        #expect(series.map(\.close) == ["5", "7", "8"])
    }

    @Test("an answer to an earlier request does not change a later one's candles")
    func order() {
        var series = CandleSeries(interval: .minute1)
        series.apply(
            Self.page([Self.candle(2, "7"), Self.candle(3, "8")], at: 250),
            tape: TradeTape()
        )
        series.apply(
            Self.page([Self.candle(1, "6"), Self.candle(2, "1"), Self.candle(3, "2")], at: 200),
            tape: TradeTape()
        )
        #expect(series.map(\.close) == ["6", "7", "8"])
        #expect(series.finalUntil == .noon(240))
    }

    @Test("stored candles only fill empty buckets")
    func store() throws {
        let stored = (-3...4).map { Self.candle($0, "1", origin: .store) }
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page(stored, at: 300), tape: TradeTape())
        #expect(series.count == 8 && !series.isLoaded && series.finalUntil == nil)
        series.apply(
            Self.page([Self.candle(0, "5"), Self.candle(2, "7")], at: 400),
            tape: TradeTape()
        )
        #expect(series.isLoaded)
        #expect(series.map(\.close) == ["1", "1", "1", "5", "7"])
        series.apply(
            Self.page(stored + [Self.candle(5, "2", origin: .store)], at: 500),
            tape: TradeTape()
        )
        #expect(series.map(\.close) == ["1", "1", "1", "5", "7"])
        #expect(series.map(\.origin) == [.store, .store, .store, .rest, .rest])
        try expectAverages(of: series, [1, 2, 5])
    }

    @Test("repeated rows count once, also off the grid")
    func grid() {
        var rows = [
            Self.candle(0, "5"), Self.candle(1, "6"), Self.candle(0, "5"), Self.candle(2, "7"),
        ]
        rows[3].openTime = .noon(2 * 60 + 47)
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page(rows, at: 167), tape: TradeTape())
        #expect(series.map(\.openTime) == [.noon(0), .noon(60), .noon(120)])
        #expect(series.map(\.close) == ["5", "6", "7"])
    }

    @Test("the first price of a new listing may lie outside high and low")
    func listing() {
        var row = Self.candle(0, "5")
        row.open = "50"
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page([row], at: 20), tape: TradeTape())
        series.apply(Trade("BTC_KRW", price: "6", at: .noon(30)))
        #expect(series.last?.isOpenOutside == true)
        #expect(series.last?.open == "50" && series.last?.high == "6" && series.last?.low == "5")
    }

    @Test("an empty answer means no trades")
    func empty() {
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page([], at: 20), tape: TradeTape())
        #expect(series.isLoaded && series.isEmpty)
        series.apply(Trade("BTC_KRW", price: "6", at: .noon(30)))
        #expect(series.map(\.close) == ["6"])
    }

    @Test("a page may have any length", arguments: [1, 2, 5_000, 50_000])
    func length(count: Int) throws {
        let rows = (0..<count).map { Self.candle($0, FixedDecimal(Int64($0 % 997 + 1))) }
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page(rows, at: count * 60), tape: TradeTape())
        #expect(series.elementsEqual(rows))
        let last = count - 1
        series.apply(Trade("BTC_KRW", price: "3", at: .noon(count * 60 + 1)))
        for window in CandleSeries.averageWindows {
            let candles = Array(series)
            for index in [last, last + 1] where index >= 0 {
                let naive = try NaiveCandles.average(.close, window, at: index, in: candles)
                #expect(series.average(.close, window: window, at: index) == naive)
            }
        }
    }
}
