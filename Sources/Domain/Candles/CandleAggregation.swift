/// Weeks and months from days, or any longer candles from shorter ones.
public enum CandleAggregation: Sendable {
    /// The candles of longer buckets.
    ///
    /// A candle counts as of its source as far as all its parts do: one of the stream makes it
    /// `live`, one of REST `rest`.
    ///
    /// - Parameters:
    ///   - candles: ascending, of an interval whose buckets fit into those of the other.
    ///   - interval: the longer interval.
    /// - Returns: ascending; the last one runs if the last one given does.
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
    /// The page of a longer interval.
    public func folded(to longer: CandleInterval) -> CandlePage {
        CandlePage(
            market: market,
            interval: longer,
            candles: CandleAggregation.fold(candles, to: longer),
            requestedAt: requestedAt,
            answeredAt: answeredAt,
            spans: spans.compactMap { $0.whole(in: longer) }
        )
    }
}

extension Range<Timestamp> {
    /// The whole buckets in a span of time; nil without any.
    fileprivate func whole(in interval: CandleInterval) -> Range<Timestamp>? {
        let start = interval.bucketStart(of: lowerBound)
        let from = start == lowerBound ? start : interval.nextBucket(after: start)
        let end = interval.bucketStart(of: upperBound)
        return from < end ? from..<end : nil
    }
}

extension Candle {
    /// Goes on with what a later candle tells.
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
    /// The sum, cut to the range: no volume that can be traded comes near its end.
    func saturatingSum(_ other: FixedDecimal) -> FixedDecimal {
        let (sum, overflow) = units.addingReportingOverflow(other.units)
        return overflow
            ? FixedDecimal(units: other.units < 0 ? .min : .max) : FixedDecimal(units: sum)
    }
}
