import Domain
import Synchronization

/// Says in the log why the store failed those who asked a service: once a minute for each kind of
/// failure, however many ask.
final class StoreFailureLog: Sendable {
    /// How long a kind of failure is not told of again, in microseconds.
    static let intervalMicroseconds: Int64 = 60_000_000

    private let log: any Log
    private let now: @Sendable () -> Timestamp
    /// When each was told last; as many as there are codes.
    private let told = Mutex<[StoreFailure.Code: Int64]>([:])

    /// Makes a log of failures.
    ///
    /// - Parameters:
    ///   - log: takes the lines.
    ///   - now: the local wall clock.
    init(to log: any Log, now: @escaping @Sendable () -> Timestamp) {
        self.log = log
        self.now = now
    }

    /// Tells of a failure, if none of its kind was told just now.
    func tell(_ failure: StoreFailure) {
        let time = now().microseconds
        let isNews = told.withLock { told in
            if let last = told[failure.code], (0..<Self.intervalMicroseconds).contains(time - last)
            {
                return false
            }
            told[failure.code] = time
            return true
        }
        if isNews { StoreLog.write(failure, of: "users", to: log) }
    }
}
