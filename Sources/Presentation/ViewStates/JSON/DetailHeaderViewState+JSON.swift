extension DetailHeaderViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.string("market", market)
            json.string("symbol", symbol)
            json.string("quote", quote)
            json.key("name")
            name.write(to: &json)
            json.decimal("price", price)
            json.string("priceText", priceText)
            json.time("priceAt", priceAt)
            json.string("priceOrigin", priceOrigin)
            json.string("changePeriod", changePeriod)
            json.decimal("changeRatePercent", changeRatePercent)
            json.string("changeRateText", changeRateText)
            json.decimal("changeAmount", changeAmount)
            json.string("changeAmountText", changeAmountText)
            json.text("priceDirection", priceDirection)
            json.text("tickDirection", tickDirection)
            json.key("today")
            today.write(to: &json)
            json.key("rolling24h")
            rolling24h.write(to: &json)
            json.decimal("tradeStrengthPercent", tradeStrengthPercent)
            json.text("deposit", deposit)
            json.text("withdrawal", withdrawal)
            json.key("marks")
            marks.write(to: &json)
            json.key("sparkline")
            json.optional(sparkline) { json, line in line.write(to: &json) }
        }
    }
}

extension DetailHeaderViewState.Today {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("open", open)
            json.decimal("high", high)
            json.decimal("low", low)
            json.decimal("previousClose", previousClose)
            json.decimal("volume", volume)
            json.decimal("tradeValue", tradeValue)
        }
    }
}

extension DetailHeaderViewState.Rolling {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("volume", volume)
            json.decimal("tradeValue", tradeValue)
            json.decimal("changeAmount", changeAmount)
            json.decimal("changeRatePercent", changeRatePercent)
        }
    }
}

extension SparklineViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("from", from)
            json.string("to", to)
            json.key("opens")
            json.array(opens) { $0.decimal($1) }
            json.boolean("complete", complete)
        }
    }
}
