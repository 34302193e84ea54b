public import HTTPServer
public import UseCases

/// The metrics of the process: build, upstream requests, streams, users and log.
public enum ProcessMetrics: Sendable {
    /// The number of requests to the exchange with one outcome.
    public struct UpstreamCount: Sendable, Equatable {
        /// The exchange's rate limit category, for example `ticker`.
        public var category: String
        /// The HTTP status or the failure, for example `200` or `timed_out`.
        public var status: String
        /// The number since the start.
        public var count: UInt64

        /// Makes a count.
        public init(category: String, status: String, count: UInt64) {
            self.category = category
            self.status = status
            self.count = count
        }
    }

    /// The build.
    public static func build(version: String, commit: String) -> MetricFamily {
        MetricFamily(
            "hoga_build_info",
            .gauge,
            "Always 1; the labels identify the build.",
            [.init(1, labels: [.init("version", version), .init("commit", commit)])]
        )
    }

    /// Requests to the exchange.
    public static func upstream(_ counts: [UpstreamCount]) -> MetricFamily {
        MetricFamily(
            "hoga_upstream_requests_total",
            .counter,
            "REST requests to the exchange, by category and by status or failure.",
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
    ///   - streams: open streams.
    ///   - resets: `reset` events since the start.
    /// - Returns: both metrics.
    public static func streams(_ streams: Int, resets: UInt64) -> [MetricFamily] {
        [
            MetricFamily("hoga_streams", .gauge, "Event streams that are open.", Double(streams)),
            MetricFamily(
                "hoga_stream_resets_total",
                .counter,
                "Resumed streams that restarted with the whole document.",
                Double(resets)
            ),
        ]
    }

    /// The memory of documents.
    ///
    /// - Parameters:
    ///   - cached: estimated bytes of cached documents and of streamed ones without readers.
    ///   - cachedMax: their bound.
    ///   - streamed: estimated bytes of streamed documents with readers.
    ///   - streamedMax: their bound.
    ///   - topics: streamed documents, those without readers included.
    /// - Returns: three metrics.
    public static func documents(
        cached: Int,
        cachedMax: Int,
        streamed: Int,
        streamedMax: Int,
        topics: Int
    ) -> [MetricFamily] {
        func byUse(_ cached: Int, _ streamed: Int) -> [MetricFamily.Sample] {
            [("cache", cached), ("streams", streamed)].map { use, count in
                .init(Double(count), labels: [.init("use", use)])
            }
        }
        return [
            MetricFamily(
                "hoga_document_bytes",
                .gauge,
                "Estimated bytes of documents, by use: cached, or streamed to readers.",
                byUse(cached, streamed)
            ),
            MetricFamily(
                "hoga_document_bytes_max",
                .gauge,
                "The bound of hoga_document_bytes.",
                byUse(cachedMax, streamedMax)
            ),
            MetricFamily(
                "hoga_stream_topics",
                .gauge,
                "Different documents that are streamed or kept for resuming readers.",
                Double(topics)
            ),
        ]
    }

    /// Bytes that clients have not taken.
    ///
    /// - Parameters:
    ///   - status: the counts of the listeners.
    ///   - bytesMax: the bound of the bytes.
    /// - Returns: three metrics.
    public static func unsent(_ status: UnsentBytes.Status, bytesMax: Int) -> [MetricFamily] {
        [
            MetricFamily(
                "hoga_unsent_bytes",
                .gauge,
                "Bytes of responses and events whose clients take no more at the moment.",
                Double(status.byteCount)
            ),
            MetricFamily(
                "hoga_unsent_bytes_max",
                .gauge,
                "The bound of hoga_unsent_bytes, a quarter of which one client may use.",
                Double(bytesMax)
            ),
            MetricFamily(
                "hoga_unsent_closed_total",
                .counter,
                "Connections closed for unsent bytes, by limit: of one client, or of all.",
                [
                    .init(
                        Double(status.closedByClientLimit),
                        labels: [.init("limit", "client")]
                    ),
                    .init(Double(status.closedByTotalLimit), labels: [.init("limit", "total")]),
                ]
            ),
        ]
    }

    /// The memory of users.
    public static func users(_ size: UserStateSize) -> [MetricFamily] {
        [
            MetricFamily(
                "hoga_users",
                .gauge,
                "Users whose data are in memory.",
                Double(size.users)
            ),
            MetricFamily(
                "hoga_user_bytes",
                .gauge,
                "Estimated bytes of users' data in memory.",
                Double(size.bytes)
            ),
            MetricFamily(
                "hoga_user_bytes_max",
                .gauge,
                "The bound of hoga_user_bytes; when full, idle users are evicted.",
                Double(size.bytesMax)
            ),
        ]
    }

    /// Log lines dropped because standard error blocked.
    public static func log(dropped: UInt64) -> MetricFamily {
        MetricFamily(
            "hoga_log_lines_dropped_total",
            .counter,
            "Log lines dropped because standard error blocked.",
            Double(dropped)
        )
    }
}
