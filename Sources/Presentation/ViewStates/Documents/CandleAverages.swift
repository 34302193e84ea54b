public import Domain
public import JSON

/// The moving averages that end with one candle, of the close prices and of the base volumes.
public struct CandleAverages: DocumentValue {
    /// The windows in candles, ascending.
    public private(set) var windows: [Int]
    /// The averages of the close prices by window, then those of the volumes; nil where fewer
    /// candles than the window precede.
    private var values: [FixedDecimal?]

    private enum CodingKeys: String, CodingKey { case close, volume }

    /// Makes the averages of some windows, ascending.
    public init(windows: [Int], _ average: (CandleSeries.Measure, Int) -> FixedDecimal?) {
        self.windows = windows
        values = []
        values.reserveCapacity(windows.count * 2)
        for window in windows { values.append(average(.close, window)) }
        for window in windows { values.append(average(.volume, window)) }
    }

    /// The average of a window; nil if it is unknown or was not asked for.
    public subscript(measure: CandleSeries.Measure, window: Int) -> FixedDecimal? {
        guard let place = windows.firstIndex(of: window) else { return nil }
        switch measure {
        case .close: return values[place]
        case .volume: return values[windows.count + place]
        }
    }

    /// Writes `{"close":{"5":…},"volume":{"5":…}}`.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key(CodingKeys.close.rawValue)
            write(values[..<windows.count], to: &json)
            json.key(CodingKeys.volume.rawValue)
            write(values[windows.count...], to: &json)
        }
    }

    private func write(_ values: ArraySlice<FixedDecimal?>, to json: inout JSONWriter) {
        json.object { json in
            for (window, value) in zip(windows, values) { json.member(String(window), value) }
        }
    }

    /// Reads what ``write(to:)`` writes.
    ///
    /// - Throws: `DecodingError` for other members or windows that are not numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let closes = try container.decode([String: FixedDecimal?].self, forKey: .close)
        let volumes = try container.decode([String: FixedDecimal?].self, forKey: .volume)
        let windows = closes.keys.compactMap { Int($0) }.sorted()
        guard windows.count == closes.count, Set(closes.keys) == Set(volumes.keys) else {
            throw DecodingError.dataCorruptedError(
                forKey: .close,
                in: container,
                debugDescription: "windows are numbers, the same of close and volume"
            )
        }
        self.init(windows: windows) { measure, window in
            let values = measure == .close ? closes : volumes
            return values[String(window)] ?? nil
        }
    }

    /// The component `CandleAverages`.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .schema(component.name) }

    /// The schema, with its name among OpenAPI's components.
    public static var component: JSONValue.Member {
        let averages: JSONValue = [
            "type": "object",
            "description": .string(
                "By window, as asked for with `averages`; null where too few candles precede."
            ),
            "properties": .object(
                CandleSeries.averageWindows.map { .init("\($0)", .decimal.orNull) }
            ),
            "additionalProperties": false,
        ]
        return .init(
            "CandleAverages",
            .record(
                "Moving averages of the close prices and of the base volumes.",
                [.init("close", averages), .init("volume", averages)]
            )
        )
    }
}
