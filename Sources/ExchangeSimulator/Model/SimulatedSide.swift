import Domain

/// One price of an order book.
struct SimulatedLevel: Sendable, Equatable {
    /// In units of the market's price grid.
    var price: Int64
    /// In units of 10⁻⁴ coins; 0 for a remainder too small to be printed.
    var quantity: Int64
    /// Number of orders at the price; 0 only for a removed level.
    var orders: Int

    /// Number of fraction digits of a quantity.
    static let quantityDigits = 4
}

/// One side of an order book, best price first, and what its last move changed.
///
/// At most `levelsMax` levels; those beyond it at the far end are removed.
struct SimulatedSide: Sendable {
    private(set) var levels: [SimulatedLevel] = []
    /// The visible changes of the last move: removed levels first, each price once.
    private(set) var changes: [SimulatedLevel] = []

    private let isAsk: Bool
    private let shape: BookShape
    private let ladder: PriceGrid
    private var earlier: [SimulatedLevel] = []

    /// How many prices next to the best one attract orders.
    private static let touchSteps = 8
    /// Changes in a thousand that happen in the farther half.
    private static let farThousandths = 150

    init(isAsk: Bool, shape: BookShape, ladder: PriceGrid) {
        self.isAsk = isAsk
        self.shape = shape
        self.ladder = ladder
    }

    /// A side with these levels, best price first; all of them count as its last changes.
    init(isAsk: Bool, levels: [SimulatedLevel], ladder: PriceGrid) {
        self.init(isAsk: isAsk, shape: .empty, ladder: ladder)
        self.levels = levels
        changes = levels
    }

    /// The best price before this move.
    var earlierBest: Int64? { earlier.first?.price }

    /// Begins a move.
    mutating func begin() {
        earlier.removeAll(keepingCapacity: true)
        earlier.append(contentsOf: levels)
    }

    /// Ends a move and finds its changes.
    mutating func finish() {
        if levels.count > shape.levelsMax { levels.removeLast(levels.count - shape.levelsMax) }
        changes.removeAll(keepingCapacity: true)
        appendGone()
        appendSet()
    }

    // MARK: Moves

    /// Removes every level better than a price.
    mutating func removeAll(betterThan price: Int64) {
        let count = levels.prefix { isBetter($0.price, than: price) }.count
        levels.removeFirst(count)
    }

    /// Matches a taker's order with the best level if it has this price.
    mutating func match(at price: Int64, with maker: inout OrderGenerator) {
        guard levels.first?.price == price else { return }
        maker.reduce(&levels[0])
        if levels[0].orders == 0 { levels.removeFirst() }
    }

    /// Adds orders at a price and next to it, away from the other side.
    mutating func fill(from start: Int64, with maker: inout OrderGenerator) {
        guard shape.levelsMax > 0, start > 0 else { return }
        var price = start
        var index = 0
        for step in 0..<Self.touchSteps {
            while index < levels.count, isBetter(levels[index].price, than: price) { index += 1 }
            let isFree = index == levels.count || levels[index].price != price
            let isWanted = step == 0 && levels.isEmpty && shape.levelsMin > 0
            if isFree, isWanted || maker.random.happens(shape.fillThousandths) {
                levels.insert(maker.level(at: price), at: index)
            }
            guard let next = away(from: price) else { return }
            price = next
        }
    }

    /// Adds levels at the far end until the side is long enough, or prices end.
    mutating func extend(with maker: inout OrderGenerator) {
        while levels.count < shape.levelsMin, var price = levels.last?.price {
            for _ in 0..<maker.gap() {
                guard let next = away(from: price) else { break }
                price = next
            }
            guard price != levels.last?.price else { return }
            levels.append(maker.level(at: price))
        }
    }

    /// Adds, changes or removes one order, usually near the best price.
    mutating func changeOne(with maker: inout OrderGenerator) {
        guard !levels.isEmpty else { return }
        let count = levels.count
        let index =
            maker.random.happens(Self.farThousandths)
            ? count / 2 + maker.random.below(count - count / 2)
            : min(maker.random.below(count), maker.random.below(count))
        let draw = maker.random.below(1_000)
        if draw < 200, count < shape.levelsMax, let price = away(from: levels[index].price) {
            if index + 1 == count || levels[index + 1].price != price {
                levels.insert(maker.level(at: price), at: index + 1)
            }
        } else if draw < 400, count > max(1, shape.levelsMin) {
            levels.remove(at: index)
        } else {
            levels[index] = maker.level(at: levels[index].price)
        }
    }

    /// Changes the quantities at `count` prices and nothing else.
    mutating func shake(count: Int, with maker: inout OrderGenerator) {
        guard !levels.isEmpty else { return }
        var index = maker.random.below(levels.count)
        for _ in 0..<min(count, levels.count) {
            levels[index].quantity += 1 + Int64(maker.random.below(9))
            index += 1
            if index == levels.count { index = 0 }
        }
    }

    // MARK: Prices

    private func isBetter(_ price: Int64, than other: Int64) -> Bool {
        isAsk ? price < other : price > other
    }

    /// The next price away from the other side; nil where prices end.
    private func away(from price: Int64) -> Int64? {
        let next = isAsk ? ladder.above(price) : ladder.below(price)
        return next == price ? nil : next
    }

    // MARK: Differences

    /// Finds levels that were visible before and are removed; unprintable remainders are never
    /// visible.
    private mutating func appendGone() {
        var index = 0
        for old in earlier where old.quantity > 0 {
            while index < levels.count, isBetter(levels[index].price, than: old.price) {
                index += 1
            }
            let isAvailable =
                index < levels.count && levels[index].price == old.price
                && levels[index].quantity > 0
            if !isAvailable {
                changes.append(SimulatedLevel(price: old.price, quantity: 0, orders: 0))
            }
        }
    }

    /// Finds levels that are new or different.
    private mutating func appendSet() {
        var index = 0
        for level in levels where level.quantity > 0 {
            while index < earlier.count, isBetter(earlier[index].price, than: level.price) {
                index += 1
            }
            if index == earlier.count || earlier[index] != level { changes.append(level) }
        }
    }
}
