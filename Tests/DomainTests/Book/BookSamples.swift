import TestSupport

@testable import Domain

/// Prices and quantities as written in a test: `["101": "0.5"]`.
typealias LevelTexts = KeyValuePairs<FixedDecimal, FixedDecimal>

/// The levels of one side in the given order.
func bookLevels(_ texts: LevelTexts) -> [BookLevel] {
    texts.map { BookLevel(price: $0.key, quantity: $0.value) }
}

extension OrderBookDelta {
    /// Changes at a number of microseconds after noon.
    static func at(
        _ microseconds: Int,
        asks: LevelTexts = [:],
        bids: LevelTexts = [:]
    ) -> OrderBookDelta {
        OrderBookDelta(
            market: "BTC_KRW",
            at: .noon(plus: .microseconds(microseconds)),
            changes: asks.map { Change(side: .ask, price: $0.key, quantity: $0.value) }
                + bids.map { Change(side: .bid, price: $0.key, quantity: $0.value) }
        )
    }
}

extension OrderBookSnapshot {
    /// A stream snapshot at a number of microseconds after noon.
    static func stream(
        _ microseconds: Int,
        asks: LevelTexts = [:],
        bids: LevelTexts = [:]
    ) -> OrderBookSnapshot {
        OrderBookSnapshot(
            market: "BTC_KRW",
            at: .noon(plus: .microseconds(microseconds)),
            asks: bookLevels(asks),
            bids: bookLevels(bids),
            origin: .stream
        )
    }

    /// A REST snapshot at a number of milliseconds after noon.
    static func rest(
        milliseconds: Int,
        asks: LevelTexts = [:],
        bids: LevelTexts = [:]
    ) -> OrderBookSnapshot {
        var snapshot = stream(milliseconds * 1_000, asks: asks, bids: bids)
        snapshot.origin = .rest
        return snapshot
    }

    /// A stream snapshot with `asks` asks from 101 up and `bids` bids from 100 down, 1 at each.
    static func wide(_ microseconds: Int, asks: Int, bids: Int) -> OrderBookSnapshot {
        var snapshot = stream(microseconds)
        snapshot.asks = (0..<asks).map {
            BookLevel(price: FixedDecimal(Int64(101 + $0)), quantity: .one)
        }
        snapshot.bids = (0..<bids).map {
            BookLevel(price: FixedDecimal(Int64(100 - $0)), quantity: .one)
        }
        return snapshot
    }
}

extension LocalOrderBook {
    mutating func apply(_ snapshot: OrderBookSnapshot) { apply(snapshot, receivedAt: .noon(1)) }

    mutating func apply(_ delta: OrderBookDelta) { apply(delta, receivedAt: .noon(2)) }
}

/// Levels as a dictionary, sorted on each request: a reference model.
struct NaiveLevels {
    struct Place: Hashable {
        var side: BookSide
        var price: FixedDecimal
    }

    struct Known {
        var quantity: FixedDecimal
        var at: Int64
        var isCut = false
    }

    /// Known quantity of each price; zero means that the price has no orders.
    var known: [Place: Known] = [:]

    /// The prices with orders, best first.
    func places(_ side: BookSide) -> [Place] {
        known.filter { $0.key.side == side && !$0.value.quantity.isZero }.keys
            .sorted { isBetter($0.price, $1.price, side) }
    }

    func isBetter(_ left: FixedDecimal, _ right: FixedDecimal, _ side: BookSide) -> Bool {
        side == .ask ? left < right : left > right
    }

    /// The visible levels: of two that cross the older is hidden, the ask if both are equally old.
    func shown() -> (asks: [BookLevel], bids: [BookLevel], isCrossed: Bool) {
        var asks = places(.ask)
        var bids = places(.bid)
        var isCrossed = false
        while let ask = asks.first, let bid = bids.first, bid.price >= ask.price {
            isCrossed = true
            if (known[ask]?.at ?? 0) > (known[bid]?.at ?? 0) {
                bids.removeFirst()
            } else {
                asks.removeFirst()
            }
        }
        return (asks.map(level), bids.map(level), isCrossed)
    }

    private func level(_ place: Place) -> BookLevel {
        BookLevel(price: place.price, quantity: known[place]?.quantity ?? .zero)
    }
}
