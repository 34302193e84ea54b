/// Market events from wherever they come: REST, stream, simulator or recording.
public protocol MarketFeedRepository: Sendable {
    /// Follows the exchange until the task is cancelled.
    ///
    /// Never throws: what goes wrong is delivered as ``FeedEvent`` and mended inside, by
    /// reconnecting with back-off and reading everything anew. After `ended` it waits for
    /// cancellation.
    ///
    /// - Parameter deliver: takes one batch and answers how the feed stands afterwards. Nothing is
    ///   read from the network while it runs, so a slow reader slows the feed and loses nothing.
    func run(deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus) async

    /// Asks for everything to be read anew, and for a lost connection to be retried at once.
    func reload()
}

/// The names of coins.
public protocol CoinNameRepository: Sendable {
    /// The names known now.
    func names() -> CoinNames
}
