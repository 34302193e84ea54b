/// How long to wait between failing attempts: exponential, with jitter.
///
/// The wait doubles with each failure in a row. Each wait is random between half and the whole of
/// that, so that clients that fail together do not return together. Pure: time and randomness are
/// passed in.
public struct Backoff: Sendable, Hashable {
    /// The bounds of the waits.
    public struct Policy: Sendable, Hashable {
        /// The whole wait before the first retry.
        public let first: Duration
        /// The longest wait while failures are recent.
        public let longest: Duration
        /// The whole wait once attempts have failed for `steadyAfter`; nil keeps `longest`.
        public let steady: Duration?
        /// How long attempts fail before waits become steady.
        public let steadyAfter: Duration

        /// Makes a policy; durations are positive.
        public init(
            first: Duration,
            longest: Duration,
            steady: Duration? = nil,
            steadyAfter: Duration = .seconds(60)
        ) {
            precondition(first > .zero && longest >= first, "A backoff grows from its first wait.")
            self.first = first
            self.longest = longest
            self.steady = steady
            self.steadyAfter = steadyAfter
        }
    }

    private let policy: Policy
    private var failingSince: Duration?

    /// Failures in a row: the number of the attempt that the last wait precedes.
    public private(set) var attempt = 0

    /// Makes a backoff without failures.
    public init(_ policy: Policy) {
        self.policy = policy
    }

    /// Counts a failure.
    ///
    /// - Parameters:
    ///   - now: monotonic time since any fixed moment.
    ///   - random: uniformly random bits.
    ///   - pause: the shortest wait, such as the server's `Retry-After`.
    /// - Returns: the wait before the next attempt.
    public mutating func failed(
        at now: Duration,
        random: UInt64,
        pause: Duration = .zero
    ) -> Duration {
        let since = failingSince ?? now
        failingSince = since
        attempt += 1
        let whole: Duration =
            if let steady = policy.steady, now - since >= policy.steadyAfter {
                steady
            } else {
                // Beyond 20 doublings every policy has reached its longest wait.
                min(policy.longest, policy.first * (1 << min(attempt - 1, 20)))
            }
        // 1,025 steps from half to whole spread clients finely enough.
        return max(pause, whole / 2 + whole / 2 * Int(random % 1_025) / 1_024)
    }

    /// Forgets the failures.
    public mutating func succeeded() {
        attempt = 0
        failingSince = nil
    }
}
