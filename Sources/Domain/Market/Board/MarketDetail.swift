/// A part of the detail that could not be read.
public struct DetailFailure: Sendable, Hashable {
    /// What went wrong.
    public var failure: FeedFailure
    /// When it is tried again.
    public var nextRetryAt: Timestamp
}

/// What a board holds of a market only while somebody looks at it.
public struct MarketDetail: Sendable {
    /// The parts that somebody looks at.
    public internal(set) var facets: Set<DetailFacet> = []
    /// The order book.
    public internal(set) var book = LocalOrderBook()
    /// The candles by interval.
    public internal(set) var candles: [CandleInterval: CandleSeries] = [:]
    /// Parts that could not be read, until they are.
    public internal(set) var failures: [DetailFacet: DetailFailure] = [:]

    init() {}
}

/// How the stream of books stands.
public struct DetailStatus: Sendable, Hashable {
    /// What broke the stream last, until it is subscribed again.
    public internal(set) var failure: FeedFailure?
    /// The number of the next attempt; 0 while the stream runs or nobody wants it.
    public internal(set) var attempt = 0
    /// When the next attempt is made.
    public internal(set) var nextRetryAt: Timestamp?
    /// The markets whose books are subscribed.
    public internal(set) var subscribed: Set<MarketID> = []
    /// Stream frames received since the start.
    public internal(set) var framesReceived = 0
    /// How often the stream was lost since the start.
    public internal(set) var reconnects = 0
    /// How many snapshots were compared with a local book since the start.
    public internal(set) var comparisons = 0
    /// How many of them found it different, since the start.
    public var heals: Int { correctionReasons.total }
    /// The same by what was known to be wrong before.
    public internal(set) var correctionReasons = BookCorrections()

    /// A stream that nobody has wanted yet.
    public init() {}
}
