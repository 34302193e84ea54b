/// A failed REST request of a detail part.
public struct DetailFailure: Sendable, Hashable {
    /// The failure.
    public var failure: FeedFailure
    /// When the request is retried.
    public var nextRetryAt: Timestamp
}

/// Data of a market that are kept only while an interest is open.
public struct MarketDetail: Sendable {
    /// The open parts.
    public internal(set) var facets: Set<DetailFacet> = []
    /// The order book.
    public internal(set) var book = LocalOrderBook()
    /// Candles by interval.
    public internal(set) var candles: [CandleInterval: CandleSeries] = [:]
    /// Older candles by interval.
    var past: [CandleInterval: PastCandles] = [:]
    /// Failed parts, until they succeed.
    public internal(set) var failures: [DetailFacet: DetailFailure] = [:]

    init() {}
}

/// State of the book stream.
public struct DetailStatus: Sendable, Hashable {
    /// The last stream failure, until the stream is subscribed again.
    public internal(set) var failure: FeedFailure?
    /// Number of the next attempt; 0 while the stream runs or is not needed.
    public internal(set) var attempt = 0
    /// When the next attempt is made.
    public internal(set) var nextRetryAt: Timestamp?
    /// Markets whose book stream is lost.
    public internal(set) var lost: Set<MarketID> = []
    /// Markets with a subscribed book.
    public internal(set) var subscribed: Set<MarketID> = []
    /// Stream frames received since the start.
    public internal(set) var framesReceived = 0
    /// Number of connection losses since the start.
    public internal(set) var reconnects = 0
    /// Number of snapshots compared with a local book since the start.
    public internal(set) var comparisons = 0
    /// Number of comparisons that corrected a book since the start.
    public var corrections: Int { correctionReasons.total }
    /// Corrections by reason.
    public internal(set) var correctionReasons = BookCorrections()

    /// A stream that was never needed.
    public init() {}
}
