/// An update of reference data: names, warnings, deposit and withdrawal states, stored prices.
public enum ReferenceEvent: Sendable, Hashable {
    /// Names of coins; the exchange's names override the built-in ones.
    case names(CoinNames)
    /// All warnings of the exchange.
    case marks(MarketWarnings)
    /// Deposit and withdrawal states of all coins, read at that time.
    case assetStates([Asset: AssetState], readAt: Timestamp)
    /// Reading the deposit and withdrawal states failed; it is retried at that time.
    case assetStatesFailed(FeedFailure, nextRetryAt: Timestamp)
    /// The exchange serves no deposit and withdrawal states any more: all are unknown.
    case assetStatesGone
    /// Stored last prices of a kind of feed; valid until a listing replaces them.
    case closes([StoredPrice], of: FeedKind)
    /// Number of entries that could not be decoded and were skipped.
    case skipped(Int)
}
