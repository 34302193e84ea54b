/// The metrics of `/metrics`, collected from their sources on request.
///
/// The sources bound the number of samples: no label names a market, a user or a client.
public final class Metrics: Sendable {
    /// Returns the metrics of one part of the program; must not block.
    public typealias Source = @Sendable () -> [MetricFamily]

    private let sources: [Source]

    /// Makes a registry.
    ///
    /// - Parameter sources: the sources in the order of output; their metrics have different names.
    public init(_ sources: [Source]) { self.sources = sources }

    /// The current metrics as text for Prometheus.
    public var text: [UInt8] {
        var text = MetricsText()
        for source in sources {
            for family in source() { text.append(family) }
        }
        return text.bytes
    }
}
