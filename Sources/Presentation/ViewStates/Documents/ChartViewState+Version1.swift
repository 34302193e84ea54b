import Domain

// Documents and patches of version 1, as servers before version 2 send them: averages are beside
// the candles, `{"averages":{"close":{"5":[…]},"volume":{"5":[…]}}}`, one value per candle.

extension ChartViewState {
    private typealias Version1Averages = [String: [String: [FixedDecimal?]]]

    private enum CodingKeys: String, CodingKey {
        case health, interval, lastPrice, candles, averages, range, gaps
    }

    /// Reads version 2 or 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            health: try container.decode(HealthViewState.self, forKey: .health),
            interval: try container.decode(String.self, forKey: .interval),
            lastPrice: try container.decode(FixedDecimal?.self, forKey: .lastPrice),
            candles: try container.decode([Candle].self, forKey: .candles),
            range: try container.decode(Range?.self, forKey: .range),
            gaps: try container.decode([GapViewState].self, forKey: .gaps)
        )
        let averages = try container.decodeIfPresent(Version1Averages.self, forKey: .averages)
        for (name, byWindow) in averages ?? [:] {
            guard let measure = Self.measures[name] else { continue }
            for (window, values) in byWindow {
                guard let window = Int(window) else { continue }
                take(values, measure, window)
            }
        }
    }

    /// Lists what patches of version 1 have beside the members of version 2.
    static func listVersion1(_ fields: inout some FieldList<Self>) {
        for (name, measure) in measures {
            // An empty map is one value.
            fields.former("averages.\(name)") { (_, _: [String: [FixedDecimal?]]) in }
            for window in CandleSeries.averageWindows {
                fields.former("averages.\(name).\(window)") { chart, values in
                    chart.take(values, measure, window)
                }
            }
        }
    }

    private static let measures: [String: CandleSeries.Measure] = [
        "close": .close, "volume": .volume,
    ]

    /// Sets the averages of one window at all candles.
    private mutating func take(
        _ values: [FixedDecimal?],
        _ measure: CandleSeries.Measure,
        _ window: Int
    ) {
        for (place, value) in zip(candles.indices, values) {
            let old = candles[place].averages
            let windows = Set(old?.windows ?? []).union([window]).sorted()
            candles[place].averages = CandleAverages(windows: windows) {
                ($0, $1) == (measure, window) ? value : old?[$0, $1]
            }
        }
    }
}
