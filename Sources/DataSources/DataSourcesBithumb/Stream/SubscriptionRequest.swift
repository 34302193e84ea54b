import DataSourceContracts
import JSON

/// A message that subscribes to a stream.
///
/// API 1.x takes one object for each type, API 2.x one list of all of them:
///
/// ```json
/// {"type":"ticker","symbols":["BTC_KRW","ETH_KRW"],"tickTypes":["24H","MID"]}
/// [{"ticket":"hoga"},{"type":"ticker","codes":["KRW-BTC","KRW-ETH"]},
///  {"type":"trade","codes":["KRW-BTC","KRW-ETH"],"isOnlyRealtime":true}]
/// ```
///
/// Symbols come from the exchange as data, so quotes and control characters are escaped.
struct SubscriptionRequest: Sendable, Hashable {
    /// The subscribed types, for errors.
    let types: String
    /// The JSON text.
    let text: String

    /// Names the client in API 2.x, where each request has a ticket.
    private static let ticket = "hoga"

    private static let tradeType = "trade"

    /// The messages that subscribe all of `subscriptions`.
    static func requests(
        _ subscriptions: [StreamSubscriptionDTO],
        of generation: APIGeneration
    ) -> [SubscriptionRequest] {
        switch generation {
        case .v1: subscriptions.map(SubscriptionRequest.init)
        case .v2: [SubscriptionRequest(wholeList: subscriptions)]
        }
    }

    /// The request of API 1.x for one type.
    private init(_ subscription: StreamSubscriptionDTO) {
        var json = JSONWriter()
        json.object { json in
            json.key("type")
            json.string(subscription.type)
            json.key("symbols")
            json.array(subscription.symbols) { $0.string($1) }
            if !subscription.tickTypes.isEmpty {
                json.key("tickTypes")
                json.array(subscription.tickTypes) { $0.string($1) }
            }
        }
        types = subscription.type
        text = String(decoding: json.bytes, as: UTF8.self)
    }

    /// The request of API 2.x, which replaces all that were subscribed before.
    private init(wholeList subscriptions: [StreamSubscriptionDTO]) {
        let lists = subscriptions.compactMap { subscription in
            Self.type(subscription.type).map { type in (type, subscription.symbols) }
        }
        var json = JSONWriter()
        // Nil is the ticket, which comes first.
        json.array([nil] + lists.map(Optional.some)) { json, list in
            json.object { json in
                guard let (type, symbols) = list else {
                    json.key("ticket")
                    json.string(Self.ticket)
                    return
                }
                json.key("type")
                json.string(type)
                json.key("codes")
                json.array(symbols) { $0.string(MarketCode.code(of: $1)) }
                if type == Self.tradeType {
                    // The last trade of each market would be told again with every request. The
                    // snapshots of tickers alone tell that a market without trades is suspended.
                    json.key("isOnlyRealtime")
                    json.boolean(true)
                }
            }
        }
        types = lists.map(\.0).joined(separator: ", ")
        text = String(decoding: json.bytes, as: UTF8.self)
    }

    /// The name of a type in API 2.x; nil if it has no such type.
    private static func type(_ name: String) -> String? {
        switch name {
        case "transaction": tradeType
        case "orderbooksnapshot": "orderbook"
        case "orderbookdepth": nil
        default: name
        }
    }
}
