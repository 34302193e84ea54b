import Domain

extension ChartViewState {
    /// About 500 bytes a candle, half of them its ten averages.
    public var estimatedJSONSize: Int { 1_024 + candles.count * 500 + gaps.count * 120 }

    /// Writes the candles, every key always there.
    public func writeMembers(to json: inout JSONWriter) {
        json.key("health")
        health.write(to: &json)
        json.string("interval", interval)
        json.decimal("lastPrice", lastPrice)
        json.key("candles")
        json.array(candles) { json, candle in candle.write(to: &json) }
        json.key("averages")
        averages.write(to: &json)
        json.key("range")
        json.optional(range) { json, range in range.write(to: &json) }
        json.key("gaps")
        json.array(gaps) { json, gap in gap.write(to: &json) }
    }

    /// Averages by window, the shortest first.
    static func inOrder(_ averages: Averages) -> [(key: String, value: [FixedDecimal?])] {
        averages.sorted { (Int($0.key) ?? .max) < (Int($1.key) ?? .max) }
    }
}

extension ChartViewState.AverageSet {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("close")
            Self.write(close, to: &json)
            json.key("volume")
            Self.write(volume, to: &json)
        }
    }

    private static func write(_ averages: ChartViewState.Averages, to json: inout JSONWriter) {
        json.object { json in
            for (window, values) in ChartViewState.inOrder(averages) {
                json.key(window)
                json.array(values) { json, value in json.optional(value) { $0.decimal($1) } }
            }
        }
    }
}

extension ChartViewState.Range {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.decimal("low", low)
            json.decimal("high", high)
        }
    }
}

extension ChartViewState.Candle {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.time("openTime", openTime)
            json.decimal("open", open)
            json.decimal("high", high)
            json.decimal("low", low)
            json.decimal("close", close)
            json.decimal("volume", volume)
            json.text("origin", origin)
            json.boolean("corrected", corrected)
            json.boolean("closed", closed)
            json.text("priceDirection", priceDirection)
        }
    }
}
