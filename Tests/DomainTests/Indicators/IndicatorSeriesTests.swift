import TestSupport
import Testing

@testable import Domain

@Suite("Indicators of a series")
struct IndicatorSeriesTests {
    private static let selection = IndicatorSelection(
        averages: [
            MovingAverage(.simple, window: 7), MovingAverage(.exponential, window: 7),
            MovingAverage(.exponential, window: 50),
        ],
        studies: Set(ChartStudy.allCases)
    )

    private static func closes(_ seed: UInt64, count: Int) -> [FixedDecimal] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in FixedDecimal(Int64.random(in: 900...1_100, using: &generator))
        }
    }

    private static func update(_ table: inout IndicatorSeries, _ closes: [FixedDecimal]) {
        table.update(count: closes.count) {
            (Timestamp(microseconds: Int64($0) * 60_000_000), closes[$0])
        }
    }

    private static func fresh(_ closes: [FixedDecimal]) -> IndicatorSeries {
        var table = IndicatorSeries(selection)
        update(&table, closes)
        return table
    }

    private static func agree(_ left: IndicatorSeries, _ right: IndicatorSeries) -> Bool {
        left.averages == right.averages && left.bands == right.bands
            && left.strength == right.strength && left.convergence == right.convergence
    }

    @Test("every indicator of a table is the one that its own type defines")
    func definitions() throws {
        let closes = Self.closes(1, count: 200)
        let table = Self.fresh(closes)
        var (average, strength) = (ExponentialAverage(window: 50), RelativeStrengthIndex())
        var convergence = MACD()
        #expect(
            table.averages[MovingAverage(.exponential, window: 50)]
                == closes.map { average.add($0) }
        )
        #expect(table.strength == closes.map { strength.add($0) })
        #expect(table.convergence == closes.map { convergence.add($0) })
        var series = CandleSeries(interval: .minute1)
        for (index, close) in closes.enumerated() {
            series.storage.append(
                .init(
                    Candle(
                        openTime: Timestamp(microseconds: Int64(index) * 60_000_000),
                        open: close,
                        high: close,
                        low: close,
                        close: close,
                        volume: .one,
                        origin: .rest
                    )
                )
            )
        }
        let simple = try #require(table.averages[MovingAverage(.simple, window: 7)])
        for index in closes.indices {
            #expect(simple[index] == series.average(.close, window: 7, at: index))
            #expect(table.bands[index] == series.bollingerBands(at: index))
        }
    }

    @Test("a table after any updates equals one made at once", arguments: 0..<8 as Range<UInt64>)
    func updates(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var closes = Self.closes(seed, count: 90)
        var table = Self.fresh(closes)
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: closes.append(contentsOf: Self.closes(generator.next(), count: 3))
            case 1 where closes.count > 4:
                closes.removeLast(Int.random(in: 1...3, using: &generator))
            case 2 where !closes.isEmpty: closes[closes.count / 2] = FixedDecimal(1_234)
            case 3: closes = []
            default: closes = closes.dropLast() + Self.closes(generator.next(), count: 1)
            }
            Self.update(&table, closes)
            #expect(table.count == closes.count)
            #expect(Self.agree(table, Self.fresh(closes)))
        }
    }

    @Test("a change of the newest close computes one candle, the same closes none")
    func cost() {
        var closes = Self.closes(3, count: 500)
        var table = Self.fresh(closes)
        Self.update(&table, closes)
        #expect(table.computedCount == 500)
        closes[499] = FixedDecimal(1_000_000)
        Self.update(&table, closes)
        #expect(table.computedCount == 501)
        closes.append(FixedDecimal(7))
        Self.update(&table, closes)
        #expect(table.computedCount == 503)
    }

    @Test(
        "an average is read as people type it",
        arguments: [
            ("20", MovingAverage(.simple, window: 20)),
            ("sma 7", MovingAverage(.simple, window: 7)),
            ("EMA50", MovingAverage(.exponential, window: 50)),
            (" ema  400 ", MovingAverage(.exponential, window: 400)),
        ]
    )
    func parsing(text: String, average: MovingAverage) throws {
        #expect(try MovingAverage(parsing: text) == average)
    }

    @Test(
        "other words and windows are refused",
        arguments: ["1", "401", "-5", "+5", "EMA", "WMA 5", "２０", "5.5", "99999999999999999999"]
    )
    func refusals(text: String) {
        #expect(throws: InputError(.noAverage(2...400))) { try MovingAverage(parsing: text) }
        #expect(throws: InputError(.empty)) { try MovingAverage(parsing: " ") }
    }

    @Test("candles before the lead change no average by a billionth of their difference")
    func lead() throws {
        let average = MovingAverage(.exponential, window: 40)
        let lead = IndicatorSelection(averages: [average]).lead
        // The first candles of one series are a million higher.
        let tail = Self.closes(9, count: lead + 1)
        let far = Array(repeating: FixedDecimal(1_000_000), count: 40)
        var long = ExponentialAverage(window: 40)
        var short = ExponentialAverage(window: 40)
        for close in far + tail { long.add(close) }
        for close in tail { short.add(close) }
        let difference = try #require(long.value).units - (try #require(short.value)).units
        #expect(difference.magnitude < UInt128(FixedDecimal.unitsPerOne) / 1_000)
    }
}
