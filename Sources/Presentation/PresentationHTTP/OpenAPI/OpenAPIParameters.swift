import Domain
import JSON
import ViewStates

/// Descriptions of request parameters; values and limits are those of the parsers.
enum OpenAPIParameters {
    /// Names any document: at stream paths a parameter may belong to each of them.
    static let stream = "stream"

    /// A parameter of the query.
    ///
    /// - Parameters:
    ///   - name: its name, without the document prefix of a snapshot's parameters.
    ///   - document: the schema name of its document.
    ///   - isPersonal: whether the document is a user's own.
    /// - Returns: its description; nil for an unknown parameter.
    static func query(_ name: String, of document: String, isPersonal: Bool) -> JSONValue? {
        let own = special(name, of: document, isPersonal: isPersonal)
        guard let (schema, meaning) = own ?? common(name) else { return nil }
        var parameter: JSONValue = [
            "name": .string(name), "in": "query", "description": .string(meaning),
            "schema": schema,
        ]
        // Lists are comma-separated.
        if schema["type"] == "array" { parameter = parameter.with("explode", false) }
        return example(name).map { parameter.with("example", $0) } ?? parameter
    }

    /// A path parameter.
    static func path(_ name: String) -> JSONValue? {
        let (schema, example, meaning): (JSONValue, JSONValue, JSONValue)
        switch name {
        case "market":
            schema = marketSpelling
            (example, meaning) = ("BTC_KRW", "`BTC_KRW`; `KRW-BTC` and lower case are accepted.")
        case "asset":
            schema = .text(pattern: "^[A-Za-z0-9_]{1,20}$")
            (example, meaning) = ("BTC", "A coin's code, `BTC`.")
        case "id":
            schema = .integer(from: 1)
            (example, meaning) = (7, "The alert's `id` in the list.")
        case "number":
            schema = .integer(from: 1)
            (example, meaning) = (3, "The token's `number` in the list.")
        default: return nil
        }
        return [
            "name": .string(name), "in": "path", "required": true, "schema": schema,
            "description": meaning, "example": example,
        ]
    }

    /// A market in any accepted spelling: `BTC_KRW`, `KRW-BTC`, upper or lower case.
    static let marketSpelling: JSONValue = {
        let symbol = "[A-Za-z0-9_]{1,20}"
        let quote = "([Kk][Rr][Ww]|[Bb][Tt][Cc])"
        return .text(pattern: "^(\(symbol)_\(quote)|\(quote)-\(symbol))$")
    }()

    private typealias Meant = (schema: JSONValue, meaning: String)

    /// Parameters whose meaning or limits depend on the document.
    private static func special(
        _ name: String,
        of document: String,
        isPersonal: Bool
    ) -> Meant? {
        switch (document, name) {
        case (AboutViewState.schemaName, "lang"):
            (.values(of: Language.self).by("ko"), "Language of the notice and the licenses.")
        case (MarketListViewState.schemaName, _): list(name, isPersonal: isPersonal)
        case (AssetsViewState.schemaName, "sort"):
            (.values(of: AssetSortKey.self).by("name"), "Sort key.")
        case (AssetsViewState.schemaName, "direction"):
            (.values(of: SortDirection.self).by("asc"), "Sort direction.")
        case (AssetsViewState.schemaName, "state"):
            (
                .values(of: AssetFilter.self).by("all"),
                "`normal`: deposits and withdrawals are possible; `suspended`: at least one is not."
            )
        case (ChartViewState.schemaName, "before"), (_, "candlesBefore"):
            (moment, "Only candles that open before this time (with UTC offset).")
        case (ChartViewState.schemaName, "at"):
            (
                moment,
                "The candle whose bucket contains this time (with UTC offset); cannot be"
                    + " combined with `before` or `count`."
            )
        case (TradesViewState.schemaName, "before"):
            (
                tradeID,
                "The newest trades older than this trade id; cannot be combined with `since`."
            )
        case (TradesViewState.schemaName, "since"):
            (
                tradeID,
                "The oldest trades newer than this trade id; cannot be combined with `before`."
            )
        case (AlertLogViewState.schemaName, "before"):
            (.text(pattern: "^[1-9][0-9]{0,17}$"), "The newest alerts before this `id`.")
        case (AlertLogViewState.schemaName, "limit"):
            (
                .integer(in: 1...AlertRequest.logRowsMax).by(.integer(AlertRequest.logRowsDefault)),
                "Maximum rows."
            )
        case (stream, _): anyDocument(name, isPersonal: isPersonal)
        case (_, "limit"):
            (
                .integer(in: 1...MarketDetailQuery.tradesMax).by(100),
                "Maximum trades."
            )
        default: nil
        }
    }

