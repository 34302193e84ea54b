import Synchronization

/// A value whose changes tasks can wait for.
///
/// A waiter sees the current value first, so no change is missed between reading and waiting.
/// Bound: one continuation for each waiting task.
public final class AsyncValue<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var value: Value
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Makes a value without waiters.
    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes the tasks whose condition it meets, the longest waiting first.
    ///
    /// - Parameter change: runs under the lock: it must return at once.
    /// - Returns: the value after the change.
    @discardableResult
    public func update(_ change: (inout Value) -> Void) -> Value {
        let (value, woken) = state.withLock { state in
            change(&state.value)
            let value = state.value
            let met = state.waiters.filter { $0.value.isMet(value) }.keys.sorted()
            return (value, met.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for waiter in woken { waiter.continuation.resume(returning: value) }
        return value
    }

    /// Waits until the value meets a condition.
    ///
    /// - Parameter isMet: runs under the lock at each change: it must return at once.
    /// - Returns: the value that met the condition; nil if the task was cancelled first.
    public func first(where isMet: @escaping @Sendable (Value) -> Bool) async -> Value? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let immediate: Value?? = state.withLock { state in
                    // A later cancellation takes the lock after this and finds the waiter.
                    if Task.isCancelled { return .some(nil) }
                    if isMet(state.value) { return state.value }
                    state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    return nil
                }
                if let immediate { continuation.resume(returning: immediate) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(returning: nil)
        }
    }

    /// Waits until the value meets a condition, for at most `limit`.
    ///
    /// - Returns: the value that met the condition; nil if the time ran out or the task was
    ///   cancelled first.
    public func first(
        within limit: Duration,
        clock: any Clock<Duration>,
        where isMet: @escaping @Sendable (Value) -> Bool
    ) async -> Value? {
        let current = value
        if isMet(current) { return current }
        guard limit > .zero else { return nil }
        return await withTimeout(limit, clock: clock) { await self.first(where: isMet) } ?? nil
    }
}
