import Domain

/// The order book of one market, and what its last move changed.
///
/// Pure: the same seed, prices and moves give the same book. The book changes only in moves, so all
/// answers between two moves agree.
struct SimulatedBook: Sendable {
    private(set) var asks: SimulatedSide
    private(set) var bids: SimulatedSide
    private var maker: OrderGenerator

    /// Generates a book around the price of a market.
    init(of market: SimulatedMarket) {
        var random = SeededRandom(seed: market.bookSeed)
        let shapes = BookShape.sides(weight: market.weight, random: &random)
        asks = SimulatedSide(isAsk: true, shape: shapes.asks, ladder: market.ladder)
        bids = SimulatedSide(isAsk: false, shape: shapes.bids, ladder: market.ladder)
        maker = OrderGenerator(quote: market.id.quote, random: random)
        move(with: market, changes: 0)
    }

    /// A book with these levels; all of them count as its last changes.
    init(of market: SimulatedMarket, asks: [SimulatedLevel], bids: [SimulatedLevel]) {
        self.asks = SimulatedSide(isAsk: true, levels: asks, ladder: market.ladder)
        self.bids = SimulatedSide(isAsk: false, levels: bids, ladder: market.ladder)
        maker = OrderGenerator(quote: market.id.quote, random: SeededRandom(seed: market.bookSeed))
    }

    /// The book of a market that is not traded.
    static func empty(of market: SimulatedMarket) -> SimulatedBook {
        SimulatedBook(of: market, asks: [], bids: [])
    }

    /// Whether the last move has no visible change.
    var isUnchanged: Bool { asks.changes.isEmpty && bids.changes.isEmpty }

    /// Applies the market's last trade, and `changes` orders on either side.
    mutating func move(with market: SimulatedMarket, changes: Int) {
        meet(market)
        for _ in 0..<changes {
            asks.changeOne(with: &maker)
            bids.changeOne(with: &maker)
        }
        asks.finish()
        bids.finish()
    }

    /// Applies the market's last trade, and changes `levelsPerSide` levels on either side.
    mutating func shake(with market: SimulatedMarket, levelsPerSide: Int) {
        meet(market)
        asks.shake(count: levelsPerSide, with: &maker)
        bids.shake(count: levelsPerSide, with: &maker)
        asks.finish()
        bids.finish()
    }

    /// Begins a move: removes the levels that the last trade met, and closes the gap.
    ///
    /// A buyer meets asks, so the last price stays an ask. A price never changes sides within one
    /// move, because no frame lists a price twice.
    private mutating func meet(_ market: SimulatedMarket) {
        let ladder = market.ladder
        let isBuy = market.trades.last?.isBuy ?? false
        let lowestAsk = isBuy ? market.price : ladder.above(market.price)
        let below = ladder.below(market.price)
        // Bids below the lowest possible price do not exist.
        let highestBid = isBuy ? (below < market.price ? below : 0) : market.price
        asks.begin()
        bids.begin()
        asks.removeAll(betterThan: lowestAsk)
        bids.removeAll(betterThan: highestBid)
        if isBuy {
            asks.match(at: market.price, with: &maker)
        } else {
            bids.match(at: market.price, with: &maker)
        }
        let bidBefore = bids.earlierBest.map { ladder.above($0) } ?? 0
        asks.fill(from: max(lowestAsk, bidBefore), with: &maker)
        let askBefore = asks.earlierBest ?? .max
        bids.fill(
            from: askBefore <= highestBid ? ladder.below(askBefore) : highestBid,
            with: &maker
        )
        asks.extend(with: &maker)
        bids.extend(with: &maker)
    }
}

/// How many levels one side of a book has, and how closely it follows the price.
struct BookShape: Sendable {
    let levelsMin: Int
    let levelsMax: Int
    /// Probability that a free price near the best one gets a level, in thousandths.
    let fillThousandths: Int

    /// More levels than the thirty shown, so that there is always something beyond them.
    private static let full = BookShape(levelsMin: 36, levelsMax: 60, fillThousandths: 550)
    static let empty = BookShape(levelsMin: 0, levelsMax: 0, fillThousandths: 0)
    /// Markets with less weight than this have thin books.
    private static let thinWeight = 500

    /// The sides of a market's book.
    ///
    /// Coins that are never traded may lack one.
    static func sides(
        weight: Int,
        random: inout SeededRandom
    ) -> (asks: BookShape, bids: BookShape) {
        guard weight < thinWeight else { return (full, full) }
        let asks = thin(random: &random)
        let bids = thin(random: &random)
        guard weight == 0 else { return (asks, bids) }
        return switch random.below(3) {
        case 0: (empty, bids)
        case 1: (asks, empty)
        default: (asks, bids)
        }
    }

    private static func thin(random: inout SeededRandom) -> BookShape {
        let levels = random.number(in: 0...12)
        return BookShape(levelsMin: levels, levelsMax: levels + 6, fillThousandths: 120)
    }
}

/// Generates orders.
struct OrderGenerator: Sendable {
    private let quote: Quote
    var random: SeededRandom

    /// The smallest level in won; the largest is about 250 times that.
    private static let amountWonMin: Int64 = 50_000
    private static let quantityUnitsPerCoin: Int64 = 10_000
    /// How many levels in a thousand are too small to be printed.
    private static let dustThousandths = 3
    private static let ordersMax = 9

    init(quote: Quote, random: SeededRandom) {
        self.quote = quote
        self.random = random
    }

    /// A level at a price, made of some orders.
    mutating func level(at price: Int64) -> SimulatedLevel {
        let won =
            (Self.amountWonMin << Int64(random.below(8)))
            * Int64(random.number(in: 1_000...1_999)) / 1_000
        let amount =
            switch quote {
            case .krw: won * 10_000
            case .btc: won * 100_000_000 / MarketCatalog.bitcoinWon
            }
        let quantity = max(1, amount * Self.quantityUnitsPerCoin / price)
        return SimulatedLevel(
            price: price,
            quantity: random.happens(Self.dustThousandths) ? 0 : quantity,
            orders: random.number(in: 1...Self.ordersMax)
        )
    }

    /// Removes a part of a level, or all of it.
    mutating func reduce(_ level: inout SimulatedLevel) {
        guard !random.happens(300) else {
            level.orders = 0
            return
        }
        level.quantity -= level.quantity * Int64(random.number(in: 200...800)) / 1_000
        level.orders = max(1, level.orders - 1)
    }

    /// Number of price steps between two neighbors at the far end.
    mutating func gap() -> Int {
        random.happens(700) ? 1 : random.number(in: 2...4)
    }
}
