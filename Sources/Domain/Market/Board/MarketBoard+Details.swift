extension MarketBoard {
    /// The REST requests that open details need.
    public var detailNeeds: DetailNeeds {
        var needs = DetailNeeds(readings: [], streamedUntil: streamedUntil)
        needs.feed = feed.kind
        for (market, detail) in details {
            for facet in detail.facets where isLacking(facet, detail, market) {
                needs.readings.insert(DetailInterest(market: market, facet: facet))
                guard facet == .trades, let index = indexes[market] else { continue }
                needs.lastTrades[market] = tapes[index].lastTradeBeforeLoss
            }
        }
        return needs
    }

    private func isLacking(_ facet: DetailFacet, _ detail: MarketDetail, _ market: MarketID) -> Bool
    {
        switch facet {
        case .book: detail.book.needsReload
        case .deepBook: detail.book.lacksDeepLevels
        case .trades: !(indexes[market].map { tapes[$0].isJoined } ?? false)
        case .candles(let interval): !(detail.candles[interval]?.isLoaded ?? false)
        case .pastCandles(let block): detail.lacks(block)
        case .newestCandles(let interval, _): detail.lacksBlocks(of: interval)
        }
    }

    /// Applies a batch of the detail feed in order.
    ///
    /// - Returns: the changes that a reader can see.
    public mutating func apply(_ batch: DetailEventBatch) -> BoardChanges {
        let feedBefore = feed
        var changes = BoardChanges()
        detailStatus.framesReceived += batch.frameCount
        for event in batch.events { apply(event, receivedAt: batch.receivedAt, &changes) }
        changes.feed = feed.differs(from: feedBefore)
        return changes
    }

    private mutating func apply(
        _ event: DetailEvent,
        receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        switch event {
        case .orderBook(let snapshot):
            guard details[snapshot.market]?.facets.contains(.book) == true else { return }
            details[snapshot.market]?.failures[.book] = nil
            if snapshot.origin == .rest || snapshot.api == .v1 {
                details[snapshot.market]?.failures[.deepBook] = nil
            }
            changeBook(of: snapshot.market, &changes) {
                $0.apply(snapshot, receivedAt: receivedAt)
            }
        case .depth(let delta):
            changeBook(of: delta.market, &changes) { $0.apply(delta, receivedAt: receivedAt) }
        case .tradeHistory(let history): join(history, receivedAt, &changes)
        case .candles(let page): apply(page, &changes)
        case .pastCandles(let page): apply(page, &changes)
        case .feed(let event): apply(event, &changes)
        case .skipped(let count, let kind): feed.skipped.count(count, of: kind)
        }
    }

    private mutating func changeBook(
        of market: MarketID,
        _ changes: inout BoardChanges,
        _ body: (inout LocalOrderBook) -> Void
    ) {
        guard details[market]?.facets.contains(.book) == true else { return }
        let old = details[market]?.book
        let before = (
            comparisons: old?.comparisons ?? 0,
            corrections: old?.correctionReasons ?? BookCorrections()
        )
        details[market]?.withBook(body)
        guard let book = details[market]?.book else { return }
        detailStatus.comparisons += book.comparisons - before.comparisons
        detailStatus.correctionReasons.add(book.correctionReasons, since: before.corrections)
        touchDetail(of: market, .book, &changes)
    }

    private mutating func touchDetail(
        of market: MarketID,
        _ facet: MarketFacets,
        _ changes: inout BoardChanges
    ) {
        changes.details = true
        // A market that is not listed may still have a book.
        if let index = indexes[market] { touch(index, facet, &changes) }
    }

    /// Adds a trade to its market's tape and open candles.
    mutating func record(_ trade: Trade, _ changes: inout BoardChanges) {
        guard let index = indexes[trade.market], trade.price.sign > 0 else { return }
        let dropped = tapes[index].dropped
        let lost = tapes[index].append(trade)
        recordClose(trade, of: index)
        feed.tradesDropped += tapes[index].dropped - dropped
        touch(index, .trades, &changes)
        details[trade.market]?.apply(trade)
        if !lost.isEmpty { refill(index, with: lost) }
    }

    /// Adds trades to open candles that REST has and the stream lost.
    private mutating func refill(_ index: Int, with lost: [TapedTrade]) {
        let market = markets[index].id
        let trades = lost.map { $0.trade(of: market) }
        details[market]?.refill(with: trades, tape: tapes[index])
    }

    private mutating func join(
        _ history: TradeHistory,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        details[history.market]?.failures[.trades] = nil
        guard let index = indexes[history.market] else { return }
        let lost = tapes[index].join(history)
        // Rows of whole seconds do not tell which trades the stream lost.
        if history.resolution == .millisecond { refill(index, with: lost) }
        touchDetail(of: history.market, .trades, &changes)
    }

    private mutating func apply(_ page: CandlePage, _ changes: inout BoardChanges) {
        guard details[page.market]?.candles[page.interval] != nil else { return }
        let tape = tape(of: page.market)
        details[page.market]?.candles[page.interval]?.apply(page, tape: tape)
        if !page.isStored { details[page.market]?.failures[.candles(page.interval)] = nil }
        touchDetail(of: page.market, .figures, &changes)
    }

    private mutating func apply(_ page: CandleBlockPage, _ changes: inout BoardChanges) {
        let facet = DetailFacet.pastCandles(page.block)
        guard details[page.market]?.facets.contains(facet) == true else { return }
        details[page.market]?.past[page.block.interval, default: PastCandles()].keep(page)
        details[page.market]?.failures[facet] = nil
        touchDetail(of: page.market, .figures, &changes)
    }

    /// Discards series that started from stored candles of another feed, and its past candles.
    mutating func discardStoredCandles() {
        for market in Array(details.keys) { details[market]?.discardStoredCandles() }
    }

    /// Marks trades after a moment, or the newest one if later, as possibly lost until REST is read
    /// again.
    ///
    /// - Parameters:
    ///   - receivedAt: when the loss was noted, on the local clock.
    ///   - start: the exchange time until which the stream was complete; nil for that of its newest
    ///     data or, without any, for the newest trade that REST has told of a market.
    ///   - end: the exchange time from which the stream is complete again; nil if that is unknown.
    ///   - isSameStream: whether the stream goes on, and may repeat what REST has told.
    /// - Returns: the markets whose tapes tell the loss.
    @discardableResult
    mutating func markTradeLoss(
        _ receivedAt: Timestamp,
        from start: Timestamp? = nil,
        until end: Timestamp? = nil,
        isSameStream: Bool = false
    ) -> [Int] {
        let known = start ?? streamedUntil
        // Without trades, the listing's time is the best estimate. Stored prices say nothing about
        // lost trades.
        let estimate = feed.origin == .store ? nil : feed.lastDataAt
        let notedAt =
            feed.kind == .replay ? streamedUntil : receivedAt.advanced(by: clockLead)
        var changed: [Int] = []
        for index in tapes.indices {
            guard let from = known ?? tapes[index].first?.id.at ?? estimate else { continue }
            let wasKnown = tapes[index].isJoined || tapes[index].openGapFrom == nil
            let unrepeated = tapes[index].markLoss(
                at: from,
                notedAt: notedAt,
                until: end,
                isSameStream: isSameStream
            )
            if !unrepeated.isEmpty { refill(index, with: unrepeated) }
            let isLost = tapes[index].openGapFrom != nil
            if wasKnown, isLost { changed.append(index) }
        }
        for market in Array(details.keys) {
            let told = indexes[market].flatMap { tapes[$0].first?.id.at }
            guard let from = known ?? told ?? estimate else { continue }
            details[market]?.markTradeLoss(from: from, notedAt: notedAt)
        }
        return changed
    }

    /// Marks trades as possibly lost during a silence of a stream that lives on.
    ///
    /// The exchange, a proxy or a sleeping machine may have dropped frames. The markets are not
    /// followed before a later listing, because their prices may be old.
    mutating func endSilence(
        since start: Timestamp?,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        // REST does not tell the trades of a recording.
        guard feed.kind != .replay else { return }
        for index in markTradeLoss(receivedAt, from: start, isSameStream: true) {
            touch(index, .trades, &changes)
        }
        loseCloses(from: start)
        closeStream = .subscribed(after: streamedUntil)
        quotesListedLive = []
    }

    /// Marks the loss of a new subscription again at its first trade.
    ///
    /// A subscription may take effect seconds after it was sent. What REST answered meanwhile lacks
    /// the trades from there to this one, unless it has this one, which a slow stream brings late.
    ///
    /// - Parameters:
    ///   - begin: the exchange time of the trade.
    ///   - receivedAt: when it arrived, on the local clock.
    ///   - changes: receives the markets whose tapes tell the loss.
    mutating func endPendingSubscription(
        at begin: Timestamp,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        guard let pending = subscription.pending else { return }
        subscription.prove(since: begin)
        guard feed.kind != .replay else { return }
        for index in markTradeLoss(receivedAt, from: pending.knownUntil, until: begin) {
            touch(index, .trades, &changes)
        }
    }

    /// Marks the trades between what REST has told and the first trade of a market that joined the
    /// subscription later than others.
    ///
    /// - Parameters:
    ///   - trade: a trade of the stream.
    ///   - receivedAt: when it arrived, on the local clock.
    ///   - changes: receives the market if trades may be missing.
    mutating func endLateSubscription(
        with trade: Trade,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        guard !subscription.late.isEmpty,
            subscription.late.removeValue(forKey: trade.market) != nil,
            let index = indexes[trade.market], let knownUntil = tapes[index].first?.id.at,
            knownUntil < trade.executedAt
        else { return }
        let notedAt = receivedAt.advanced(by: clockLead)
        let unrepeated = tapes[index].markLoss(
            at: knownUntil,
            notedAt: notedAt,
            until: trade.executedAt
        )
        if !unrepeated.isEmpty { refill(index, with: unrepeated) }
        details[trade.market]?.markTradeLoss(from: knownUntil, notedAt: notedAt)
        touch(index, .trades, &changes)
    }

    private mutating func apply(_ event: DetailFeedEvent, _ changes: inout BoardChanges) {
        changes.details = true
        switch event {
        case .opened(let interest):
            details[interest.market, default: MarketDetail()].open(interest.facet)
            if interest.facet == .trades, let index = indexes[interest.market] {
                tapes[index].acceptHistories()
            }
        case .closed(let interest):
            details[interest.market]?.close(interest.facet)
            if details[interest.market]?.facets.isEmpty == true { details[interest.market] = nil }
        case .connected(let markets):
            endAttempts(of: markets ?? detailStatus.lost)
        case .subscribed(let markets):
            detailStatus.subscribed = Set(markets)
            endAttempts(of: detailStatus.subscribed)
        case .disconnected(let attempt, let nextRetryAt, let failure, let markets):
            let markets = markets ?? detailStatus.subscribed.union(details.keys)
            if !detailStatus.subscribed.isDisjoint(with: markets) { detailStatus.reconnects += 1 }
            detailStatus.subscribed.subtract(markets)
            detailStatus.lost.formUnion(markets)
            detailStatus.attempt = attempt
            detailStatus.nextRetryAt = nextRetryAt
            detailStatus.failure = failure
            for market in markets { details[market]?.withBook { $0.markLoss() } }
        case .failed(let interest, let failure, let nextRetryAt):
            guard details[interest.market]?.facets.contains(interest.facet) == true else { return }
            details[interest.market]?.failures[interest.facet] = DetailFailure(
                failure: failure,
                nextRetryAt: nextRetryAt
            )
        }
    }
}

