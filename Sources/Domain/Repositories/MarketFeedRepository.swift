/// Market events from REST, stream, simulator or recording.
public protocol MarketFeedRepository: Sendable {
    /// Follows the exchange until the task is cancelled.
    ///
    /// Never throws: failures are delivered as ``FeedEvent``; the feed reconnects with backoff and
    /// reads everything again. After `ended` it waits for cancellation.
    ///
    /// - Parameter deliver: applies one batch and returns the feed's state. Nothing is read from
    ///   the network while it runs, so a slow consumer slows the feed without loss.
    func run(deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus) async

    /// Reads everything again and retries a lost connection at once.
    func reload()
}

/// Source of coin names.
public protocol CoinNameRepository: Sendable {
    /// The names known now.
    func names() -> CoinNames
}
