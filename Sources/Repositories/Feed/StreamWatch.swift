import Domain
import Synchronization

/// When the busiest market was last heard of on the present connection.
///
/// Judged by data age and never by a missing pong: half-open connections look alive.
final class StreamWatch: Sendable {
    /// Silence after which the connection is given up.
    static let deadAfter: Duration = .seconds(10)
    /// How long a connection must have stood for the back-off to begin anew.
    static let stableAfter: Duration = .seconds(15)

    private struct State {
        var signOfLife: Timestamp?
        var elapsed: Duration
    }

    private let state: Mutex<State>

    /// Begins with a connection, which counts as a sign of life.
    init(startingAt elapsed: Duration) {
        state = Mutex(State(elapsed: elapsed))
    }

    /// Monotonic time of the last sign of life.
    var lastSignOfLife: Duration { state.withLock { $0.elapsed } }

    /// Notes the board's last sign of life; only a new one counts.
    func note(signOfLife: Timestamp?, at elapsed: Duration) {
        state.withLock { state in
            guard let signOfLife, signOfLife != state.signOfLife else { return }
            // The first look may show a sign of the connection before.
            if state.signOfLife != nil { state.elapsed = elapsed }
            state.signOfLife = signOfLife
        }
    }
}
