/// All markets at one moment: a pure value that events go into and change sets come out of.
///
/// No clock, no socket, no waiting: every time it needs comes with the event. One owner mutates
/// it; everybody else reads copies.
public struct MarketBoard: Sendable {
    /// More markets than this are refused, so that a broken feed cannot fill the memory.
    public static let marketsMax = 5_000
    /// More markets than this are not filled from the store: those of the exchange find room.
    public static let storedMax = 4_000

    /// The markets, in the order in which they were first seen.
    public internal(set) var markets: [MarketState] = []
    /// How the feed stands.
    public internal(set) var feed: FeedStatus
    /// The Seoul day in force: of the newest listing or of the calendar, whichever is later.
    public private(set) var day: Int?

    /// What is held of markets that somebody looks at.
    public internal(set) var details: [MarketID: MarketDetail] = [:]
    /// How the stream of books stands.
    public internal(set) var detailStatus = DetailStatus()
    /// What is known of markets and coins beside their prices.
    public internal(set) var reference = MarketReference()

    /// The trades of each market, in the order of ``markets``.
    ///
    /// Apart from them, because a change of a market is found by comparing it with a copy, and a
    /// tape that has a copy is copied whole when it grows.
    var tapes: [TradeTape] = []
    var indexes: [MarketID: Int] = [:]
    /// Exchange time of the newest trade or frame of the stream: what came after it may be lost
    /// with the connection.
    private(set) var streamedUntil: Timestamp?
    private var busiest: Int?
    private var changeCounter: UInt64 = 0
    /// The quote currencies that a listing was ever read of: the exchange has said which markets it
    /// has, whatever became of the connection since.
    var everListedQuotes: Set<Quote> = []
    /// Whether the busiest market has been silent for too long on the present connection.
    private var isSilent = false

    /// An empty board of a feed.
    public init(kind: FeedKind) { feed = FeedStatus(kind: kind) }

    /// The market of that name; nil if it is not on the board.
    public func market(_ id: MarketID) -> MarketState? {
        indexes[id].map { markets[$0] }
    }

    /// The newest trades of a market; an empty tape if it is not on the board.
    public func tape(of id: MarketID) -> TradeTape {
        indexes[id].map { tapes[$0] } ?? TradeTape()
    }

    /// The market with the largest turnover in won: the one whose silence means trouble.
    public var busiestMarket: MarketID? { busiest.map { markets[$0].id } }

