/// Order books, past trades and candles of markets with open interests.
public protocol MarketDetailFeedRepository: Sendable {
    /// Follows open interests until the task is cancelled.
    ///
    /// Never throws: failures are delivered as ``DetailFeedEvent`` and retried.
    ///
    /// - Parameter deliver: applies one batch and returns what the board still needs. An empty
    ///   batch only asks.
    func run(deliver: @escaping @Sendable (DetailEventBatch) async -> DetailNeeds) async

    /// Requests everything that is open again.
    func reload()
}

/// The REST data that open details need.
public struct DetailNeeds: Sendable, Hashable {
    /// Parts to read over REST as soon as request limits allow.
    public var readings: Set<DetailInterest>
    /// Exchange time of the newest trade or ticker frame, the clock of a recording; nil before the
    /// first.
    public var streamedUntil: Timestamp?
    /// Exchange time of each wanted market's last trade before the stream may have lost some.
    public var lastTrades: [MarketID: Timestamp] = [:]
    /// The feed of the board; nil if it is unknown.
    public var feed: FeedKind?

    /// Makes a set of needs.
    public init(readings: Set<DetailInterest> = [], streamedUntil: Timestamp? = nil) {
        self.readings = readings
        self.streamedUntil = streamedUntil
    }
}
