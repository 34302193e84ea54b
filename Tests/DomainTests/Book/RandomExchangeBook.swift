import TestSupport

@testable import Domain

/// A random market: its true book, and its messages.
///
/// Sides never cross, and have any number of levels up to a limit. Quantities have eight digits,
/// and some are too small for REST.
struct RandomExchangeBook {
    private(set) var asks: [FixedDecimal: FixedDecimal] = [:]
    private(set) var bids: [FixedDecimal: FixedDecimal] = [:]
    /// Microseconds after noon.
    private(set) var at = 0
    var generator: SeededGenerator
    private let levelsMax: Int
    private var touch: Int64 = 500

    init(seed: UInt64, levelsMax: Int) {
        generator = SeededGenerator(seed: seed)
        self.levelsMax = levelsMax
        for _ in 0..<6 { _ = delta() }
    }

    func levels(_ side: BookSide) -> [BookLevel] {
        switch side {
        case .ask:
            asks.sorted { $0.key < $1.key }.map { BookLevel(price: $0.key, quantity: $0.value) }
        case .bid:
            bids.sorted { $0.key > $1.key }.map { BookLevel(price: $0.key, quantity: $0.value) }
        }
    }

    /// Advances the time and changes the book: each price at most once, asks before bids.
    mutating func delta() -> OrderBookDelta {
        at += Int.random(in: 1...400, using: &generator)
        let old = (asks: asks, bids: bids)
        if Int.random(in: 0..<3, using: &generator) == 0 { moveTouch() }
        for _ in 0..<Int.random(in: 0...12, using: &generator) { changeLevel() }
        var delta = OrderBookDelta.at(at)
        delta.changes = Self.changes(.ask, old.asks, asks) + Self.changes(.bid, old.bids, bids)
        // Some levels repeat without a change, and some deletions are of unknown levels.
        if let price = asks.keys.sorted().randomElement(using: &generator),
            let quantity = asks[price],
            old.asks[price] == quantity
        {
            delta.changes.insert(.init(side: .ask, price: price, quantity: quantity), at: 0)
        }
        delta.changes.append(.init(side: .bid, price: FixedDecimal(5_000), quantity: .zero))
        return delta
    }

    /// A stream snapshot of the current book.
    func snapshot() -> OrderBookSnapshot {
        var snapshot = OrderBookSnapshot.stream(at)
        snapshot.asks = Array(levels(.ask).prefix(OrderBookSnapshot.levelsMax))
        snapshot.bids = Array(levels(.bid).prefix(OrderBookSnapshot.levelsMax))
        (snapshot.asksListed, snapshot.bidsListed) = (snapshot.asks.count, snapshot.bids.count)
        return snapshot
    }

    /// A REST snapshot of the current book: quantities truncated, zero ones left out.
    func reading() -> OrderBookSnapshot {
        var reading = snapshot()
        reading.origin = .rest
        reading.at = .noon(plus: .milliseconds(at / 1_000))
        reading.asks = Self.cut(reading.asks)
        reading.bids = Self.cut(reading.bids)
        return reading
    }

    private static func cut(_ levels: [BookLevel]) -> [BookLevel] {
        levels.map { BookLevel(price: $0.price, quantity: NaiveLocalOrderBook.cut($0.quantity)) }
            .filter { !$0.quantity.isZero }
    }

    private mutating func moveTouch() {
        touch += Int64.random(in: -15...15, using: &generator)
        asks = asks.filter { $0.key > FixedDecimal(touch) }
        bids = bids.filter { $0.key <= FixedDecimal(touch) }
    }

    private mutating func changeLevel() {
        let distance = Int64.random(in: 0...80, using: &generator)
        let tenMillionths = Int64(1) << Int64.random(in: 0...40, using: &generator)
        let quantity = FixedDecimal(
            units: FixedDecimal.unitsPerOne / 100_000_000
                * Int128(Int64.random(in: 1...tenMillionths, using: &generator))
        )
        let isDeleted = Int.random(in: 0..<3, using: &generator) == 0
        if Bool.random(using: &generator) {
            let price = FixedDecimal(touch + 1 + distance)
            if isDeleted { asks[price] = nil } else { asks[price] = quantity }
            while asks.count > levelsMax { asks[asks.keys.max() ?? price] = nil }
        } else {
            let price = FixedDecimal(touch - distance)
            if isDeleted { bids[price] = nil } else { bids[price] = quantity }
            while bids.count > levelsMax { bids[bids.keys.min() ?? price] = nil }
        }
    }

    private static func changes(
        _ side: BookSide,
        _ old: [FixedDecimal: FixedDecimal],
        _ new: [FixedDecimal: FixedDecimal]
    ) -> [OrderBookDelta.Change] {
        Set(old.keys).union(new.keys).sorted().compactMap { price in
            if old[price] == new[price] { return nil }
            return .init(side: side, price: price, quantity: new[price] ?? .zero)
        }
    }
}
