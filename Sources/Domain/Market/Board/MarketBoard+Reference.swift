extension MarketBoard {
    /// Applies a batch of reference data.
    ///
    /// - Returns: the changes that a reader can see.
    public mutating func apply(_ batch: ReferenceEventBatch) -> BoardChanges {
        let feedBefore = feed
        var changes = BoardChanges()
        for event in batch.events { apply(event, receivedAt: batch.receivedAt, &changes) }
        changes.feed = feed.differs(from: feedBefore)
        return changes
    }

    private mutating func apply(
        _ event: ReferenceEvent,
        receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        switch event {
        case .names(let names): reference.names = names
        case .marks(let marks): reference.marks = marks
        case .assetStates(let states, let readAt):
            reference.assets.states = states
            reference.assets.readAt = readAt
            reference.assets.failure = nil
            reference.assets.nextRetryAt = nil
        case .assetStatesFailed(let failure, let nextRetryAt):
            reference.assets.failure = failure
            reference.assets.nextRetryAt = nextRetryAt
        case .closes(let closes, let kind):
            if kind == feed.kind { take(closes, receivedAt, &changes) }
            return
        case .skipped(let count):
            feed.skipped.count(count, of: .reference)
            return
        }
        changes.reference = true
    }

    /// Whether a market is only known from the store, and is not traded.
    ///
    /// It was not when it was kept, or the exchange has said since which markets there are and did
    /// not name it. Lists leave it out, except for those who ask for it by name.
    public func isUnlistedStored(_ market: MarketState) -> Bool {
        market.isStored && !market.wasListed
            && (!market.isTrading || everListedQuotes.contains(market.id.quote))
    }

    /// Whether the exchange has said which markets of a currency there are, now or before the
    /// connection was lost.
    public func hasListed(_ quote: Quote) -> Bool {
        feed.listedQuotes.contains(quote)
            || markets.contains { $0.id.quote == quote && $0.wasListed }
    }

    /// A market as those see it who star or hold it: one that the exchange does not name any more
    /// stays, as a suspended one; one of which nothing is known while the exchange cannot be asked
    /// stays too, without a price.
    ///
    /// - Returns: nil while the exchange is still to say whether there is such a market.
    public func marketOrPlaceholder(_ id: MarketID, now: Timestamp) -> MarketState? {
        if var market = market(id) {
            if isUnlistedStored(market) { market.isTrading = false }
            return market
        }
        guard hasListed(id.quote) else {
            return isOffline ? MarketState(id: id, seenAt: now) : nil
        }
        var gone = MarketState(id: id, seenAt: now)
        gone.isTrading = false
        return gone
    }

    /// Whether what is shown is what was stored, or the listings cannot be read.
    private var isOffline: Bool {
        feed.origin == .store || feed.origin != nil && feed.listingFailure != nil
    }

    /// How many markets there are, those left out that only the store knows.
    public var marketCount: Int { markets.count { !isUnlistedStored($0) } }

    /// The names of coins, or other names while nobody has told them.
    public func names(else names: CoinNames) -> CoinNames { reference.names ?? names }

    /// Fills markets of which nothing is known yet, as many as there is room for.
    private mutating func take(
        _ closes: [StoredPrice],
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        for close in closes where indexes[close.market] == nil && close.price.sign > 0 {
            guard markets.count < Self.storedMax else { return }
            var market = MarketState(id: close.market, seenAt: receivedAt)
            market.take(close)
            add(market, [.listed, .price, .tradeValue], &changes)
            if feed.origin == nil || feed.origin == .store {
                feed.origin = .store
                feed.lastDataAt = max(feed.lastDataAt ?? close.at, close.at)
            }
        }
    }

    /// Drops what belongs to another feed: its stored markets and candles, names, warnings and
    /// states.
    mutating func discardOtherFeed(_ changes: inout BoardChanges) {
        reference = MarketReference()
        discardStoredCandles()
        changes.reference = true
        if feed.origin == .store {
            feed.origin = nil
            feed.lastDataAt = nil
        }
        guard markets.contains(where: \.isStored) else { return }
        let kept = markets.indices.filter { !markets[$0].isStored }
        tapes = kept.map { tapes[$0] }
        markets = kept.map { markets[$0] }
        indexes = [:]
        for (index, market) in markets.enumerated() { indexes[market.id] = index }
        findBusiest()
    }
}

extension MarketState {
    fileprivate mutating func take(_ close: StoredPrice) {
        isStored = true
        price = close.price
        priceAt = close.at
        priceSource = .store
        tradeValue24h = close.tradeValue24h
        isTrading = close.isTrading
    }
}
