import Domain
import Synchronization

/// Logs store failures of requests, at most once a minute for each kind.
final class StoreFailureLog: Sendable {
    /// The minimum time between two lines about the same kind of failure, in microseconds.
    static let intervalMicroseconds: Int64 = 60_000_000

    private let log: any Log
    private let now: @Sendable () -> Timestamp
    /// The time of the last line by code; bounded by the number of codes.
    private let logged = Mutex<[StoreFailure.Code: Int64]>([:])

    /// Makes a log of failures.
    ///
    /// - Parameters:
    ///   - log: receives the lines.
    ///   - now: the local wall clock.
    init(to log: any Log, now: @escaping @Sendable () -> Timestamp) {
        self.log = log
        self.now = now
    }

    /// Logs a failure unless one of its kind was logged in the last minute.
    func report(_ failure: StoreFailure) {
        let time = now().microseconds
        let isDue = logged.withLock { logged in
            // A clock that was set back makes the difference negative: log again.
            if let last = logged[failure.code],
                (0..<Self.intervalMicroseconds).contains(time - last)
            {
                return false
            }
            logged[failure.code] = time
            return true
        }
        if isDue { StoreLog.write(failure, of: "users", to: log) }
    }
}
