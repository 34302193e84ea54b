/// A Prometheus metric family: name, help text and current samples.
///
/// A metric with an unknown value is listed without samples, never as 0.
public struct MetricFamily: Sendable, Equatable {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        /// A total that only grows.
        case counter
        /// A value that rises and falls.
        case gauge
        /// Cumulative counts by upper bound, sum and number of observations.
        case histogram
        /// Quantiles, sum and number of observations.
        case summary
    }

    /// One sample.
    public struct Sample: Sendable, Equatable {
        /// The suffix of the name: `_bucket`, `_sum`, `_count`, or empty.
        public var suffix: String
        /// The labels in their order.
        public var labels: [Label]
        /// The value at the time of the scrape.
        public var value: Double

        /// Makes a sample.
        public init(_ value: Double, labels: [Label] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// A label of a sample.
    public struct Label: Sendable, Equatable {
        /// Letters, digits and underscores.
        public var name: String
        /// Any text.
        public var value: String

        /// Makes a label.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name, with the prefix `hoga_`.
    public var name: String
    /// The help text, one sentence.
    public var help: String
    /// The type that Prometheus is told.
    public var kind: Kind
    /// The samples, one for each set of labels.
    public var samples: [Sample]

    /// Makes a metric.
    public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// Makes a metric with one sample; none if the value is nil.
    public init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        self.init(name, kind, help, value.map { [Sample($0)] } ?? [])
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
