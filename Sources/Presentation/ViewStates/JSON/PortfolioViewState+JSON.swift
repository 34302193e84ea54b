extension PortfolioViewState {
    /// About 600 bytes a row.
    public var jsonBytesEstimate: Int { 1_024 + rows.count * 600 }

    /// Writes the portfolio, every key always there.
    public func write(to json: inout JSONBytes) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.key("user")
            json.object { json in
                json.string("name", user.name)
                json.string("displayName", user.displayName)
            }
            json.key("cash")
            json.object { json in
                json.decimal("amount", cash.amount)
                json.string("amountText", cash.amountText)
                json.decimal("sharePercent", cash.sharePercent)
            }
            json.key("rows")
            json.array(rows) { json, row in row.write(to: &json) }
            json.key("totals")
            json.object { json in
                json.decimal("value", totals.value)
                json.string("valueText", totals.valueText)
                json.decimal("cost", totals.cost)
                json.decimal("profit", totals.profit)
                json.decimal("profitRatePercent", totals.profitRatePercent)
            }
            json.key("unvalued")
            json.array(unvalued) { $0.string($1) }
        }
    }
}

extension PortfolioViewState.Row {
    fileprivate func write(to json: inout JSONBytes) {
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