    private static func list(_ name: String, isPersonal: Bool) -> Meant? {
        let tabs = MarketListQuery.Tab.allCases.filter { isPersonal || $0 != .favorites }
        switch name {
        case "tab":
            return (.values(tabs.map(\.rawValue)).by("markets"), "Market list.")
        case "quote":
            return (
                .values(of: Quote.self),
                "Quote currency. Default: `KRW` for `tab=markets` without `markets`, else both."
            )
        case "sort":
            return (
                .values(of: MarketSortKey.self),
                "Sort key. Default: `popularity`, 24-hour trade value in won."
            )
        case "direction":
            return (
                .values(of: SortDirection.self),
                "Sort direction. Default: `asc` for `name`, else `desc`."
            )
        case "markets":
            return (.list(.text), "Only these markets; unknown names are listed in `missing`.")
        case "offset": return (.integer(in: 0 ... .max).by(0), "Rows to skip.")
        case "revision":
            return (
                .text(pattern: "^([A-Za-z0-9]+-)+[0-9]{1,20}$")
                    .with("maxLength", .integer(DocumentRevision.lengthMax)),
                "The `revision` of a page of this list: reads another page of it, for a minute"
                    + " after it was the newest."
            )
        case "limit":
            return (
                .integer(in: 1...MarketListQuery.limitMax).by(1_000),
                "Maximum rows."
            )
        default: return nil
        }
    }

    /// At stream paths a parameter accepts the values of every document.
    private static func anyDocument(_ name: String, isPersonal: Bool) -> Meant? {
        let meaning = "See the parameter of the same name of the requested document."
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
            "One document, or several of "
                + parts.map { "`\($0)`" }.joined(separator: ", ")
                + " from one snapshot. With several, parameters carry the document's name as "
                + "prefix."
        )
    }

    /// Parameters with one meaning in all documents.
    private static func common(_ name: String) -> Meant? {
        switch name {
        case "lang": (.values(of: Language.self).by("ko"), "Language of `…Text` fields.")
        case "period": (.values(of: ChangePeriod.self).by("24H"), "Change period.")
        case "q":
            (
                text.with("maxLength", .integer(RequestParameters.searchLengthMax)),
                "Search in names and codes; Korean initial consonants work, too."
            )
        case "depth":
            (
                .integer(in: 1...MarketDetailQuery.depthMax).by(10),
                "Order book levels per side."
            )
        case "group":
            (
                .text(pattern: #"^(?!0*(\.0*)?$)[0-9]{1,12}(\.[0-9]{1,8})?$"#),
                "Price step of the order book, one of the market's steps."
            )
        case "interval":
            (.values(of: CandleInterval.self).by("24h"), "Candle interval.")
        case "count":
            (
                .integer(in: 1...MarketDetailQuery.candlesMax).by(200),
                "Maximum candles."
            )
        case "averages":
            (
                averageWindows,
                "Windows of the candles' moving averages, separated by commas, or `none`."
                    + " Default: all."
            )
        case "documents":
            (
                .list(.values(SnapshotQuery.documents)).with("minItems", 1),
                "Documents; `market-detail` needs `market`."
            )
        case "market":
            (marketSpelling, "The market of `market-detail`.")
        default: nil
        }
    }

    /// URLs with a zero byte are refused.
    private static let text: JSONValue = .text(pattern: #"^[^\u0000]*$"#)
    private static let moment: JSONValue = ["type": "string", "format": "date-time"]
    private static let tradeID: JSONValue = .text(pattern: #"^[0-9]{1,18}\.[0-9]{1,6}$"#)

    private static var averageWindows: JSONValue {
        let window = "(" + CandleSeries.averageWindows.map(String.init).joined(separator: "|") + ")"
        return .text(pattern: "^(none|\(window)(,\(window))*)$")
    }

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
    /// The schema with a default value.
    fileprivate func by(_ value: JSONValue) -> JSONValue { with("default", value) }
}
