/// Makes a call that may take at most `limit`.
///
/// When the time is up the call is cancelled and awaited, so it must end when it is cancelled. What
/// it still returns is dropped. If the caller is cancelled, the call is cancelled too, and its own
/// result or error counts.
///
/// - Parameters:
///   - limit: the longest that the call may take.
///   - clock: measures the limit.
///   - call: runs as a child task.
/// - Returns: what the call returned; nil if the time ran out.
/// - Throws: what the call throws in time.
public func withTimeout<Value: Sendable, Failure: Error>(
    _ limit: Duration,
    clock: any Clock<Duration>,
    _ call: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value? {
    let result = await withTaskGroup(
        of: TimedStep<Value, Failure>.self
    ) { group -> Result<Value, Failure>? in
        group.addTask {
            do throws(Failure) {
                return .returned(.success(try await call()))
            } catch {
                return .returned(.failure(error))
            }
        }
        group.addTask {
            do {
                try await clock.sleep(for: limit)
                return .timedOut
            } catch {
                return .cancelled
            }
        }
        defer { group.cancelAll() }
        while let step = await group.next() {
            switch step {
            case .returned(let result): return result
            case .timedOut: return nil
            // The call was cancelled with the timer: it ends by itself.
            case .cancelled: continue
            }
        }
        return nil
    }
    return try result?.get()
}

/// How one of the two child tasks of ``withTimeout(_:clock:_:)`` ended.
private enum TimedStep<Value: Sendable, Failure: Error>: Sendable {
    case returned(Result<Value, Failure>)
    case timedOut
    case cancelled
}
