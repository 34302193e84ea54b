public import Domain

/// A feed whose trades are gathered for the candles of all markets, before the board has them.
public struct CandleTapFeed: MarketFeedRepository {
    private let feed: any MarketFeedRepository
    private let leadership: LeaderElection

    /// Listens to a feed.
    ///
    /// - Parameters:
    ///   - feed: where the trades come from.
    ///   - leadership: who gathers them.
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

    /// Has everything read anew.
    public func reload() { feed.reload() }
}
