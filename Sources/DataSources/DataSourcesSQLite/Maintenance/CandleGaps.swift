import DataSourceContracts

/// Finds the times that neither a candle nor a span of a series covers: a pure function.
enum CandleGaps: Sendable {
    /// Finds the gaps between the oldest and the newest candle.
    ///
    /// - Parameters:
    ///   - opens: when candles open, ascending.
    ///   - spans: what readings covered, ascending.
    ///   - length: how long a candle is.
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
            // What spans cover up to here; one that goes on beyond covers what follows as well.
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

    /// How long a candle of an interval is, in microseconds: `10m`, `24h`; nil for other texts.
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
