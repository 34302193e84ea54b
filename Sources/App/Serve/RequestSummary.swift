import PresentationHTTP

/// Tells every ten seconds what was asked of each route: how often, how quickly, how much.
struct RequestSummary: Sendable {
    /// How far apart summaries are.
    static let interval: Duration = .seconds(10)

    /// What is counted.
    let tallies: RequestMetrics
    /// What told of single requests.
    let access: RequestLog
    /// Takes the lines.
    let log: any Log

    /// Tells until the task is cancelled; routes that nobody asked for are passed over.
    func run(clock: some Clock<Duration>) async {
        var before = tallies.tallies
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.interval)
            let now = tallies.tallies
            for (tally, earlier) in zip(now, before) { tell(tally.since(earlier)) }
            let untold = access.takeUntold()
            if untold > 0 { log.write(.warning, "requests untold", [.number("count", untold)]) }
            before = now
        }
    }

    private func tell(_ tally: RequestCounter) {
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
