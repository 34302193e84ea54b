/// Closes of past minutes: the bases of changes over the periods in use.
public protocol PeriodFeedRepository: Sendable {
    /// Reads what changes lack until the task is cancelled.
    ///
    /// Never throws: failures are retried with backoff.
    ///
    /// - Parameters:
    ///   - needs: returns what the board lacks of these changes, the most important first; nil
    ///     before the markets are known.
    ///   - deliver: applies one batch.
    func run(
        needs: @escaping @Sendable (Set<ShownPeriod>) async -> [CloseNeed]?,
        deliver: @escaping @Sendable (MarketEventBatch) async -> Void
    ) async
}
