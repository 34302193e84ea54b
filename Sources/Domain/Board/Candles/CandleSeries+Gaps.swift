extension CandleSeries {
    /// The buckets of a span of time that have no candle.
    ///
    /// None is before the first candle: of that time nothing is known. The work is that of the
    /// candles in the span.
    ///
    /// - Parameters:
    ///   - span: the span, in exchange time.
    ///   - known: until when it is known that nothing was traded; later buckets are no gaps yet.
    /// - Returns: the gaps in order of time, as wide as can be.
    public func gaps(in span: Range<Timestamp>, known: Timestamp) -> [CandleGap] {
        guard let oldest = first else { return [] }
        var from = Swift.max(interval.bucketStart(of: span.lowerBound), oldest.openTime)
        let end = Swift.min(span.upperBound, known)
        var gaps: [CandleGap] = []
        for candle in self[index(openingAtOrAfter: from)...] {
            guard candle.openTime < end else { break }
            appendGaps(from..<candle.openTime, to: &gaps)
            from = interval.nextBucket(after: candle.openTime)
        }
        if from < end { appendGaps(from..<end, to: &gaps) }
        return gaps
    }

    /// Appends the parts of a span without candles that are in doubt and those that are not.
    private func appendGaps(_ span: Range<Timestamp>, to gaps: inout [CandleGap]) {
        var from = span.lowerBound
        func append(until end: Timestamp, _ reason: CandleGap.Reason) {
            if from < end { gaps.append(CandleGap(from: from, to: end, reason: reason)) }
            from = Swift.max(from, end)
        }
        for doubt in doubts where doubt.end > span.lowerBound && doubt.from < span.upperBound {
            append(until: doubt.from, .noTrade)
            append(until: Swift.min(doubt.end, span.upperBound), .missing)
        }
        append(until: span.upperBound, .noTrade)
    }
}
