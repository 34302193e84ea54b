import Domain
import JSON
import ViewStates

/// What the parameters of requests may be, with the very words and bounds that are read.
enum OpenAPIParameters {
    /// Stands for a document's name at the addresses of streams, which may be of any document.
    static let stream = "stream"

    /// A parameter of the query.
    ///
    /// - Parameters:
    ///   - name: its name, without the prefix that a snapshot's parameters have.
    ///   - document: the schema's name of the document that it belongs to.
    ///   - isPersonal: whether the document is a user's own.
    /// - Returns: its description; nil if nothing is known of such a parameter.
    static func query(_ name: String, of document: String, isPersonal: Bool) -> JSONValue? {
        let own = special(name, of: document, isPersonal: isPersonal)
        guard let (schema, meaning) = own ?? common(name) else { return nil }
        var parameter: JSONValue = [
            "name": .string(name), "in": "query", "description": .string(meaning),
            "schema": schema,
        ]
        // A list is one word, with commas.
        if schema["type"] == "array" { parameter = parameter.with("explode", false) }
        return example(name).map { parameter.with("example", $0) } ?? parameter
    }

    /// A part of the path.
    static func path(_ name: String) -> JSONValue? {
        let (schema, example): (JSONValue, JSONValue)
        switch name {
        case "market": (schema, example) = (marketSpelling, "BTC_KRW")
        case "asset": (schema, example) = (.text(pattern: "^[A-Za-z0-9_]{1,20}$"), "BTC")
        default: return nil
        }
        return [
            "name": .string(name), "in": "path", "required": true, "schema": schema,
            "description": name == "market"
                ? "`BTC_KRW`; `KRW-BTC` and lower case mean the same." : "A coin's code, `BTC`.",
            "example": example,
        ]
    }

    /// A market by a name in any spelling that is taken: both orders, in either case.
    static let marketSpelling: JSONValue = {
        let symbol = "[A-Za-z0-9_]{1,20}"
        let quote = "([Kk][Rr][Ww]|[Bb][Tt][Cc])"
        return .text(pattern: "^(\(symbol)_\(quote)|\(quote)-\(symbol))$")
    }()

    private typealias Meant = (schema: JSONValue, meaning: String)

    /// What means something else in another document, or has other bounds there.
    private static func special(
        _ name: String,
        of document: String,
        isPersonal: Bool
    ) -> Meant? {
        switch (document, name) {
        case (MarketListViewState.schemaName, _): list(name, isPersonal: isPersonal)
        case (AssetsViewState.schemaName, "sort"):
            (.values(of: AssetSortKey.self).by("name"), "What to sort by.")
        case (AssetsViewState.schemaName, "direction"):
            (.values(of: SortDirection.self).by("asc"), "Which way to sort.")
        case (AssetsViewState.schemaName, "state"):
            (
                .values(of: AssetFilter.self).by("all"),
                "`normal`: both deposits and withdrawals are possible; `suspended`: one is not."
            )
        case (ChartViewState.schemaName, "before"):
            (moment, "Only candles that open before this time, which has its offset.")
        case (ChartViewState.schemaName, "at"):
            (
                moment,
                "The one candle whose bucket holds this time, which has its offset; without"
                    + " `before` and `count`."
            )
        case (TradesViewState.schemaName, "before"):
            (tradeID, "Only trades older than the one of this id; without `since`.")
        case (TradesViewState.schemaName, "since"):
            (tradeID, "Only trades newer than the one of this id; without `before`.")
        case (stream, _): anyDocument(name, isPersonal: isPersonal)
        case (_, "limit"):
            (
                .integer(in: 1...MarketDetailQuery.tradesMax).by(100),
                "How many trades at the most."
            )
        default: nil
        }
    }

