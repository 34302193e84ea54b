/// What the process tells of itself, of its requests to the exchange and of its streams.
public enum ProcessMetrics: Sendable {
    /// How often the exchange was asked with one outcome.
    public struct UpstreamCount: Sendable, Equatable {
        /// What the exchange counts requests by, such as `ticker`.
        public var category: String
        /// The status of the answer, or why there was none, such as `200` or `timed_out`.
        public var status: String
        /// How often since the start.
        public var count: UInt64

        /// Makes a count.
        public init(category: String, status: String, count: UInt64) {
            self.category = category
            self.status = status
            self.count = count
        }
    }

    /// Which program it is.
    public static func build(version: String, commit: String) -> MetricFamily {
        MetricFamily(
            "hoga_build_info",
            .gauge,
            "Always 1; the labels say which program this is.",
            [.init(1, labels: [.init("version", version), .init("commit", commit)])]
        )
    }

    /// Requests to the exchange.
    public static func upstream(_ counts: [UpstreamCount]) -> MetricFamily {
        MetricFamily(
            "hoga_upstream_requests_total",
            .counter,
            "REST requests to the exchange, by category and by status or why there was no answer.",
            counts.map {
                .init(
                    Double($0.count),
                    labels: [.init("category", $0.category), .init("status", $0.status)]
                )
            }
        )
    }

    /// Event streams.
    ///
    /// - Parameters:
    ///   - streams: how many are open.
    ///   - resets: how often one began anew with the whole document, since the start.
    /// - Returns: both metrics.
    public static func streams(_ streams: Int, resets: UInt64) -> [MetricFamily] {
        [
            MetricFamily("hoga_streams", .gauge, "Event streams that are open.", Double(streams)),
            MetricFamily(
                "hoga_stream_resets_total",
                .counter,
                "Resumed streams that had to begin anew with the whole document.",
                Double(resets)
            ),
        ]
    }

    /// Log lines that were given up because standard error took none.
    public static func log(dropped: UInt64) -> MetricFamily {
        MetricFamily(
            "hoga_log_lines_dropped_total",
            .counter,
            "Log lines that were given up because standard error took none.",
            Double(dropped)
        )
    }
}
