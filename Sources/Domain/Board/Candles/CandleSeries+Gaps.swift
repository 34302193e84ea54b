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
        let doubtful =
            doubt.map { doubt in
                let upper = doubt.until ?? Timestamp(microseconds: .max)
                return (doubt.from..<upper).clamped(to: span)
            } ?? span.upperBound..<span.upperBound
        let parts: [(Range<Timestamp>, CandleGap.Reason)] = [
            (span.lowerBound..<doubtful.lowerBound, .noTrade),
            (doubtful, .missing),
            (doubtful.upperBound..<span.upperBound, .noTrade),
        ]
        for (part, reason) in parts where !part.isEmpty {
            gaps.append(CandleGap(from: part.lowerBound, to: part.upperBound, reason: reason))
        }
    }
}
