import Domain
import Testing

@testable import ExchangeSimulator

@Suite("A simulated exchange is exact, plausible and deterministic")
struct SimulatedExchangeTests {
    /// A moment of an ordinary morning in Seoul.
    static let start = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 9, minute: 3)

    static func exchange(
        seed: UInt64,
        won: Int = 30,
        bitcoin: Int = 5,
        start: Timestamp = start
    ) -> SimulatedExchange {
        var simulation = ExchangeSimulator.Simulation(seed: seed, framesPerSecond: 1)
        simulation.wonMarkets = won
        simulation.bitcoinMarkets = bitcoin
        return SimulatedExchange(simulation, start: start, random: SeededRandom(seed: seed))
    }

    /// Runs for a while in uneven steps.
    static func run(
        _ exchange: inout SimulatedExchange,
        seconds: Int,
        framesPerSecond: Int,
        stepSeed: UInt64,
        emit: (SimulatedExchange.Event, SimulatedMarket) -> Void
    ) {
        var steps = SeededRandom(seed: stepSeed)
        let end = exchange.now.advanced(by: .seconds(seconds))
        while exchange.now < end {
            let step = exchange.now.advanced(by: .milliseconds(steps.number(in: 5...900)))
            exchange.advance(
                to: min(step, end),
                framesPerSecond: framesPerSecond,
                framesPerEvent: 6,
                emit: emit
            )
        }
    }

    @Test("prices are above zero and on the tick table, whatever the seed", arguments: 1...4)
    func prices(seed: UInt64) {
        var exchange = Self.exchange(seed: seed, won: 60, bitcoin: 13)
        for market in exchange.markets {
            let ladder = market.ladder
            let isRight = ((market.history.minute - 1_440)...market.history.minute).allSatisfy {
                let minute = market.history[$0]
                guard minute.high != .min else { return ladder.contains(minute.close) }
                return minute.low <= minute.close && minute.close <= minute.high
                    && ladder.contains(minute.close) && ladder.contains(minute.low)
                    && ladder.contains(minute.high)
            }
            #expect(isRight, "\(market.id)")
        }
        Self.run(&exchange, seconds: 60, framesPerSecond: 600, stepSeed: seed) { event, market in
            let isRight = event.trades.allSatisfy {
                market.ladder.contains($0.price) && $0.quantity > 0
            }
            #expect(isRight, "\(market.id) \(event)")
        }
    }

    @Test("prices cover every band of the tick table")
    func bands() {
        let exchange = Self.exchange(seed: 3, won: 480, bitcoin: 13)
        let prices = exchange.markets.filter { $0.id.quote == .krw }
            .map { PriceGrid.krw.decimal($0.price) }
        for (band, next) in zip(TickTable.krw, TickTable.krw.dropFirst()) {
            #expect(prices.contains { band.from <= $0 && $0 < next.from }, "\(band.from)")
        }
        #expect(prices.contains { TickTable.krw[TickTable.krw.count - 1].from <= $0 })
        #expect(Set(exchange.markets.map(\.id)).count == 494)
    }

    @Test("windows equal a recomputation from all minutes and trades", arguments: 1...2)
    func windows(seed: UInt64) {
        var exchange = Self.exchange(seed: seed, won: 5, bitcoin: 2)
        var naive = NaiveFigures(exchange)
        // Across midnight in Seoul and beyond a day, in jumps: some thirty hours.
        var steps = SeededRandom(seed: seed)
        for _ in 0..<60 {
            let step = exchange.now.advanced(by: .seconds(steps.number(in: 1...3_600)))
            exchange.advance(to: step, framesPerSecond: 60, framesPerEvent: 6) { event, _ in
                naive.add(event)
            }
            for (place, market) in exchange.markets.enumerated() {
                for period in TickerPeriod.allCases {
                    let expected = naive.figures(of: period, market: place, at: exchange.now)
                    #expect(market.sums(of: period) == expected.sums, "\(market.id) \(period)")
                    #expect(market.open(of: period) == expected.open, "\(market.id) \(period)")
                }
                #expect(market.price == naive.lastPrice(of: place))
                #expect(market.day.previousClose == naive.previousClose[place])
            }
        }
    }

    @Test("all trades of an order lie in the minute whose figures they change", arguments: 1...20)
    func minuteEnds(microsecondsBefore: Int64) {
        let midnight = SeoulTime.startOfDay(SeoulTime(Self.start).day + 1)
        var exchange = Self.exchange(
            seed: UInt64(microsecondsBefore),
            start: midnight.advanced(by: .microseconds(-microsecondsBefore - 1))
        )
        var orders = 0
        // So many events within each microsecond that orders with several trades are among them.
        for before in (1...microsecondsBefore).reversed() {
            exchange.advance(
                to: midnight.advanced(by: .microseconds(-before)),
                framesPerSecond: 50_000_000,
                framesPerEvent: 1
            ) { event, market in
                let minutes = Set(event.trades.map { SeoulMinute.number(of: $0.at) })
                #expect(minutes == [market.history.minute], "\(event)")
                orders += event.trades.count > 1 ? 1 : 0
            }
        }
        #expect(orders > 0)
    }

    @Test("the same seed and steps give the same bytes, another seed others")
    func determinism() {
        func bytes(seed: UInt64) -> [UInt8] {
            var exchange = Self.exchange(seed: seed)
            var writer = FrameWriter()
            var bytes: [UInt8] = []
            Self.run(&exchange, seconds: 20, framesPerSecond: 600, stepSeed: 9) { event, market in
                bytes += writer.transaction(event.trades, of: market)
                bytes += writer.ticker(.midnight, of: market, at: event.trades[0].at)
            }
            return bytes
        }
        let first = bytes(seed: 5)
        #expect(first.count > 100_000)
        #expect(first == bytes(seed: 5))
        #expect(first != bytes(seed: 6))
    }

    @Test("the rate is exact over uneven steps", arguments: [1, 7, 100, 2_000])
    func rate(framesPerSecond: Int) {
        var exchange = Self.exchange(seed: 1)
        var events = 0
        Self.run(&exchange, seconds: 60, framesPerSecond: framesPerSecond, stepSeed: 2) { _, _ in
            events += 1
        }
        #expect(events == framesPerSecond * 60 / 6)
    }

    @Test("the busiest market trades several times a second even at a low rate")
    func busiest() {
        var exchange = Self.exchange(seed: 1, won: 60, bitcoin: 13)
        var last = exchange.now
        var longest: Duration = .zero
        Self.run(&exchange, seconds: 60, framesPerSecond: 100, stepSeed: 2) { event, _ in
            guard event.market == 0 else { return }
            longest = max(longest, event.trades[0].at.duration(since: last))
            last = event.trades[0].at
        }
        #expect(longest > .zero && longest < .milliseconds(400))
    }

    @Test("trades are in order of time, and up only after a price increase")
    func order() {
        var exchange = Self.exchange(seed: 4)
        var last = exchange.now
        var prices = exchange.markets.map(\.price)
        var severalInOne = 0
        Self.run(&exchange, seconds: 60, framesPerSecond: 1_200, stepSeed: 4) { event, _ in
            if event.trades.count > 1 { severalInOne += 1 }
            for trade in event.trades {
                #expect(trade.at > last)
                #expect(trade.isUp == (trade.price > prices[event.market]))
                prices[event.market] = trade.price
                last = trade.at
            }
        }
        #expect(severalInOne > 0)
    }

    @Test("turnover is heavily skewed toward the first market")
    func skew() {
        let exchange = Self.exchange(seed: 1, won: 150, bitcoin: 13)
        let turnovers = exchange.markets.filter { $0.id.quote == .krw }
            .map { $0.sums(of: .hours24).value }
        let total = turnovers.reduce(0, +)
        #expect(turnovers.max() == turnovers[0])
        #expect(turnovers[0] * 10 > total)
        #expect(turnovers[..<20].reduce(0, +) * 2 > total)
    }

    @Test("quiet and suspended coins never trade")
    func quiet() {
        var exchange = Self.exchange(seed: 1, won: 10, bitcoin: 3)
        let silent = exchange.markets.indices.filter { place in
            let market = exchange.markets[place]
            return market.weight == 0 || market.standing == .suspended
        }
        #expect(silent.count == 5)
        #expect(silent.allSatisfy { !exchange.markets[$0].sums(of: .hours24).hasTrades })
        Self.run(&exchange, seconds: 60, framesPerSecond: 6_000, stepSeed: 4) { event, _ in
            #expect(!silent.contains(event.market))
        }
    }

    @Test("a listed coin trades, a suspended one stops, and can be relisted")
    func listings() throws {
        var exchange = Self.exchange(seed: 1, won: 5, bitcoin: 1)
        let new = try #require(MarketID(name: "FRESH_KRW"))
        func trades(of id: MarketID) -> Int {
            var count = 0
            Self.run(&exchange, seconds: 30, framesPerSecond: 6_000, stepSeed: 4) { _, market in
                if market.id == id { count += 1 }
            }
            return count
        }
        #expect(trades(of: new) == 0)
        try exchange.apply(.list(new))
        #expect(trades(of: new) > 0)
        try exchange.apply(.suspend(new))
        #expect(trades(of: new) == 0)
        try exchange.apply(.list(new))
        #expect(trades(of: new) > 0)
        #expect(exchange.markets.last?.id == new)
    }

    @Test("a suspended process resumes with one second's trades, without a burst")
    func sleep() {
        var exchange = Self.exchange(seed: 1)
        var events = 0
        exchange.advance(
            to: exchange.now.advanced(by: .seconds(100_000)),
            framesPerSecond: 600,
            framesPerEvent: 6
        ) { _, _ in events += 1 }
        #expect(events == 100)
        #expect(exchange.markets[0].history.minute == SeoulMinute.number(of: exchange.now))
    }
}

