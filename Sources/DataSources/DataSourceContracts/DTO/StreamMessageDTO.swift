/// One message of a stream, routed by `status` or `error` first, then by `type`.
public enum StreamMessageDTO: Sendable, Hashable {
    /// A greeting, an acknowledgement or a refusal; in API 2.x an error, after which the server
    /// closes the stream, or `UP`, which answers a ping.
    case status(StreamStatusDTO)
    /// A ticker frame of API 1.x.
    case ticker(StreamTickerDTO)
    /// A ticker frame of API 2.x.
    case marketTicker(MarketTickerDTO)
    /// A trade frame of API 2.x.
    case trade(MarketTradeDTO)
    /// A transaction frame of API 1.x: its trades, oldest first.
    case transactions([TransactionDTO])
    /// The changes of one order book; in API 1.x only.
    case depth(OrderBookDepthDTO)
    /// An order book snapshot; in API 2.x at most fifteen levels a side.
    case orderBook(OrderBookDTO)
    /// A frame of an unknown type.
    case unknown(type: String)
    /// A frame, or one trade or level of a frame, that did not decode.
    case skipped(SkippedEntryDTO)
}

/// `{"status":"0000","resmsg":"Connected Successfully"}`.
public struct StreamStatusDTO: Sendable, Hashable {
    /// Four digits, "0000" is success; in API 2.x a name such as `WRONG_FORMAT`, or `UP`.
    public var status: String
    /// The server's text.
    public var message: String

    /// Makes a status.
    public init(status: String, message: String) {
        self.status = status
        self.message = message
    }

    /// Whether the server refused a request.
    public var isRefusal: Bool { status != "0000" && status != "UP" }
}

/// A frame of type `ticker` (API 1.x stream; shape seen on the wire 2021-2022).
///
/// ```json
/// {"type":"ticker","content":{"tickType":"24H","date":"20260923","time":"211833",
///  "openPrice":"1202","closePrice":"1210","lowPrice":"1199","highPrice":"1215",
///  "value":"144512345.99","volume":"120000.01","sellVolume":"70000.01","buyVolume":"50000",
///  "prevClosePrice":"1203","chgRate":"0.67","chgAmt":"8","volumePower":"71.42",
///  "symbol":"XRP_KRW"}}
/// ```
///
/// `chgRate` and `chgAmt` refer to `openPrice`, the price where the window opens.
public struct StreamTickerDTO: Sendable, Hashable {
    /// `BTC_KRW`: coin and quote, split at the last underscore.
    public var symbol: String
    /// `30M`, `1H`, `12H`, `24H` or `MID`.
    public var tickType: String
    /// `date` and `time`, Korean wall clock, as Unix microseconds (whole seconds).
    public var atMicroseconds: Int64
    /// Price at the start of the window.
    public var openPrice: WireDecimal
    /// Price of the last trade.
    public var closePrice: WireDecimal
    /// Lowest price of the window.
    public var lowPrice: WireDecimal
    /// Highest price of the window.
    public var highPrice: WireDecimal
    /// Quote turnover of the window.
    public var value: WireDecimal
    /// Base volume of the window.
    public var volume: WireDecimal
    /// Base volume sold by takers.
    public var sellVolume: WireDecimal
    /// Base volume bought by takers.
    public var buyVolume: WireDecimal
    /// The exchange's previous close.
    public var prevClosePrice: WireDecimal
    /// Change in percent of `openPrice`, two decimals.
    public var chgRate: WireDecimal
    /// `closePrice` minus `openPrice`.
    public var chgAmt: WireDecimal
    /// `buyVolume` / `sellVolume` × 100, capped at 500.
    public var volumePower: WireDecimal

    /// Makes a frame.
    public init(
        symbol: String,
        tickType: String,
        atMicroseconds: Int64,
        openPrice: WireDecimal,
        closePrice: WireDecimal,
        lowPrice: WireDecimal,
        highPrice: WireDecimal,
        value: WireDecimal,
        volume: WireDecimal,
        sellVolume: WireDecimal,
        buyVolume: WireDecimal,
        prevClosePrice: WireDecimal,
        chgRate: WireDecimal,
        chgAmt: WireDecimal,
        volumePower: WireDecimal
    ) {
        self.symbol = symbol
        self.tickType = tickType
        self.atMicroseconds = atMicroseconds
        self.openPrice = openPrice
        self.closePrice = closePrice
        self.lowPrice = lowPrice
        self.highPrice = highPrice
        self.value = value
        self.volume = volume
        self.sellVolume = sellVolume
        self.buyVolume = buyVolume
        self.prevClosePrice = prevClosePrice
        self.chgRate = chgRate
        self.chgAmt = chgAmt
        self.volumePower = volumePower
    }
}

/// One trade of a frame of type `transaction` (API 1.x stream; shape seen on the wire 2021-2026).
///
/// ```json
/// {"type":"transaction","content":{"list":[{"buySellGb":"2","contPrice":"1211",
///  "contQty":"35.5","contAmt":"42990","contDtm":"2026-09-23 21:18:33.240601","updn":"up",
///  "symbol":"XRP_KRW"}]}}
/// ```
public struct TransactionDTO: Sendable, Hashable {
    /// `BTC_KRW`: coin and quote, split at the last underscore.
    public var symbol: String
    /// `buySellGb`: true for "2", the taker bought; false for "1", the taker sold.
    public var takerBought: Bool
    /// Price of the trade, in the quote currency.
    public var price: WireDecimal
    /// Base quantity.
    public var quantity: WireDecimal
    /// Quote amount, truncated by the exchange to a scale that varies by age.
    public var amount: WireDecimal
    /// `contDtm`, Korean wall clock, as Unix microseconds.
    public var atMicroseconds: Int64

    /// Makes a trade.
    public init(
        symbol: String,
        takerBought: Bool,
        price: WireDecimal,
        quantity: WireDecimal,
        amount: WireDecimal,
        atMicroseconds: Int64
    ) {
        self.symbol = symbol
        self.takerBought = takerBought
        self.price = price
        self.quantity = quantity
        self.amount = amount
        self.atMicroseconds = atMicroseconds
    }
}
