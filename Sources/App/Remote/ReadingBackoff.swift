/// How long to wait before the next attempt at a service.
///
/// 0.5 s doubling to 30 s; each wait is random between half and the whole of that, so that many
/// terminals do not return together.
struct ReadingBackoff: Sendable, Equatable {
    /// The wait of the first attempt, whole.
    static let first: Duration = .milliseconds(500)
    /// The longest wait.
    static let longest: Duration = .seconds(30)

    /// The number of the attempt that the last wait precedes; 0 before any failure.
    private(set) var attempt = 0

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - random: uniformly random bits.
    ///   - pause: what the service asked for: the wait is not shorter.
    /// - Returns: the wait before the next attempt.
    mutating func failed(random: UInt64, pause: Duration = .zero) -> Duration {
        attempt += 1
        let whole = min(Self.longest, Self.first * (1 << min(attempt - 1, 10)))
        // 1,025 steps from half to whole are fine enough for people and servers.
        return max(pause, whole / 2 + whole / 2 * Int(random % 1_025) / 1_024)
    }

    /// Notes that all is well again.
    mutating func succeeded() { attempt = 0 }
}
