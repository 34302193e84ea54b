/// All markets at one moment: a pure value that applies events and returns change sets.
///
/// The board has no clock and no I/O: every time comes with an event. One owner mutates it; others
/// read copies.
public struct MarketBoard: Sendable {
    /// Maximum number of markets, so that a broken feed cannot exhaust memory.
    public static let marketsMax = 5_000
    /// Maximum number of markets filled from the store, so that listed markets still fit.
    public static let storedMax = 4_000

    /// Markets in order of first appearance.
    public internal(set) var markets: [MarketState] = []
    /// State of the feed.
    public internal(set) var feed: FeedStatus
    /// The current Seoul day: of the newest listing or of the calendar, whichever is later.
    public private(set) var day: Int?

    /// Details of markets with open interests.
    public internal(set) var details: [MarketID: MarketDetail] = [:]
    /// State of the book stream.
    public internal(set) var detailStatus = DetailStatus()
    /// Names, warnings, deposits and withdrawals.
    public internal(set) var reference = MarketReference()

    /// Trades of each market, in the order of ``markets``.
    ///
    /// Stored apart, because changes are found by comparing a market with a copy, and a copied tape
    /// would be duplicated on its next write.
    var tapes: [TradeTape] = []
    /// Closes of each market's minutes, in the order of ``markets``; apart for the same reason.
    var closes: [MinuteCloses] = []
    /// Since when the closes are complete.
    var closeStream = CloseStream.lost
    /// Quote currencies of which a listing was read since the subscription.
    var quotesListedLive: Set<Quote> = []
    /// How far the exchange's clock is ahead of the local one.
    var clockLead: Duration = .zero
    var indexes: [MarketID: Int] = [:]
    /// Exchange time of the newest trade or ticker frame.
    ///
    /// Later ones may be lost with the connection.
    private(set) var streamedUntil: Timestamp?
    /// Exchange time of the newest data of the busiest market since the subscription.
    private var activeUntil: Timestamp?
    /// The subscription of the stream.
    var subscription = MarketSubscription()
    private var busiest: Int?
    private var changeCounter: UInt64 = 0
    /// Local time before which no row of a quote currency's newest listing was read, regardless of
    /// the connection since.
    var listingTimes: [Quote: Timestamp] = [:]
    /// Whether the busiest market has been silent too long on the current connection.
    private var isSilent = false

    /// An empty board.
    public init(kind: FeedKind) { feed = FeedStatus(kind: kind) }

    /// A market; nil if it is not on the board.
    public func market(_ id: MarketID) -> MarketState? {
        indexes[id].map { markets[$0] }
    }

    /// The newest trades of a market; empty if it is not on the board.
    public func tape(of id: MarketID) -> TradeTape {
        indexes[id].map { tapes[$0] } ?? TradeTape()
    }

    /// The market with the largest turnover in won.
    ///
    /// Its silence makes the feed stale.
    public var busiestMarket: MarketID? { busiest.map { markets[$0].id } }

