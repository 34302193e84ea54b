/// What a snapshot says about one side of a book, and how it is to be read.
struct BookSideSnapshot {
    /// The side.
    let side: BookSide
    /// The snapshot's levels, best first.
    let levels: [BookLevel]
    /// Whether nothing rests beyond them.
    let isComplete: Bool
    /// The snapshot holds everything until this exchange time; what is newer wins over it.
    let settledAt: Int64
    /// Whether it tells quantities to four fraction digits, cut.
    let isCut: Bool
    /// Whether the snapshot before did, and so could not show levels below 0.0001.
    let followsCut: Bool
    /// Whether what it does not tell about is given up: changes were lost since it was known.
    let replaces: Bool

    /// Whether nothing is sure beyond what it tells: also where small levels were hidden before.
    var forgets: Bool { replaces || (followsCut && !isCut) }

    /// A quantity as a REST answer prints it.
    static func cut(_ quantity: Int128) -> Int128 { quantity - quantity % leastShown }

    /// The least quantity that a REST answer shows: 0.0001.
    static let leastShown = FixedDecimal.unitsPerOne / 10_000

    /// The key of the farthest price that it tells about.
    var range: Int128 {
        isComplete ? .min : levels.last.map { side.key(of: $0.price) } ?? .max
    }

    /// A level as it tells it.
    func level(_ key: Int128, _ quantity: Int128) -> BookLadder.Level {
        BookLadder.Level(key: key, quantity: quantity, at: settledAt, isCut: isCut)
    }

    /// Whether a held level may stay that it does not show.
    func allows(_ held: BookLadder.Level) -> Bool {
        held.at > settledAt || (isCut && held.quantity < Self.leastShown)
    }

    /// Whether a held quantity is the one it shows, as far as both are known.
    func agrees(_ held: BookLadder.Level, _ quantity: Int128) -> Bool {
        if held.quantity == quantity { return true }
        if isCut { return Self.cut(held.quantity) == quantity }
        return held.isCut && held.quantity == Self.cut(quantity)
    }
}

extension BookLadder {
    /// Compares the side with a snapshot and takes from it what it knows better.
    ///
    /// - Parameters:
    ///   - truth: what the snapshot says.
    ///   - isSuperseded: whether a price that is not held was changed after the snapshot.
    /// - Returns: whether something was wrong; a level that could not be known before is not.
    mutating func mend(with truth: BookSideSnapshot, isSuperseded: (FixedDecimal) -> Bool) -> Bool {
        let range = truth.range
        let newReach = truth.forgets ? range : min(reach, range)
        if isExactly(truth) {
            note(range: range, reach: newReach)
            return false
        }
        var isWrong = false
        var mended: [Level] = []
        mended.reserveCapacity(count + truth.levels.count)
        let held = levels
        // What is held at and behind this index has been dealt with.
        var end = held.endIndex
        for shown in truth.levels {
            let key = truth.side.key(of: shown.price)
            let quantity = shown.quantity.units
            while end > held.startIndex, held[end - 1].key > key {
                end -= 1
                if truth.allows(held[end]) { mended.append(held[end]) } else { isWrong = true }
            }
            if end > held.startIndex, held[end - 1].key == key {
                end -= 1
                let level = held[end]
                if level.at > truth.settledAt {
                    mended.append(level)
                } else if truth.agrees(level, quantity) {
                    let isBetter = level.isCut && !truth.isCut
                    mended.append(isBetter ? truth.level(key, quantity) : level)
                } else {
                    mended.append(truth.level(key, quantity))
                    isWrong = true
                }
            } else if !isSuperseded(shown.price) {
                mended.append(truth.level(key, quantity))
                let wasHidden = truth.followsCut && quantity < BookSideSnapshot.leastShown
                if key >= reach, !wasHidden { isWrong = true }
            }
        }
        for level in held[..<end].reversed() {
            if truth.isComplete {
                if truth.allows(level) { mended.append(level) } else { isWrong = true }
            } else if level.at > truth.settledAt || !truth.replaces {
                mended.append(level)
            }
        }
        replace(best: mended, range: range, reach: newReach)
        return isWrong
    }

    /// Whether the levels are those of a snapshot to the last digit, as they nearly always are:
    /// then there is nothing to decide level by level, and nothing to give up.
    private func isExactly(_ truth: BookSideSnapshot) -> Bool {
        if truth.replaces { return false }
        let shown = truth.levels
        if truth.isComplete ? count != shown.count : count < shown.count { return false }
        let held = levels
        var index = held.endIndex
        for level in shown {
            index -= 1
            guard held[index].key == truth.side.key(of: level.price),
                held[index].quantity == level.quantity.units,
                truth.isCut || !held[index].isCut
            else { return false }
        }
        return true
    }
}
