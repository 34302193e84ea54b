extension OrderBookViewState {
    /// About 350 bytes a level.
    public var estimatedJSONSize: Int { 1_024 + (asks.count + bids.count) * 350 }

    /// Writes the book, every key always there.
    public func writeMembers(to json: inout JSONWriter) {
        json.key("health")
        health.write(to: &json)
        json.integer("depth", depth)
        json.decimal("group", group)
        json.integer("levelsKept", levelsKept)
        json.boolean("crossed", crossed)
        json.integer("heals", heals)
        json.key("asks")
        json.array(asks) { json, level in level.write(to: &json) }
        json.key("bids")
        json.array(bids) { json, level in level.write(to: &json) }
        json.key("best")
        best.write(to: &json)
        json.decimal("spread", spread)
        json.string("spreadText", spreadText)
        json.decimal("mid", mid)
        json.key("totals")
        totals.write(to: &json)
    }
}

extension OrderBookViewState.Best {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("ask")
            json.optional(ask) { json, quote in quote.write(to: &json) }
            json.key("bid")
            json.optional(bid) { json, quote in quote.write(to: &json) }
        }
    }
}

extension OrderBookViewState.Totals {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("askQuantity", askQuantity)
            json.decimal("bidQuantity", bidQuantity)
            json.decimal("bidSharePercent", bidSharePercent)
        }
    }
}

extension OrderBookViewState.Level {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("price", price)
            json.string("priceText", priceText)
            json.decimal("quantity", quantity)
            json.string("quantityText", quantityText)
            json.decimal("cumulative", cumulative)
            json.decimal("changeRatePercent", changeRatePercent)
            json.text("priceDirection", priceDirection)
            json.decimal("ratioBoth", ratioBoth)
            json.decimal("ratioSide", ratioSide)
            json.boolean("isLastTrade", isLastTrade)
        }
    }
}

extension OrderBookViewState.Best.Quote {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("price", price)
            json.decimal("quantity", quantity)
        }
    }
}
