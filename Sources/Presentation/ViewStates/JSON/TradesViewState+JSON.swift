extension TradesViewState {
    /// About 350 bytes a trade.
    public var estimatedJSONSize: Int { 512 + rows.count * 350 + gaps.count * 120 }

    /// Writes the trades, every key always there.
    public func writeMembers(to json: inout JSONWriter) {
        json.key("health")
        health.write(to: &json)
        json.key("rows")
        json.array(rows) { json, row in row.write(to: &json) }
        json.integer("dropped", dropped)
        json.key("gaps")
        json.array(gaps) { json, gap in gap.write(to: &json) }
    }
}

extension TradesViewState.Row {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("id", id)
            json.time("at", at)
            json.string("timeText", timeText)
            json.decimal("price", price)
            json.string("priceText", priceText)
            json.decimal("quantity", quantity)
            json.string("quantityText", quantityText)
            json.decimal("amount", amount)
            json.string("amountText", amountText)
            json.text("side", side)
            json.text("tickDirection", tickDirection)
        }
    }
}

extension GapViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.time("from", from)
            json.time("to", to)
            json.text("reason", reason)
        }
    }
}
