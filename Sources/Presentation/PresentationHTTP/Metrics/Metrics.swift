/// Everything that `/metrics` shows, gathered from those who count when somebody asks.
///
/// Nothing is kept here: figures lie where they are counted. The number of samples is bounded by
/// the sources: no label names a market, a user or a client.
public final class Metrics: Sendable {
    /// What one part of the program tells when it is asked; it must not wait.
    public typealias Source = @Sendable () -> [MetricFamily]

    private let sources: [Source]

    /// Makes a registry.
    ///
    /// - Parameter sources: who is asked, in the order in which they are shown; no two of them tell
    ///   of a metric of the same name.
    public init(_ sources: [Source]) { self.sources = sources }

    /// All metrics at this moment, as text for Prometheus.
    public var text: [UInt8] {
        var text = MetricsText()
        for source in sources {
            for family in source() { text.append(family) }
        }
        return text.bytes
    }
}
