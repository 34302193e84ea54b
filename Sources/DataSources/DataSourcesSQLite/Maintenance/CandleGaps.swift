import DataSourceContracts

/// Finds the times covered neither by a candle nor by a span of a series: a pure function.
enum CandleGaps: Sendable {
    /// Finds the gaps between the oldest and the newest candle.
    ///
    /// - Parameters:
    ///   - opens: open times of candles, ascending.
    ///   - spans: covered spans, ascending.
    ///   - length: the length of a candle.
    /// - Returns: the gaps, ascending.
    static func gaps(
        opens: [Int64],
        spans: [StoredCandlesDTO.Span],
        length: Int64
    ) -> [StoredCandlesDTO.Span] {
        guard var reached = opens.first else { return [] }
        var gaps: [StoredCandlesDTO.Span] = []
        var spans = spans[...]
        for open in opens {
            // Skips spans that begin before `open`; the last one may extend beyond it.
            while let span = spans.first, span.from < open {
                if span.from > reached { gaps.append(.init(from: reached, to: span.from)) }
                reached = max(reached, span.to)
                spans.removeFirst()
            }
            if open > reached { gaps.append(.init(from: reached, to: open)) }
            reached = max(reached, open + length)
        }
        return gaps
    }

    /// The length of an interval such as `10m` or `24h`, in microseconds; nil for other texts.
    static func length(of interval: String) -> Int64? {
        let minute: Int64 = 60_000_000
        guard let number = Int64(interval.dropLast()), number > 0, number < 1_000 else {
            return nil
        }
        switch interval.last {
        case "m": return number * minute
        case "h": return number * 60 * minute
        case _: return nil
        }
    }
}
