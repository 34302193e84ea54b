/// One side of a snapshot, with what is known about its precision and completeness.
struct BookSideSnapshot {
    /// The side.
    let side: BookSide
    /// Levels, best first.
    let levels: [BookLevel]
    /// Whether the exchange has no levels beyond these.
    let isComplete: Bool
    /// The snapshot includes every change up to this exchange time.
    ///
    /// Newer changes win over it.
    let settledAt: Int64
    /// Whether quantities are truncated to four fraction digits, as REST does.
    let isTruncated: Bool
    /// Whether the snapshot before was truncated and could not show levels below 0.0001.
    let followsTruncated: Bool
    /// Whether levels beyond the snapshot are discarded, because changes were lost.
    let replaces: Bool

    /// Whether levels beyond the snapshot are no longer certain.
    var discardsBeyond: Bool { replaces || (followsTruncated && !isTruncated) }

    /// A quantity as REST prints it.
    static func truncated(_ quantity: Int128) -> Int128 { quantity - quantity % leastShown }

    /// The least quantity that REST shows: 0.0001.
    static let leastShown = FixedDecimal.unitsPerOne / 10_000

    /// Key of the farthest level in the snapshot.
    var range: Int128 {
        isComplete ? .min : levels.last.map { side.key(of: $0.price) } ?? .max
    }

    /// A ladder level with this snapshot's time and precision.
    func level(_ key: Int128, _ quantity: Int128) -> BookLadder.Level {
        BookLadder.Level(key: key, quantity: quantity, at: settledAt, isTruncated: isTruncated)
    }

    /// Whether a held level may stay although the snapshot does not list it.
    func allows(_ held: BookLadder.Level) -> Bool {
        held.at > settledAt || (isTruncated && held.quantity < Self.leastShown)
    }

    /// Whether a held quantity equals the snapshot's, as far as the precision of both allows.
    func agrees(_ held: BookLadder.Level, _ quantity: Int128) -> Bool {
        if held.quantity == quantity { return true }
        if isTruncated { return Self.truncated(held.quantity) == quantity }
        return held.isTruncated && held.quantity == Self.truncated(quantity)
    }
}

extension BookLadder {
    /// Compares the side with a snapshot and corrects it.
    ///
    /// - Parameters:
    ///   - snapshot: the same side of the snapshot.
    ///   - wasChangedLater: whether a price that is not held was changed after the snapshot.
    /// - Returns: whether a level was wrong. A level that could not be known before does not count.
    mutating func correct(
        with snapshot: BookSideSnapshot,
        wasChangedLater: (FixedDecimal) -> Bool
    ) -> Bool {
        let range = snapshot.range
        let newReach = snapshot.discardsBeyond ? range : min(reach, range)
        if isExactly(snapshot) {
            note(range: range, reach: newReach)
            return false
        }
        var isWrong = false
        var corrected: [Level] = []
        corrected.reserveCapacity(count + snapshot.levels.count)
        let held = levels
        // Held levels from this index on are done.
        var end = held.endIndex
        for shown in snapshot.levels {
            let key = snapshot.side.key(of: shown.price)
            let quantity = shown.quantity.units
            while end > held.startIndex, held[end - 1].key > key {
                end -= 1
                if snapshot.allows(held[end]) {
                    corrected.append(held[end])
                } else {
                    isWrong = true
                }
            }
            if end > held.startIndex, held[end - 1].key == key {
                end -= 1
                let level = held[end]
                if level.at > snapshot.settledAt {
                    corrected.append(level)
                } else if snapshot.agrees(level, quantity) {
                    let isBetter = level.isTruncated && !snapshot.isTruncated
                    corrected.append(isBetter ? snapshot.level(key, quantity) : level)
                } else {
                    corrected.append(snapshot.level(key, quantity))
                    isWrong = true
                }
            } else if !wasChangedLater(shown.price) {
                corrected.append(snapshot.level(key, quantity))
                let wasHidden = snapshot.followsTruncated && quantity < BookSideSnapshot.leastShown
                if key >= reach, !wasHidden { isWrong = true }
            }
        }
        for level in held[..<end].reversed() {
            if snapshot.isComplete {
                if snapshot.allows(level) { corrected.append(level) } else { isWrong = true }
            } else if level.at > snapshot.settledAt || !snapshot.replaces {
                corrected.append(level)
            }
        }
        replace(best: corrected, range: range, reach: newReach)
        return isWrong
    }

    /// Whether the levels equal the snapshot exactly, which is the common case.
    ///
    /// Nothing has to be decided level by level then.
    private func isExactly(_ snapshot: BookSideSnapshot) -> Bool {
        if snapshot.replaces { return false }
        let shown = snapshot.levels
        if snapshot.isComplete ? count != shown.count : count < shown.count { return false }
        let held = levels
        var index = held.endIndex
        for level in shown {
            index -= 1
            guard held[index].key == snapshot.side.key(of: level.price),
                held[index].quantity == level.quantity.units,
                snapshot.isTruncated || !held[index].isTruncated
            else { return false }
        }
        return true
    }
}
