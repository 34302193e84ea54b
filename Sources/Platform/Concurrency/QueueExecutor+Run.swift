extension QueueExecutor {
    /// Runs work that blocks and waits for its end without blocking the caller's thread.
    ///
    /// For loops that last as long as a program: while one runs, no other job of this executor
    /// does. Cancelling the caller does not end the work; it must be told in its own way.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: work()) }
        }
    }
}
