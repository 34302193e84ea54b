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

    /// Appends a span without candles, in parts: of what the store knows all of nothing is missing.
    private func appendGaps(_ span: Range<Timestamp>, to gaps: inout [CandleGap]) {
        var from = span.lowerBound
        for known in stored?.spans ?? [] where known.overlaps(span) {
            if from < known.lowerBound { appendUnstored(from..<known.lowerBound, to: &gaps) }
            let start = Swift.max(from, known.lowerBound)
            from = Swift.min(known.upperBound, span.upperBound)
            gaps.append(from: start, to: from, .noTrade)
        }
        if from < span.upperBound { appendUnstored(from..<span.upperBound, to: &gaps) }
    }

    /// Appends the parts of a span without candles that are in doubt and those that are not.
    private func appendUnstored(_ span: Range<Timestamp>, to gaps: inout [CandleGap]) {
        var from = span.lowerBound
        func append(until end: Timestamp, _ reason: CandleGap.Reason) {
            gaps.append(from: from, to: end, reason)
            from = Swift.max(from, end)
        }
        // Candles of the store may lie before all that was read or heard since.
        if stored != nil, let toldFrom {
            append(until: Swift.min(toldFrom, span.upperBound), .missing)
        }
        for doubt in doubts where doubt.end > from && doubt.from < span.upperBound {
            append(until: doubt.from, .noTrade)
            append(until: Swift.min(doubt.end, span.upperBound), .missing)
        }
        append(until: span.upperBound, .noTrade)
    }
}

extension [CandleGap] {
    /// Appends a gap, if it is one, to the one before it where that ends there for the same reason.
    fileprivate mutating func append(
        from start: Timestamp,
        to end: Timestamp,
        _ reason: CandleGap.Reason
    ) {
        guard start < end else { return }
        if let last = indices.last, self[last].to == start, self[last].reason == reason {
            self[last].to = end
        } else {
            append(CandleGap(from: start, to: end, reason: reason))
        }
    }
}
