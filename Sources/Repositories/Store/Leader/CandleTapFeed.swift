public import Domain

/// A feed that also passes its trades to the candle builder, before the board gets them.
public struct CandleTapFeed: MarketFeedRepository {
    private let feed: any MarketFeedRepository
    private let writer: CandleWriter

    /// Taps a feed.
    ///
    /// - Parameters:
    ///   - feed: the source of the trades.
    ///   - writer: receives them.
    public init(_ feed: any MarketFeedRepository, for writer: CandleWriter) {
        self.feed = feed
        self.writer = writer
    }

    /// Follows the feed.
    public func run(deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus) async {
        await feed.run { [writer] batch in
            writer.receive(batch)
            return await deliver(batch)
        }
    }

    /// Reads everything again.
    public func reload() { feed.reload() }
}
