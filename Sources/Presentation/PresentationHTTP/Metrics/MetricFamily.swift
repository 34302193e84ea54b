/// One metric as Prometheus knows it: its name, what it tells, and its figures at one moment.
///
/// A metric whose figure is not known has no samples: it is named all the same, and never 0.
public struct MetricFamily: Sendable, Equatable {
    /// How figures of a metric are to be read.
    public enum Kind: String, Sendable {
        /// Grows until the process ends.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts of observations up to bounds, their sum and their number.
        case histogram
        /// Quantiles of observations, their sum and their number.
        case summary
    }

    /// One figure.
    public struct Sample: Sendable, Equatable {
        /// What follows the metric's name: `_bucket`, `_sum`, `_count`; nothing for most.
        public var suffix: String
        /// What tells it apart from the other figures, in order; values may be any text.
        public var labels: [Label]
        /// The figure.
        public var value: Double

        /// Makes a sample.
        public init(_ value: Double, labels: [Label] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// A name and a value that tell figures of one metric apart.
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

    /// The name, beginning with `hoga_`.
    public var name: String
    /// What it tells, in one sentence.
    public var help: String
    /// How its figures are to be read.
    public var kind: Kind
    /// Its figures.
    public var samples: [Sample]

    /// Makes a metric.
    public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// A metric of one figure; nil is not known.
    public init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        self.init(name, kind, help, value.map { [Sample($0)] } ?? [])
    }
}

extension Duration {
    /// In seconds, as metrics have it.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
