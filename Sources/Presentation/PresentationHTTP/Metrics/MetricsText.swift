/// Encodes metrics in Prometheus' text format 0.0.4.
///
/// Source: <https://prometheus.io/docs/instrumenting/exposition_formats/> (2026-11).
struct MetricsText {
    /// The value of `Content-Type`.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(16_384) }

    /// Appends one metric.
    mutating func append(_ family: MetricFamily) {
        write("# HELP \(family.name) ")
        writeEscaped(family.help, quotes: false)
        write("\n# TYPE \(family.name) \(family.kind.rawValue)\n")
        for sample in family.samples { append(sample, of: family.name) }
    }

    private mutating func append(_ sample: MetricFamily.Sample, of name: String) {
        write(name)
        write(sample.suffix)
        if !sample.labels.isEmpty {
            var separator = "{"
            for label in sample.labels {
                write("\(separator)\(label.name)=\"")
                writeEscaped(label.value, quotes: true)
                write("\"")
                separator = ","
            }
            write("}")
        }
        write(" \(Self.number(sample.value))\n")
    }

    /// A number in the syntax of Go's `ParseFloat`.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Whole numbers below 2^53 are exact.
        let isWhole = value == value.rounded() && value.magnitude < 9_007_199_254_740_992
        return isWhole ? String(Int64(value)) : "\(value)"
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func writeEscaped(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): write("\\\\")
            case UInt8(ascii: "\n"): write("\\n")
            case UInt8(ascii: "\"") where quotes: write("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}
