import DataSourceContracts
import TestSupport
import Testing

/// Texts in the shapes of the exchange, written by hand, and shorthands to read them.
enum BithumbFixtures {
    /// The fields of one coin of `ticker/ALL_…`, in the order of the wire, values as JSON.
    static let coinFields: [(key: String, json: String)] = [
        ("opening_price", #""1204""#), ("closing_price", #""1210""#), ("min_price", #""1199""#),
        ("max_price", #""1215""#), ("units_traded", #""81234.5511""#),
        ("acc_trade_value", #""97912345.1234""#), ("prev_closing_price", #""1203""#),
        ("units_traded_24H", #""120000.01""#), ("acc_trade_value_24H", #""144512345.99""#),
        ("fluctate_24H", #""8""#), ("fluctate_rate_24H", #""0.67""#),
    ]

    /// The fields of a ticker frame's content, in the order of the wire, values as JSON.
    static let tickerFields: [(key: String, json: String)] = [
        ("tickType", #""24H""#), ("date", #""20260923""#), ("time", #""211833""#),
        ("openPrice", #""1202""#), ("closePrice", #""1210""#), ("lowPrice", #""1199""#),
        ("highPrice", #""1215""#), ("value", #""144512345.99""#), ("volume", #""120000.01""#),
        ("sellVolume", #""70000.01""#), ("buyVolume", #""50000""#),
        ("prevClosePrice", #""1203""#), ("chgRate", #""0.67""#), ("chgAmt", #""8""#),
        ("volumePower", #""71.42""#), ("symbol", #""XRP_KRW""#),
    ]

    /// The fields of one trade, in the order of the wire, values as JSON.
    static let tradeFields: [(key: String, json: String)] = [
        ("buySellGb", #""2""#), ("contPrice", #""1211""#), ("contQty", #""35.5""#),
        ("contAmt", #""42990""#), ("contDtm", #""2026-09-23 21:18:33.240601""#),
        ("updn", #""up""#), ("symbol", #""XRP_KRW""#),
    ]

    /// A JSON object of these fields; those with a replacement get its value, nil leaves them out.
    static func object(
        _ fields: [(key: String, json: String)],
        with replacements: [String: String?] = [:]
    ) -> String {
        let members = fields.compactMap { key, json -> String? in
            guard let replacement = replacements[key] else { return #""\#(key)":\#(json)"# }
            return replacement.map { #""\#(key)":\#($0)"# }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func coin(_ replacements: [String: String?] = [:]) -> String {
        object(coinFields, with: replacements)
    }

    /// A whole answer; `entries` are members of `data`, keys quoted by this function.
    static func answer(_ entries: [(key: String, json: String)], date: String? = nil) -> String {
        var members = entries.map { #""\#($0.key)":\#($0.json)"# }
        if let date { members.append(#""date":\#(date)"#) }
        return #"{"status":"0000","data":{"# + members.joined(separator: ",") + "}}"
    }

    static func frame(type: String, content: String) -> String {
        #"{"type":"\#(type)","content":\#(content)}"#
    }

    static func ticker(_ replacements: [String: String?] = [:]) -> String {
        frame(type: "ticker", content: object(tickerFields, with: replacements))
    }

    static func trade(_ replacements: [String: String?] = [:]) -> String {
        object(tradeFields, with: replacements)
    }

    static func transaction(_ trades: [String]) -> String {
        frame(type: "transaction", content: #"{"list":["# + trades.joined(separator: ",") + "]}")
    }

    static func batch(_ messages: [String]) -> MessageBatch {
        var batch = MessageBatch()
        for message in messages { batch.append(message.utf8) }
        return batch
    }
}

extension WireDecimal {
    /// The digits as an integer, and how many of them are fraction digits.
    init(_ mantissa: Int128, _ scale: Int = 0) {
        self.init(mantissa: mantissa, scale: scale)
    }
}

/// A spelling of a number, and what it means.
struct Spelling: Sendable, CustomTestStringConvertible {
    let json: String
    let number: WireDecimal

    init(_ json: String, _ mantissa: Int128, _ scale: Int = 0) {
        self.json = json
        number = WireDecimal(mantissa, scale)
    }

    var testDescription: String { json }

    /// Every way numbers were seen or documented, and the limits of the type.
    static let readable = [
        Spelling(#""143210000""#, 143_210_000),
        Spelling(#""0""#, 0),
        Spelling("0", 0),
        Spelling("-0", 0),
        Spelling(#""-0""#, 0),
        Spelling(#""-0.75""#, -75, 2),
        Spelling(#"".9159""#, 9_159, 4),
        Spelling(#""-.5""#, -5, 1),
        Spelling(#""+8""#, 8),
        Spelling(#""5.""#, 5),
        Spelling(#""0.00000037""#, 37, 8),
        Spelling(#""1.4E-7""#, 14, 8),
        Spelling("1.4E-7", 14, 8),
        Spelling("8.428e-05", 8_428, 8),
        Spelling("1e3", 1, -3),
        Spelling("-2.50E+1", -250, 1),
        Spelling(#""1847753.6000""#, 18_477_536_000, 4),
        Spelling(#""46947568969.878487505202689""#, 46_947_568_969_878_487_505_202_689, 15),
        Spelling("1.76373410121466379999997512", 176_373_410_121_466_379_999_997_512, 26),
        Spelling(
            #""99999999999999999999999999999999999999""#,
            99_999_999_999_999_999_999_999_999_999_999_999_999
        ),
        Spelling(
            #""-0000000000000000000000000000000000000000000000.1""#,
            -1,
            1
        ),
        Spelling(#""\u0031\u002e5""#, 15, 1),
        Spelling(" 12 ", 12),
        Spelling("1E-9999", 1, 9_999),
    ]

    /// Invalid numbers, and the reasons for which they are skipped.
    static let unreadable: [(json: String, predicate: String)] =
        [
            #""abc""#, #""NaN""#, #""""#, #""1,000""#, #"" 1""#, #""1 ""#, #""0x1""#, #"".""#,
            #""-""#, #""1.2.3""#, #""--1""#, #""1e""#, #""1e+""#, #""e5""#, #""１""#, #""1\u0000""#,
            #""Infinity""#, "true", "false", "NaN", "nul", "01", ".5", "5.", "+1", "{}", "[]",
            #"["1"]"#, #"{"value":"1"}"#,
        ].map { ($0, "is not a number") } + [
            (#""999999999999999999999999999999999999999""#, "has more than 38 digits"),
            ("1E-10000", "has an exponent beyond ±9999"),
            ("1e99999999999999999999", "has an exponent beyond ±9999"),
        ]
}
