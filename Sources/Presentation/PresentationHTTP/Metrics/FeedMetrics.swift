public import Domain

/// The metrics of the feed.
public enum FeedMetrics: Sendable {
    /// The metrics of a board.
    ///
    /// - Parameters:
    ///   - board: the newest board.
    ///   - now: the local wall clock.
    /// - Returns: every metric, without samples where the value is unknown.
    public static func families(_ board: MarketBoard, now: Timestamp) -> [MetricFamily] {
        let (feed, details) = (board.feed, board.detailStatus)
        // The wall clock may be set back; an age is never negative.
        let age = feed.lastActivityAt.map { max(.zero, now.duration(since: $0)) }
        return [
            MetricFamily(
                "hoga_feed_age_seconds",
                .gauge,
                "Time since the last data of the busiest market; absent before the first.",
                age?.inSeconds
            ),
            MetricFamily(
                "hoga_feed_reconnects_total",
                .counter,
                "Lost stream connections to the exchange.",
                Double(feed.reconnects + details.reconnects)
            ),
            MetricFamily(
                "hoga_feed_api_used",
                .gauge,
                "Whether a generation of the exchange's API is read; absent if only one can be.",
                feed.apis.map { use in
                    .init(use.leave == nil ? 1 : 0, labels: [.init("api", use.api.rawValue)])
                }
            ),
            MetricFamily(
                "hoga_decode_skipped_total",
                .counter,
                "Entries of the exchange that could not be decoded, by message kind.",
                SkippedEntries.Kind.allCases.map {
                    .init(Double(feed.skipped[$0]), labels: [.init("kind", $0.rawValue)])
                }
            ),
            MetricFamily(
                "hoga_book_heals_total",
                .counter,
                "Order books that a snapshot corrected, by reason. "
                    + "Changes that REST told before the stream did do not count.",
                BookCorrections.Reason.allCases.map {
                    .init(
                        Double(details.correctionReasons[$0]),
                        labels: [.init("reason", $0.rawValue)]
                    )
                }
            ),
            MetricFamily(
                "hoga_trades_dropped_total",
                .counter,
                "Trades that arrived too late for a full tape and were dropped.",
                Double(feed.tradesDropped)
            ),
        ]
    }
}
