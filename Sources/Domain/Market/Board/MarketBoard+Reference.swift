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
        case .assetStatesGone: reference.assets.forget()
        case .closes(let closes, let kind):
            if kind == feed.kind { addStored(closes, receivedAt, &changes) }
            return
        case .skipped(let count):
            feed.skipped.count(count, of: .reference)
            return
        }
        changes.reference = true
    }

    /// The deposit and withdrawal states as far as they are known at a local time.
    ///
    /// API 1.x alone tells them. Once it is left they are known only while REST still tells them.
    public func assets(at now: Timestamp) -> AssetStates {
        var assets = reference.assets
        let isLeft = feed.apis.contains { $0.api == .v1 && $0.leave != nil }
        if isLeft, assets.failure != nil || !assets.isFresh(at: now) { assets.forget() }
        return assets
    }

    /// Stores which generations of the API are read; deposits and withdrawals end with API 1.x.
    mutating func apply(_ uses: [ExchangeAPIUse], _ changes: inout BoardChanges) {
        feed.apis = uses
        if uses.contains(where: { $0.api == .v1 && $0.leave != nil }) { forgetFrames(&changes) }
        // A silent stream says nothing about the deposits and withdrawals of REST; see assets(at:).
        let isOver = uses.contains { $0.api == .v1 && $0.leave.map { !$0.isSilence } ?? false }
        guard isOver, reference.assets.readAt != nil else { return }
        reference.assets.forget()
        changes.reference = true
    }

    /// Forgets the figures of frames that API 1.x alone sends: bases of periods, trade strength.
    private mutating func forgetFrames(_ changes: inout BoardChanges) {
        for index in markets.indices {
            let none = PeriodTable<MarketState.ChangeBase>()
            guard markets[index].bases != none || markets[index].strengthAt != nil else {
                continue
            }
            markets[index].bases = none
            markets[index].tradeStrengthPercent = nil
            markets[index].strengthAt = nil
            touch(index, [.change, .figures], &changes)
        }
    }

    /// Whether a market is known only from the store and is not traded.
    ///
    /// The market was suspended when it was stored, or a later listing of its quote currency did
    /// not contain it. Lists omit it unless it is requested by name.
    public func isUnlistedStored(_ market: MarketState) -> Bool {
        market.isStored && !market.wasListed
            && (!market.isTrading || listingTimes[market.id.quote] != nil)
    }

    /// Whether a listing of a quote currency was read, now or before the connection was lost.
    public func hasListed(_ quote: Quote) -> Bool {
        feed.listedQuotes.contains(quote)
            || markets.contains { $0.id.quote == quote && $0.wasListed }
    }

    /// A favorite or held market, even if it is not on the board.
    ///
    /// A market that is no longer listed is returned as suspended. A market without any data is
    /// returned without a price while the exchange is unreachable.
    ///
    /// - Returns: nil until a listing says whether the market exists.
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

    /// Whether only stored data are shown, or listings fail.
    private var isOffline: Bool {
        feed.origin == .store || feed.origin != nil && feed.listingFailure != nil
    }

    /// Number of markets, without those known only from the store.
    public var marketCount: Int { markets.count { !isUnlistedStored($0) } }

    /// The names of coins, or `names` until the feed has delivered some.
    public func names(else names: CoinNames) -> CoinNames { reference.names ?? names }

    /// Adds markets from stored prices if they are not on the board and there is room.
    private mutating func addStored(
        _ closes: [StoredPrice],
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        for close in closes where indexes[close.market] == nil && close.price.sign > 0 {
            guard markets.count < Self.storedMax else { return }
            var market = MarketState(id: close.market, seenAt: receivedAt)
            market.apply(close)
            add(market, [.listed, .price, .tradeValue], &changes)
            if feed.origin == nil || feed.origin == .store {
                feed.origin = .store
                feed.lastDataAt = max(feed.lastDataAt ?? close.at, close.at)
            }
        }
    }

    /// Discards stored markets, stored candles, names, warnings and states of another feed.
    mutating func discardOtherFeed(_ changes: inout BoardChanges) {
        reference = MarketReference()
        discardStoredCandles()
        discardCloses()
        changes.reference = true
        if feed.origin == .store {
            feed.origin = nil
            feed.lastDataAt = nil
        }
        guard markets.contains(where: \.isStored) else { return }
        let kept = markets.indices.filter { !markets[$0].isStored }
        tapes = kept.map { tapes[$0] }
        closes = kept.map { closes[$0] }
        markets = kept.map { markets[$0] }
        indexes = [:]
        for (index, market) in markets.enumerated() { indexes[market.id] = index }
        findBusiest()
    }
}

extension MarketState {
    fileprivate mutating func apply(_ close: StoredPrice) {
        isStored = true
        price = close.price
        priceAt = close.at
        priceSource = .store
        tradeValue24h = close.tradeValue24h
        isTrading = close.isTrading
    }
}

/// Data about markets and coins other than prices.
public struct MarketReference: Sendable {
    /// Names of coins; nil until they are known.
    public internal(set) var names: CoinNames?
    /// Warnings of the exchange; nil until they are read.
    public internal(set) var marks: MarketWarnings?
    /// Deposit and withdrawal states.
    public internal(set) var assets = AssetStates()

    /// Nothing is known.
    public init() {}
}
