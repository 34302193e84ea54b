import DataSourceContracts
import DataSourcesBithumb
import Testing

/// The messages of API 2.x in the shapes of the exchange, written by hand, each with its fields.
enum MarketMessage: CaseIterable, Sendable, CustomTestStringConvertible {
    case tickerRow, tickerFrame, tradeRow, tradeFrame, bookRow, bookFrame, candleRow

    /// The kind of value that a field holds; it decides the effect of a bad one.
    enum Kind: Sendable {
        /// The name of the market, or the type of a frame.
        case name
        /// A number without which the message is skipped.
        case number
        /// A number that may be absent.
        case optionalNumber
        /// A Unix time.
        case unixTime
        /// A positive integer that may be absent.
        case optionalInteger
        /// A text in a form of its own: a time, a side.
        case text
        /// A list of levels.
        case list
        /// A value that is read if it is right, and else unknown.
        case flag
    }

    struct Field: Sendable {
        let key: String
        let json: String
        let kind: Kind
    }

    /// A message that was decoded.
    enum Output: Hashable {
        case ticker(MarketTickerDTO)
        case trade(MarketTradeDTO)
        case book(OrderBookDTO)
        case candle(CandleDTO)
        /// The reason; empty in rows, which are only counted.
        case skipped(String)
        case other
    }

    var testDescription: String { "\(self)" }

    var isFrame: Bool {
        switch self {
        case .tickerFrame, .tradeFrame, .bookFrame: true
        case .tickerRow, .tradeRow, .bookRow, .candleRow: false
        }
    }

    /// The fields in the order of the wire.
    var fields: [Field] {
        switch self {
        case .tickerRow: Self.tickerFields(row: true)
        case .tickerFrame: Self.tickerFields(row: false)
        case .tradeRow: Self.tradeFields(row: true)
        case .tradeFrame: Self.tradeFields(row: false)
        case .bookRow: Self.bookFields(row: true)
        case .bookFrame: Self.bookFields(row: false)
        case .candleRow: Self.candleFields
        }
    }

    /// The message; fields with a replacement get its value, nil leaves them out.
    func json(_ replacements: [String: String?] = [:], adding more: String = "") -> String {
        let members = fields.map { (key: $0.key, json: $0.json) }
        let object = BithumbFixtures.object(members, with: replacements)
        return more.isEmpty ? object : "{\(more),\(object.dropFirst())"
    }

    /// Decodes messages of this kind.
    func decode(_ messages: [String]) throws -> [Output] {
        if isFrame {
            var decoder = StreamDecoder(.v2)
            return decoder.decode(BithumbFixtures.batch(messages)).map { message in
                switch message {
                case .marketTicker(let ticker): .ticker(ticker)
                case .trade(let trade): .trade(trade)
                case .orderBook(let book): .book(book)
                case .skipped(let entry): .skipped(entry.reason)
                case .status, .unknown, .ticker, .transactions, .depth: .other
                }
            }
        }
        let body = Array("[\(messages.joined(separator: ","))]".utf8)
        var decoder = MarketDataDecoder()
        let (outputs, skippedCount): ([Output], Int)
        switch self {
        case .tickerRow:
            let answer = try decoder.tickers(body)
            (outputs, skippedCount) = (answer.tickers.map(Output.ticker), answer.skippedCount)
        case .tradeRow:
            let answer = try decoder.trades(body)
            (outputs, skippedCount) = (answer.trades.map(Output.trade), answer.skippedCount)
        case .bookRow:
            let answer = try decoder.orderBooks(body)
            (outputs, skippedCount) = (answer.books.map(Output.book), answer.skippedCount)
        case .candleRow, .tickerFrame, .tradeFrame, .bookFrame:
            let answer = try decoder.candles(body)
            (outputs, skippedCount) = (answer.rows.map(Output.candle), answer.skippedCount)
        }
        return outputs + Array(repeating: .skipped(""), count: skippedCount)
    }

    // MARK: Fields

