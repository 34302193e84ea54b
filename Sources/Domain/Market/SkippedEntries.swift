/// Number of entries that could not be decoded since the start, by source.
public struct SkippedEntries: Sendable, Hashable {
    /// Source of a skipped entry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The stream of all markets: a frame, or a trade inside one.
        case stream
        /// A REST listing of all markets.
        case listing
        /// The book stream, or a book from REST.
        case book
        /// Past trades from REST.
        case trades
        /// Candles from REST.
        case candles
        /// Names, warnings, or deposit and withdrawal states.
        case reference
        /// The entry was valid, but the board has no room for another market.
        case market
    }

    private var stream = 0
    private var listing = 0
    private var book = 0
    private var trades = 0
    private var candles = 0
    private var reference = 0
    private var market = 0

    /// All counts are zero.
    public init() {}

    /// Sum over all sources.
    public var total: Int { stream + listing + book + trades + candles + reference + market }

    /// Number of skipped entries of a source.
    public subscript(kind: Kind) -> Int {
        switch kind {
        case .stream: stream
        case .listing: listing
        case .book: book
        case .trades: trades
        case .candles: candles
        case .reference: reference
        case .market: market
        }
    }

    /// Adds to the count of a source.
    public mutating func count(_ count: Int, of kind: Kind) {
        switch kind {
        case .stream: stream += count
        case .listing: listing += count
        case .book: book += count
        case .trades: trades += count
        case .candles: candles += count
        case .reference: reference += count
        case .market: market += count
        }
    }
}
