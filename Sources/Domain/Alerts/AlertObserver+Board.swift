extension AlertObserver {
    /// Evaluates a batch of the market list.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - board: the board after it.
    /// - Returns: the alerts, in the order of the events.
    public mutating func follow(
        _ batch: MarketEventBatch,
        _ board: MarketBoard
    ) -> [FiredAlert] {
        noteSubscription(of: board)
        var fired: [FiredAlert] = []
        var changed: Set<MarketID> = []
        func touch(_ market: MarketID) { if isWatched(market) { changed.insert(market) } }
        for event in batch.events {
            switch event {
            case .trade(let trade):
                note(trade)
                guard trade.price.sign > 0 else { continue }
                apply(.observed(observation(of: trade)), &fired)
                observeChanges(of: trade, board, batch.receivedAt, &fired)
                touch(trade.market)
            case .ticker(let frame):
                // A frame comes with its trades, the last of which it tells before the others.
                if frame.closePrice.sign > 0, !areTradesFollowed {
                    observePrice(frame.market, frame.closePrice, frame.at, .ticker, &fired)
                }
                touch(frame.market)
            case .base(let frame): touch(frame.market)
            case .row(let entry, let at):
                if !areTradesFollowed { observePrice(of: entry, .ticker, readAt: at, &fired) }
                touch(entry.market)
            case .state(let entry, let at):
                observePrice(of: entry, .ticker, readAt: at, &fired)
                touch(entry.market)
            case .listing(let listing):
                noteListing()
                observe(listing, &fired)
                for entry in listing.entries { touch(entry.market) }
                for market in listing.suspended { touch(market) }
            case .closes(let page): touch(page.market)
            case .feed(let event): follow(event, &fired)
            case .dayBegan: changed.formUnion(watched.markets)
            case .skipped: break
            }
        }
        beginTurnovers(board)
        if isKnown(board, at: batch.receivedAt) {
            for market in changed {
                observeSignals(of: market, board, now: batch.receivedAt, &fired)
            }
        }
        return fired
    }

    /// Evaluates the spreads of order books.
    ///
    /// - Parameters:
    ///   - markets: the markets whose books changed.
    ///   - board: the board with the books.
    /// - Returns: the alerts.
    public mutating func followBooks(
        of markets: some Sequence<MarketID>,
        _ board: MarketBoard
    ) -> [FiredAlert] {
        var fired: [FiredAlert] = []
        for market in markets where watched.signals(of: market).contains(.spread) {
            observeSpread(of: market, board, &fired)
        }
        return fired
    }

    /// Evaluates the signals that depend on time, and those of new rules.
    ///
    /// - Parameters:
    ///   - board: the board.
    ///   - now: the local wall clock.
    /// - Returns: the alerts.
    public mutating func tick(_ board: MarketBoard, now: Timestamp) -> [FiredAlert] {
        var fired: [FiredAlert] = []
        beginTurnovers(board)
        observeReference(board, now: now, &fired)
        guard isKnown(board, at: now) else { return fired }
        if watched.shared.isEmpty {
            for market in watched.markets { observeSignals(of: market, board, now: now, &fired) }
        } else {
            for market in board.markets { observeSignals(of: market.id, board, now: now, &fired) }
        }
        observeHoldings(board, now: now, &fired)
        return fired
    }

    /// Takes the prices that the board knows already, stored ones among them, and evaluates all
    /// signals: what comes next is compared with them.
    ///
    /// - Parameters:
    ///   - board: the board.
    ///   - now: the local wall clock.
    /// - Returns: the alerts of values that crossed since they were saved.
    public mutating func begin(_ board: MarketBoard, now: Timestamp) -> [FiredAlert] {
        guard board.feed.kind == feed else { return [] }
        noteSubscription(of: board)
        var fired: [FiredAlert] = []
        switch board.feed.connection {
        case .subscribed, .live: beginStream()
        case .stale: beginStream(isSilent: true)
        case .reconnecting, .ended: interrupt(&fired)
        case .connecting: break
        }
        for market in board.markets {
            guard let price = market.price, let at = market.priceAt else { continue }
            // A price from before the subscription may have been followed by trades that are lost.
            let isRead = feed == .replay || board.quotesListedLive.contains(market.id.quote)
            let isStored = market.isStored || !isRead
            let source = isStored ? .store : market.priceSource ?? .listing
            // The book may know a later trade of that time, which was read again.
            let known = book.last(.price, of: AlertSubject(market.id))
            if source == .trade, known?.source == .trade, known.map({ $0.at >= at }) ?? false {
                continue
            }
            // A listing confirms the price that it told, not that of a frame of its second.
            let readAt = market.priceSource == .listing ? max(at, market.listedAt ?? at) : at
            observePrice(market.id, price, at, source, readAt: readAt, &fired)
        }
        return fired + tick(board, now: now)
    }

    private func isWatched(_ market: MarketID) -> Bool {
        !watched.signals(of: market).isEmpty
    }

    /// Whether values of the board are those of now.
    private func isKnown(_ board: MarketBoard, at now: Timestamp) -> Bool {
        board.feed.kind == feed && (board.feed.isFresh(at: now) || board.feed.kind == .replay)
    }

    private mutating func follow(_ event: FeedEvent, _ fired: inout [FiredAlert]) {
        switch event {
        case .subscribed:
            awaited = [:]
            interrupt(&fired)
            beginStream()
        case .stale:
            interrupt(&fired)
            // The connection is open.
            beginStream(isSilent: true)
        case .reconnecting, .ended:
            awaited = [:]
            interrupt(&fired)
        case .identified, .reads, .uses, .live, .listingFailed: break
        }
    }

    private mutating func observePrice(
        _ market: MarketID,
        _ price: FixedDecimal,
        _ at: Timestamp,
        _ source: MarketState.ValueSource,
        readAt: Timestamp? = nil,
        isTradeTime: Bool = false,
        _ fired: inout [FiredAlert]
    ) {
        let subject = AlertSubject(market)
        // While a market's trades arrive they alone tell its price: a listing or a frame may come
        // before the trades that it includes.
        if areTradesFollowed, book.current(.price, of: subject) != nil { return }
        var observation = AlertObservation(.price, of: subject, price, at: at, source: source)
        observation.isTradeTime = isTradeTime
        apply(.observed(observation), &fired)
        let isUnproven =
            feed != .replay && subscription.mayMissTrades(of: market, after: readAt ?? at)
        // Neither trades nor frames tell the prices between this reading and the next one.
        if isFeedLost || isUnproven { book.lose(.price, of: subject, at: readAt ?? at) }
    }

    private mutating func observePrice(
        of entry: ListingEntry,
        _ source: MarketState.ValueSource,
        readAt: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        guard let price = entry.price else { return }
        let isTradeTime = entry.tradedAt != nil
        let at = entry.tradedAt ?? readAt
        observePrice(
            entry.market,
            price,
            at,
            source,
            readAt: readAt,
            isTradeTime: isTradeTime,
            &fired
        )
    }

    private mutating func observe(_ listing: Listing, _ fired: inout [FiredAlert]) {
        let present = listing.subscribable + listing.suspended
        apply(.listed(listing.quote, Set(present), at: listing.at), &fired)
        for entry in listing.entries {
            observePrice(of: entry, .listing, readAt: listing.at, &fired)
        }
    }
}

