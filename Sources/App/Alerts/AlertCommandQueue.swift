import Domain

/// Which alerts the user's command still has to run for; a value without clock and process.
///
/// Each alert that is new since the start is given once, oldest first. Bounds: ``runningMax``
/// processes and ``waitingMax`` alerts, of which the oldest one is dropped for a newer one.
struct AlertCommandQueue: Sendable {
    /// The most processes at once.
    static let runningMax = 4
    /// The most alerts that wait for a process.
    static let waitingMax = 100

    private var watermark = AlertWatermark()
    private(set) var waiting: [LoggedAlert] = []
    private(set) var runningCount = 0
    /// Alerts that were dropped since the last ``takeDropped()``.
    private var droppedCount = 0

    /// Takes the alerts of a record.
    mutating func apply(_ alerts: UserAlerts) {
        guard let news = watermark.advance(to: alerts) else { return }
        waiting += news.alerts.reversed()
        let excess = max(waiting.count - Self.waitingMax, 0)
        waiting.removeFirst(excess)
        droppedCount += excess + news.count - news.alerts.count
    }

    /// The next alert to run the command for; nil while none waits or enough run.
    mutating func start() -> LoggedAlert? {
        guard runningCount < Self.runningMax, !waiting.isEmpty else { return nil }
        runningCount += 1
        return waiting.removeFirst()
    }

    /// A run has ended.
    mutating func end() { runningCount -= 1 }

    /// The number of dropped alerts since the last call.
    mutating func takeDropped() -> Int {
        defer { droppedCount = 0 }
        return droppedCount
    }
}
