import Domain
import TestSupport

/// Number of level updates of one book per second on one core.
///
/// The updates are those of a market with a random walk as price: sides of 40 to 100 levels, twenty
/// updates a frame, most near the best price, some far away. About half replace a level; the others
/// insert and delete one.
enum BookMeasurement {
    /// `Measure book`.
    static let book = Measurement(name: "book") {
        var walk = BookWalk(seed: 1)
        let (first, start) = (walk.snapshot(), walk.start())
        let told = (0..<2_000).map { _ in (walk.delta(), walk.snapshot()) }
        let deltas = told.map(\.0)
        let snapshots = told.map(\.1)
        let updates = deltas.reduce(0) { $0 + $1.changes.count }

        var book = OrderBook()
        let plain = Measurement.median(of: 101) {
            book = OrderBook()
            book.apply(start)
            for delta in deltas { book.apply(delta) }
        }
        precondition(book.count(.ask) >= 40 && !book.isCrossed, "The walk went astray")
        report("OrderBook.apply", updates, plain)

        var followed = LocalOrderBook()
        let alone = Measurement.median(of: 101) {
            followed = LocalOrderBook()
            followed.apply(first, receivedAt: first.at)
            followed.apply(start, receivedAt: start.at)
            for delta in deltas { followed.apply(delta, receivedAt: delta.at) }
        }
        report("LocalOrderBook.apply", updates, alone)

        let compared = Measurement.median(of: 101) {
            followed = LocalOrderBook()
            followed.apply(first, receivedAt: first.at)
            followed.apply(start, receivedAt: start.at)
            for (delta, snapshot) in zip(deltas, snapshots) {
                followed.apply(delta, receivedAt: delta.at)
                followed.apply(snapshot, receivedAt: snapshot.at)
            }
        }
        precondition(
            followed.comparisons > 0 && followed.corrections == 0,
            "A right book was mended"
        )
        report("LocalOrderBook.apply, a snapshot after each frame", updates, compared)
    }

    private static func report(_ what: String, _ updates: Int, _ time: Duration) {
        let nanoseconds = time / .nanoseconds(1)
        let millions = Int(Double(updates) / nanoseconds * 1_000)
        let each = Int(nanoseconds / Double(updates) * 10)
        print("\(what): \(millions) M level updates/s, \(each / 10).\(each % 10) ns each")
    }
}

/// A random order book and its changes.
private struct BookWalk {
    private static let market: MarketID = "BTC_KRW"
    private static let levels = 40...100
    private static let changesPerFrame = 20

    private var generator: SeededGenerator
    /// Quantities by price step; asks are above `touch`, bids are not.
    private var quantities: [Int: Int64] = [:]
    private var touch = 143_210
    private var at = Timestamp.noon()

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for distance in 1...60 {
            quantities[touch + distance] = 1_000
            quantities[touch + 1 - distance] = 1_000
        }
    }

    /// All levels, just after the first snapshot, which has only the best of them.
    mutating func start() -> OrderBookDelta {
        at = at.advanced(by: .milliseconds(1))
        let changes = quantities.map { price, quantity in
            change(at: price, isAsk: price > touch, quantity)
        }
        return OrderBookDelta(market: Self.market, at: at, changes: changes)
    }

    /// The next changes.
    mutating func delta() -> OrderBookDelta {
        at = at.advanced(by: .milliseconds(50))
        var changes: [Int: OrderBookDelta.Change] = [:]
        if Int.random(in: 0..<3, using: &generator) == 0 { moveTouch(&changes) }
        while changes.count < Self.changesPerFrame { changeLevel(&changes) }
        // Asks come before bids in a frame.
        let ordered = BookSide.allCases.flatMap { side in
            changes.values.filter { $0.side == side }
        }
        return OrderBookDelta(market: Self.market, at: at, changes: ordered)
    }

    func snapshot() -> OrderBookSnapshot {
        let asks = quantities.keys.filter { $0 > touch }.sorted(by: <)
        let bids = quantities.keys.filter { $0 <= touch }.sorted(by: >)
        return OrderBookSnapshot(
            market: Self.market,
            at: at,
            asks: asks.prefix(OrderBookSnapshot.levelsMax).map(level),
            bids: bids.prefix(OrderBookSnapshot.levelsMax).map(level),
            origin: .stream
        )
    }

    /// A trade removes the best level of a side; its remainder becomes a level of the other side.
    private mutating func moveTouch(_ changes: inout [Int: OrderBookDelta.Change]) {
        let isUp = Bool.random(using: &generator)
        let taken = isUp ? touch + 1 : touch
        if quantities.removeValue(forKey: taken) != nil {
            changes[taken] = change(at: taken, isAsk: isUp, 0)
        }
        touch += isUp ? 1 : -1
    }

    /// Replaces, inserts or deletes a level, more rarely the farther it is from the best price.
    private mutating func changeLevel(_ changes: inout [Int: OrderBookDelta.Change]) {
        let isAsk = Bool.random(using: &generator)
        var distance = 0
        while distance < 110, Int.random(in: 0..<8, using: &generator) != 0 { distance += 1 }
        let price = isAsk ? touch + 1 + distance : touch - distance
        if changes[price] != nil { return }
        let count = quantities.keys.count { ($0 > touch) == isAsk }
        let isHeld = quantities[price] != nil
        let mayGo = count > Self.levels.lowerBound && Int.random(in: 0..<3, using: &generator) == 0
        if isHeld, mayGo {
            quantities[price] = nil
            changes[price] = change(at: price, isAsk: isAsk, 0)
        } else if isHeld || count < Self.levels.upperBound {
            let quantity = Int64.random(in: 1...1_000_000, using: &generator)
            quantities[price] = quantity
            changes[price] = change(at: price, isAsk: isAsk, quantity)
        }
    }

    private func change(at price: Int, isAsk: Bool, _ quantity: Int64) -> OrderBookDelta.Change {
        OrderBookDelta.Change(
            side: isAsk ? .ask : .bid,
            price: FixedDecimal(Int64(price) * 1_000),
            quantity: Self.tenThousandths(quantity)
        )
    }

    private func level(_ price: Int) -> BookLevel {
        BookLevel(
            price: FixedDecimal(Int64(price) * 1_000),
            quantity: Self.tenThousandths(quantities[price] ?? 0)
        )
    }

    private static func tenThousandths(_ count: Int64) -> FixedDecimal {
        FixedDecimal(units: FixedDecimal.unitsPerOne / 10_000 * Int128(count))
    }
}
