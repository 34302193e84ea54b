/// Changes of an order book that are newer than the last snapshot, in order of arrival.
///
/// Before the first snapshot they wait here to be applied on top of it. Afterwards they record
/// deletions, so that an older snapshot or change cannot restore a deleted level.
struct DeltaBuffer: Sendable, Hashable {
    /// Maximum number of changes, at most 0.8 MB per book.
    ///
    /// On overflow the older half of the frames is evicted and ``horizon`` moves. A snapshot from
    /// before the horizon is rejected, and a change from before it counts as a loss.
    static let changesMax = 16_384

    /// One frame.
    struct Entry: Sendable, Hashable {
        /// Exchange time in microseconds.
        let at: Int64
        /// The changes; not empty.
        let changes: [OrderBookDelta.Change]
    }

    /// Frames in order of arrival.
    private(set) var entries: [Entry] = []
    /// Newest exchange time of an evicted frame; the minimum if none was evicted.
    private(set) var horizon = Int64.min
    private var changeCount = 0

    /// Adds a frame.
    mutating func append(_ changes: [OrderBookDelta.Change], at: Int64) {
        if changes.isEmpty { return }
        entries.append(Entry(at: at, changes: changes))
        changeCount += changes.count
        while changeCount > Self.changesMax { dropOlderHalf() }
    }

    /// Removes frames that a snapshot complete until `time` includes.
    mutating func discard(until time: Int64) {
        entries.removeAll { $0.at <= time }
        changeCount = entries.reduce(0) { $0 + $1.changes.count }
    }

    /// Whether the buffer holds a change of this price after `time`.
    func changes(_ side: BookSide, _ price: FixedDecimal, after time: Int64) -> Bool {
        entries.contains { entry in
            entry.at > time
                && entry.changes.contains { $0.side == side && $0.price == price }
        }
    }

    /// Frames by exchange time, then by arrival.
    var inOrder: [Entry] {
        entries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private mutating func dropOlderHalf() {
        for entry in entries.prefix((entries.count + 1) / 2) {
            horizon = max(horizon, entry.at)
            changeCount -= entry.changes.count
        }
        entries.removeFirst((entries.count + 1) / 2)
    }
}
