/// Names, warnings and stored prices of markets; deposit and withdrawal states of coins.
public protocol MarketReferenceFeedRepository: Sendable {
    /// Delivers stored data, then follows the exchange until the task is cancelled.
    ///
    /// Names and warnings are read hourly. Deposit and withdrawal states are read every
    /// ``AssetStates/readingInterval`` while a client is interested, once for all clients. Never
    /// throws: failures are delivered or retried.
    ///
    /// - Parameter deliver: receives each batch.
    func run(deliver: @escaping @Sendable (ReferenceEventBatch) async -> Void) async

    /// Reads everything again that a client is interested in.
    func reload()
}
