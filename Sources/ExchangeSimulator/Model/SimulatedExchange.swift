import Domain

/// A whole exchange without a network: seeded markets that trade as time is passed in.
///
/// Pure and exact: integers throughout, no clock, no I/O. The same seed, start and sequence of
/// calls give the same trades.
struct SimulatedExchange: Sendable {
    /// The trades of one taker's order.
    struct Event: Sendable, Equatable {
        /// The place of the market in ``SimulatedExchange/markets``.
        var market: Int
        var trades: [SimulatedTrade]
    }

    /// All markets in the order of listing; places never change.
    private(set) var markets: [SimulatedMarket]
    /// How far the markets have come.
    private(set) var now: Timestamp

    /// The weight of the busiest market.
    private(set) var heaviestWeight = 1

    private var random: SeededRandom
    /// For each market the sum of the weights up to and with its own.
    private var weightSums: [Int] = []
    /// Frames owed, in millionths.
    private var credit: Int64 = 0

    /// The longest time that is made good in one step; what is beyond it is left out, so that a
    /// suspended process does not wake up to a flood.
    private static let stepMicrosecondsMax: Int64 = 1_000_000
    /// The market that clients judge the age of their data by trades at least this often, as far
    /// as the rate allows.
    private static let busiestMicrosecondsMax: Int64 = 250_000
    /// Draws the markets and makes up their last 24 hours.
    init(_ simulation: ExchangeSimulator.Simulation, start: Timestamp, random: SeededRandom) {
        var random = random
        let seeds = MarketCatalog.seeds(of: simulation, random: &random)
        let heaviest = seeds.map(\.weight).max() ?? 1
        // A generator each, so that a market's past does not depend on the others.
        markets = seeds.map { seed in
            SimulatedMarketFactory.market(
                of: PastMarket(
                    seed: seed,
                    heaviestWeight: heaviest,
                    start: start,
                    random: random.split()
                )
            )
        }
        now = start
        self.random = random
        sumWeights()
    }

    /// Moves on to a moment with as many events as the rate asks for.
    ///
    /// - Parameters:
    ///   - time: earlier moments than the last change nothing.
    ///   - framesPerSecond: how many frames the events are worth.
    ///   - framesPerEvent: how many frames one event makes.
    ///   - emit: takes each event after it has been applied.
    mutating func advance(
        to time: Timestamp,
        framesPerSecond: Int,
        framesPerEvent: Int,
        emit: (Event, SimulatedMarket) -> Void
    ) {
        let elapsed = time.microseconds - now.microseconds
        guard elapsed > 0 else { return }
        let counted = min(elapsed, Self.stepMicrosecondsMax)
        credit += counted * Int64(framesPerSecond)
        let cost = Int64(max(1, framesPerEvent)) * 1_000_000
        let count = weightSums.last ?? 0 > 0 ? credit / cost : 0
        credit -= count * cost
        let start = time.microseconds - counted
        for index in 0..<count {
            let at = Timestamp(microseconds: start + counted * (index + 1) / count)
            let event = nextEvent(at: at)
            emit(event, markets[event.market])
        }
        now = time
        advanceMinutes(to: time)
    }

    /// Trades one market once: what ``advance(to:framesPerSecond:framesPerEvent:emit:)`` does as
    /// often as it must.
    private mutating func nextEvent(at time: Timestamp) -> Event {
        advanceMinutes(to: time)
        let market = nextMarket(at: time)
        let trades = TradeGenerator.trades(of: markets[market], at: time, random: &random)
        markets[market].apply(trades)
        return Event(market: market, trades: trades)
    }

    private func isDue(_ market: SimulatedMarket, at time: Timestamp) -> Bool {
        guard market.weight > 0, market.standing == .active else { return false }
        guard let last = market.lastTradeAt else { return true }
        return time.microseconds - last.microseconds >= Self.busiestMicrosecondsMax
    }

    private mutating func nextMarket(at time: Timestamp) -> Int {
        if let first = markets.first, isDue(first, at: time) { return 0 }
        let draw = random.below(weightSums.last ?? 1)
        var low = 0
        var high = weightSums.count - 1
        while low < high {
            let middle = (low + high) / 2
            if weightSums[middle] > draw { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func advanceMinutes(to time: Timestamp) {
        let minute = SeoulMinute.number(of: time)
        guard let current = markets.first?.history.minute, current < minute else { return }
        for index in markets.indices { markets[index].advance(toMinute: minute) }
    }

    private mutating func sumWeights() {
        var sum = 0
        weightSums = markets.map { market in
            sum += market.standing == .active ? market.weight : 0
            return sum
        }
        heaviestWeight = max(1, markets.map(\.weight).max() ?? 1)
    }

    // MARK: Listings

    /// Changes a market at its place, or the list of markets.
    mutating func change<Failure: Error>(
        _ body: (inout [SimulatedMarket], inout SeededRandom) throws(Failure) -> Void
    ) throws(Failure) {
        try body(&markets, &random)
        sumWeights()
    }
}
