public import Domain

extension ListingEntry {
    /// An entry with some values; the others are unknown.
    public init(
        _ market: MarketID,
        price: FixedDecimal? = nil,
        previousClose: FixedDecimal? = nil,
        volumeToday: FixedDecimal? = nil,
        volume24h: FixedDecimal? = nil,
        tradeValue24h: FixedDecimal? = nil,
        changeAmount24h: FixedDecimal? = nil,
        changeRate24h: FixedDecimal? = nil
    ) {
        self.init(market: market)
        self.price = price
        self.previousClose = previousClose
        self.volumeToday = volumeToday
        self.volume24h = volume24h
        self.tradeValue24h = tradeValue24h
        self.changeAmount24h = changeAmount24h
        self.changeRate24h = changeRate24h
    }
}

extension TickerFrame {
    /// A frame; by default the change follows from the prices.
    public init(
        _ market: MarketID,
        _ period: ChangePeriod,
        at: Timestamp,
        open: FixedDecimal,
        close: FixedDecimal,
        value: FixedDecimal = "1000",
        volume: FixedDecimal = "1",
        amount: FixedDecimal? = nil,
        rate: FixedDecimal? = nil
    ) {
        let difference = FixedDecimal(units: close.units - open.units)
        let hundredfold = FixedDecimal(units: difference.units * 100)
        let share = try? hundredfold.divided(by: open, rounding: .halfEven)
        let rounded = try? share?.rounded(toFractionDigits: 2, .halfAwayFromZero)
        self.init(
            market: market,
            period: period,
            at: at,
            openPrice: open,
            closePrice: close,
            tradeValue: value,
            volume: volume,
            changeAmount: amount ?? difference,
            changeRate: rate ?? rounded ?? .zero
        )
    }
}

extension Trade {
    /// A trade of one coin with a buying taker.
    public init(_ market: MarketID, price: FixedDecimal, at: Timestamp) {
        self.init(market: market, price: price, quantity: .one, side: .buy, executedAt: at)
    }
}

extension Listing {
    /// A listing, by default of won markets.
    public init(
        _ quote: Quote = .krw,
        at: Timestamp,
        _ entries: [ListingEntry],
        suspended: [MarketID] = []
    ) {
        self.init(quote: quote, at: at, entries: entries, suspended: suspended)
    }
}

extension MarketBoard {
    /// Applies events received at one time.
    @discardableResult
    public mutating func apply(_ events: MarketEvent..., at receivedAt: Timestamp) -> BoardChanges {
        apply(MarketEventBatch(events: events, receivedAt: receivedAt, frameCount: 0))
    }

    /// Applies events of the detail feed that arrived at one moment.
    @discardableResult
    public mutating func applyDetails(
        _ events: DetailEvent...,
        at receivedAt: Timestamp
    ) -> BoardChanges {
        apply(DetailEventBatch(events: events, receivedAt: receivedAt))
    }

    /// Applies reference data that arrived at one moment.
    @discardableResult
    public mutating func applyReference(
        _ events: ReferenceEvent...,
        at receivedAt: Timestamp
    ) -> BoardChanges {
        apply(ReferenceEventBatch(events: events, receivedAt: receivedAt))
    }
}
