import Synchronization

/// Whether a change may still begin.
///
/// A change that has not begun by the deadline of its request is not made. A change that has begun
/// cannot be withdrawn.
final class ChangePermit: Sendable {
    private enum State {
        case open
        case begun
        case withdrawn
    }

    private let state = Mutex(State.open)

    /// Begins the change.
    ///
    /// - Returns: false if the request was answered. The change must not be made.
    func begin() -> Bool { move(to: .begun) }

    /// Withdraws the change.
    ///
    /// - Returns: false if it has begun and may still be made.
    func withdraw() -> Bool { move(to: .withdrawn) }

    private func move(to next: State) -> Bool {
        state.withLock { state in
            guard state == .open else { return state == next }
            state = next
            return true
        }
    }
}
