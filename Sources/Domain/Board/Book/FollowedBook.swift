/// An order book as it is followed: joined from snapshots and changes, compared, and healed.
public struct FollowedBook: Sendable, Hashable {
    /// The levels.
    public private(set) var book = OrderBook()
    /// Whether a snapshot is in: before that, changes are only kept for later.
    public private(set) var isReady = false
    /// Whether the stream of changes runs without a known loss since the last snapshot.
    public private(set) var isComplete = false
    /// How many snapshots were compared with the local book.
    public private(set) var comparisons = 0
    /// How many of them found it different and replaced what was wrong.
    public private(set) var heals = 0
    /// When the newest data were received, on the local clock.
    public private(set) var lastDataAt: Timestamp?
    /// Where the newest data came from.
    public private(set) var origin: FeedStatus.Origin?
    /// Whether a reading over REST is wanted: nothing is in yet, sides cross, or data were lost.
    public var needsReload: Bool { !isReady || book.isCrossed }

    /// A book of which nothing is known.
    public init() {}

    /// Takes a snapshot: the truth as of its time.
    public mutating func apply(_ snapshot: OrderBookSnapshot, receivedAt: Timestamp) {
        isReady = true
        isComplete = true
        lastDataAt = receivedAt
        origin = snapshot.origin == .rest ? .rest : .stream
    }

    /// Takes changes.
    public mutating func apply(_ delta: OrderBookDelta, receivedAt: Timestamp) {
        book.apply(delta)
        lastDataAt = receivedAt
        origin = .stream
    }

    /// Notes that changes may have been lost until the next snapshot.
    public mutating func noteLoss() { isComplete = false }
}
