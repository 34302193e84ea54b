import Domain
import ExchangeSimulator

/// Everything that the exchange of a trial has shown, by the time of the trial.
struct ExchangeTruth {
    /// A value from a moment on.
    struct Since<Value: Sendable>: Sendable {
        var at: Duration
        var value: Value
    }

    /// The best levels of a book.
    struct Book: Sendable, Hashable {
        var asks: [OrderLevel]
        var bids: [OrderLevel]

        /// The levels, from the highest ask to the lowest bid.
        var text: String {
            let texts = (asks.reversed() + bids).map { "\($0.quantity)@\($0.price)" }
            return "[" + texts.joined(separator: " ") + "]"
        }
    }

    /// A level of a book.
    struct OrderLevel: Sendable, Hashable {
        var price: FixedDecimal
        var quantity: FixedDecimal
    }

    /// How many levels of a side are kept.
    static let levels = 5

    /// Every price of each market.
    private(set) var prices: [MarketID: [Since<FixedDecimal>]] = [:]
    /// The newest trade of each market that was recorded.
    private var newestTrades: [MarketID: Trade] = [:]
    private var everyPrice: [MarketID: Set<FixedDecimal>] = [:]
    /// The listed markets and whether they are active.
    private(set) var listings: [Since<[MarketID: Bool]>] = []
    /// The trades of the watched market since the start.
    private(set) var trades: [Trade] = []
    /// The books of the watched market since it was followed last.
    ///
    /// Without a follower the exchange's book moves whenever it is asked for.
    private(set) var books: [Since<Book>] = []
    /// The market whose trades and books are kept.
    let watched: MarketID

    init(watching market: MarketID) { watched = market }

    /// Records what the exchange shows now.
    mutating func record(_ exchange: SteppedSimulator, at now: Duration) {
        let markets = exchange.markets()
        for market in markets { record(market, exchange, at: now) }
        let listing = Dictionary(
            markets.map { ($0.id, $0.isActive) },
            uniquingKeysWith: { first, _ in first }
        )
        if listings.last?.value != listing { listings.append(Since(at: now, value: listing)) }
        recordTrades(of: exchange)
        guard let shown = exchange.takeShownBooks(of: watched, levels: Self.levels) else {
            books = []
            return
        }
        for (asks, bids) in shown {
            let book = Book(asks: Self.best(asks), bids: Self.best(bids))
            if books.last?.value != book { books.append(Since(at: now, value: book)) }
        }
    }

    private mutating func record(
        _ market: SteppedSimulator.Market,
        _ exchange: SteppedSimulator,
        at now: Duration
    ) {
        let newest = exchange.trades(of: market.id, newest: 1).last
        guard newest != newestTrades[market.id] || prices[market.id] == nil else { return }
        newestTrades[market.id] = newest
        // Several trades of a step have prices that the last one does not tell.
        for trade in exchange.trades(of: market.id, newest: Self.tradesPerStepMax) {
            record(trade.price, market.id, at: now)
        }
        record(market.price, market.id, at: now)
    }

    private mutating func record(_ price: FixedDecimal, _ market: MarketID, at now: Duration) {
        prices[market, default: []].append(Since(at: now, value: price))
        everyPrice[market, default: []].insert(price)
    }

    /// More than the trades of one market in a step.
    private static let tradesPerStepMax = 8

    private mutating func recordTrades(of exchange: SteppedSimulator) {
        var kept = exchange.trades(of: watched, newest: Self.tradesPerStepMax)
        guard let last = trades.last else {
            trades = exchange.trades(of: watched)
            return
        }
        if !kept.contains(last) { kept = exchange.trades(of: watched) }
        let start = kept.lastIndex(of: last).map { $0 + 1 } ?? 0
        trades += kept[start...]
    }

    private static func best(_ side: SteppedSimulator.Levels) -> [OrderLevel] {
        side.map { OrderLevel(price: $0.price, quantity: $0.quantity) }
    }

    /// Whether a market ever had a price.
    func had(_ price: FixedDecimal, _ market: MarketID) -> Bool {
        everyPrice[market]?.contains(price) ?? false
    }

    /// Whether the exchange ever listed a market.
    func hasListed(_ market: MarketID) -> Bool { prices[market] != nil }

    /// Whether a market had a price at any moment from a time on.
    func had(_ price: FixedDecimal, _ market: MarketID, since time: Duration) -> Bool {
        guard let all = prices[market] else { return false }
        for entry in all.reversed() {
            if entry.value == price { return true }
            // This one was still valid at that time.
            if entry.at < time { return false }
        }
        return false
    }

    /// Whether a market had a price in the second of its newest one.
    func hadInLastSecond(_ price: FixedDecimal, _ market: MarketID) -> Bool {
        guard let newest = prices[market]?.last else { return false }
        return had(price, market, since: newest.at - .seconds(1))
    }

    /// Whether a book was shown at any moment from a time on.
    ///
    /// - Returns: nil if it was not followed all the time.
    func had(_ book: Book, since time: Duration) -> Bool? {
        guard let first = books.first, first.at <= time else { return nil }
        for entry in books.reversed() {
            if entry.value == book { return true }
            if entry.at < time { return false }
        }
        return false
    }
}
