import Synchronization

/// Whether a change may still begin: whoever asked for it waits for so long alone.
///
/// A change that was not begun when its answer was due is not made; one that was cannot be called
/// back.
final class ChangePermit: Sendable {
    private enum State {
        case open
        case begun
        case withdrawn
    }

    private let state = Mutex(State.open)

    /// Begins the change.
    ///
    /// - Returns: false if nobody waits for it any more: it must not be made.
    func begin() -> Bool { move(to: .begun) }

    /// Gives the change up.
    ///
    /// - Returns: false if it has begun: it may be made, now or later.
    func withdraw() -> Bool { move(to: .withdrawn) }

    private func move(to next: State) -> Bool {
        state.withLock { state in
            guard state == .open else { return state == next }
            state = next
            return true
        }
    }
}
