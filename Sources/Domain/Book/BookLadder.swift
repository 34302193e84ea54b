/// One side of an order book: its levels in one array with the best level at the end, where most
/// changes happen.
///
/// Levels ascend by key: the price of a bid, the negated price of an ask. The best level has the
/// greatest key on both sides, so one implementation serves both.
struct BookLadder: Sendable {
    /// A price level and the exchange time of its last change.
    struct Level: Sendable, Hashable {
        /// Key of the price, see ``BookSide/key(of:)``.
        var key: Int128
        /// Base quantity in decimal units; above zero.
        var quantity: Int128
        /// Exchange time of the last change in microseconds.
        var at: Int64
        /// Whether the quantity is truncated to four fraction digits.
        var isTruncated = false
    }

    /// Maximum number of unused slots before the array is compacted.
    ///
    /// Dropping the farthest level of a full side then rarely moves memory.
    private static let idleSlotsMax = 64
    /// Number of levels from the best that are searched linearly before binary search.
    private static let nearLevels = 8
    /// Up to this many levels are moved one by one instead of as a block.
    private static let nearMoves = 16

    /// Levels from the farthest to the best, after `first` unused slots.
    private var slots: [Level] = []
    private var first = 0
    /// Every level with at least this key is known.
    ///
    /// Levels farther away may be missing.
    private(set) var reach = Int128.max
    /// Key of the farthest level in the last snapshot; the minimum if the snapshot was complete.
    private(set) var range = Int128.max

    /// Number of levels.
    var count: Int { slots.count - first }

    /// Levels from the farthest to the best.
    var levels: ArraySlice<Level> { slots[first...] }

    /// The best level after `hidden` hidden ones; nil if the side has no more.
    func best(hidden: Int = 0) -> Level? {
        let index = slots.count - 1 - hidden
        return index >= first ? slots[index] : nil
    }

    /// The level at a key; nil if the price is empty.
    func level(_ key: Int128) -> Level? {
        let index = position(of: key)
        return index < slots.count && slots[index].key == key ? slots[index] : nil
    }

    /// Sets the quantity at a price; removes the level unless the quantity is above zero.
    mutating func set(_ key: Int128, _ quantity: Int128, at: Int64) {
        let index = position(of: key)
        if index < slots.count, slots[index].key == key {
            if quantity > 0 {
                slots[index] = Level(key: key, quantity: quantity, at: at)
            } else {
                remove(index)
            }
        } else if quantity > 0 {
            insert(Level(key: key, quantity: quantity, at: at), before: index)
        }
    }

    /// Records how far the last snapshot reached and how far every level is known.
    mutating func note(range: Int128, reach: Int128) {
        self.range = range
        self.reach = reach
    }

    /// Replaces the levels after a comparison with a snapshot.
    ///
    /// - Parameters:
    ///   - best: the levels, best first.
    ///   - range: key of the farthest level in the snapshot.
    ///   - reach: every level with at least this key is known; truncation raises it.
    mutating func replace(best: [Level], range: Int128, reach: Int128) {
        slots = best.prefix(OrderBook.levelsMax).reversed()
        first = 0
        note(range: range, reach: reach)
        if best.count > slots.count { shortenReach(to: slots[0].key) }
    }

    /// Marks levels with a smaller key as possibly missing.
    mutating func shortenReach(to key: Int128) { reach = max(reach, key) }

    /// Index of the first slot whose key is at least `key`, or the end.
    @inline(__always)
    private func position(of key: Int128) -> Int {
        var high = slots.count
        let near = max(first, high - Self.nearLevels)
        while high > near {
            if slots[high - 1].key < key { return high }
            high -= 1
        }
        var low = first
        while low < high {
            let middle = (low + high) >> 1
            if slots[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ level: Level, before index: Int) {
        let isFull = count == OrderBook.levelsMax
        if isFull, index == first {
            // The side is full and the new level is the farthest.
            shortenReach(to: slots[first].key)
            return
        }
        if slots.count - index <= Self.nearMoves {
            slots.append(level)
            var slot = slots.count - 1
            while slot > index {
                slots[slot] = slots[slot - 1]
                slot -= 1
            }
            slots[index] = level
        } else {
            slots.insert(level, at: index)
        }
        if isFull { cutFarthest() }
    }

    private mutating func remove(_ index: Int) {
        if slots.count - index <= Self.nearMoves {
            var slot = index
            while slot < slots.count - 1 {
                slots[slot] = slots[slot + 1]
                slot += 1
            }
            slots.removeLast()
        } else {
            slots.remove(at: index)
        }
    }

    private mutating func cutFarthest() {
        first += 1
        shortenReach(to: slots[first].key)
        if first >= Self.idleSlotsMax {
            slots.removeFirst(first)
            first = 0
        }
    }
}

extension BookLadder: Hashable {
    /// Unused slots do not take part in equality.
    static func == (left: BookLadder, right: BookLadder) -> Bool {
        left.levels == right.levels && left.reach == right.reach && left.range == right.range
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(levels)
        hasher.combine(reach)
        hasher.combine(range)
    }
}

extension BookSide {
    /// A number that grows as the price gets better for this side.
    func key(of price: FixedDecimal) -> Int128 { self == .ask ? 0 &- price.units : price.units }

    /// The price of a key.
    func price(of key: Int128) -> FixedDecimal {
        FixedDecimal(units: self == .ask ? 0 &- key : key)
    }
}
