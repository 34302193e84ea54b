public import Domain

/// What the board knows of its feed, as metrics.
public enum FeedMetrics: Sendable {
    /// The metrics of a board.
    ///
    /// - Parameters:
    ///   - board: the newest one.
    ///   - now: the local wall clock.
    /// - Returns: one of each name, with figures as far as they are known.
    public static func families(_ board: MarketBoard, now: Timestamp) -> [MetricFamily] {
        let (feed, details) = (board.feed, board.detailStatus)
        // A wall clock may be set back; an age cannot be below zero.
        let age = feed.lastActivityAt.map { max(.zero, now.duration(since: $0)) }
        return [
            MetricFamily(
                "hoga_feed_age_seconds",
                .gauge,
                "Time since the busiest market was heard of; none before the first word of it.",
                age?.inSeconds
            ),
            MetricFamily(
                "hoga_feed_reconnects_total",
                .counter,
                "How often a stream connection to the exchange was lost.",
                Double(feed.reconnects + details.reconnects)
            ),
            MetricFamily(
                "hoga_decode_skipped_total",
                .counter,
                "Entries of the exchange that could not be read, by where they stood.",
                SkippedEntries.Kind.allCases.map {
                    .init(Double(feed.skipped[$0]), labels: [.init("kind", $0.rawValue)])
                }
            ),
            MetricFamily(
                "hoga_book_heals_total",
                .counter,
                "Order books that a snapshot found different and mended, by what was known before.",
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
                "Trades that came too late for a full tape and were left out.",
                Double(feed.tradesDropped)
            ),
        ]
    }
}