// MARK: Signals

extension AlertObserver {
    /// Evaluates the changes at a trade's price, so that a crossing within a batch counts.
    private mutating func observeChanges(
        of trade: Trade,
        _ board: MarketBoard,
        _ now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        let signals = watched.signals(of: trade.market)
        guard !signals.isEmpty, let state = board.market(trade.market) else { return }
        // The board has the price of the whole batch: without the one of this trade, the change at
        // it is not known.
        let isKnown =
            isKnown(board, at: now)
            && book.current(.price, of: AlertSubject(trade.market)) != nil
        for case .change(let period) in signals {
            if isKnown {
                observeChange(of: state, over: period, board, now, &fired)
            } else {
                book.lose(.change(period), of: AlertSubject(trade.market), at: nil)
            }
        }
    }

    /// Evaluates all watched signals of a market but its price.
    private mutating func observeSignals(
        of market: MarketID,
        _ board: MarketBoard,
        now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        guard let state = board.market(market) else { return }
        for signal in watched.signals(of: market) {
            switch signal {
            case .change(let period): observeChange(of: state, over: period, board, now, &fired)
            case .strength:
                if let value = state.tradeStrengthPercent, let at = state.strengthAt {
                    observe(signal, market, value, at: at, &fired)
                }
            case .turnover(let minutes): observeTurnover(minutes, of: state, board, now, &fired)
            case .spread: observeSpread(of: market, board, &fired)
            case .trading:
                guard !state.isStored else { continue }
                let at = board.exchangeTime(at: now)
                observe(signal, market, state.isTrading ? .one : .zero, at: at, &fired)
            case .price, .listed, .deposit, .withdrawal, .caution, .exchangeAlert, .value,
                .profitRate:
                break
            }
        }
    }