extension MarketBoard {
    /// The book streams of these markets are back; the last one of all ends the attempts.
    private mutating func endAttempts(of markets: Set<MarketID>) {
        detailStatus.lost.subtract(markets)
        detailStatus.lost.formIntersection(details.keys)
        guard detailStatus.lost.isEmpty else { return }
        detailStatus.attempt = 0
        detailStatus.nextRetryAt = nil
        detailStatus.failure = nil
    }
}

extension MarketDetail {
    fileprivate mutating func withBook(_ body: (inout LocalOrderBook) -> Void) { body(&book) }

    fileprivate mutating func open(_ facet: DetailFacet) {
        facets.insert(facet)
        if case .candles(let interval) = facet, candles[interval] == nil {
            candles[interval] = CandleSeries(interval: interval)
        }
    }

    /// Discards the data.
    ///
    /// Opening the part again reads them anew.
    fileprivate mutating func close(_ facet: DetailFacet) {
        facets.remove(facet)
        failures[facet] = nil
        switch facet {
        case .book: book = LocalOrderBook()
        case .deepBook, .trades, .newestCandles: break
        case .candles(let interval): candles[interval] = nil
        case .pastCandles(let block):
            past[block.interval]?.remove(block)
            if past[block.interval]?.isEmpty ?? false { past[block.interval] = nil }
        }
    }

    fileprivate mutating func apply(_ trade: Trade) {
        changeCandles { $0.apply(trade) }
    }

    fileprivate mutating func refill(with trades: [Trade], tape: TradeTape) {
        changeCandles { $0.refill(with: trades, tape: tape) }
    }

    fileprivate mutating func markTradeLoss(from time: Timestamp, notedAt: Timestamp?) {
        changeCandles { $0.markLoss(from: time, notedAt: notedAt) }
    }

    fileprivate mutating func discardStoredCandles() {
        past = [:]
        changeCandles { series in
            // A series without REST data is requested again.
            if series.storedAt != nil { series = CandleSeries(interval: series.interval) }
        }
    }

    /// Changes each series in place.
    ///
    /// Iterating over keys or indices would retain the dictionary, so that every change copied it
    /// with all candles.
    private mutating func changeCandles(_ body: (inout CandleSeries) -> Void) {
        var index = candles.startIndex
        while index != candles.endIndex {
            body(&candles.values[index])
            candles.formIndex(after: &index)
        }
    }
}
