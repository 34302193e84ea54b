import TestSupport
import Testing

@testable import Domain

@Suite("Closes of minutes equal a naive computation from all trades")
struct MinuteClosesTests {
    private static let coin: MarketID = "XRP_KRW"
    private static let minutes = 240

    /// A market's whole history, of which the closes see parts.
    private struct History {
        let trades: [Trade]

        init(_ generator: inout SeededGenerator) {
            // Some histories have many trades a minute, some one in an hour.
            let pause = Int64.random(in: 5...3_600, using: &generator) * 1_000_000
            var trades: [Trade] = []
            var at = Timestamp.noon(0)
            while true {
                at = Timestamp(
                    microseconds: at.microseconds + .random(in: 0...2 * pause, using: &generator)
                )
                guard at < Self.time(minutes) else { break }
                let price = FixedDecimal(Int64.random(in: 100...103, using: &generator))
                trades.append(Trade(coin, price: price, at: at))
            }
            self.trades = trades
        }

        static func time(_ minute: Int) -> Timestamp { .noon(minute * 60) }

        /// The price of the last trade before a moment.
        func close(before moment: Timestamp) -> FixedDecimal? {
            trades.last { $0.executedAt < moment }?.price
        }

        /// The complete candles until a moment.
        func page(
            _ interval: CandleInterval,
            from first: Timestamp = .noon(-3_600),
            until: Timestamp,
            count: Int = .max
        ) -> ClosePage {
            let end = interval.bucketStart(of: until)
            var rows: [ClosePage.Row] = []
            for trade in trades where trade.executedAt < end && trade.executedAt >= first {
                let row = ClosePage.Row(
                    openTime: interval.bucketStart(of: trade.executedAt),
                    close: trade.price
                )
                if rows.last?.openTime == row.openTime { rows.removeLast() }
                rows.append(row)
            }
            return ClosePage(
                market: coin,
                interval: interval,
                rows: rows.suffix(count),
                until: end,
                isWhole: count == .max
            )
        }
    }

    private static func check(_ closes: MinuteCloses, _ history: History, _ moment: Timestamp) {
        let naive = history.close(before: moment)
        switch closes.close(at: moment) {
        case .known(let price, isExact: true): #expect(price == naive)
        case .known(let price, isExact: false):
            let recent = (1..<10).map { moment.advanced(by: .seconds(-60 * $0)) }
            #expect(recent.contains { history.close(before: $0) == price })
        case .none(isExact: true): #expect(naive == nil)
        case .none(isExact: false):
            #expect(history.close(before: moment.advanced(by: .seconds(-540))) == nil)
        case .unknown: break
        }
    }

    @Test(
        "for any mixture of pages, trades and lost connections",
        arguments: 1...60 as ClosedRange<UInt64>
    )
    func mixture(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = History(&generator)
        var closes = MinuteCloses()
        var next = 0
        var followedFrom: Int?
        for minute in 1..<Self.minutes {
            let now = History.time(minute)
            // A minute of trades, whose connection may be lost within it.
            while next < history.trades.count, history.trades[next].executedAt < now {
                closes.record(history.trades[next])
                next += 1
            }
            switch Int.random(in: 0..<30, using: &generator) {
            case 0:
                closes.lose(at: now)
                followedFrom = nil
            case 1 where followedFrom == nil:
                closes.follow(from: now, price: history.close(before: now))
                followedFrom = minute
            case 2: closes.add(history.page(.minute1, until: now))
            case 3: closes.add(history.page(.minutes10, until: now))
            case 4:
                let moment = History.time(Int.random(in: 0...minute, using: &generator))
                let page = history.page(.minute1, until: moment, count: 1)
                closes.add(page)
                let naive = history.close(before: moment)
                let isKnown =
                    closes.close(at: moment) == .known(naive ?? .zero, isExact: true)
                #expect(isKnown || naive == nil)
            default: break
            }
            Self.check(closes, history, History.time(Int.random(in: 0...minute, using: &generator)))
            if let followedFrom, history.close(before: History.time(followedFrom)) != nil {
                let moment = History.time(Int.random(in: followedFrom...minute, using: &generator))
                #expect(closes.close(at: moment) != .unknown)
                Self.check(closes, history, moment)
            }
        }
    }

    @Test(
        "after one page of minutes every minute before is exact",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func wholePage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = History(&generator)
        var closes = MinuteCloses()
        closes.add(history.page(.minute1, until: History.time(Self.minutes)))
        for minute in 0...Self.minutes {
            let moment = History.time(minute)
            let expected =
                history.close(before: moment)
                .map { MinuteCloses.Close.known($0, isExact: true) } ?? .none(isExact: true)
            #expect(closes.close(at: moment) == expected)
        }
    }

