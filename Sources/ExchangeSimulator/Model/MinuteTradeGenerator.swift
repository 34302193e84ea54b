import Domain

/// Splits a minute of the past into single trades that add up to it exactly.
struct MinuteTradeGenerator {
    let ladder: PriceGrid
    /// Usual number of trades in a minute, 2...100.
    let countUsual: Int

    private static let microsecondsPerMinute: Int64 = 60_000_000
    /// Open, high, low and close.
    private static let countMin = 4

    /// The trades of a minute with trades, oldest first.
    ///
    /// Their first price is its open, their last its close. Extremes and volume of either side are
    /// equal too.
    func trades(
        of minute: Minute,
        number: Int,
        random: inout SeededRandom
    ) -> [SimulatedTrade] {
        let count = max(Self.countMin, countUsual * random.number(in: 50...150) / 100)
        let prices = prices(of: minute, count: count, random: &random)
        var sides = (0..<count).map { _ in random.happens(500) }
        // A minute has volume of both sides.
        sides[0] = true
        sides[1] = false
        let boughtCount = sides.count { $0 }
        var bought = parts(of: minute.bought / 100, count: boughtCount, random: &random)
        var sold = parts(of: minute.sold / 100, count: count - boughtCount, random: &random)
        let start = Int64(number) * Self.microsecondsPerMinute
        let slot = Self.microsecondsPerMinute / Int64(count)
        var last = minute.open
        var trades = (0..<count).map { index in
            let isUp = prices[index] > last
            last = prices[index]
            let at = start + Int64(index) * slot + Int64(random.below(Int(slot)))
            return SimulatedTrade(
                price: prices[index],
                quantity: sides[index] ? bought.removeLast() : sold.removeLast(),
                isBuy: sides[index],
                isUp: isUp,
                at: Timestamp(microseconds: at)
            )
        }
        trades.count(after: nil)
        return trades
    }

    private func prices(
        of minute: Minute,
        count: Int,
        random: inout SeededRandom
    ) -> [Int64] {
        let range = Int(minute.high - minute.low) + 1
        var prices = (0..<count).map { _ in
            max(minute.low, ladder.price(atMost: minute.low + Int64(random.below(range))))
        }
        prices[0] = minute.open
        prices[count - 1] = minute.close
        let isHighFirst = random.happens(500)
        prices[1] = isHighFirst ? minute.high : minute.low
        prices[count - 2] = isHighFirst ? minute.low : minute.high
        return prices
    }

    /// A sum split into parts above zero; the sum is not smaller than their number.
    private func parts(
        of sum: Int128,
        count: Int,
        random: inout SeededRandom
    ) -> [Int64] {
        let shares = (0..<count).map { _ in Int128(random.number(in: 1...1_000)) }
        let total = shares.reduce(0, +)
        let free = sum - Int128(count)
        var parts = shares.map { Int64(1 + free * $0 / total) }
        parts[0] += Int64(sum - parts.reduce(0) { $0 + Int128($1) })
        return parts
    }
}

/// The last trades of a market.
struct RecentTrades: Sendable {
    /// Maximum number of trades in an answer of API 1.x.
    static let answerMax = 100

    /// Maximum number of trades kept; the oldest is evicted.
    let capacity: Int
    private var ring: [SimulatedTrade] = []
    /// Position of the next trade once the ring is full.
    private var next = 0

    init(capacity: Int = Self.answerMax) { self.capacity = capacity }

    mutating func add(_ trade: SimulatedTrade) {
        if ring.count < capacity {
            ring.append(trade)
        } else {
            ring[next] = trade
            next = (next + 1) % capacity
        }
    }

    var count: Int { ring.count }

    /// The newest one.
    var last: SimulatedTrade? {
        ring.isEmpty ? nil : ring[(next + ring.count - 1) % ring.count]
    }

    /// All of them, oldest first.
    var all: [SimulatedTrade] { Array(ring[next...] + ring[..<next]) }
}
