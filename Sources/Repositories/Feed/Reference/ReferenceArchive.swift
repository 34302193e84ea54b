public import Domain

/// What was learnt of markets beside their prices, kept for the next start.
///
/// Data of different kinds of feeds are kept apart. It never fails its reader: without a store, or
/// with one that is broken, nothing is stored.
public protocol ReferenceArchive: Sendable {
    /// Takes what the exchange says it is; what is read and kept afterwards is of that kind.
    func identify(_ kind: FeedKind)

    /// The stored last prices, and the kind of feed that they are of; nil if there are none.
    func closes() async -> (closes: [StoredPrice], kind: FeedKind)?

    /// The names that the exchange told, and when; nil if none are stored.
    func names() async -> (names: CoinNames, readAt: Timestamp)?

    /// The stored warnings; nil if none are stored.
    func marks() async -> MarketWarnings?

    /// Has the names kept that the exchange told, and not those that hoga brings along.
    func keep(_ names: CoinNames, readAt: Timestamp)

    /// Has warnings kept.
    func keep(_ marks: MarketWarnings)
}

extension MarketArchive: ReferenceArchive {}
