import Domain

/// A simple receiver of frames that keeps dictionaries of prices, without order.
///
/// Before each snapshot the receiver reports whether the known levels are wrong. Tests compare this
/// with the corrections that a local order book counts.
struct ReferenceReceiver {
    private struct Side {
        /// The quantity at a price and its time; zero after a deletion.
        var known: [FixedDecimal: (quantity: FixedDecimal, at: Int64)] = [:]
        /// The reach of the last snapshot; nil before the first one.
        var range: Reach?
        /// The reach within which every level is known.
        var reach: Reach?
    }

    /// A distance from the best price.
    private enum Reach {
        case to(FixedDecimal)
        case all

        func contains(_ price: FixedDecimal, _ side: BookSide) -> Bool {
            switch self {
            case .all: true
            case .to(let last): side == .ask ? price <= last : price >= last
            }
        }

        func farther(_ other: Reach, _ side: BookSide) -> Reach {
            switch (self, other) {
            case (.all, _), (_, .all): .all
            case (.to(let left), .to(let right)):
                .to(side == .ask ? max(left, right) : min(left, right))
            }
        }
    }

    private var asks = Side()
    private var bids = Side()
    /// The time of the last snapshot in microseconds.
    private var settledAt = Int64.min
    /// The time of the newest change.
    private(set) var changedAt = Int64.min
    /// The time of the newest frame or snapshot.
    var newestAt: Int64 { max(changedAt, settledAt) }
    /// Frames received before the first snapshot.
    private var waiting: [OrderBookDelta] = []
    private var isReady = false
    private var lastOrigin: OrderBookSnapshot.Origin?

    /// Applies changes.
    mutating func take(_ delta: OrderBookDelta) {
        let at = delta.at.microseconds
        changedAt = max(changedAt, at)
        guard isReady else {
            waiting.append(delta)
            return
        }
        for change in delta.changes {
            if change.side == .ask {
                Self.take(change, at, settledAt, &asks)
            } else {
                Self.take(change, at, settledAt, &bids)
            }
        }
    }

    /// Applies a snapshot of a time.
    ///
    /// - Returns: the prices at which the known level was wrong; nil for the first snapshot.
    mutating func take(_ book: OrderBookSnapshot, settledAt: Int64) -> [FixedDecimal]? {
        self.settledAt = settledAt
        let wrong =
            Self.compare(book.asks, settledAt, .ask, &asks)
            + Self.compare(book.bids, settledAt, .bid, &bids)
        if lastOrigin == .rest, book.origin == .stream {
            // REST hides small levels: a level that it did not show may exist.
            asks.reach = asks.range
            bids.reach = bids.range
        }
        lastOrigin = book.origin
        guard !isReady else { return wrong }
        isReady = true
        for delta in waiting where delta.at.microseconds > settledAt { take(delta) }
        waiting = []
        return nil
    }

    private static func take(
        _ change: OrderBookDelta.Change,
        _ at: Int64,
        _ settledAt: Int64,
        _ side: inout Side
    ) {
        let held = side.known[change.price]
        if at <= settledAt {
            guard side.range?.contains(change.price, change.side) == false else { return }
            guard let held, !held.quantity.isZero else {
                // Whether the level still exists is unknown.
                if !change.quantity.isZero { side.reach = side.range }
                return
            }
            if held.at > at { return }
        } else if let held, held.at > at {
            return
        }
        side.known[change.price] = (change.quantity, at)
    }

    private static func compare(
        _ shown: [BookLevel],
        _ settledAt: Int64,
        _ name: BookSide,
        _ side: inout Side
    ) -> [FixedDecimal] {
        let range: Reach =
            if shown.count == OrderBookSnapshot.levelsMax, let last = shown.last {
                .to(last.price)
            } else {
                .all
            }
        var wrong: [FixedDecimal] = []
        var kept: [FixedDecimal: (quantity: FixedDecimal, at: Int64)] = [:]
        let quantities = Dictionary(uniqueKeysWithValues: shown.map { ($0.price, $0.quantity) })
        for (price, held) in side.known {
            if held.at > settledAt {
                kept[price] = held
            } else if range.contains(price, name) {
                let quantity = quantities[price] ?? .zero
                // A level deleted beyond the known reach may exist again.
                let isKnown = !held.quantity.isZero || side.reach?.contains(price, name) == true
                if isKnown, held.quantity != quantity { wrong.append(price) }
            } else if !held.quantity.isZero {
                kept[price] = held
            }
        }
        for level in shown where kept[level.price] == nil {
            let isKnown = side.reach?.contains(level.price, name) == true
            if side.known[level.price] == nil, isKnown { wrong.append(level.price) }
            kept[level.price] = (level.quantity, settledAt)
        }
        side.known = kept
        side.range = range
        side.reach = side.reach?.farther(range, name) ?? range
        return wrong
    }
}
