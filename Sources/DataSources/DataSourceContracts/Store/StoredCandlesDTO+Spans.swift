extension Sequence<StoredCandlesDTO.Span> {
    /// The same times as spans that are ascending and neither overlap nor touch; those without
    /// length are left out.
    public var joined: [StoredCandlesDTO.Span] {
        var joined: [StoredCandlesDTO.Span] = []
        for span in sorted(by: { $0.from < $1.from }) where span.from < span.to {
            if let last = joined.last, span.from <= last.to {
                joined[joined.count - 1].to = Swift.max(last.to, span.to)
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}
