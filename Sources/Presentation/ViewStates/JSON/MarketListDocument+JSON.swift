import Domain

extension MarketListDocument {
    /// The document as JSON: one line, every key always there.
    public var json: [UInt8] {
        var json = JSONBytes(capacity: 1_024 + state.rows.count * 900)
        json.object { json in
            json.string("schema", schema)
            json.integer("version", version)
            json.string("revision", revision)
            json.time("asOf", asOf)
            json.key("source")
            source.write(to: &json)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}

extension MarketListViewState {
    func write(to json: inout JSONBytes) {
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
    func write(to json: inout JSONBytes) {
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
    func write(to json: inout JSONBytes) {
        json.object { json in
            json.string("market", market)
            json.string("symbol", symbol)
            json.string("quote", quote)
            json.key("name")
            json.object { json in
                json.string("ko", name.ko)
                json.string("en", name.en)
            }
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
        }
    }
}

extension MarksViewState {
    func write(to json: inout JSONBytes) {
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