    private static func tickerFields(row: Bool) -> [Field] {
        let head: [Field] =
            row
            ? [Field(key: "market", json: #""KRW-XRP""#, kind: .name)]
            : [
                Field(key: "type", json: #""ticker""#, kind: .name),
                Field(key: "code", json: #""KRW-XRP""#, kind: .name),
            ]
        // The same second in UTC and in KST.
        let clock: [Field] = [
            Field(key: "trade_date", json: #""20260923""#, kind: .text),
            Field(key: "trade_time", json: row ? #""121833""# : #""211833""#, kind: .text),
            // Nine hours ahead in a row.
            Field(
                key: "trade_timestamp",
                json: row ? "1790198313240" : "1790165913240",
                kind: .unixTime
            ),
        ]
        let numbers = [
            ("opening_price", "1204"), ("high_price", "1215"), ("low_price", "1199"),
            ("prev_closing_price", "1203"), ("acc_trade_price", "97912345.1234"),
            ("acc_trade_price_24h", "1.76373410121466379999997512"),
            ("acc_trade_volume", "81234.5511"), ("acc_trade_volume_24h", "1.4E-7"),
        ]
        let frameNumbers =
            row ? [] : [("acc_ask_volume", "70000"), ("acc_bid_volume", "11234.5511")]
        let optional = (numbers + frameNumbers).map { key, json in
            Field(key: key, json: json, kind: .optionalNumber)
        }
        let flags: [Field] =
            row
            ? []
            : [
                Field(key: "is_trading_suspended", json: "false", kind: .flag),
                Field(key: "market_warning", json: #""CAUTION""#, kind: .flag),
            ]
        return head + clock + [Field(key: "trade_price", json: "1210", kind: .number)] + optional
            + flags
    }

    private static func tradeFields(row: Bool) -> [Field] {
        let head: [Field] =
            row
            ? [
                Field(key: "market", json: #""KRW-XRP""#, kind: .name),
                Field(key: "timestamp", json: "1790165913240", kind: .unixTime),
            ]
            : [
                Field(key: "type", json: #""trade""#, kind: .name),
                Field(key: "code", json: #""KRW-XRP""#, kind: .name),
                Field(key: "trade_timestamp", json: "1790165913240", kind: .unixTime),
            ]
        return head + [
            Field(key: "trade_price", json: "1211", kind: .number),
            Field(key: "trade_volume", json: "35.5", kind: .number),
            Field(key: "ask_bid", json: #""BID""#, kind: .text),
            Field(key: "sequential_id", json: "921046844841158138", kind: .optionalInteger),
        ]
    }

    private static func bookFields(row: Bool) -> [Field] {
        let head: [Field] =
            row
            ? [
                Field(key: "market", json: #""KRW-XRP""#, kind: .name),
                Field(key: "timestamp", json: "1790133914965", kind: .unixTime),
            ]
            : [
                Field(key: "type", json: #""orderbook""#, kind: .name),
                Field(key: "code", json: #""KRW-XRP""#, kind: .name),
                Field(key: "timestamp", json: "1790133914965948", kind: .unixTime),
            ]
        let unit = #"{"ask_price":1210,"bid_price":1209,"ask_size":120.0421,"bid_size":35.5}"#
        return head + [Field(key: "orderbook_units", json: "[\(unit)]", kind: .list)]
    }

    private static let candleFields: [Field] = [
        Field(key: "market", json: #""KRW-XRP""#, kind: .name),
        Field(key: "candle_date_time_utc", json: #""2026-09-23T12:18:00""#, kind: .text),
        Field(key: "opening_price", json: "1204", kind: .number),
        Field(key: "high_price", json: "1215", kind: .number),
        Field(key: "low_price", json: "1199", kind: .number),
        Field(key: "trade_price", json: "1210", kind: .number),
        Field(key: "candle_acc_trade_price", json: "1109.5", kind: .optionalNumber),
        Field(key: "candle_acc_trade_volume", json: "0.9159", kind: .number),
    ]
}
