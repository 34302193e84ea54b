public import Domain

/// Stores reference data for the next start, separately for each kind of feed.
///
/// The archive never fails: without a working store it holds nothing.
public protocol ReferenceArchive: Sendable {
    /// Sets the kind of feed of all later reads and writes.
    func identify(_ kind: FeedKind)

    /// The stored last prices and their kind of feed; nil if none are stored.
    func closes() async -> (closes: [StoredPrice], kind: FeedKind)?

    /// The names of the exchange, and when they were read; nil if none are stored.
    func names() async -> (names: CoinNames, readAt: Timestamp)?

    /// The stored warnings; nil if none are stored.
    func marks() async -> MarketWarnings?

    /// Stores the names of the exchange, without the built-in ones.
    func keep(_ names: CoinNames, readAt: Timestamp)

    /// Stores warnings.
    func keep(_ marks: MarketWarnings)
}

extension MarketArchive: ReferenceArchive {}
