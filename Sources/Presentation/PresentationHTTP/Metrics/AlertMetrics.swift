/// The metrics of alert rules and webhooks.
public struct AlertMetrics: Sendable, Equatable {
    /// The evaluation of rules.
    public struct Rules: Sendable, Equatable {
        /// Number of rules of all users.
        public var count: Int
        /// Alerts that wait for the store.
        public var pending: Int
        /// Alerts dropped since the start, because too many waited or the store refused them.
        public var dropped: Int

        /// Makes figures.
        public init(count: Int, pending: Int, dropped: Int) {
            self.count = count
            self.pending = pending
            self.dropped = dropped
        }
    }

    /// The delivery to webhooks.
    public struct Webhooks: Sendable, Equatable {
        /// Alerts that receivers accepted since the start.
        public var accepted: Int
        /// Attempts that failed since the start.
        public var failed: Int
        /// Alerts given up since the start.
        public var deadLetters: Int
        /// Requests in flight.
        public var inFlight: Int
        /// Users in backoff after a failure, or waiting for a free request slot.
        public var waiting: Int

        /// Makes figures.
        public init(accepted: Int, failed: Int, deadLetters: Int, inFlight: Int, waiting: Int) {
            self.accepted = accepted
            self.failed = failed
            self.deadLetters = deadLetters
            self.inFlight = inFlight
            self.waiting = waiting
        }
    }

    /// The evaluation; nil without a store.
    public var rules: Rules?
    /// The delivery; nil without a key for the secrets of webhooks.
    public var webhooks: Webhooks?

    /// Figures of a program that does neither.
    public init() {}

    /// The metrics.
    public var families: [MetricFamily] {
        [
            MetricFamily(
                "hoga_alert_rules",
                .gauge,
                "Alert rules that this instance evaluates.",
                rules.map { Double($0.count) }
            ),
            MetricFamily(
                "hoga_alerts_pending",
                .gauge,
                "Alerts that wait for the store, or for the leader to store them.",
                rules.map { Double($0.pending) }
            ),
            MetricFamily(
                "hoga_alerts_dropped_total",
                .counter,
                "Alerts dropped because too many waited or the store refused them.",
                rules.map { Double($0.dropped) }
            ),
            MetricFamily(
                "hoga_webhook_attempts_total",
                .counter,
                "Requests to webhooks that have ended; absent without HOGA_WEBHOOK_KEY_FILE.",
                webhooks.map { webhooks in
                    [("accepted", webhooks.accepted), ("failed", webhooks.failed)]
                        .map { outcome, count in
                            .init(Double(count), labels: [.init("outcome", outcome)])
                        }
                } ?? []
            ),
            MetricFamily(
                "hoga_webhook_dead_letters_total",
                .counter,
                "Alerts that were not delivered within a day.",
                webhooks.map { Double($0.deadLetters) }
            ),
            MetricFamily(
                "hoga_webhook_requests",
                .gauge,
                "Requests to webhooks in flight.",
                webhooks.map { Double($0.inFlight) }
            ),
            MetricFamily(
                "hoga_webhook_waiting",
                .gauge,
                "Webhooks in backoff or waiting for a free request slot.",
                webhooks.map { Double($0.waiting) }
            ),
        ]
    }
}
