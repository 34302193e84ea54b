/// Builds longer candles from shorter ones, such as weeks and months from days.
public enum CandleAggregation: Sendable {
    /// Aggregates candles into longer buckets.
    ///
    /// The source is the least settled one of the parts: `live` before `rest` before `store`.
    ///
    /// - Parameters:
    ///   - candles: ascending, of an interval that divides the other.
    ///   - interval: the longer interval.
    /// - Returns: ascending; the last one is running if the last input is.
    public static func fold(_ candles: [Candle], to interval: CandleInterval) -> [Candle] {
        var folded: [Candle] = []
        for candle in candles {
            let openTime = interval.bucketStart(of: candle.openTime)
            if let last = folded.indices.last, folded[last].openTime == openTime {
                folded[last].absorb(candle)
            } else {
                var first = candle
                first.openTime = openTime
                folded.append(first)
            }
        }
        return folded
    }
}

extension CandlePage {
    /// The page aggregated to a longer interval.
    public func folded(to longer: CandleInterval) -> CandlePage {
        var page = CandlePage(
            market: market,
            interval: longer,
            candles: CandleAggregation.fold(candles, to: longer),
            requestedAt: requestedAt,
            answeredAt: answeredAt,
            spans: spans.compactMap { $0.whole(in: longer) }
        )
        page.isNewestPart = isNewestPart
        return page
    }
}

extension Range<Timestamp> {
    /// The whole buckets inside the span; nil if there is none.
    fileprivate func whole(in interval: CandleInterval) -> Range<Timestamp>? {
        let start = interval.bucketStart(of: lowerBound)
        let from = start == lowerBound ? start : interval.nextBucket(after: start)
        let end = interval.bucketStart(of: upperBound)
        return from < end ? from..<end : nil
    }
}

extension Candle {
    /// Extends the candle by a later one of the same bucket.
    fileprivate mutating func absorb(_ later: Candle) {
        high = max(high, later.high)
        low = min(low, later.low)
        close = later.close
        volume = volume.saturatingSum(later.volume)
        isCorrected = isCorrected || later.isCorrected
        switch (origin, later.origin) {
        case (.live, _), (_, .live): origin = .live
        case (.rest, _), (_, .rest): origin = .rest
        case (.store, .store): break
        }
    }
}

extension FixedDecimal {
    /// The sum, clamped to the range.
    ///
    /// No traded volume comes near the limit.
    func saturatingSum(_ other: FixedDecimal) -> FixedDecimal {
        let (sum, overflow) = units.addingReportingOverflow(other.units)
        return overflow
            ? FixedDecimal(units: other.units < 0 ? .min : .max) : FixedDecimal(units: sum)
    }
}
