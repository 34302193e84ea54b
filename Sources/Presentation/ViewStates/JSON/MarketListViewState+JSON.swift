import Domain

extension MarketListViewState {
    /// About 900 bytes a row.
    public var estimatedJSONSize: Int { 512 + rows.count * 900 }

    /// Writes the list, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.key("query")
            query.write(to: &json)
            json.integer("total", total)
            json.integer("filtered", filtered)
            json.integer("skipped", skipped)
            json.key("missing")
            json.array(missing) { $0.string($1) }
            json.string("emptyReason", emptyReason?.rawValue)
            json.key("rows")
            json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}

extension MarketListQueryViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("tab", tab)
            json.string("quote", quote)
            json.string("changePeriod", changePeriod)
            json.string("sort", sort)
            json.string("sortDirection", sortDirection)
            json.string("q", q)
            json.integer("offset", offset)
            json.integer("limit", limit)
        }
    }
}

extension MarketRowViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("market", market)
            json.string("symbol", symbol)
            json.string("quote", quote)
            json.key("name")
            name.write(to: &json)
            json.integer("rank", rank)
            json.decimal("price", price)
            json.string("priceText", priceText)
            json.time("priceAt", priceAt)
            json.decimal("priceKRW", priceKRW)
            json.string("changePeriod", changePeriod)
            json.decimal("changeRatePercent", changeRatePercent)
            json.string("changeRateText", changeRateText)
            json.decimal("changeAmount", changeAmount)
            json.string("changeAmountText", changeAmountText)
            json.time("changeAt", changeAt)
            json.boolean("noTrade", noTrade)
            json.string("priceDirection", priceDirection?.rawValue)
            json.string("tickDirection", tickDirection?.rawValue)
            json.decimal("tradeValue24h", tradeValue24h)
            json.decimal("tradeValue24hKRW", tradeValue24hKRW)
            json.string("tradeValueText", tradeValueText)
            json.key("marks")
            marks.write(to: &json)
            json.string("spokenText", spokenText)
            if let favorite {
                json.key("favorite")
                favorite.write(to: &json)
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads a key that public lists do not have, and that is null where a market is not starred.
    ///
    /// What is synthesized for rows calls this in place of the general method, which takes a null
    /// for a key that is not there.
    func decodeIfPresent(
        _ type: FavoriteViewState.Type,
        forKey key: Key
    ) throws -> FavoriteViewState? {
        guard contains(key) else { return nil }
        if try decodeNil(forKey: key) { return FavoriteViewState(position: nil) }
        return try decode(type, forKey: key)
    }
}

extension MarketRowViewState.Name {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("ko", ko)
            json.string("en", en)
        }
    }
}

extension MarksViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.boolean("investmentWarning", investmentWarning)
            json.key("alerts")
            json.array(alerts) { json, alert in
                json.object { json in
                    json.string("type", alert.type)
                    json.string("step", alert.step)
                    json.time("endsAt", alert.endsAt)
                }
            }
            json.string("state", state.rawValue)
        }
    }
}