    /// The change of a market over a period at the local time `now`.
    public func change(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> PriceChange {
        let now = knownTime(at: now)
        return market.change(
            over: period,
            now: now,
            day: day,
            base: close(of: market, over: period, now: now).price
                .map { (price: $0, at: minute(at: now)) }
        )
    }

    /// The latest local time, up to `now`, whose prices are known.
    func knownTime(at now: Timestamp) -> Timestamp { min(now, quietUntil ?? now) }

    /// Exchange time at the local time `now`.
    ///
    /// For a recording it is the newest recorded time.
    public func exchangeTime(at now: Timestamp) -> Timestamp {
        feed.kind == .replay ? streamedUntil ?? now : now
    }

    /// Until when a market without a trade is known to have had none; nil while trades arrive.
    ///
    /// Without a connection this is the last listing, or the end of a recording. Later times are
    /// unknown, not quiet.
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
        feed.noteClock(receivedAt)
        // Losses are noted and requests made on one clock, also after the local one was set.
        clockLead = batch.clockLead ?? clockLead
        feed.framesReceived += batch.frameCount
        for event in batch.events {
            switch event {
            case .listing(let listing):
                apply(listing, receivedAt: receivedAt, &changes)
            case .ticker(let frame):
                noteStreamData(of: frame.market, receivedAt, tellingOf: frame.at, &changes)
                change(frame.market, receivedAt, &changes) {
                    $0.apply(frame, receivedAt: receivedAt)
                }
            // A listing or a price adds a market or replaces a stored one; the base of a period
            // does neither.
            case .base(let frame) where market(frame.market)?.isStored ?? true: break
            case .base(let frame):
                change(frame.market, receivedAt, &changes) { $0.applyBase(frame) }
            case .row(let entry, let at):
                noteStreamData(of: entry.market, receivedAt, tellingOf: at, &changes)
                change(entry.market, receivedAt, &changes) {
                    $0.apply(entry, at: at, from: .ticker, receivedAt: receivedAt)
                }
            case .state(let entry, let at):
                change(entry.market, receivedAt, &changes) {
                    $0.apply(entry, at: at, from: .ticker, receivedAt: receivedAt)
                }
                // A suspended market sends nothing, whatever its turnover was.
                if let busiest, !markets[busiest].isTrading { findBusiest() }
            case .trade(let trade):
                noteStreamData(
                    of: trade.market,
                    receivedAt,
                    tellingOf: trade.executedAt,
                    isTrade: true,
                    &changes
                )
                change(trade.market, receivedAt, &changes) {
                    $0.apply(trade, receivedAt: receivedAt)
                }
                endLateSubscription(with: trade, receivedAt, &changes)
                record(trade, &changes)
            case .closes(let page): apply(page, receivedAt, &changes)
            case .feed(let event): apply(event, receivedAt, &changes)
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
        if feed.kind != .replay { clockLead = max(.zero, listing.at.duration(since: receivedAt)) }
        feed.lastDataAt = receivedAt
        feed.listingFailure = nil
        feed.listingRetryAt = nil
        feed.listedQuotes.insert(listing.quote)
        listingTimes[listing.quote] = min(listing.requestedAt ?? receivedAt, receivedAt)
        quotesListedLive.insert(listing.quote)
        if feed.origin != .stream || !isStreaming { feed.origin = .rest }
        // Until the stream sends data, a listing counts as activity: the oldest of those shown.
        if feed.connection == .connecting || feed.lastActivityAt == nil {
            feed.lastActivityAt = feed.listedQuotes.compactMap { listingTimes[$0] }.min()
        }
        begin(SeoulTime(listing.at).day, receivedAt, &changes)
        let subscribable = listing.subscribable
        var present = Set(subscribable)
        let isLate = isStreaming && feed.kind != .replay
        for market in subscribable { subscription.add(market, isLate: isLate, at: listing.at) }
        for entry in listing.entries {
            change(entry.market, receivedAt, &changes) {
                $0.apply(entry, at: listing.at, receivedAt: receivedAt)
            }
        }
        for id in listing.suspended {
            present.insert(id)
            suspend(id, receivedAt, &changes)
        }
        for id in listing.unreadable {
            // Its stored price is not of this listing: it has none until its entry can be decoded.
            guard let isTrading = market(id)?.isTrading else { continue }
            change(id, receivedAt, &changes, keepsStored: !isTrading) { $0.wasListed = true }
        }
        for index in markets.indices where markets[index].id.quote == listing.quote {
            markets[index].isListed = present.contains(markets[index].id)
            guard markets[index].wasListed, !markets[index].isListed else { continue }
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

    /// Starts a Seoul day if it is later than the current one.
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
        where market.isTrading && market.isListed && !market.isStored && market.id.quote == .krw {
            // A market without turnover cannot prove that the feed is alive.
            if let value = market.tradeValue24h, value > busiest?.value ?? .zero {
                busiest = (index, value)
            }
        }
        self.busiest = busiest?.index
    }

    private mutating func noteStreamData(
        of market: MarketID,
        _ receivedAt: Timestamp,
        tellingOf at: Timestamp,
        isTrade: Bool = false,
        _ changes: inout BoardChanges
    ) {
        // Before the event changes a price.
        followCloses(at, isTrade: isTrade)
        if isTrade { endPendingSubscription(at: at, receivedAt, &changes) }
        let knownUntil = activeUntil ?? streamedUntil
        streamedUntil = max(streamedUntil ?? at, at)
        feed.lastDataAt = receivedAt
        feed.origin = .stream
        // Without a listing the busiest market is unknown, so any market counts.
        if let busiest, markets[busiest].id != market { return }
        feed.lastActivityAt = receivedAt
        if feed.connection == .stale { feed.connection = .live }
        if isSilent { endSilence(since: knownUntil, receivedAt, &changes) }
        isSilent = false
        activeUntil = max(activeUntil ?? at, at)
    }

    /// Marks a market as suspended or delisted.
    ///
    /// A stored price stays, because this carries none.
    private mutating func suspend(
        _ id: MarketID,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        change(id, receivedAt, &changes, keepsStored: true) { market in
            // A stored market that the exchange names is listed.
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
            // Exchange data replace stored data, whatever their times.
            if isReplaced {
                markets[index] = MarketState(id: id, seenAt: receivedAt)
                markets[index].wasListed = before.wasListed
                markets[index].isListed = before.isListed
            }
            body(&markets[index])
            var facets = markets[index].facetsChanged(since: before, at: receivedAt, day: day)
            // An equal price now comes from the exchange.
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

    /// Appends a market.
    mutating func add(
        _ market: MarketState,
        _ facets: MarketFacets,
        _ changes: inout BoardChanges
    ) {
        indexes[market.id] = markets.count
        markets.append(market)
        tapes.append(TradeTape())
        closes.append(MinuteCloses())
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

    private mutating func apply(
        _ event: FeedEvent,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        switch event {
        case .identified(let kind):
            guard kind != feed.kind else { return }
            discardOtherFeed(&changes)
            feed.kind = kind
        case .reads(let api): feed.api = api
        case .uses(let apis): apply(apis, &changes)
        case .subscribed:
            feed.connection = .subscribed
            isSilent = false
            // REST data from before the subscription may lack trades until then.
            markTradeLoss(receivedAt)
            subscription.begin(knownUntil: streamedUntil)
            loseCloses()
            closeStream = .subscribed(after: streamedUntil)
            quotesListedLive = []
            activeUntil = nil
            // A listing from long before it lacks what traded since; the next one follows.
            if feed.kind != .replay {
                feed.listedQuotes = feed.listedQuotes.filter { quote in
                    listingTimes[quote]?.isFresh(at: receivedAt, for: FeedStatus.staleAfter)
                        ?? false
                }
            }
        case .live:
            feed.connection = isSilent ? .stale : .live
            feed.streamFailure = nil
        case .stale:
            // Incomplete data must not become live again with the next frame.
            isSilent = true
            if feed.connection == .live { feed.connection = .stale }
        case .reconnecting(let attempt, let nextRetryAt, let failure):
            if isStreaming { feed.reconnects += 1 }
            feed.connection = .reconnecting(attempt: attempt, nextRetryAt: nextRetryAt)
            feed.streamFailure = failure
            feed.listedQuotes = []
            markTradeLoss(receivedAt)
            loseCloses()
        case .listingFailed(let failure, let nextRetryAt):
            feed.listingFailure = failure
            feed.listingRetryAt = nextRetryAt
        case .ended:
            feed.connection = .ended
            loseCloses()
        }
    }
}
