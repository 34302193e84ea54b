/// The counts of one route.
public struct RequestCounter: Sendable, Equatable {
    /// The route's name.
    public let route: String
    /// By ``RequestMetrics/statuses``; the last element counts all others.
    let statuses: [UInt64]
    /// By ``RequestMetrics/boundsMicroseconds``; the last element counts longer durations.
    let durations: [UInt64]
    /// The sum of all durations.
    let microseconds: UInt64
    /// The sum of all bodies.
    public let bytes: UInt64

    /// The number of requests.
    public var count: UInt64 { statuses.reduce(0, +) }

    /// The number of responses with status 400 or more.
    public var errorCount: UInt64 {
        zip(RequestMetrics.statuses, statuses).reduce(0) { $0 + ($1.0 >= 400 ? $1.1 : 0) }
            + statuses[statuses.count - 1]
    }

    /// The number of measured durations.
    public var timedCount: UInt64 { durations.reduce(0, +) }

    /// The upper bound of a quantile of the durations; nil without durations, and beyond the last
    /// bound.
    public func quantile(_ share: Double) -> Duration? {
        let count = timedCount
        guard count > 0 else { return nil }
        let wanted = max(1, UInt64((Double(count) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (bound, number) in zip(RequestMetrics.boundsMicroseconds, durations) {
            seen += number
            if seen >= wanted { return .microseconds(bound) }
        }
        return nil
    }

    /// The counts since an earlier state of the same route.
    public func since(_ earlier: RequestCounter) -> RequestCounter {
        RequestCounter(
            route: route,
            statuses: zip(statuses, earlier.statuses).map { $0 - $1 },
            durations: zip(durations, earlier.durations).map { $0 - $1 },
            microseconds: microseconds - earlier.microseconds,
            bytes: bytes - earlier.bytes
        )
    }
}

extension RequestCounter {
    /// The bounds that `/metrics` shows, a subset of ``RequestMetrics/boundsMicroseconds``.
    static let shownBounds = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ]

    /// The metrics of all routes.
    public static func families(_ tallies: [RequestCounter]) -> [MetricFamily] {
        var counts: [MetricFamily.Sample] = []
        for tally in tallies {
            for (place, count) in tally.statuses.enumerated() where count > 0 {
                let isKnown = place < RequestMetrics.statuses.count
                let status = isKnown ? String(RequestMetrics.statuses[place]) : "other"
                counts.append(
                    .init(
                        Double(count),
                        labels: [.init("route", tally.route), .init("status", status)]
                    )
                )
            }
        }
        return [
            MetricFamily(
                "hoga_http_requests_total",
                .counter,
                "Finished requests by route and status.",
                counts
            ),
            MetricFamily(
                "hoga_http_duration_seconds",
                .histogram,
                "From a request's head to the last byte of its response, without event streams.",
                histogram(tallies)
            ),
        ]
    }

    private static func histogram(_ tallies: [RequestCounter]) -> [MetricFamily.Sample] {
        var samples: [MetricFamily.Sample] = []
        var sums = Array(repeating: UInt64(0), count: RequestMetrics.boundsMicroseconds.count + 1)
        for tally in tallies {
            for place in sums.indices { sums[place] += tally.durations[place] }
        }
        var seen: UInt64 = 0
        for (bound, count) in zip(RequestMetrics.boundsMicroseconds, sums) {
            seen += count
            guard shownBounds.contains(bound) else { continue }
            let text = MetricsText.number(Double(bound) / 1_000_000)
            samples.append(.init(Double(seen), labels: [.init("le", text)], suffix: "_bucket"))
        }
        let total = Double(sums.reduce(0, +))
        let seconds = tallies.reduce(0) { $0 + Double($1.microseconds) } / 1_000_000
        return samples + [
            .init(total, labels: [.init("le", "+Inf")], suffix: "_bucket"),
            .init(seconds, suffix: "_sum"),
            .init(total, suffix: "_count"),
        ]
    }
}