    private static func list(_ name: String, isPersonal: Bool) -> Meant? {
        let tabs = MarketListQuery.Tab.allCases.filter { isPersonal || $0 != .favorites }
        switch name {
        case "tab":
            return (.values(tabs.map(\.rawValue)).by("markets"), "Which list.")
        case "quote":
            return (
                .values(of: Quote.self),
                "The currency of the prices; `KRW` with `tab=markets` unless `markets` is given,"
                    + " else both."
            )
        case "sort":
            return (
                .values(of: MarketSortKey.self),
                "What to sort by; `popularity`, which is turnover in won, unless given."
            )
        case "direction":
            return (
                .values(of: SortDirection.self),
                "Which way to sort; `asc` for names, else `desc` unless given."
            )
        case "markets":
            return (.list(.text), "Only these; names of none are told in `missing`.")
        case "offset": return (.integer(in: 0 ... .max).by(0), "How many rows to pass over.")
        case "limit":
            return (
                .integer(in: 1...MarketListQuery.limitMax).by(1_000),
                "How many rows at the most."
            )
        default: return nil
        }
    }

    /// At a stream a word may be any that one of the documents takes.
    private static func anyDocument(_ name: String, isPersonal: Bool) -> Meant? {
        let meaning = "As with the document that it is a parameter of."
        switch name {
        case "documents": return documents(isPersonal: isPersonal)
        case "sort":
            let words = MarketSortKey.allCases.map(\.rawValue)
            let others = AssetSortKey.allCases.map(\.rawValue).filter { !words.contains($0) }
            return (.values(words + others), meaning)
        case "state": return (.values(of: AssetFilter.self), meaning)
        case "at": return (moment, meaning)
        case "direction": return (.values(of: SortDirection.self), meaning)
        default: return list(name, isPersonal: isPersonal)
        }
    }

    private static func documents(isPersonal: Bool) -> Meant {
        let names = isPersonal ? UserStreamQuery.documents : StreamQuery.documents
        let parts = isPersonal ? UserSnapshotQuery.documents : SnapshotQuery.documents
        return (
            .list(.values(names)).with("minItems", 1),
            "Which document; or several of "
                + parts.map { "`\($0)`" }.joined(separator: ", ")
                + " in one cut, and then their parameters have their names in front."
        )
    }

    /// What means the same everywhere.
    private static func common(_ name: String) -> Meant? {
        switch name {
        case "lang": (.values(of: Language.self).by("ko"), "The language of `…Text` fields.")
        case "period": (.values(of: ChangePeriod.self).by("24H"), "What changes refer to.")
        case "q":
            (
                text.with("maxLength", .integer(RequestParameters.searchLengthMax)),
                "Searches names and codes; initial consonants are found, too."
            )
        case "depth":
            (
                .integer(in: 1...MarketDetailQuery.depthMax).by(10),
                "How many levels of the book a side."
            )
        case "group":
            (
                .text(pattern: #"^[0-9]{1,12}(\.[0-9]{1,8})?$"#),
                "The price step of the book: one of the market's own."
            )
        case "interval":
            (.values(of: CandleInterval.self).by("24h"), "The interval of the candles.")
        case "count":
            (
                .integer(in: 1...MarketDetailQuery.candlesMax).by(200),
                "How many candles at the most."
            )
        case "documents":
            (
                .list(.values(SnapshotQuery.documents)).with("minItems", 1),
                "Which documents; a market's detail where `market` is given, too."
            )
        case "market":
            (marketSpelling, "Of which market; with `market-detail`.")
        default: nil
        }
    }

    /// A zero byte is taken nowhere in an address.
    private static let text: JSONValue = .text(pattern: #"^[^\u0000]*$"#)
    private static let moment: JSONValue = ["type": "string", "format": "date-time"]
    private static let tradeID: JSONValue = .text(pattern: #"^[0-9]{1,18}\.[0-9]{1,6}$"#)

    private static func example(_ name: String) -> JSONValue? {
        switch name {
        case "market": "BTC_KRW"
        case "markets": ["BTC_KRW", "ETH_KRW"]
        case "documents": ["market-list", "assets"]
        case "q": "비트"
        default: nil
        }
    }
}

extension JSONValue {
    /// The schema with what stands where nothing is given.
    fileprivate func by(_ value: JSONValue) -> JSONValue { with("default", value) }
}
