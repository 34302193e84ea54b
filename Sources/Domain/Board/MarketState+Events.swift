extension MarketState {
    /// Takes what a listing says; answers which facets changed.
    mutating func apply(
        _ entry: ListingEntry,
        at: Timestamp,
        receivedAt: Timestamp
    ) -> MarketFacets {
        var changed: MarketFacets = []
        wasListed = true
        if !isTrading {
            isTrading = true
            changed.insert(.trading)
        }
        if let price = entry.price, offer(price, at: at, from: .listing) { changed.insert(.price) }
        changed.formUnion(applyActivity(of: entry, receivedAt: receivedAt))
        if let value = entry.tradeValue24h, offerTradeValue(value, at: at) {
            changed.insert(.tradeValue)
        }
        let day = SeoulTime(at).day
        if previousCloseDay.map({ day >= $0 }) ?? true,
            previousClose != entry.previousClose || previousCloseDay != day
        {
            previousClose = entry.previousClose
            previousCloseDay = day
            changed.insert(.change)
        }
        if offerBase(of: entry, at: at) { changed.insert(.change) }
        return changed
    }

    /// Takes a ticker frame; answers which facets changed.
    mutating func apply(_ frame: TickerFrame, receivedAt: Timestamp) -> MarketFacets {
        var changed: MarketFacets = []
        if frame.closePrice.sign > 0, offer(frame.closePrice, at: frame.at, from: .ticker) {
            changed.insert(.price)
        }
        if !frame.volume.isZero { noteActivity(receivedAt) }
        if frame.period == .hours24, offerTradeValue(frame.tradeValue, at: frame.at) {
            changed.insert(.tradeValue)
        }
        // The day's change is always reckoned from the previous close, never from a frame.
        guard frame.period != .midnight, frame.openPrice.sign > 0, frame.closePrice.sign > 0 else {
            return changed
        }
        if let held = bases[frame.period], held.at.second > frame.at.second,
            held.isFromStream || held.base != nil
        {
            return changed
        }
        bases[frame.period] = ChangeBase(
            base: frame.openPrice,
            reportedPrice: frame.closePrice,
            reportedRate: frame.changeRate,
            reportedAmount: frame.changeAmount,
            at: frame.at,
            isFromStream: true
        )
        changed.insert(.change)
        return changed
    }

    /// Takes a trade; answers which facets changed.
    mutating func apply(_ trade: Trade, receivedAt: Timestamp) -> MarketFacets {
        noteActivity(receivedAt)
        guard trade.price.sign > 0, offer(trade.price, at: trade.executedAt, from: .trade) else {
            return []
        }
        return .price
    }

    /// Marks the market as suspended or gone.
    mutating func suspend() -> MarketFacets {
        guard isTrading else { return [] }
        isTrading = false
        return .trading
    }

    /// Takes a price if it is the newest: a trade owns its whole second, other prices count only
    /// in a later one.
    private mutating func offer(
        _ newPrice: FixedDecimal,
        at: Timestamp,
        from source: PriceSource
    ) -> Bool {
        if source == .trade {
            if let lastTradeAt, at < lastTradeAt { return false }
            lastTradeAt = at
        }
        if let priceAt, let priceSource {
            let isNewer =
                priceSource == .trade && source != .trade
                ? at.second > priceAt.second : at.second >= priceAt.second
            guard isNewer else { return false }
        }
        if let price {
            tick = PriceDirection(comparing: newPrice, with: price, else: tick, source)
        }
        price = newPrice
        priceAt = at
        priceSource = source
        return true
    }

    private mutating func offerTradeValue(_ value: FixedDecimal, at: Timestamp) -> Bool {
        if let tradeValueAt, at.second < tradeValueAt.second { return false }
        tradeValueAt = at
        guard tradeValue24h != value else { return false }
        tradeValue24h = value
        return true
    }

    /// Takes a listing's change over 24 hours as the base of that period.
    ///
    /// A BTC market's amount is rounded to an integer there, so its base stays unknown until the
    /// first frame and is never replaced by a listing afterwards.
    private mutating func offerBase(of entry: ListingEntry, at: Timestamp) -> Bool {
        guard let price = entry.price, let rate = entry.changeRate24h else { return false }
        if let held = bases[.hours24] {
            if held.at.second > at.second { return false }
            if held.isFromStream, entry.changeAmount24h == nil { return false }
        }
        let base = entry.changeAmount24h.flatMap { amount in
            let base = try? price - amount
            return base.flatMap { $0.sign > 0 ? $0 : nil }
        }
        let new = ChangeBase(
            base: base,
            reportedPrice: price,
            reportedRate: rate,
            reportedAmount: entry.changeAmount24h,
            at: at,
            isFromStream: false
        )
        guard bases[.hours24] != new else { return false }
        bases[.hours24] = new
        return true
    }

    /// Notes whether the market has been traded, from the volumes of a listing.
    private mutating func applyActivity(
        of entry: ListingEntry,
        receivedAt: Timestamp
    ) -> MarketFacets {
        let wasQuiet = (isQuiet24h, isQuietToday)
        if let volume = entry.volume24h {
            if let lastVolume24h, volume > lastVolume24h { noteActivity(receivedAt) }
            lastVolume24h = volume
            isQuiet24h = volume.isZero
        }
        if let volume = entry.volumeToday { isQuietToday = volume.isZero }
        return wasQuiet == (isQuiet24h, isQuietToday) ? [] : .change
    }

    private mutating func noteActivity(_ receivedAt: Timestamp) {
        activeAt = max(activeAt, receivedAt)
        isQuiet24h = false
        isQuietToday = false
    }
}

extension PriceDirection {
    /// The tick of a new price.
    ///
    /// A ticker frame or listing that repeats the price is no new price,
    /// so the last tick stays.
    fileprivate init?(
        comparing new: FixedDecimal,
        with old: FixedDecimal,
        else last: PriceDirection?,
        _ source: MarketState.PriceSource
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
