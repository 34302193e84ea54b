public import Domain

extension SampleBoard {
    /// Adds interests in details of a market.
    public mutating func open(_ market: MarketID, _ facets: DetailFacet...) {
        for facet in facets {
            applyDetails(.feed(.opened(DetailInterest(market: market, facet: facet))))
        }
    }

    /// Applies an order book snapshot; levels stand best first.
    public mutating func book(
        _ market: MarketID,
        asks: [BookLevel],
        bids: [BookLevel],
        origin: OrderBookSnapshot.Origin = .stream
    ) {
        let snapshot = OrderBookSnapshot(
            market: market,
            at: now,
            asks: asks,
            bids: bids,
            origin: origin
        )
        applyDetails(.orderBook(snapshot))
    }

    /// Applies trades at the present time.
    public mutating func trade(
        _ market: MarketID,
        _ price: FixedDecimal,
        _ quantity: FixedDecimal,
        _ side: Trade.Side
    ) {
        let trade = Trade(
            market: market,
            price: price,
            quantity: quantity,
            side: side,
            executedAt: now
        )
        apply(.trade(trade))
    }

    /// Applies an empty trade history from REST.
    public mutating func joinTrades(_ market: MarketID) {
        applyDetails(.tradeHistory(TradeHistory(market: market, rows: [], beginning: .firstTrade)))
    }

    /// Applies candles from REST.
    public mutating func candles(
        _ market: MarketID,
        _ interval: CandleInterval,
        _ candles: [Candle]
    ) {
        let page = CandlePage(
            market: market,
            interval: interval,
            candles: candles,
            requestedAt: now,
            answeredAt: now
        )
        applyDetails(.candles(page))
    }
}

extension BookLevel: ExpressibleByDictionaryLiteral {
    /// `["143211000": "0.0421"]`: a price and its quantity.
    public init(dictionaryLiteral elements: (FixedDecimal, FixedDecimal)...) {
        precondition(elements.count == 1, "a level is one price and one quantity")
        self.init(price: elements[0].0, quantity: elements[0].1)
    }
}

extension Candle {
    /// A candle from REST.
    public init(
        _ openTime: Timestamp,
        open: FixedDecimal,
        high: FixedDecimal,
        low: FixedDecimal,
        close: FixedDecimal,
        volume: FixedDecimal = .one
    ) {
        self.init(
            openTime: openTime,
            open: open,
            high: high,
            low: low,
            close: close,
            volume: volume,
            origin: .rest
        )
    }
}
