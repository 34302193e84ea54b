/// Wakes the one task that waits for it.
///
/// Signals that arrive while no task waits count as one: the next wait returns at once. The waiting
/// task therefore looks at everything that may have changed after each wait.
public final class AsyncEvent: Sendable {
    private let isSignaled = AsyncValue(false)

    /// Makes an event that has not been signaled.
    public init() {}

    /// Wakes the waiting task, or lets its next wait return; returns at once, on any thread.
    public func signal() {
        isSignaled.update { $0 = true }
    }

    /// Waits for a signal since the last wait.
    ///
    /// One task at a time may wait.
    ///
    /// - Returns: false if the task was cancelled; the signal then stays for the next wait.
    @discardableResult
    public func wait() async -> Bool {
        reset(await isSignaled.first { $0 })
    }

    /// Waits for a signal since the last wait, for at most `limit`.
    ///
    /// One task at a time may wait.
    ///
    /// - Returns: false if the time ran out or the task was cancelled.
    @discardableResult
    public func wait(within limit: Duration, clock: any Clock<Duration>) async -> Bool {
        reset(await isSignaled.first(within: limit, clock: clock) { $0 })
    }

    private func reset(_ signal: Bool?) -> Bool {
        guard signal != nil else { return false }
        isSignaled.update { $0 = false }
        return true
    }
}
