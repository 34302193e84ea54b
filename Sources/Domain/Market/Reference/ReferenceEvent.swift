/// Something that is known of markets and coins beside their prices.
public enum ReferenceEvent: Sendable, Hashable {
    /// The names of coins: those of the exchange before those that hoga brings along.
    case names(CoinNames)
    /// The exchange's warnings, all of them.
    case marks(MarketWarnings)
    /// The deposit and withdrawal states of all coins, read at that moment.
    case assetStates([Asset: AssetState], readAt: Timestamp)
    /// The deposit and withdrawal states could not be read; they are read again at that time.
    case assetStatesFailed(FeedFailure, nextRetryAt: Timestamp)
    /// The last prices of a feed of this kind that were kept; they stand until a listing says more.
    case closes([StoredPrice], of: FeedKind)
    /// Number of entries that could not be decoded and were skipped.
    case skipped(Int)
}