/// Figures of markets recomputed from a list of all events.
private struct NaiveFigures {
    private var minutes: [[Int: Minute]] = []
    private(set) var previousClose: [Int64]
    private var firstOfDay: [Int64?]
    private var daySums: [MinuteSums]
    private var day: Int

    init(_ exchange: SimulatedExchange) {
        for market in exchange.markets {
            let last = market.history.minute
            minutes.append(
                Dictionary(
                    uniqueKeysWithValues: ((last - 1_440)...last).map { ($0, market.history[$0]) }
                )
            )
        }
        previousClose = exchange.markets.map(\.day.previousClose)
        firstOfDay = exchange.markets.map(\.day.open)
        daySums = exchange.markets.map(\.day.sums)
        day = SeoulTime(exchange.now).day
    }

    mutating func add(_ event: SimulatedExchange.Event) {
        for trade in event.trades {
            startDay(at: trade.at)
            let number = Int(trade.at.second) / 60
            var minute = minutes[event.market][number] ?? Minute(close: trade.price)
            minute.add(trade)
            minutes[event.market][number] = minute
            if firstOfDay[event.market] == nil { firstOfDay[event.market] = trade.price }
            var single = Minute(close: trade.price)
            single.add(trade)
            daySums[event.market].add(single)
        }
    }

    mutating func figures(
        of period: TickerPeriod,
        market: Int,
        at time: Timestamp
    ) -> (sums: MinuteSums, open: Int64) {
        startDay(at: time)
        guard let window = period.window else {
            return (daySums[market], firstOfDay[market] ?? previousClose[market])
        }
        let last = Int(time.second) / 60
        let length = MinuteHistory.windowMinutes[window]
        var sums = MinuteSums()
        for number in (last - length + 1)...last {
            if let minute = minutes[market][number] { sums.add(minute) }
        }
        // The close of the minute before the window, or of the last traded one before that.
        let known = minutes[market].keys.filter { $0 <= last - length }.max()
        return (sums, known.flatMap { minutes[market][$0]?.close } ?? 0)
    }

    func lastPrice(of market: Int) -> Int64? {
        minutes[market].keys.max().flatMap { minutes[market][$0]?.close }
    }

    private mutating func startDay(at time: Timestamp) {
        let today = SeoulTime(time).day
        guard today != day else { return }
        day = today
        for market in minutes.indices {
            previousClose[market] = lastPrice(of: market) ?? 0
            firstOfDay[market] = nil
            daySums[market] = MinuteSums()
        }
    }
}