    mutating func observe(
        _ signal: AlertSignal,
        _ market: MarketID,
        _ value: FixedDecimal,
        at: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        let observation = AlertObservation(signal, of: AlertSubject(market), value, at: at)
        apply(.observed(observation), &fired)
    }

    private mutating func observeChange(
        of state: MarketState,
        over period: ChangePeriod,
        _ board: MarketBoard,
        _ now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        var state = state
        let subject = AlertSubject(state.id)
        let known = book.current(.price, of: subject)
        // A frame comes with its trades, the last of which it tells before the others.
        if known == nil, areTradesFollowed, state.priceSource == .ticker { return }
        // A frame may have told the board a price before its trade.
        if let known { state.price = known.value }
        let change = board.change(of: state, over: period, now: now)
        guard var rate = change.ratePercent,
            let priceAt = change.isWithoutTrade ? state.priceAt : known?.at ?? state.priceAt
        else {
            // A window may be empty while its change is known.
            if period.window == nil { book.lose(.change(period), of: subject, at: nil) }
            return
        }
        // The time from which on price and base have been these.
        // A window becomes empty in the present minute, not at a trade or frame.
        let begin =
            period.window == nil
            ? board.day.map(SeoulTime.startOfDay) : change.isWithoutTrade ? nil : change.at
        let at = max(priceAt, begin ?? board.minute(at: now))
        // A change of another day than the board's is not known yet.
        if period.window == nil, SeoulTime(at).day != board.day { return }
        // A trade before the listing of its second is older than the change at the listed price.
        if let last = book.last(.change(period), of: subject), at.second == last.at.second {
            if last.isOfFiring ? at.isMillisecond(before: last.at) : at < last.at { return }
        }
        // The last price before midnight is the base, which may be known before it arrives.
        let isOfDayBefore = known.map { current in begin.map { current.at < $0 } ?? false } ?? false
        if period.window == nil, isOfDayBefore { rate = .zero }
        // The changes at the prices that are not known are not, either.
        if known == nil { book.lose(.change(period), of: subject, at: nil) }
        apply(.observed(AlertObservation(.change(period), of: subject, rate, at: at)), &fired)
        guard known == nil else { return }
        // A listing in the second of a trade does not replace its price.
        let readAt = state.priceSource == .listing ? state.listedAt : nil
        book.lose(.change(period), of: subject, at: readAt ?? at)
    }

    private mutating func observeTurnover(
        _ minutes: Int,
        of state: MarketState,
        _ board: MarketBoard,
        _ now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        guard let latestTradeAt, let turnover = turnovers[state.id],
            let day = state.tradeValue24h
        else { return }
        // A local clock that is behind does not count trades of minutes to come.
        let at = max(board.exchangeTime(at: now), latestTradeAt)
        guard let multiple = turnover.multiple(ofMinutes: minutes, at: at, tradeValue24h: day)
        else { return }
        observe(.turnover(minutes: minutes), state.id, multiple, at: at, &fired)
    }

    /// Evaluates the spread of a complete book whose sides do not cross.
    private mutating func observeSpread(
        of market: MarketID,
        _ board: MarketBoard,
        _ fired: inout [FiredAlert]
    ) {
        guard let book = board.details[market]?.book, book.isReady, book.isComplete,
            board.detailStatus.subscribed.contains(market), let at = book.newestAt,
            let ask = book.book.best(.ask), let bid = book.book.best(.bid), ask.price > bid.price,
            let spread = FixedDecimal.spreadBasisPoints(ask: ask.price, bid: bid.price)
        else { return }
        observe(.spread, market, spread, at: at, &fired)
    }
}
