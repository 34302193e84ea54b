import Domain
import TestSupport

/// A stream of trades of several markets that a test can interrupt.
///
/// Trades arrive out of order, some very late. An interrupted stream lacks at most the trades of
/// its last two seconds.
struct MinuteStream {
    static let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW", "ETH_BTC"]

    var generator: SeededGenerator
    private(set) var now = Timestamp.noon(17)
    /// All trades in order of time, then arrival.
    private(set) var trades: [Trade] = []
    /// The minutes of which a subscriber knows every trade.
    private(set) var knowable: Set<Timestamp> = []
    private var pending: [(at: Timestamp, trade: Trade)] = []
    private var isSubscribed = false
    private var firstHeard: Timestamp?
    private var newestHeard: Timestamp?

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static func listing(at moment: Timestamp) -> [MarketEvent] {
        Quote.allCases.map { quote in
            .listing(
                Listing(quote, at: moment, markets.filter { $0.quote == quote }.map { .init($0) })
            )
        }
    }

    /// Advances the time.
    ///
    /// - Returns: the events of that time.
    mutating func advance(by duration: Duration) -> [MarketEvent] {
        let end = now.advanced(by: duration)
        while true {
            let step = Int64.random(in: 1...2_500_000, using: &generator)
            guard now.advanced(by: .microseconds(step)) < end else { break }
            now = now.advanced(by: .microseconds(step))
            trade()
        }
        now = end
        return deliver { $0.at <= end }
    }

    /// Advances the time without trades, as when a clock is set forward.
    mutating func jump(by duration: Duration) { now = now.advanced(by: duration) }

    /// Trades once in one market and delivers the trade.
    mutating func tick() -> [MarketEvent] {
        trade()
        return deliver { _ in true }
    }

    /// Starts delivering.
    mutating func subscribe() -> [MarketEvent] {
        isSubscribed = true
        firstHeard = nil
        return [.feed(.subscribed), .feed(.live)]
    }

    /// Stops delivering: events in flight are lost.
    mutating func cut() -> [MarketEvent] {
        let newest = newestHeard ?? now
        var events = deliver { $0.trade.executedAt.advanced(by: .seconds(2)) < newest }
        pending = []
        isSubscribed = false
        events.append(
            .feed(
                .reconnecting(
                    attempt: 1,
                    nextRetryAt: now,
                    failure: FeedFailure(code: .disconnected, detail: "", isRetryable: true)
                )
            )
        )
        return events
    }

    /// The candles of all trades, by market and minute.
    func candles() -> [MarketID: [Timestamp: Candle]] {
        Dictionary(grouping: trades, by: \.market).mapValues { trades in
            let candles = NaiveCandles.candles(of: trades, .minute1)
            return Dictionary(uniqueKeysWithValues: candles.map { ($0.openTime, $0) })
        }
    }

    private mutating func trade() {
        let number = Int64(trades.count + 1)
        let trade = Trade(
            market: Self.markets.randomElement(using: &generator) ?? "BTC_KRW",
            // All prices are different, so that a wrong one is found.
            price: FixedDecimal(Int64.random(in: 1...9, using: &generator) * 100_000 + number),
            quantity: FixedDecimal(units: Int128(Int64.random(in: 0...99, using: &generator))),
            side: .buy,
            executedAt: now
        )
        trades.append(trade)
        guard isSubscribed else { return }
        let isLate = Int.random(in: 0..<20, using: &generator) == 0
        let delay = Int64.random(in: 0...(isLate ? 200_000_000 : 1_900_000), using: &generator)
        pending.append((now.advanced(by: .microseconds(delay)), trade))
    }

    private mutating func deliver(
        where isDue: ((at: Timestamp, trade: Trade)) -> Bool
    ) -> [MarketEvent] {
        let due = pending.filter(isDue).sorted { $0.at < $1.at }
        pending.removeAll(where: isDue)
        for (_, trade) in due { hear(trade.executedAt) }
        return due.map { .trade($0.trade) }
    }

    /// Records known minutes by definition: whole minutes that began after the first delivered
    /// trade, and that ended two seconds before the newest.
    private mutating func hear(_ at: Timestamp) {
        guard let firstHeard else {
            if let newestHeard, at <= newestHeard { return }
            firstHeard = at
            newestHeard = at
            return
        }
        newestHeard = max(newestHeard ?? at, at)
        guard let newestHeard else { return }
        var minute = NaiveCandles.bucketStart(of: newestHeard, .minute1)
        while minute > firstHeard, !knowable.contains(minute) {
            let isBehind = minute.advanced(by: .seconds(62)) <= newestHeard
            let isAfter = minute >= firstHeard.advanced(by: .seconds(2))
            if isBehind, isAfter { knowable.insert(minute) }
            minute = minute.advanced(by: .seconds(-60))
        }
    }
}

/// Written candles, as a store has them.
struct WrittenMinutes {
    private(set) var rows: [MarketID: [Timestamp: MinuteCandleBatch.Row]] = [:]
    private(set) var covered: Set<Timestamp> = []

    mutating func write(_ minutes: MinuteCandleBatch) {
        for row in minutes.rows {
            let old = rows[row.market]?[row.candle.openTime]
            if let old, old.lastTradeAt > row.lastTradeAt { continue }
            rows[row.market, default: [:]][row.candle.openTime] = row
        }
        for span in minutes.covered {
            var minute = span.lowerBound
            while minute < span.upperBound {
                covered.insert(minute)
                minute = minute.advanced(by: .seconds(60))
            }
        }
    }

    var candles: [MarketID: [Timestamp: Candle]] { rows.mapValues { $0.mapValues(\.candle) } }
}
