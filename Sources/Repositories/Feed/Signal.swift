import Synchronization

/// A value that tasks can wait for.
///
/// Late waiters see the current value, so no change is ever missed between looking and waiting.
final class Signal<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var value: Value
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Starts with a value.
    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes those whose condition it meets, the longest waiting first.
    @discardableResult
    func update(_ change: (inout Value) -> Void) -> Value {
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
    /// - Returns: the value that met it; nil if the task was cancelled first.
    func first(where isMet: @escaping @Sendable (Value) -> Bool) async -> Value? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let immediate: Value?? = state.withLock { state in
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
}
