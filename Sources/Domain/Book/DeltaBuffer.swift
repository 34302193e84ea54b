/// The changes of an order book that no snapshot has overtaken yet, in the order of arrival.
///
/// Before the first snapshot they wait here to be joined with it. Afterwards they tell what was
/// deleted: a snapshot or a change that is older must not bring it back.
struct DeltaBuffer: Sendable, Hashable {
    /// How many changes are kept at the most, together at most 0.8 MB a book.
    ///
    /// When they are more, the older half of the frames goes. What is older than ``horizon`` then
    /// cannot be joined without a gap: a snapshot from before it is not the whole truth, and a
    /// change from before it is a loss.
    static let changesMax = 16_384

    /// One frame.
    struct Entry: Sendable, Hashable {
        /// Exchange time in microseconds.
        let at: Int64
        /// What changed; not empty.
        let changes: [OrderBookDelta.Change]
    }

    /// What is kept.
    private(set) var entries: [Entry] = []
    /// The newest time of what had to go; the least of all if nothing had.
    private(set) var horizon = Int64.min
    private var changeCount = 0

    /// Keeps a frame.
    mutating func append(_ changes: [OrderBookDelta.Change], at: Int64) {
        if changes.isEmpty { return }
        entries.append(Entry(at: at, changes: changes))
        changeCount += changes.count
        while changeCount > Self.changesMax { dropOlderHalf() }
    }

    /// Forgets what is not newer than a snapshot that is complete until `time`.
    mutating func forget(until time: Int64) {
        entries.removeAll { $0.at <= time }
        changeCount = entries.reduce(0) { $0 + $1.changes.count }
    }

    /// Whether a change of this price after `time` is kept.
    func changes(_ side: BookSide, _ price: FixedDecimal, after time: Int64) -> Bool {
        entries.contains { entry in
            entry.at > time
                && entry.changes.contains { $0.side == side && $0.price == price }
        }
    }

    /// What is kept in the order of the exchange's time; of one time in the order of arrival.
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