    /// The change of a market over a period, for a reader whose clock shows `now`.
    public func change(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> PriceChange {
        market.change(over: period, now: min(now, quietUntil ?? now), day: day)
    }

    /// What the exchange's clock shows a reader whose own shows `now`: a recording's clock is the
    /// newest time that it told of.
    public func exchangeTime(at now: Timestamp) -> Timestamp {
        feed.kind == .replay ? streamedUntil ?? now : now
    }

    /// Until when a market without a trade is known to have had none; nil while trades come in.
    ///
    /// What nobody watched must not be shown as quiet: without a connection the last listing, or
    /// the end of a recording, is as far as anybody knows.
    private var quietUntil: Timestamp? {
        switch feed.connection {
        case .reconnecting, .ended: feed.lastDataAt
        case .connecting, .subscribed, .live, .stale: nil
        }
    }

    /// Applies a batch of the market list in order.
    ///
    /// - Returns: the changes that a reader can see.
    public mutating func apply(_ batch: MarketEventBatch) -> BoardChanges {
        var changes = BoardChanges()
        let receivedAt = batch.receivedAt
        let feedBefore = feed
        feed.framesReceived += batch.frameCount
        for event in batch.events {
            switch event {
            case .listing(let listing):
                apply(listing, receivedAt: receivedAt, &changes)
            case .ticker(let frame):
                noteStreamData(of: frame.market, receivedAt, tellingOf: frame.at)
                change(frame.market, receivedAt, &changes) {
                    $0.apply(frame, receivedAt: receivedAt)
                }
            case .trade(let trade):
                noteStreamData(of: trade.market, receivedAt, tellingOf: trade.executedAt)
                change(trade.market, receivedAt, &changes) {
                    $0.apply(trade, receivedAt: receivedAt)
                }
                record(trade, &changes)
            case .feed(let event): apply(event, &changes)
            case .dayBegan(let newDay): begin(newDay, receivedAt, &changes)
            case .skipped(let count, let kind): feed.skipped.count(count, of: kind)
            }
        }
        changes.feed = feed.differs(from: feedBefore)
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
        everListedQuotes.insert(listing.quote)
        if feed.origin != .stream || !isStreaming { feed.origin = .rest }
        // Until the stream speaks, a listing is all the life there is.
        if feed.connection == .connecting || feed.lastActivityAt == nil {
            feed.lastActivityAt = receivedAt
        }
        begin(SeoulTime(listing.at).day, receivedAt, &changes)
        var present = Set(listing.unreadable)
        present.reserveCapacity(listing.entries.count)
        for entry in listing.entries {
            present.insert(entry.market)
            change(entry.market, receivedAt, &changes) {
                $0.apply(entry, at: listing.at, receivedAt: receivedAt)
            }
        }
        for id in listing.suspended {
            present.insert(id)
            suspend(id, receivedAt, &changes)
        }
        for id in listing.unreadable {
            // Named is listed: a stored price stands until its market can be read.
            if let index = indexes[id] { markets[index].wasListed = true }
        }
        for index in markets.indices
        where markets[index].id.quote == listing.quote && markets[index].wasListed
            && !present.contains(markets[index].id)
        {
            suspend(markets[index].id, receivedAt, &changes)
        }
        findBusiest()
    }

    private var isStreaming: Bool {
        switch feed.connection {
        case .live, .subscribed, .stale: true
        case .connecting, .reconnecting, .ended: false
        }
    }

    /// Begins a Seoul day, if it is later than the one in force.
    private mutating func begin(
        _ newDay: Int,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        let oldDay = day
        guard newDay > (oldDay ?? .min) else { return }
        day = newDay
        for index in markets.indices {
            let before = markets[index].change(over: .midnight, now: receivedAt, day: oldDay)
            markets[index].isQuietToday = false
            let after = markets[index].change(over: .midnight, now: receivedAt, day: newDay)
            var facets: MarketFacets = before == after ? [] : .change
            if markets[index].today(on: oldDay) != markets[index].today(on: newDay) {
                facets.insert(.figures)
            }
            if !facets.isEmpty { touch(index, facets, &changes) }
        }
    }

    mutating func findBusiest() {
        var busiest: (index: Int, value: FixedDecimal)?
        for (index, market) in markets.enumerated()
        where market.isTrading && !market.isStored && market.id.quote == .krw {
            // A market without turnover is nobody's sign of life.
            if let value = market.tradeValue24h, value > busiest?.value ?? .zero {
                busiest = (index, value)
            }
        }
        self.busiest = busiest?.index
    }

    private mutating func noteStreamData(
        of market: MarketID,
        _ receivedAt: Timestamp,
        tellingOf at: Timestamp
    ) {
        streamedUntil = max(streamedUntil ?? at, at)
        feed.lastDataAt = receivedAt
        feed.origin = .stream
        // Without a listing nobody knows which market is the busiest: any will do.
        if let busiest, markets[busiest].id != market { return }
        feed.lastActivityAt = receivedAt
        isSilent = false
        if feed.connection == .stale { feed.connection = .live }
    }

    /// Marks a market as suspended or gone; that tells no price, so a stored one stands.
    private mutating func suspend(
        _ id: MarketID,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        change(id, receivedAt, &changes, keepsStored: true) { market in
            // A stored market that the exchange names is not one that only the store knows.
            market.wasListed = market.wasListed || market.isStored
            market.suspend()
        }
    }

    private mutating func change(
        _ id: MarketID,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges,
        keepsStored: Bool = false,
        _ body: (inout MarketState) -> Void
    ) {
        if let index = indexes[id] {
            let before = markets[index]
            let isReplaced = before.isStored && !keepsStored
            // What the exchange says replaces what was stored, whatever their times.
            if isReplaced {
                markets[index] = MarketState(id: id, seenAt: receivedAt)
                markets[index].wasListed = before.wasListed
            }
            body(&markets[index])
            var facets = markets[index].facetsChanged(since: before, at: receivedAt, day: day)
            // The same price, now from the exchange, is another thing to show.
            if isReplaced { facets.formUnion([.price, .tradeValue]) }
            if !facets.isEmpty { touch(index, facets, &changes) }
            return
        }
        guard markets.count < Self.marketsMax else {
            feed.skipped.count(1, of: .market)
            return
        }
        let before = MarketState(id: id, seenAt: receivedAt)
        var market = before
        body(&market)
        let facets = market.facetsChanged(since: before, at: receivedAt, day: day)
        add(market, facets.union(.listed), &changes)
    }

    /// Puts a market behind the others.
    mutating func add(
        _ market: MarketState,
        _ facets: MarketFacets,
        _ changes: inout BoardChanges
    ) {
        indexes[market.id] = markets.count
        markets.append(market)
        tapes.append(TradeTape())
        touch(markets.count - 1, facets, &changes)
    }

    mutating func touch(
        _ index: Int,
        _ facets: MarketFacets,
        _ changes: inout BoardChanges
    ) {
        changeCounter += 1
        markets[index].revision = changeCounter
        changes.markets[markets[index].id, default: []].formUnion(facets)
    }

    private mutating func apply(_ event: FeedEvent, _ changes: inout BoardChanges) {
        switch event {
        case .identified(let kind):
            guard kind != feed.kind else { return }
            discardOtherFeed(&changes)
            feed.kind = kind
        case .subscribed:
            feed.connection = .subscribed
            isSilent = false
            // What was read before the stream runs may lack what happened until then.
            markTradeLoss()
        case .live:
            feed.connection = isSilent ? .stale : .live
            feed.streamFailure = nil
        case .stale:
            // What is not complete yet does not count as live again at the next frame.
            isSilent = true
            if feed.connection == .live { feed.connection = .stale }
        case .reconnecting(let attempt, let nextRetryAt, let failure):
            if isStreaming { feed.reconnects += 1 }
            feed.connection = .reconnecting(attempt: attempt, nextRetryAt: nextRetryAt)
            feed.streamFailure = failure
            feed.listedQuotes = []
            markTradeLoss()
        case .listingFailed(let failure, let nextRetryAt):
            feed.listingFailure = failure
            feed.listingRetryAt = nextRetryAt
        case .ended: feed.connection = .ended
        }
    }
}

extension FeedStatus {
    /// Whether more differs than times and the count of frames, which move with every batch.
    func differs(from before: FeedStatus) -> Bool {
        var before = before
        before.framesReceived = framesReceived
        before.tradesDropped = tradesDropped
        before.lastDataAt = lastDataAt
        before.lastActivityAt = lastActivityAt
        return self != before
    }
}
