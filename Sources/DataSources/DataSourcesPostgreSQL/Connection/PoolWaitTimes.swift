/// Statistics of the waits for a connection, at the cost of two additions a call.
///
/// Bound: the longest wait of each of the newest ``spansMax`` spans of ten seconds.
struct PoolWaitTimes: Sendable, Hashable {
    /// The length of a span.
    static let span: Duration = .seconds(10)
    /// The number of spans: a minute.
    static let spansMax = 6

    private struct Span: Sendable, Hashable {
        let number: Int64
        var longest: Duration
    }

    /// The number of ended waits, with or without a connection.
    private(set) var count = 0
    /// Their total time.
    private(set) var total = Duration.zero
    private var spans: [Span] = []

    /// Adds a wait that ended now.
    mutating func note(_ wait: Duration, at now: Duration) {
        let wait = max(.zero, wait)
        count += 1
        total += wait
        let number = Self.number(at: now)
        if let last = spans.indices.last, spans[last].number >= number {
            spans[last].longest = max(spans[last].longest, wait)
            return
        }
        spans.append(Span(number: number, longest: wait))
        if spans.count > Self.spansMax { spans.removeFirst() }
    }

    /// The longest wait that ended in the last minute; nil if none did.
    func longest(at now: Duration) -> Duration? {
        let first = Self.number(at: now) - Int64(Self.spansMax) + 1
        return spans.filter { $0.number >= first }.map(\.longest).max()
    }

    private static func number(at now: Duration) -> Int64 {
        now.components.seconds / span.components.seconds
    }
}
