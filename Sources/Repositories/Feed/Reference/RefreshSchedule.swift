import Concurrency

/// When to read again: an interval after a success, sooner after a failure, at once on request.
///
/// Pure: times are monotonic since any fixed moment.
struct RefreshSchedule: Sendable {
    private let interval: Duration
    private var backoff = Backoff(.exchange)
    private var due: Duration = .zero
    /// Requests have no effect before this time: the exchange asked for a pause.
    private var earliest: Duration = .zero
    private var served: Int

    /// Makes a schedule whose first reading is due at once.
    ///
    /// - Parameters:
    ///   - interval: the time between two successful readings.
    ///   - requests: the number of requests so far, which count as served.
    init(interval: Duration, serving requests: Int) {
        self.interval = interval
        served = requests
    }

    /// The wait before the next reading; zero when it is due.
    func wait(at now: Duration, requests: Int) -> Duration {
        max(.zero, (requests > served ? earliest : due) - now)
    }

    /// Begins a reading, which serves all requests so far.
    mutating func begin(serving requests: Int) { served = requests }

    /// Schedules the next reading after a success.
    mutating func succeeded(at now: Duration) {
        backoff.succeeded()
        due = now + interval
        earliest = now
    }

    /// Schedules the next reading after a failure.
    ///
    /// - Returns: the wait before it.
    mutating func failed(at now: Duration, random: UInt64, pause: Duration) -> Duration {
        let wait = backoff.failed(at: now, random: random, pause: pause)
        due = now + wait
        earliest = now + pause
        return wait
    }
}