    @Test("a page of ten minutes keeps the base moving until own minutes reach back")
    func resolution() {
        var generator = SeededGenerator(seed: 7)
        let history = History(&generator)
        var closes = MinuteCloses()
        closes.add(history.page(.minutes10, until: History.time(180)))
        closes.follow(from: History.time(183), price: history.close(before: History.time(183)))
        for trade in history.trades where trade.executedAt >= History.time(183) {
            closes.record(trade)
        }
        let first = history.trades.first.map(\.executedAt) ?? .noon(0)
        for minute in 0..<Self.minutes where History.time(minute) > first {
            let moment = History.time(minute)
            Self.check(closes, history, moment)
            if moment >= CandleInterval.minutes10.nextBucket(after: first) {
                #expect(closes.close(at: moment) != .unknown)
            }
            if minute >= 183 || minute % 10 == 0 {
                let naive = history.close(before: moment) ?? .zero
                #expect(closes.close(at: moment) == .known(naive, isExact: true))
            }
        }
    }

    @Test("a minute during which the connection was lost has no close")
    func loss() {
        var closes = MinuteCloses()
        closes.follow(from: .noon(0), price: "10")
        closes.record(Trade(Self.coin, price: "11", at: .noon(61)))
        closes.lose(at: .noon(90))
        #expect(closes.close(at: .noon(60)) == .known("10", isExact: true))
        #expect(closes.close(at: .noon(120)) == .known("10", isExact: false))
        #expect(closes.close(at: .noon(660)) == .unknown)
    }

    @Test("trades that arrive late close their minute if they are its last ones")
    func lateTrades() {
        var closes = MinuteCloses()
        closes.follow(from: .noon(60), price: "10", tradedAt: .noon(50))
        func record(_ price: FixedDecimal, _ milliseconds: Int) {
            let at = Timestamp.noon(plus: .milliseconds(milliseconds))
            closes.record(Trade(Self.coin, price: price, at: at))
        }
        func expect(_ price: FixedDecimal, _ second: Int) {
            #expect(closes.close(at: .noon(second)) == .known(price, isExact: true))
        }
        record("9", 45_000)
        expect("10", 60)
        record("11", 118_000)
        record("12", 120_100)
        record("13", 119_900)
        expect("13", 120)
        record("14", 119_800)
        expect("13", 120)
        record("15", 150_000)
        record("16", 140_000)
        record("17", 310_000)
        expect("15", 180)
        record("18", 239_000)
        expect("15", 180)
        expect("18", 240)
        expect("18", 300)
        record("19", 370_000)
        expect("17", 360)
        // A whole minute later it closes nothing.
        record("1", 230_000)
        expect("18", 240)
        expect("17", 360)
    }

    @Test("a loss that began before the last trades discards their minutes")
    func earlierLoss() {
        var closes = MinuteCloses()
        closes.follow(from: .noon(0), price: "10")
        for (second, price) in [(10, "11"), (70, "12"), (130, "13")] {
            guard let price = try? FixedDecimal(parsing: price) else { continue }
            closes.record(Trade(Self.coin, price: price, at: .noon(second)))
        }
        closes.lose(at: .noon(65))
        #expect(closes.close(at: .noon(60)) == .known("11", isExact: true))
        #expect(closes.close(at: .noon(120)) == .known("11", isExact: false))
        #expect(closes.close(at: .noon(180)) == .known("11", isExact: false))
    }

    /// A page of a day and an hour, with a trade in every minute.
    private static func lastDay(until end: Int) -> ClosePage {
        ClosePage(
            market: coin,
            interval: .minute1,
            rows: (max(0, end - 1_500)..<end).map { minute in
                .init(openTime: .noon(minute * 60), close: FixedDecimal(Int64(minute % 7 + 1)))
            },
            until: .noon(end * 60),
            isWhole: true
        )
    }

    @Test("the closes of a day and an hour are kept, and no more")
    func bound() {
        var closes = MinuteCloses()
        closes.follow(from: .noon(0), price: "1")
        for minute in 0..<10_000 {
            let price = FixedDecimal(Int64(minute % 7 + 1))
            closes.record(Trade(Self.coin, price: price, at: .noon(minute * 60)))
            if minute % 700 == 0 { closes.add(Self.lastDay(until: minute)) }
            #expect(closes.stepCount <= Int(MinuteCloses.minutesMax) + 62)
        }
        let day = Timestamp.noon((9_999 - 24 * 60) * 60)
        let expected = FixedDecimal(Int64((9_998 - 24 * 60) % 7 + 1))
        #expect(closes.close(at: day) == .known(expected, isExact: true))
    }
}
