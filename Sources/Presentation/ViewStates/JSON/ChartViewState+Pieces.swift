import Domain

extension ChartViewState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("interval") { $0.interval = $1 }
        paths.value("lastPrice") { $0.lastPrice = $1 }
        paths.rows("candles", newRows: .last, key: { key($0.openTime) }) { $1(&$0.candles) }
        paths.value("averages") { $0.averages = $1 }
        for window in CandleSeries.averageWindows {
            paths.value("averages.close.\(window)") { $0.averages.close["\(window)"] = $1 }
            paths.value("averages.volume.\(window)") { $0.averages.volume["\(window)"] = $1 }
        }
        paths.value("range") { $0.range = $1 }
        paths.value("gaps") { $0.gaps = $1 }
        return paths
    }

    /// Divides the chart: each candle by its opening, and each line of averages whole.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("interval", interval, old?.interval) { $0.string($1) }
        pieces.value("lastPrice", lastPrice, old?.lastPrice) { $0.optionalDecimal($1) }
        pieces.rows(
            "candles",
            candles,
            old?.candles,
            newRows: .last,
            id: \.openTime,
            key: Self.key,
            { json, candle in candle.write(to: &json) }
        )
        if averages.close.isEmpty || averages.volume.isEmpty {
            // A part without members would not be told of.
            pieces.value("averages", averages, old?.averages) { $1.write(to: &$0) }
        } else {
            pieces.part("averages", averages, old?.averages) { pieces, averages, old in
                pieces.part("close", averages.close, old?.close, Self.write)
                pieces.part("volume", averages.volume, old?.volume, Self.write)
            }
        }
        pieces.value("range", range, old?.range) { json, range in
            json.optional(range) { $1.write(to: &$0) }
        }
        pieces.value("gaps", gaps, old?.gaps) { json, gaps in
            json.array(gaps) { json, gap in gap.write(to: &json) }
        }
    }

    /// Divides lines of averages by their windows, the shortest first.
    private static func write(
        _ pieces: inout PartWriter,
        _ averages: Averages,
        _ old: Averages?
    ) {
        for (window, values) in inOrder(averages) {
            pieces.value(window, values, old?[window]) { json, values in
                json.array(values) { json, value in json.optionalDecimal(value) }
            }
        }
    }

    /// A candle's key: its opening as documents write it.
    private static func key(_ openTime: Timestamp) -> String {
        var bytes: [UInt8] = []
        TimeText.appendISO(openTime, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
