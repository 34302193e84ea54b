import CBithumbJSON
public import DataSourceContracts

/// Decodes the bodies of `ticker`, `orderbook`, `trades/ticks` and `candles/…` of API 2.x without
/// I/O.
///
/// Rows that do not decode are counted and do not affect others. A body that is not complete JSON
/// is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct MarketDataDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body of `ticker`; the caller sets `feedLabel` from the headers.
    ///
    /// - Throws: `refused` with the name and message of the error; `malformed`.
    public mutating func tickers(_ body: [UInt8]) throws(DataSourceError) -> MarketTickersDTO {
        try reader.readBody(body, as: .market_tickers) { head, result in
            MarketTickersDTO(
                tickers: (0..<result.marketTickerCount).map { index in
                    MarketTickerDTO(result.marketTicker(index), of: result)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes a body of `orderbook`.
    ///
    /// - Throws: as ``tickers(_:)``.
    public mutating func orderBooks(_ body: [UInt8]) throws(DataSourceError) -> OrderBooksDTO {
        try reader.readBody(body, as: .market_books) { head, result in
            OrderBooksDTO(
                books: (0..<result.bookCount).map { OrderBookDTO(result.book($0), of: result) },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes a body of `trades/ticks`; trades keep the order of the wire.
    ///
    /// - Throws: as ``tickers(_:)``.
    public mutating func trades(_ body: [UInt8]) throws(DataSourceError) -> MarketTradesDTO {
        try reader.readBody(body, as: .market_trades) { head, result in
            MarketTradesDTO(
                trades: (0..<result.tradeCount).map { index in
                    MarketTradeDTO(result.trade(index), of: result)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes a body of `candles/…`; rows keep the order of the wire.
    ///
    /// - Throws: as ``tickers(_:)``.
    public mutating func candles(_ body: [UInt8]) throws(DataSourceError) -> CandlesDTO {
        try reader.readBody(body, as: .market_candles) { head, result in
            CandlesDTO(
                rows: (0..<result.candleCount).map { CandleDTO(result.candle($0)) },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension MarketDataDecoder: Sendable {}

extension MarketTickerDTO {
    init(_ ticker: hoga_wire_market_ticker, of result: borrowing BithumbJSONResult) {
        self.init(
            market: result.string(ticker.market),
            tradedAtMilliseconds: Self.tradeTime(
                clockMilliseconds: ticker.clock_microseconds / 1_000,
                timestamp: ticker.trade_timestamp_milliseconds
            ),
            tradePrice: WireDecimal(present: ticker.trade_price)
        )
        openingPrice = WireDecimal(ticker.opening_price)
        highPrice = WireDecimal(ticker.high_price)
        lowPrice = WireDecimal(ticker.low_price)
        prevClosingPrice = WireDecimal(ticker.prev_closing_price)
        accTradePrice = WireDecimal(ticker.acc_trade_price)
        accTradePrice24H = WireDecimal(ticker.acc_trade_price_24h)
        accTradeVolume = WireDecimal(ticker.acc_trade_volume)
        accTradeVolume24H = WireDecimal(ticker.acc_trade_volume_24h)
        accAskVolume = WireDecimal(ticker.acc_ask_volume)
        accBidVolume = WireDecimal(ticker.acc_bid_volume)
        isSuspended = Bool(ticker.suspended)
        isWarned = Bool(ticker.warning)
        isSnapshot = ticker.is_snapshot != 0
    }
}

extension MarketTradeDTO {
    init(_ trade: hoga_wire_trade, of result: borrowing BithumbJSONResult) {
        self.init(
            market: result.string(trade.symbol),
            atMilliseconds: trade.at_microseconds / 1_000,
            takerBought: trade.taker_bought != 0,
            price: WireDecimal(present: trade.price),
            quantity: WireDecimal(present: trade.quantity),
            sequentialID: trade.sequential_id == 0 ? nil : trade.sequential_id
        )
        isSnapshot = trade.is_snapshot != 0
    }
}
