extension PortfolioViewState {
    /// About 600 bytes a row.
    public var estimatedJSONSize: Int { 1_024 + rows.count * 600 }

    /// Writes the portfolio, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.key("user")
            user.write(to: &json)
            json.key("cash")
            cash.write(to: &json)
            json.key("rows")
            json.array(rows) { json, row in row.write(to: &json) }
            json.key("totals")
            totals.write(to: &json)
            json.key("unvalued")
            json.array(unvalued) { $0.string($1) }
        }
    }
}

extension PortfolioViewState.User {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("name", name)
            json.string("displayName", displayName)
        }
    }
}

extension PortfolioViewState.Cash {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("amount", amount)
            json.string("amountText", amountText)
            json.decimal("sharePercent", sharePercent)
        }
    }
}

extension PortfolioViewState.Totals {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("value", value)
            json.string("valueText", valueText)
            json.decimal("cost", cost)
            json.decimal("profit", profit)
            json.decimal("profitRatePercent", profitRatePercent)
        }
    }
}

extension PortfolioViewState.Row {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("asset", asset)
            json.key("name")
            name.write(to: &json)
            json.decimal("quantity", quantity)
            json.decimal("averagePrice", averagePrice)
            json.decimal("price", price)
            json.string("valuedThrough", valuedThrough)
            json.decimal("value", value)
            json.string("valueText", valueText)
            json.decimal("cost", cost)
            json.decimal("profit", profit)
            json.string("profitText", profitText)
            json.decimal("profitRatePercent", profitRatePercent)
            json.decimal("sharePercent", sharePercent)
            json.string("deposit", deposit?.rawValue)
            json.string("withdrawal", withdrawal?.rawValue)
            json.string("priceDirection", priceDirection?.rawValue)
        }
    }
}
