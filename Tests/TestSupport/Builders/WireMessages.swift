public import DataSourceContracts

extension WireDecimal: ExpressibleByStringLiteral {
    /// A decimal from its text: an optional minus, digits and an optional point.
    public init(stringLiteral text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard parts.count <= 2, let mantissa = Int128(parts[0] + fraction) else {
            preconditionFailure("“\(text)” is no number")
        }
        self.init(mantissa: mantissa, scale: fraction.utf8.count)
    }
}

extension TickerDTO {
    /// A trading coin with consistent numbers.
    public init(
        _ symbol: String,
        price: WireDecimal,
        previousClose: WireDecimal? = nil,
        value24h: WireDecimal = "1000000"
    ) {
        self.init(symbol: symbol)
        closingPrice = price
        prevClosingPrice = previousClose ?? price
        unitsTraded = "5"
        unitsTraded24H = "10"
        accTradeValue24H = value24h
        fluctate24H = "0"
        fluctateRate24H = "0"
    }
}

extension StreamTickerDTO {
    /// A frame whose window has equal open and close.
    public init(
        _ symbol: String,
        _ tickType: String,
        atMicroseconds: Int64,
        open: WireDecimal,
        close: WireDecimal,
        amount: WireDecimal = "0",
        rate: WireDecimal = "0"
    ) {
        self.init(
            symbol: symbol,
            tickType: tickType,
            atMicroseconds: atMicroseconds,
            openPrice: open,
            closePrice: close,
            lowPrice: open,
            highPrice: close,
            value: "1000",
            volume: "2",
            sellVolume: "1",
            buyVolume: "1",
            prevClosePrice: open,
            chgRate: rate,
            chgAmt: amount,
            volumePower: "100"
        )
    }
}

extension TransactionDTO {
    /// A trade of one coin with a buying taker.
    public init(_ symbol: String, price: WireDecimal, atMicroseconds: Int64) {
        self.init(
            symbol: symbol,
            takerBought: true,
            price: price,
            quantity: "1",
            amount: price,
            atMicroseconds: atMicroseconds
        )
    }
}
