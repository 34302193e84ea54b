import Synchronization

extension TestDatabase {
    /// The number of databases at once.
    ///
    /// A connection pool holds a thread while it runs and a test has several pools, but a process
    /// has about 250 threads for all of them.
    private static let databasesMax = 16
    private static let slots = Slots(free: databasesMax)

    /// Waits for a slot, runs the body with a database of its own and drops the database.
    ///
    /// The body must not call this: nested calls deadlock once all slots are taken.
    ///
    /// - Parameters:
    ///   - original: a database without connections to copy.
    ///   - body: the work with the database.
    /// - Returns: what the body returns.
    /// - Throws: the body's error, or ``ChildProcess/Failure`` with PostgreSQL's message.
    public static func with<Value: Sendable>(
        copying original: TestDatabase? = nil,
        _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        await slots.acquire()
        defer { slots.release() }
        let database = try await make(copying: original)
        do {
            let value = try await body(database)
            try await database.drop()
            return value
        } catch {
            try? await database.drop()
            throw error
        }
    }
}

/// A counting semaphore that serves waiters in the order of their calls.
private final class Slots: Sendable {
    private struct State {
        var free: Int
        var waiters: ArraySlice<CheckedContinuation<Void, Never>> = []
    }

    private let state: Mutex<State>

    init(free: Int) {
        state = Mutex(State(free: free))
    }

    func acquire() async {
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiters.append(waiter)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { waiter.resume() }
        }
    }

    func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let next = state.waiters.popFirst() else {
                state.free += 1
                return nil
            }
            return next
        }
        next?.resume()
    }
}
