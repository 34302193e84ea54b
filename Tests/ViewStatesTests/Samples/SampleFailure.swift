import Domain

extension FeedFailure {
    /// A reading that was not answered in time.
    static let sample = FeedFailure(code: .timedOut, detail: "ticker", isRetryable: true)
}
