import Domain

/// A whole exchange without a network: seeded markets that trade as time advances.
///
/// Pure and exact: integers throughout, no clock, no I/O. The same seed, start and sequence of
/// calls give the same trades.
struct SimulatedExchange: Sendable {
    /// The trades of one taker's order.
    struct Event: Sendable, Equatable {
        /// Index of the market in ``SimulatedExchange/markets``.
        var market: Int
        var trades: [SimulatedTrade]
    }

    /// All markets in order of listing; indexes never change.
    private(set) var markets: [SimulatedMarket]
    /// Market time.
    private(set) var now: Timestamp

    /// The weight of the busiest market.
    private(set) var heaviestWeight = 1

    /// The quote currency whose markets are removed.
    private(set) var removedQuote: Quote?
    /// The standings of the removed markets.
    private var removedStandings: [Int: SimulatedMarket.Standing] = [:]

    private var random: SeededRandom
    /// For each market the sum of all weights up to and including its own.
    private var weightSums: [Int] = []
    /// Frames owed, in millionths.
    private var credit: Int64 = 0

    /// Maximum time simulated in one step.
    ///
    /// Longer times are skipped, so that a resumed process does not send a burst.
    private static let stepMicrosecondsMax: Int64 = 1_000_000
    /// The market by which clients judge the age of their data trades at least this often, as far
    /// as the rate allows.
    private static let busiestMicrosecondsMax: Int64 = 250_000
    /// Generates the markets and their last 24 hours.
    init(_ simulation: ExchangeSimulator.Simulation, start: Timestamp, random: SeededRandom) {
        var random = random
        let seeds = MarketCatalog.seeds(of: simulation, random: &random)
        let heaviest = seeds.map(\.weight).max() ?? 1
        // Separate generators, so that a market's past does not depend on the others.
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

    /// Advances to a time, with as many events as the rate requires.
    ///
    /// - Parameters:
    ///   - time: times before the current one have no effect.
    ///   - framesPerSecond: the frame rate.
    ///   - framesPerEvent: how many frames one event makes.
    ///   - emit: receives each event after it was applied.
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

    /// Trades one market once.
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

    /// Sets the last trade of a market before the simulation began.
    mutating func setPastTrade(_ trade: SimulatedTrade, ofMarketAt place: Int) {
        markets[place].pastTrade = trade
    }

    // MARK: Listings

    /// Removes the markets of a quote currency, after restoring those removed before.
    mutating func setRemoved(_ quote: Quote?) {
        for (place, standing) in removedStandings { markets[place].standing = standing }
        removedStandings = [:]
        removedQuote = quote
        for (place, market) in markets.enumerated() where market.id.quote == quote {
            removedStandings[place] = market.standing
            markets[place].standing = .delisted
        }
        sumWeights()
    }

    /// Changes one market, or the list of markets.
    mutating func change<Failure: Error>(
        _ body: (inout [SimulatedMarket], inout SeededRandom) throws(Failure) -> Void
    ) throws(Failure) {
        try body(&markets, &random)
        sumWeights()
    }
}

extension SimulatedExchange {
    /// Why the list of markets was not changed.
    enum ListingChangeError: Error, Equatable {
        /// No such market is listed.
        case unknown
        /// A market with that name is already listed.
        case taken
        /// A renamed coin cannot change its quote currency.
        case otherQuote
        /// The maximum number of markets is reached.
        case full
    }

    /// A change of the list of markets.
    enum ListingChange: Sendable, Equatable {
        /// Lists a coin, or relists a suspended or delisted one.
        case list(MarketID)
        /// Suspends a coin: trading stops, and an empty list describes it.
        case suspend(MarketID)
        /// Delists a coin: trading stops, and no answer lists it.
        case delist(MarketID)
        /// Renames a coin, which keeps its price and history.
        case rename(MarketID, to: MarketID)
    }

    /// Maximum number of markets, including delisted ones.
    static let marketsMax = 4_096
    /// New coins start with the weight of an average market.
    private static let listedWeight = 10_000

    /// Changes the list of markets.
    mutating func apply(_ change: ListingChange) throws(ListingChangeError) {
        switch change {
        case .list(let id): try list(id)
        case .suspend(let id): try setStanding(.suspended, of: id)
        case .delist(let id): try setStanding(.delisted, of: id)
        case .rename(let id, let new): try rename(id, to: new)
        }
    }

    private mutating func list(_ id: MarketID) throws(ListingChangeError) {
        let now = now
        try change { (markets, random) throws(ListingChangeError) in
            if let place = Self.place(of: id, in: markets) {
                markets[place].standing = .active
                return
            }
            guard markets.count < Self.marketsMax else { throw .full }
            var own = random.split()
            let won = MarketCatalog.wonPrice(of: id.symbol, random: &own)
            let price = id.quote == .krw ? won : MarketCatalog.bitcoinPrice(ofWonUnits: won)
            let minutes = [Minute](
                repeating: Minute(close: price),
                count: MinuteHistory.capacity
            )
            markets.append(
                SimulatedMarket(
                    id: id,
                    anchor: price,
                    weight: Self.listedWeight,
                    standing: .active,
                    price: price,
                    history: MinuteHistory(
                        minutes: minutes,
                        current: SeoulMinute.number(of: now)
                    ),
                    day: SimulatedMarket.Day(open: nil, previousClose: price),
                    past: nil,
                    bookSeed: own.next()
                )
            )
        }
    }

    private mutating func rename(_ id: MarketID, to new: MarketID) throws(ListingChangeError) {
        try change { (markets, _) throws(ListingChangeError) in
            guard let place = Self.place(of: id, in: markets),
                markets[place].standing != .delisted
            else { throw .unknown }
            guard id.quote == new.quote else { throw .otherQuote }
            // The code of a delisted coin can be used again.
            let taken = Self.place(of: new, in: markets)
            if let taken, markets[taken].standing != .delisted { throw .taken }
            markets[place].id = new
            if taken == nil { markets[place].nameSymbol = new.symbol }
        }
    }

    private mutating func setStanding(
        _ standing: SimulatedMarket.Standing,
        of id: MarketID
    ) throws(ListingChangeError) {
        try change { (markets, _) throws(ListingChangeError) in
            guard let place = Self.place(of: id, in: markets),
                markets[place].standing != .delisted
            else { throw .unknown }
            markets[place].standing = standing
        }
    }

    /// The index of the market with this code: the listed one, or else a delisted one.
    private static func place(of id: MarketID, in markets: [SimulatedMarket]) -> Int? {
        markets.firstIndex { $0.id == id && $0.standing != .delisted }
            ?? markets.lastIndex { $0.id == id }
    }
}
