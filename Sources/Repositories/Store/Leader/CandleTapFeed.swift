public import Domain

/// A feed that also passes its trades to the candle builder, before the board gets them.
public struct CandleTapFeed: MarketFeedRepository {
    private let feed: any MarketFeedRepository
    private let leadership: LeaderElection

    /// Taps a feed.
    ///
    /// - Parameters:
    ///   - feed: the source of the trades.
    ///   - leadership: receives them.
    public init(_ feed: any MarketFeedRepository, for leadership: LeaderElection) {
        self.feed = feed
        self.leadership = leadership
    }

    /// Follows the feed.
    public func run(deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus) async {
        await feed.run { [leadership] batch in
            leadership.take(batch)
            return await deliver(batch)
        }
    }

    /// Reads everything again.
    public func reload() { feed.reload() }
}
