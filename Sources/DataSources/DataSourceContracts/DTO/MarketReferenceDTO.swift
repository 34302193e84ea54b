/// One row of `GET /v1/market/all?isDetails=true` (API 2.x, seen 2026).
///
/// ```json
/// {"market":"KRW-XRP","korean_name":"…","english_name":"…","market_warning":"CAUTION"}
/// ```
public struct MarketNameDTO: Sendable, Hashable {
    /// `KRW-XRP` as on the wire.
    public var market: String
    /// `korean_name`; empty if missing or unreadable.
    public var korean: String
    /// `english_name`; empty if missing or unreadable.
    public var english: String
    /// `market_warning`: whether it is `CAUTION`; nil if absent or unreadable.
    public var isWarned: Bool?

    /// Makes a row.
    public init(market: String, korean: String, english: String, isWarned: Bool?) {
        self.market = market
        self.korean = korean
        self.english = english
        self.isWarned = isWarned
    }
}

/// A response of `market/all`.
public struct MarketNamesDTO: Sendable, Hashable {
    /// The rows in the order of the wire.
    public var markets: [MarketNameDTO]
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(markets: [MarketNameDTO], skippedCount: Int = 0) {
        self.markets = markets
        self.skippedCount = skippedCount
    }
}

/// One row of `GET /v1/market/virtual_asset_warning` (API 2.x, seen 2026).
///
/// ```json
/// {"market":"KRW-XRP","warning_type":"PRICE_SUDDEN_FLUCTUATION","warning_step":"CAUTION",
///  "end_date":"2026-11-21 06:59:59"}
/// ```
public struct MarketAlertDTO: Sendable, Hashable {
    /// `KRW-XRP` as on the wire; several rows may share it.
    public var market: String
    /// `warning_type`.
    public var type: String
    /// `warning_step`; nil in responses of 2025.
    public var step: String?
    /// `end_date`, a time in Seoul, as microseconds since 1970 UTC; nil if unreadable.
    public var endsAtMicroseconds: Int64?

    /// Makes a row.
    public init(market: String, type: String, step: String?, endsAtMicroseconds: Int64?) {
        self.market = market
        self.type = type
        self.step = step
        self.endsAtMicroseconds = endsAtMicroseconds
    }
}

/// A response of `virtual_asset_warning`.
public struct MarketAlertsDTO: Sendable, Hashable {
    /// The rows in the order of the wire.
    public var alerts: [MarketAlertDTO]
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(alerts: [MarketAlertDTO], skippedCount: Int = 0) {
        self.alerts = alerts
        self.skippedCount = skippedCount
    }
}
