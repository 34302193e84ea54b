/// Counts latencies by upper bound, for a metric without labels.
public struct LatencyHistogram: Sendable, Equatable {
    /// The upper bounds in milliseconds.
    static let boundsMilliseconds = [
        10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
    ]

    /// By ``boundsMilliseconds``; the last element counts longer latencies.
    private var counts = Array(repeating: UInt64(0), count: boundsMilliseconds.count + 1)
    private var sum: Duration = .zero

    /// Makes an empty histogram.
    public init() {}

    /// The number of latencies.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Counts a latency; a negative one counts as zero.
    public mutating func observe(_ latency: Duration) {
        let latency = max(.zero, latency)
        let place = Self.boundsMilliseconds.firstIndex { latency <= .milliseconds($0) }
        counts[place ?? Self.boundsMilliseconds.count] += 1
        sum += latency
    }

    /// The samples of the metric, cumulative.
    var samples: [MetricFamily.Sample] {
        var seen: UInt64 = 0
        var samples: [MetricFamily.Sample] = []
        for (bound, count) in zip(Self.boundsMilliseconds, counts) {
            seen += count
            let text = MetricsText.number(Double(bound) / 1_000)
            samples.append(.init(Double(seen), labels: [.init("le", text)], suffix: "_bucket"))
        }
        return samples + [
            .init(Double(count), labels: [.init("le", "+Inf")], suffix: "_bucket"),
            .init(sum.inSeconds, suffix: "_sum"),
            .init(Double(count), suffix: "_count"),
        ]
    }
}
