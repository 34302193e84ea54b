/// The outcomes of the latest changes of all users: whether the store refuses them.
///
/// A store may answer every question and yet take no change, with a full disk for example. Only
/// changes show that.
public struct ChangeOutcomes: Sendable {
    /// How long a failure counts without another attempt.
    public static let failureLifetime: Duration = .seconds(3)
    /// How long a success makes failures those of single changes.
    public static let successLifetime: Duration = .milliseconds(500)

    private var failed: (failure: StoreFailure, time: Duration)?
    private var succeededAt: Duration?

    /// Makes the outcomes of a process that has made no change yet.
    public init() {}

    /// Takes the result of a change.
    ///
    /// - Parameters:
    ///   - failure: the failure of the store; nil if the change was made.
    ///   - time: the end of the change, on any monotonic clock.
    public mutating func note(_ failure: StoreFailure?, at time: Duration) {
        guard let failure else {
            failed = nil
            succeededAt = time
            return
        }
        if let succeededAt, time - succeededAt < Self.successLifetime { return }
        failed = (failure, time)
    }

    /// Whether changes fail.
    ///
    /// - Parameter time: the time on the clock of ``note(_:at:)``.
    /// - Returns: the failure that they meet; nil if they succeed, or if none was tried lately.
    public func failure(at time: Duration) -> StoreFailure? {
        guard let failed, time - failed.time < Self.failureLifetime else { return nil }
        return failed.failure
    }
}
