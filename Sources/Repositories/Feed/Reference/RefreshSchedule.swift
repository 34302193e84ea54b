/// When something is read again: some time after it was read, sooner after a failure, at once when
/// somebody asks for it.
///
/// Pure: times are monotonic, since any fixed moment.
struct RefreshSchedule: Sendable {
    private let interval: Duration
    private var backoff = ReconnectBackoff()
    private var due: Duration = .zero
    /// Before this a request is of no use: the exchange asked for a pause.
    private var earliest: Duration = .zero
    private var answered: Int

    /// Nothing was read: it is due at once.
    ///
    /// - Parameters:
    ///   - interval: the time between two readings that succeed.
    ///   - requests: how many requests there were so far; they are answered.
    init(interval: Duration, answering requests: Int) {
        self.interval = interval
        answered = requests
    }

    /// How long to wait before the next reading; zero when it is due.
    func wait(at now: Duration, requests: Int) -> Duration {
        max(.zero, (requests > answered ? earliest : due) - now)
    }

    /// Notes that a reading begins which answers all requests so far.
    mutating func begin(answering requests: Int) { answered = requests }

    /// Notes that a reading succeeded.
    mutating func succeeded(at now: Duration) {
        backoff.succeeded()
        due = now + interval
        earliest = now
    }

    /// Notes that a reading failed.
    ///
    /// - Returns: how long to wait before the next one.
    mutating func failed(at now: Duration, random: UInt64, pause: Duration) -> Duration {
        let wait = backoff.failed(at: now, random: random, pause: pause)
        due = now + wait
        earliest = now + pause
        return wait
    }
}
