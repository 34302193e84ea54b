import Domain
import Synchronization

/// When the busiest market was last heard of on the present connection.
///
/// Judged by data age and never by a missing pong: half-open connections look alive.
final class StreamLiveness: Sendable {
    /// Silence after which the connection is given up.
    static let deadAfter: Duration = .seconds(10)
    /// How long a connection must have stood for the back-off to begin anew.
    static let stableAfter: Duration = .seconds(15)

    private struct State {
        var signOfLife: Timestamp?
        var beganAt: Duration?
        var lastSignOfLife: Duration = .zero
    }

    private let state = Mutex(State())

    /// Begins when all is subscribed, which counts as a sign of life.
    ///
    /// - Parameters:
    ///   - elapsed: monotonic time since any fixed moment.
    ///   - signOfLife: the board's last sign of life, which is one of the connection before.
    func begin(at elapsed: Duration, signOfLife: Timestamp?) {
        state.withLock {
            $0 = State(signOfLife: signOfLife, beganAt: elapsed, lastSignOfLife: elapsed)
        }
    }

    /// Monotonic time of the last sign of life.
    var lastSignOfLife: Duration { state.withLock { $0.lastSignOfLife } }

    /// Whether the connection was subscribed, and for long enough to be called sound.
    func wasStable(at elapsed: Duration) -> Bool {
        state.withLock { state in
            state.beganAt.map { elapsed - $0 >= Self.stableAfter } ?? false
        }
    }

    /// Notes the board's last sign of life; only a new one counts.
    func note(signOfLife: Timestamp?, at elapsed: Duration) {
        state.withLock { state in
            guard let signOfLife, signOfLife != state.signOfLife else { return }
            state.signOfLife = signOfLife
            state.lastSignOfLife = elapsed
        }
    }
}
