/// Order books, past trades and candles of the markets that somebody looks at.
public protocol MarketDetailFeedRepository: Sendable {
    /// Follows what is wanted until the task is cancelled.
    ///
    /// Never throws: what goes wrong is delivered as ``DetailFeedEvent`` and mended inside.
    ///
    /// - Parameter deliver: takes one batch and answers what the board lacks afterwards. An empty
    ///   batch only asks.
    func run(deliver: @escaping @Sendable (DetailEventBatch) async -> DetailNeeds) async

    /// Asks for everything that is looked at to be read anew.
    func reload()
}

/// What a board lacks of the details that somebody looks at.
public struct DetailNeeds: Sendable, Hashable {
    /// The parts that should be read over REST, as soon as the limits of requests allow.
    public var readings: Set<DetailInterest>
    /// Exchange time of the newest trade or frame of the stream, the clock of a recording; nil
    /// before the first.
    public var streamedUntil: Timestamp?

    /// Makes a set of needs.
    public init(readings: Set<DetailInterest> = [], streamedUntil: Timestamp? = nil) {
        self.readings = readings
        self.streamedUntil = streamedUntil
    }
}
