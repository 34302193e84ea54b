import Concurrency

extension Backoff.Policy {
    /// Attempts at the exchange: 0.5 s doubling to 8 s, then 30 s after a minute of failures.
    ///
    /// The wait comes before the attempt, so a minute holds at most 18 of them.
    static let exchange = Backoff.Policy(
        first: .milliseconds(500),
        longest: .seconds(8),
        steady: .seconds(30),
        steadyAfter: .seconds(60)
    )
}
