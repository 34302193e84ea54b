import Domain
import Synchronization

/// The time of the last data of the busiest market on the current connection.
///
/// Judged by the age of data, never by pongs: a half-open connection may look alive.
final class StreamLiveness: Sendable {
    /// The silence after which the connection is replaced.
    static let deadAfter: Duration = .seconds(10)
    /// How long a connection must stay open for the backoff to start over.
    static let stableAfter: Duration = .seconds(15)

    private struct State {
        var signOfLife: Timestamp?
        var beganAt: Duration?
        var lastSignOfLife: Duration = .zero
        var isSilent = false
    }

    private let state = Mutex(State())

    /// Begins once all is subscribed, which counts as a sign of life.
    ///
    /// - Parameters:
    ///   - elapsed: monotonic time since any fixed moment.
    ///   - signOfLife: the board's last sign of life, from an earlier connection.
    func begin(at elapsed: Duration, signOfLife: Timestamp?) {
        state.withLock {
            $0 = State(signOfLife: signOfLife, beganAt: elapsed, lastSignOfLife: elapsed)
        }
    }

    /// Monotonic time of the last sign of life.
    var lastSignOfLife: Duration { state.withLock { $0.lastSignOfLife } }

    /// Whether the connection was subscribed for long enough to be stable.
    func wasStable(at elapsed: Duration) -> Bool {
        state.withLock { state in
            state.beganAt.map { elapsed - $0 >= Self.stableAfter } ?? false
        }
    }

    /// Whether a silence has become long enough to report since the last call.
    func beginsSilence(at elapsed: Duration) -> Bool {
        state.withLock { state in
            let isNew =
                !state.isSilent && state.beganAt != nil
                && elapsed - state.lastSignOfLife >= FeedStatus.staleAfter
            if isNew { state.isSilent = true }
            return isNew
        }
    }

    /// Stores the board's last sign of life; only a new one counts.
    ///
    /// - Returns: whether it ends a silence.
    @discardableResult
    func note(signOfLife: Timestamp?, at elapsed: Duration) -> Bool {
        state.withLock { state in
            guard let signOfLife, signOfLife != state.signOfLife else { return false }
            state.signOfLife = signOfLife
            state.lastSignOfLife = elapsed
            defer { state.isSilent = false }
            return state.isSilent
        }
    }
}
