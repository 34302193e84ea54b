/// How long to wait before the next attempt.
///
/// 0.5 s doubling to 8 s within the first minute of failing, 30 s after it; each wait is random
/// between half and the whole of that, so that many programs do not return together. The wait
/// comes before the attempt, so a minute holds at most 18 of them.
struct ReconnectBackoff: Sendable {
    /// The wait of the first attempt, whole.
    static let first: Duration = .milliseconds(500)
    /// The longest wait within the first minute.
    static let longest: Duration = .seconds(8)
    /// The wait after the first minute.
    static let patient: Duration = .seconds(30)
    /// How long it takes until waits turn patient.
    static let patientAfter: Duration = .seconds(60)

    /// The number of the attempt that the last wait precedes; 0 before any failure.
    private(set) var attempt = 0
    private var failingSince: Duration?

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - now: monotonic time since any fixed moment.
    ///   - random: uniformly random bits.
    ///   - pause: what the exchange asked for: the wait is not shorter.
    /// - Returns: the wait before the next attempt.
    mutating func failed(
        at now: Duration,
        random: UInt64,
        pause: Duration = .zero
    ) -> Duration {
        let since = failingSince ?? now
        failingSince = since
        attempt += 1
        let whole: Duration =
            if now - since >= Self.patientAfter {
                Self.patient
            } else {
                min(Self.longest, Self.first * (1 << min(attempt - 1, 10)))
            }
        // 1,025 steps from half to whole are fine enough for people and servers.
        return max(pause, whole / 2 + whole / 2 * Int(random % 1_025) / 1_024)
    }

    /// Notes that all is well again.
    mutating func succeeded() {
        attempt = 0
        failingSince = nil
    }
}
