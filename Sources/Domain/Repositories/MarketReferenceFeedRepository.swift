/// Names, warnings and last kept prices of markets; deposits and withdrawals of coins.
public protocol MarketReferenceFeedRepository: Sendable {
    /// Tells what is stored, then reads the exchange, until the task is cancelled.
    ///
    /// Names and warnings are read each hour, deposits and withdrawals each
    /// ``AssetStates/readingInterval`` while somebody looks at them: one reading for all. Never
    /// throws: what goes wrong is delivered, or mended inside.
    ///
    /// - Parameter deliver: receives each batch.
    func run(deliver: @escaping @Sendable (ReferenceEventBatch) async -> Void) async

    /// Asks for what somebody looks at to be read anew.
    func reload()
}
