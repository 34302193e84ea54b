extension ChartViewState {
    /// About 500 bytes a candle, half of them its ten averages.
    public var jsonBytesEstimate: Int { 1_024 + candles.count * 500 + gaps.count * 120 }

    /// Writes the candles, every key always there.
    public func writeMembers(to json: inout JSONBytes) {
        json.key("health")
        health.write(to: &json)
        json.string("interval", interval)
        json.decimal("lastPrice", lastPrice)
        json.key("candles")
        json.array(candles) { json, candle in candle.write(to: &json) }
        json.key("averages")
        json.object { json in
            json.key("close")
            Self.write(averages.close, to: &json)
            json.key("volume")
            Self.write(averages.volume, to: &json)
        }
        json.key("range")
        json.optional(range) { json, range in
            json.object { json in
                json.decimal("low", range.low)
                json.decimal("high", range.high)
            }
        }
        json.key("gaps")
        json.array(gaps) { json, gap in gap.write(to: &json) }
    }

    /// Writes averages by window, the shortest first.
    private static func write(_ averages: Averages, to json: inout JSONBytes) {
        let windows = averages.sorted { (Int($0.key) ?? .max) < (Int($1.key) ?? .max) }
        json.object { json in
            for (window, values) in windows {
                json.key(window)
                json.array(values) { json, value in json.optional(value) { $0.decimal($1) } }
            }
        }
    }
}

extension ChartViewState.Candle {
    fileprivate func write(to json: inout JSONBytes) {
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
