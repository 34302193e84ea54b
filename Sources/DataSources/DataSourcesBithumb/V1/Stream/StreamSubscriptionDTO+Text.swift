import DataSourceContracts
import JSON

extension StreamSubscriptionDTO {
    /// The request as one JSON object in one text message.
    ///
    /// ```json
    /// {"type":"ticker","symbols":["BTC_KRW","ETH_KRW"],"tickTypes":["24H","MID"]}
    /// ```
    ///
    /// Symbols come from the exchange as data, so quotes and control characters are escaped.
    var requestText: String {
        var json = JSONWriter()
        json.object { json in
            json.key("type")
            json.string(type)
            json.key("symbols")
            json.array(symbols) { $0.string($1) }
            if !tickTypes.isEmpty {
                json.key("tickTypes")
                json.array(tickTypes) { $0.string($1) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
