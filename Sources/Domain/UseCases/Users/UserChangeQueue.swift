public import Domain
import Synchronization

/// Changes that somebody asked for who does not wait: a screen's thread.
///
/// At most 64 wait; one more is refused, and ``PinnedUserState`` says so. They are made in the order
/// in which they came.
public final class UserChangeQueue: Sendable {
    /// How many changes wait at the most.
    public static let waitingMax = 64

    private struct State {
        var waiting: [UserChange] = []
        var overflow: UserChange?
        var reported: StoreFailure?
        var hasNews = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Nothing waits.
    public init() {}

    /// Hands in a change; returns at once, before it is made.
    ///
    /// - Returns: false if too many wait already: the change will not be made.
    @discardableResult
    public func put(_ change: UserChange) -> Bool {
        let (isTaken, reader) = state.withLock { state in
            let isTaken = state.waiting.count < Self.waitingMax
            if isTaken { state.waiting.append(change) } else { state.overflow = change }
            defer { state.reader = nil }
            return (isTaken, state.reader)
        }
        reader?.resume()
        return isTaken
    }

    /// Tells that the store failed somebody else who writes to it; returns at once.
    public func report(_ failure: StoreFailure) {
        let reader = state.withLock { state in
            state.reported = failure
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Tells that somebody else may have changed something; returns at once.
    ///
    /// However often this is told before ``PinnedUserState`` looks, it looks once.
    public func signalChange() {
        let reader = state.withLock { state in
            state.hasNews = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Whether there were news since this was last asked.
    func takeNews() -> Bool {
        state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews
        }
    }

    /// The failure that was reported since this was last asked.
    func takeReported() -> StoreFailure? {
        state.withLock { state in
            defer { state.reported = nil }
            return state.reported
        }
    }

    /// The change that is to be made next; it stays until it is dropped.
    var first: UserChange? { state.withLock { $0.waiting.first } }

    /// Drops the change that was made.
    func dropFirst() { state.withLock { state in _ = state.waiting.removeFirst() } }

    /// The newest change that found no place since this was last asked.
    func takeOverflow() -> UserChange? {
        state.withLock { state in
            defer { state.overflow = nil }
            return state.overflow
        }
    }

    /// Returns when something waits, or the task is cancelled; for one reader alone.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || !state.waiting.isEmpty || state.overflow != nil
                        || state.reported != nil || state.hasNews
                    {
                        return true
                    }
                    state.reader = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume()
        }
    }
}
