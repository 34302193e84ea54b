extension MarketState {
    /// Applies an entry of a listing, or one of the stream, whose source is `ticker`.
    mutating func apply(
        _ entry: ListingEntry,
        at: Timestamp,
        from source: ValueSource = .listing,
        receivedAt: Timestamp
    ) {
        wasListed = true
        isHalted = entry.isSuspended ?? isHalted
        isTrading = !isHalted
        if let price = entry.price { update(price, at: entry.tradedAt ?? at, from: source) }
        noteVolumes(of: entry, at: at, receivedAt: receivedAt)
        updateTurnover(entry.tradeValue24h, entry.volume24h, at: at, from: source)
        let day = SeoulTime(at).day
        update(DayStatistics(entry), at: at, from: source)
        if previousCloseDay.map({ day >= $0 }) ?? true {
            previousClose = entry.previousClose
            previousCloseDay = day
        }
        updateBase(of: entry, at: at)
    }

    /// Applies a ticker frame.
    mutating func apply(_ frame: TickerFrame, receivedAt: Timestamp) {
        if frame.closePrice.sign > 0 { update(frame.closePrice, at: frame.at, from: .ticker) }
        if note(frame.volume, over: frame.period) { noteTrading(receivedAt) }
        if frame.period == .hours24 {
            updateTurnover(frame.tradeValue, frame.volume, at: frame.at, from: .ticker)
        }
        if frame.period == .midnight { update(DayStatistics(frame), at: frame.at, from: .ticker) }
        applyBase(frame)
    }

    /// Applies what a ticker frame says of its period: the base of the change, and in 24 hours the
    /// trade strength.
    mutating func applyBase(_ frame: TickerFrame) {
        if frame.period == .hours24 { updateStrength(of: frame) }
        // The day's change is always computed from the previous close, never from a frame.
        guard frame.period != .midnight, frame.openPrice.sign > 0, frame.closePrice.sign > 0 else {
            return
        }
        update(
            ChangeBase(
                base: frame.openPrice,
                reportedPrice: frame.closePrice,
                reportedRate: frame.changeRate,
                reportedAmount: frame.changeAmount,
                at: frame.at,
                source: .ticker
            ),
            over: frame.period
        )
    }

    /// Applies a trade.
    mutating func apply(_ trade: Trade, receivedAt: Timestamp) {
        noteTrading(receivedAt)
        guard trade.price.sign > 0 else { return }
        noteExtremes(of: trade)
        if let lastTradeAt, trade.executedAt < lastTradeAt { return }
        lastTradeAt = trade.executedAt
        update(trade.price, at: trade.executedAt, from: .trade)
    }

    /// Marks the market as suspended or delisted.
    mutating func suspend() {
        isTrading = false
    }

    /// Updates the price if it is the newest.
    ///
    /// A trade wins its whole second; other prices need a later second.
    private mutating func update(_ newPrice: FixedDecimal, at: Timestamp, from source: ValueSource)
    {
        guard Self.isNewer(at, source, than: priceAt, priceSource) else { return }
        if let price {
            tick = PriceDirection(comparing: newPrice, with: price, else: tick, source)
        }
        price = newPrice
        priceAt = at
        priceSource = source
    }

    private mutating func updateTurnover(
        _ value: FixedDecimal?,
        _ volume: FixedDecimal?,
        at: Timestamp,
        from source: ValueSource
    ) {
        guard value != nil || volume != nil,
            Self.isNewer(at, source, than: tradeValueAt, tradeValueSource)
        else { return }
        tradeValue24h = value ?? tradeValue24h
        volume24h = volume ?? volume24h
        tradeValueAt = at
        tradeValueSource = source
    }

    /// Updates the base of 24 hours from a listing.
    ///
    /// In BTC markets the exchange rounds the amount to an integer, so only the rate is used.
    private mutating func updateBase(of entry: ListingEntry, at: Timestamp) {
        guard let price = entry.price, let rate = entry.changeRate24h else { return }
        let base = entry.changeAmount24h.flatMap { try? price - $0 }
        update(
            ChangeBase(
                base: base.flatMap { $0.sign > 0 ? $0 : nil },
                reportedPrice: price,
                reportedRate: rate,
                reportedAmount: entry.changeAmount24h,
                at: at,
                source: .listing
            ),
            over: .hours24
        )
    }

    /// Updates a base if it is the newest.
    ///
    /// A rate without a base price never replaces one with.
    private mutating func update(_ new: ChangeBase, over period: ChangePeriod) {
        if let held = bases[period] {
            if (new.base == nil) != (held.base == nil) {
                guard held.base == nil else { return }
            } else {
                guard Self.isNewer(new.at, new.source, than: held.at, held.source) else { return }
            }
        }
        bases[period] = new
    }

    /// Whether a value replaces the held one: by exchange second, then by source.
    ///
    /// Order of arrival decides only within one source.
    static func isNewer(
        _ at: Timestamp,
        _ source: ValueSource,
        than heldAt: Timestamp?,
        _ heldSource: ValueSource?
    ) -> Bool {
        guard let heldAt, let heldSource else { return true }
        return (at.second, source.rawValue) >= (heldAt.second, heldSource.rawValue)
    }
}

extension MarketState {
    /// Detects trades from the volumes of a listing.
    private mutating func noteVolumes(
        of entry: ListingEntry,
        at: Timestamp,
        receivedAt: Timestamp
    ) {
        // A trade since the previous listing explains the larger volume and has its own time.
        let isExplained = lastTradeAt.map { trade in listedAt.map { trade > $0 } ?? true } ?? false
        let isNewer = lastTradeAt.map { $0 > at } ?? false
        if let volume = entry.volume24h {
            if note(volume, over: .hours24), !isExplained { noteTrading(receivedAt) }
            isQuiet24h = volume.isZero && !isNewer
        }
        if let volume = entry.volumeToday {
            if note(volume, over: .midnight), !isExplained { noteTrading(receivedAt) }
            isQuietToday = volume.isZero && !isNewer
        }
        listedAt = at
    }

    /// Stores the newest volume of a period.
    ///
    /// - Returns: whether it proves a trade: it grew, or no earlier volume is known.
    private mutating func note(_ volume: FixedDecimal, over period: ChangePeriod) -> Bool {
        let held = volumes[period]
        volumes[period] = volume
        return held.map { volume > $0 } ?? !volume.isZero
    }

    private mutating func noteTrading(_ receivedAt: Timestamp) {
        activeAt = max(activeAt, receivedAt)
        isQuiet24h = false
        isQuietToday = false
    }
}

extension PriceDirection {
    /// The direction of a new price.
    ///
    /// A ticker frame or listing with the same price is not a new price, so the last direction
    /// stays.
    fileprivate init?(
        comparing new: FixedDecimal,
        with old: FixedDecimal,
        else last: PriceDirection?,
        _ source: MarketState.ValueSource
    ) {
        if new > old {
            self = .up
        } else if new < old {
            self = .down
        } else if source == .trade {
            self = .flat
        } else if let last {
            self = last
        } else {
            return nil
        }
    }
}
