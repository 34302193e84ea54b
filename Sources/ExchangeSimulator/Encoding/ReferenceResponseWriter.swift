import Domain
import JSON

/// Writes the bodies of `/public/assetsstatus/…` and `/v1/market/…`.
struct ReferenceResponseWriter: Sendable {
    private var text = WireText()

    /// The states of coins: a map by coin, with flags as bare numbers.
    mutating func assets(_ coins: [(symbol: String, flags: SimulatedReference.Flags)]) -> [UInt8] {
        text.removeAll()
        text.append(#"{"status":"0000","data":{"#)
        for (index, coin) in coins.enumerated() {
            text.append(index == 0 ? "\"" : ",\"")
            text.append("\(coin.symbol)\":")
            append(coin.flags)
        }
        text.append("}}")
        return text.bytes
    }

    /// The state of one coin.
    mutating func asset(_ flags: SimulatedReference.Flags) -> [UInt8] {
        text.removeAll()
        text.append(#"{"status":"0000","data":"#)
        append(flags)
        text.append("}")
        return text.bytes
    }

    /// The names of markets, a list without an envelope.
    mutating func names(
        _ markets: [(id: MarketID, name: CoinNames.Entry, isWarned: Bool)],
        withWarnings: Bool
    ) -> [UInt8] {
        text.removeAll()
        text.append("[")
        for (index, market) in markets.enumerated() {
            text.append(index == 0 ? #"{"market":""# : #",{"market":""#)
            append(market.id)
            text.append(#"","korean_name":"#)
            append(quoted: market.name.korean)
            text.append(#","english_name":"#)
            append(quoted: market.name.english ?? "")
            if withWarnings {
                text.append(
                    market.isWarned
                        ? #","market_warning":"CAUTION""# : #","market_warning":"NONE""#
                )
            }
            text.append("}")
        }
        text.append("]")
        return text.bytes
    }

    /// The warnings in force, one row each.
    mutating func alerts(_ rows: [(id: MarketID, alert: SimulatedReference.Alert)]) -> [UInt8] {
        text.removeAll()
        text.append("[")
        for (index, row) in rows.enumerated() {
            text.append(index == 0 ? #"{"market":""# : #",{"market":""#)
            append(row.id)
            text.append(#"","warning_type":"\#(row.alert.type)""#)
            text.append(#","warning_step":"\#(row.alert.step)","end_date":""#)
            text.append(SeoulTime(row.alert.endsAt))
            text.append(#""}"#)
        }
        text.append("]")
        return text.bytes
    }

    private mutating func append(_ flags: SimulatedReference.Flags) {
        text.append(#"{"withdrawal_status":\#(flags.isWithdrawalOpen ? 1 : 0),"#)
        text.append(#""deposit_status":\#(flags.isDepositOpen ? 1 : 0)}"#)
    }

    /// `KRW-BTC`.
    private mutating func append(_ id: MarketID) {
        text.append(id.quote.rawValue + "-" + id.symbol)
    }

    private mutating func append(quoted name: String) {
        var json = JSONWriter()
        json.string(name)
        text.append(json.bytes)
    }
}
