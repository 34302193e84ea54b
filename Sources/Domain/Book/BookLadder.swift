/// One side of an order book: its levels in one array with the touch at the end, where most of
/// them come and go.
///
/// Levels ascend by their key: the price of a bid, the negated price of an ask. So the best level
/// has the greatest key on both sides, and one code serves both.
struct BookLadder: Sendable {
    /// All that rests at one price, and since when that is known.
    struct Level: Sendable, Hashable {
        /// What the side's ``BookSide/key(of:)`` makes of the price.
        var key: Int128
        /// Units of the base quantity; above zero.
        var quantity: Int128
        /// Exchange time of the last change in microseconds.
        var at: Int64
        /// Whether the quantity is known to four fraction digits only.
        var isCut = false
    }

    /// How many slots in front of the live ones may lie idle until the array is closed up: cutting
    /// the farthest level of a full side then moves nothing most of the time.
    private static let idleSlotsMax = 64
    /// How many levels from the touch are looked at one by one before the rest is halved.
    private static let nearLevels = 8
    /// How many levels are moved one by one rather than as a block.
    private static let nearMoves = 16

    /// The levels from the farthest to the best, behind `first` idle ones.
    private var slots: [Level] = []
    private var first = 0
    /// Every level with at least this key is known; one farther away may exist and not be held.
    private(set) var reach = Int128.max
    /// The key of the farthest level that the last snapshot told about; the least if it told all.
    private(set) var range = Int128.max

    /// How many levels there are.
    var count: Int { slots.count - first }

    /// The levels from the farthest to the best.
    var levels: ArraySlice<Level> { slots[first...] }

    /// The best level but `hidden` ones; nil if there is none.
    func best(hidden: Int = 0) -> Level? {
        let index = slots.count - 1 - hidden
        return index >= first ? slots[index] : nil
    }

    /// The level of a key; nil if nothing rests there.
    func level(_ key: Int128) -> Level? {
        let index = position(of: key)
        return index < slots.count && slots[index].key == key ? slots[index] : nil
    }

    /// Says what rests at a price now; nothing if the quantity is not above zero.
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

    /// Notes how far a snapshot told, and how far every level is known.
    mutating func note(range: Int128, reach: Int128) {
        self.range = range
        self.reach = reach
    }

    /// Takes over what a comparison with a snapshot left.
    ///
    /// - Parameters:
    ///   - best: the levels, best first.
    ///   - range: how far the snapshot told.
    ///   - reach: how far every level is known; a cut shortens it.
    mutating func replace(best: [Level], range: Int128, reach: Int128) {
        slots = best.prefix(OrderBook.levelsMax).reversed()
        first = 0
        note(range: range, reach: reach)
        if best.count > slots.count { shortenReach(to: slots[0].key) }
    }

    /// Notes that levels with a key below this one may be missing.
    mutating func shortenReach(to key: Int128) { reach = max(reach, key) }

    /// The first slot whose key is not below `key`, or the end.
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
            // Farther away than all of a full side.
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
    /// Idle slots are no part of the value.
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
    /// A number that is the greater the better the price is.
    func key(of price: FixedDecimal) -> Int128 { self == .ask ? 0 &- price.units : price.units }

    /// The price of a key.
    func price(of key: Int128) -> FixedDecimal {
        FixedDecimal(units: self == .ask ? 0 &- key : key)
    }
}
