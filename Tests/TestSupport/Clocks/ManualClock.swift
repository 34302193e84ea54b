import Synchronization

/// A clock that a test advances.
public final class ManualClock: Clock, Sendable {
    /// An instant, relative to the creation of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Creates an instant.
        public init(offset: Duration) { self.offset = offset }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether `left` comes before `right`.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        let id: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID: UInt64 = 0
        var cancelled: Set<UInt64> = []
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            let due = watchers.filter { $0.count <= count }.map(\.continuation)
            watchers.removeAll { $0.count <= count }
            return due
        }
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// The present instant.
    public var now: Instant { state.withLock { $0.now } }

    /// The number of tasks that sleep.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The clock is exact.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until a test advances the clock to `deadline`; throws when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isAwake = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lieDown(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
        if !isAwake { throw CancellationError() }
    }

    /// The earliest deadline of a sleeper; nil without sleepers.
    public var nextDeadline: Instant? {
        state.withLock { state in state.sleepers.map(\.deadline).min() }
    }

    /// Advances the clock and wakes the sleepers that are due, in the order of their deadlines.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until at least `count` tasks sleep on this clock.
    public func untilSleeping(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private func lieDown(_ sleeper: Sleeper) {
        let (answer, watchers) = state.withLock { state in
            if state.cancelled.remove(sleeper.id) != nil {
                return (Bool?.some(false), [CheckedContinuation<Void, Never>]())
            }
            if sleeper.deadline <= state.now { return (Bool?.some(true), []) }
            state.sleepers.append(sleeper)
            return (Bool?.none, state.takeWatchers())
        }
        if let answer { sleeper.continuation.resume(returning: answer) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(returning: false)
    }
}
