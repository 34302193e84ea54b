import JSON

/// When each row of a list was added and last changed, and which rows were removed.
///
/// Counters are those of the document's revisions.
struct RowChangeLog: Sendable {
    /// A removed row.
    private struct Removal: Sendable {
        let key: String
        /// Clients with older revisions never had the row.
        let addedAt: UInt64
        let removedAt: UInt64
    }

    /// Counters of each row, in the order of the list.
    private var addedAt: [UInt64]
    private var changedAt: [UInt64]
    /// The newest last.
    private var removals: [Removal] = []
    /// When the order last differed from the rule of ``DocumentParts/InsertPosition``.
    private var orderedAt: UInt64
    /// Removals are complete for cursors from here on.
    private(set) var floor: UInt64 = 0

    init(_ rows: [ListedRow], at counter: UInt64) {
        addedAt = Array(repeating: counter, count: rows.count)
        changedAt = addedAt
        orderedAt = counter
    }

    /// Records the rows of the next version.
    ///
    /// - Returns: whether any row changed.
    mutating func take(
        _ rows: [ListedRow],
        after old: [ListedRow],
        newRows: DocumentParts.InsertPosition,
        at counter: UInt64,
        removalsMax: Int
    ) -> Bool {
        if let isChanged = takeInPlace(rows, old, counter) { return isChanged }
        let places = Dictionary(
            old.indices.map { (old[$0].fragment.key, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var added: [UInt64] = []
        var changed: [UInt64] = []
        var standing: [Int] = []
        var firstNew: Int?
        var lastNew: Int?
        var newKeys: [String] = []
        for (index, row) in rows.enumerated() {
            guard let place = places[row.fragment.key] else {
                firstNew = firstNew ?? index
                lastNew = index
                newKeys.append(row.fragment.key)
                added.append(counter)
                changed.append(counter)
                continue
            }
            standing.append(place)
            added.append(addedAt[place])
            changed.append(row == old[place] ? changedAt[place] : counter)
        }
        // A row that returns has its old place at older clients, not the place of new rows.
        var isPut =
            !wasRemoved(anyOf: newKeys)
            && zip(standing, standing.dropFirst()).allSatisfy { $0 < $1 }
        switch newRows {
        case .first: isPut = isPut && (lastNew ?? -1) + 1 == rows.count - standing.count
        case .last: isPut = isPut && (firstNew ?? rows.count) == standing.count
        }
        if !isPut { orderedAt = counter }
        remove(old, besides: Set(standing), at: counter, removalsMax: removalsMax)
        addedAt = added
        changedAt = changed
        return true
    }

    /// Writes the changes since a cursor into an open object.
    func write(
        _ rows: [ListedRow],
        newRows: DocumentParts.InsertPosition,
        from cursor: UInt64,
        to json: inout JSONWriter
    ) {
        json.key("upsert")
        json.array(rows.indices.lazy.filter { changedAt[$0] > cursor }) { json, index in
            rows[index].write(to: &json)
        }
        let gone = removals.filter { $0.removedAt > cursor && $0.addedAt <= cursor }
        let present = gone.isEmpty ? [] : Set(rows.map(\.fragment.key))
        json.key("remove")
        json.array(gone.lazy.filter { !present.contains($0.key) }) { $0.string($1.key) }
        json.key("insert")
        json.string(newRows.rawValue)
        json.key("order")
        if orderedAt > cursor {
            json.array(rows) { $0.string($1.fragment.key) }
        } else {
            json.null()
        }
    }

    /// Records rows whose keys are unchanged and in place, the common case.
    ///
    /// - Returns: whether any row changed; nil, without any effect, if keys differ.
    private mutating func takeInPlace(
        _ rows: [ListedRow],
        _ old: [ListedRow],
        _ counter: UInt64
    ) -> Bool? {
        guard rows.count == old.count else { return nil }
        var changed: [Int] = []
        for index in rows.indices where rows[index] != old[index] {
            guard rows[index].fragment.key == old[index].fragment.key else { return nil }
            changed.append(index)
        }
        for index in changed { changedAt[index] = counter }
        return !changed.isEmpty
    }

    /// Whether a removed row had one of these keys.
    private func wasRemoved(anyOf keys: [String]) -> Bool {
        // Most lists get few new rows at a time: comparing is cheaper than hashing all removals.
        if keys.count <= Self.comparedKeysMax {
            return removals.contains { keys.contains($0.key) }
        }
        let keys = Set(keys)
        return removals.contains { keys.contains($0.key) }
    }

    private static let comparedKeysMax = 8

    private mutating func remove(
        _ old: [ListedRow],
        besides standing: Set<Int>,
        at counter: UInt64,
        removalsMax: Int
    ) {
        for index in old.indices where !standing.contains(index) {
            removals.append(
                Removal(key: old[index].fragment.key, addedAt: addedAt[index], removedAt: counter)
            )
        }
        let excess = removals.count - removalsMax
        guard excess > 0 else { return }
        floor = removals[excess - 1].removedAt
        removals.removeFirst(excess)
    }
}
