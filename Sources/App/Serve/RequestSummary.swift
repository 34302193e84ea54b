import PresentationHTTP

/// Logs the count, latency and bytes of each route every ten seconds.
struct RequestSummary: Sendable {
    /// The time between two summaries.
    static let interval: Duration = .seconds(10)

    /// The counters.
    let tallies: RequestMetrics
    /// The access log, which counts the lines over its bound.
    let access: RequestLog
    /// The log.
    let log: any Log

    /// Logs until the task is cancelled, and skips routes without requests.
    func run(clock: some Clock<Duration>) async {
        var before = tallies.tallies
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.interval)
            let now = tallies.tallies
            for (tally, earlier) in zip(now, before) { write(tally.since(earlier)) }
            let suppressed = access.drainSuppressedCount()
            if suppressed > 0 {
                log.write(.warning, "requests not logged", [.number("count", suppressed)])
            }
            before = now
        }
    }

    private func write(_ tally: RequestCounter) {
        guard tally.count > 0 else { return }
        var fields: [LogField] = [
            .word("route", tally.route),
            .number("count", tally.count),
            .number("errors", tally.errorCount),
        ]
        if let half = tally.quantile(0.5) {
            fields.append(.measure("p50Milliseconds", half.inMilliseconds))
        }
        if let most = tally.quantile(0.99) {
            fields.append(.measure("p99Milliseconds", most.inMilliseconds))
        }
        log.write(.info, "requests", fields + [.number("bytes", tally.bytes)])
    }
}
