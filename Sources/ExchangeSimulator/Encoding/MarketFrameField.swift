/// The fields of stream messages of API 2.x.
enum MarketFrameField: Int, Sendable, CaseIterable {
    case type, code, timestamp, streamType
    case openingPrice, highPrice, lowPrice, tradePrice, prevClosingPrice
    case change, changePrice, signedChangePrice, changeRate, signedChangeRate
    case tradeVolume, accTradeVolume, accTradeVolume24h, accTradePrice, accTradePrice24h
    case tradeDate, tradeTime, tradeTimestamp, askBid, accAskVolume, accBidVolume
    case highest52WeekPrice, highest52WeekDate, lowest52WeekPrice, lowest52WeekDate
    case marketState, isTradingSuspended, delistingDate, marketWarning, sequentialID
    case totalAskSize, totalBidSize, orderbookUnits, level
    case askPrice, bidPrice, askSize, bidSize

    /// The names in the formats `DEFAULT` and `SIMPLE`.
    private var names: (full: String, simple: String) {
        switch self {
        case .type: ("type", "ty")
        case .code: ("code", "cd")
        case .timestamp: ("timestamp", "tms")
        case .streamType: ("stream_type", "st")
        case .openingPrice: ("opening_price", "op")
        case .highPrice: ("high_price", "hp")
        case .lowPrice: ("low_price", "lp")
        case .tradePrice: ("trade_price", "tp")
        case .prevClosingPrice: ("prev_closing_price", "pcp")
        case .change: ("change", "c")
        case .changePrice: ("change_price", "cp")
        case .signedChangePrice: ("signed_change_price", "scp")
        case .changeRate: ("change_rate", "cr")
        case .signedChangeRate: ("signed_change_rate", "scr")
        case .tradeVolume: ("trade_volume", "tv")
        case .accTradeVolume: ("acc_trade_volume", "atv")
        case .accTradeVolume24h: ("acc_trade_volume_24h", "atv24h")
        case .accTradePrice: ("acc_trade_price", "atp")
        case .accTradePrice24h: ("acc_trade_price_24h", "atp24h")
        case .tradeDate: ("trade_date", "tdt")
        case .tradeTime: ("trade_time", "ttm")
        case .tradeTimestamp: ("trade_timestamp", "ttms")
        case .askBid: ("ask_bid", "ab")
        case .accAskVolume: ("acc_ask_volume", "aav")
        case .accBidVolume: ("acc_bid_volume", "abv")
        case .highest52WeekPrice: ("highest_52_week_price", "h52wp")
        case .highest52WeekDate: ("highest_52_week_date", "h52wdt")
        case .lowest52WeekPrice: ("lowest_52_week_price", "l52wp")
        case .lowest52WeekDate: ("lowest_52_week_date", "l52wdt")
        case .marketState: ("market_state", "ms")
        case .isTradingSuspended: ("is_trading_suspended", "its")
        case .delistingDate: ("delisting_date", "dd")
        case .marketWarning: ("market_warning", "mw")
        case .sequentialID: ("sequential_id", "sid")
        case .totalAskSize: ("total_ask_size", "tas")
        case .totalBidSize: ("total_bid_size", "tbs")
        case .orderbookUnits: ("orderbook_units", "obu")
        case .level: ("level", "lv")
        case .askPrice: ("ask_price", "ap")
        case .bidPrice: ("bid_price", "bp")
        case .askSize: ("ask_size", "as")
        case .bidSize: ("bid_size", "bs")
        }
    }

    /// The names as JSON keys, by raw value.
    static func keys(_ format: MarketFrameFormat) -> [[UInt8]] {
        switch format {
        case .full: fullKeys
        case .simple: simpleKeys
        }
    }

    private static let fullKeys = allCases.map { Array("\"\($0.names.full)\":".utf8) }
    private static let simpleKeys = allCases.map { Array("\"\($0.names.simple)\":".utf8) }
}
