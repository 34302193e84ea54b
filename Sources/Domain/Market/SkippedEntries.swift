/// How many entries could not be read since the start, by where they stood.
public struct SkippedEntries: Sendable, Hashable {
    /// Where an entry stood.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// In the stream of all markets: a frame, or a trade inside one.
        case stream
        /// In a listing of all markets over REST.
        case listing
        /// In the stream of books or in a book over REST.
        case book
        /// In past trades over REST.
        case trades
        /// In candles over REST.
        case candles
        /// In names, warnings, or states of deposits and withdrawals.
        case reference
        /// It could be read, but the board has no room for one more market.
        case market
    }

    private var stream = 0
    private var listing = 0
    private var book = 0
    private var trades = 0
    private var candles = 0
    private var reference = 0
    private var market = 0

    /// Nothing was skipped yet.
    public init() {}

    /// All of them.
    public var total: Int { stream + listing + book + trades + candles + reference + market }

    /// How many stood there.
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

    /// Counts more of a kind.
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
