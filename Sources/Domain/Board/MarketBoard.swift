/// All markets at one moment: a pure value that events go into and change sets come out of.
///
/// No clock, no socket, no waiting: every time it needs comes with the event. One owner mutates
/// it; everybody else reads copies.
public struct MarketBoard: Sendable {
    /// More markets than this are refused, so that a broken feed cannot fill the memory.
    public static let marketsMax = 5_000

    /// The markets, in the order in which they were first seen.
    public private(set) var markets: [MarketState] = []
    /// How the feed stands.
    public private(set) var feed: FeedStatus
    /// The Seoul day in force: of the newest listing or of the calendar, whichever is later.
    public private(set) var day: Int?

    private var indexes: [MarketID: Int] = [:]
    private var busiest: Int?
    private var changeCounter: UInt64 = 0

    /// An empty board of a feed.
    public init(kind: FeedKind) { feed = FeedStatus(kind: kind) }

    /// The market of that name; nil if it is not on the board.
    public func market(_ id: MarketID) -> MarketState? {
        indexes[id].map { markets[$0] }
    }

    /// The market with the largest turnover in won: the one whose silence means trouble.
    public var busiestMarket: MarketID? { busiest.map { markets[$0].id } }

    /// The change of a market over a period.
    public func change(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> PriceChange {
        market.change(over: period, now: now, day: day)
    }

    /// Takes a batch of events in order.
    ///
    /// - Returns: what became different for a reader.
    public mutating func apply(_ batch: MarketEventBatch) -> BoardChanges {
        var changes = BoardChanges()
        feed.framesReceived += batch.frameCount
        for event in batch.events {
            switch event {
            case .listing(let listing):
                apply(listing, receivedAt: batch.receivedAt, &changes)
            case .ticker(let frame):
                noteStreamData(of: frame.market, batch.receivedAt)
                change(frame.market, batch.receivedAt, &changes) {
                    $0.apply(frame, receivedAt: batch.receivedAt)
                }
            case .trade(let trade):
                noteStreamData(of: trade.market, batch.receivedAt)
                change(trade.market, batch.receivedAt, &changes) {
                    $0.apply(trade, receivedAt: batch.receivedAt)
                }
            case .feed(let event):
                apply(event)
                changes.feed = true
            case .dayBegan(let newDay):
                guard newDay > (day ?? .min) else { continue }
                begin(newDay, &changes)
            case .skipped(let count):
                feed.entriesSkipped += count
                changes.feed = true
            }
        }
        return changes
    }

    private mutating func apply(
        _ listing: Listing,
        receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        feed.lastDataAt = receivedAt
        feed.listingFailure = nil
        feed.listingRetryAt = nil
        feed.listedQuotes.insert(listing.quote)
        if feed.origin != .stream || !isStreaming { feed.origin = .rest }
        // Until the stream speaks, a listing is all the life there is.
        if feed.connection == .connecting || feed.lastSignOfLifeAt == nil {
            feed.lastSignOfLifeAt = receivedAt
        }
        changes.feed = true
        let listingDay = SeoulTime(listing.at).day
        if listingDay > (day ?? .min) { begin(listingDay, &changes) }
        var present: Set<MarketID> = []
        present.reserveCapacity(listing.entries.count)
        for entry in listing.entries {
            present.insert(entry.market)
            change(entry.market, receivedAt, &changes) {
                $0.apply(entry, at: listing.at, receivedAt: receivedAt)
            }
        }
        for id in listing.suspended {
            present.insert(id)
            change(id, receivedAt, &changes) { $0.suspend() }
        }
        for index in markets.indices
        where markets[index].id.quote == listing.quote && markets[index].wasListed
            && !present.contains(markets[index].id)
        {
            change(markets[index].id, receivedAt, &changes) { $0.suspend() }
        }
        findBusiest()
    }

    private var isStreaming: Bool {
        switch feed.connection {
        case .live, .subscribed, .stale: true
        case .connecting, .reconnecting, .ended: false
        }
    }

    private mutating func begin(_ newDay: Int, _ changes: inout BoardChanges) {
        day = newDay
        for index in markets.indices {
            markets[index].isQuietToday = false
            touch(index, .change, &changes)
        }
    }

    private mutating func findBusiest() {
        busiest = markets.indices.filter { markets[$0].isTrading && markets[$0].id.quote == .krw }
            .max { left, right in
                (markets[left].tradeValue24h ?? .zero) < (markets[right].tradeValue24h ?? .zero)
            }
    }

    private mutating func noteStreamData(of market: MarketID, _ receivedAt: Timestamp) {
        feed.lastDataAt = receivedAt
        feed.origin = .stream
        // Without a listing nobody knows which market is the busiest: any will do.
        if let busiest, markets[busiest].id != market { return }
        feed.lastSignOfLifeAt = receivedAt
        if feed.connection == .stale { feed.connection = .live }
    }

    private mutating func change(
        _ id: MarketID,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges,
        _ body: (inout MarketState) -> MarketFacets
    ) {
        if let index = indexes[id] {
            let facets = body(&markets[index])
            if !facets.isEmpty { touch(index, facets, &changes) }
            return
        }
        guard markets.count < Self.marketsMax else {
            feed.entriesSkipped += 1
            return
        }
        var market = MarketState(id: id, seenAt: receivedAt)
        let facets = body(&market).union(.listed)
        indexes[id] = markets.count
        markets.append(market)
        touch(markets.count - 1, facets, &changes)
    }

    private mutating func touch(
        _ index: Int,
        _ facets: MarketFacets,
        _ changes: inout BoardChanges
    ) {
        changeCounter += 1
        markets[index].revision = changeCounter
        changes.markets[markets[index].id, default: []].formUnion(facets)
    }

    private mutating func apply(_ event: FeedEvent) {
        switch event {
        case .identified(let kind): feed.kind = kind
        case .subscribed: feed.connection = .subscribed
        case .live:
            feed.connection = .live
            feed.streamFailure = nil
        case .stale: feed.connection = .stale
        case .reconnecting(let attempt, let nextRetryAt, let failure):
            if isStreaming { feed.reconnects += 1 }
            feed.connection = .reconnecting(attempt: attempt, nextRetryAt: nextRetryAt)
            feed.streamFailure = failure
            feed.listedQuotes = []
        case .listingFailed(let failure, let nextRetryAt):
            feed.listingFailure = failure
            feed.listingRetryAt = nextRetryAt
        case .ended: feed.connection = .ended
        }
    }
}
