import DataSourceContracts
import TestSupport

/// Texts about order books, trades and candles in the shapes of the exchange, written by hand.
extension BithumbFixtures {
    /// The fields of one change of a book, in the order of the wire, values as JSON.
    static let changeFields: [(key: String, json: String)] = [
        ("symbol", #""XRP_KRW""#), ("orderType", #""ask""#), ("price", #""1211""#),
        ("quantity", #""35.5001""#), ("total", #""3""#),
    ]

    /// The fields of one trade of `transaction_history`, in the order of the wire, values as JSON.
    static let historicFields: [(key: String, json: String)] = [
        ("transaction_date", #""2026-09-23 21:18:33""#), ("type", #""bid""#),
        ("units_traded", #""35.5""#), ("price", #""1211""#), ("total", #""42990""#),
    ]

    static func change(_ replacements: [String: String?] = [:]) -> String {
        object(changeFields, with: replacements)
    }

    static func depth(
        _ changes: [String],
        datetime: String = #""1790133914965948""#
    ) -> String {
        let list = changes.joined(separator: ",")
        return frame(
            type: "orderbookdepth",
            content: #"{"list":[\#(list)],"datetime":\#(datetime)}"#
        )
    }

    /// The fields of a snapshot's content, in the order of the wire, values as JSON.
    static let snapshotFields: [(key: String, json: String)] = [
        ("symbol", #""XRP_KRW""#), ("datetime", #""1790133914965948""#),
        ("asks", #"[["1210","120.0421"],["1211","7"]]"#), ("bids", #"[["1209","35.5"]]"#),
    ]

    static func snapshot(_ replacements: [String: String?] = [:]) -> String {
        frame(type: "orderbooksnapshot", content: object(snapshotFields, with: replacements))
    }

    /// The fields of a REST book, in the order of the wire, values as JSON.
    static let bookFields: [(key: String, json: String)] = [
        ("timestamp", #""1790133914965""#), ("payment_currency", #""KRW""#),
        ("order_currency", #""XRP""#),
        ("bids", #"[{"price":"1209","quantity":"35.5"},{"price":"1208","quantity":"0"}]"#),
        ("asks", #"[{"price":"1210","quantity":"120.0421"}]"#),
    ]

    /// A whole answer around the JSON of its `data`.
    static func answer(data: String) -> String { #"{"status":"0000","data":\#(data)}"# }

    static func book(_ replacements: [String: String?] = [:]) -> String {
        answer(data: object(bookFields, with: replacements))
    }

    static func history(_ trades: [String]) -> String {
        answer(data: "[" + trades.joined(separator: ",") + "]")
    }

    static func historic(_ replacements: [String: String?] = [:]) -> String {
        object(historicFields, with: replacements)
    }

    static func candles(_ rows: [String]) -> String {
        answer(data: "[" + rows.joined(separator: ",") + "]")
    }
}

extension Spelling {
    /// Prices of all bands of the exchange's tick table, and quantities of all lengths.
    static let prices = [
        Spelling(#""0.0001""#, 1, 4), Spelling(#""0.9999""#, 9_999, 4),
        Spelling(#""1.001""#, 1_001, 3), Spelling(#""12.34""#, 1_234, 2),
        Spelling(#""123.5""#, 1_235, 1), Spelling(#""1210""#, 1_210),
        Spelling(#""65014.0""#, 650_140, 1), Spelling(#""116501000""#, 116_501_000),
        Spelling(#""100000000""#, 100_000_000), Spelling(#""0.00000037""#, 37, 8),
        Spelling(#""0.06371734""#, 6_371_734, 8),
        Spelling(#""999999999999999999""#, 999_999_999_999_999_999),
        Spelling(#""1000000000000000000""#, 1_000_000_000_000_000_000),
        Spelling(#""0000000000000000012""#, 12),
        Spelling(#""18446744073709551616""#, 18_446_744_073_709_551_616),
        Spelling(#""0.0000000000000000001""#, 1, 19),
    ]
}
