import Synchronization

extension TestDatabase {
    /// How many databases there are at once.
    ///
    /// A pool holds a thread for as long as it runs, each test has several, and a process has about
    /// 250 for everybody: more tests than this side by side would leave none to answer them.
    private static let databasesMax = 16
    private static let turns = Turns(free: databasesMax)

    /// Runs the body with a database of its own, once it is its turn, and removes the database.
    ///
    /// One inside another would wait for itself once all turns are taken: a body calls this never.
    ///
    /// - Parameters:
    ///   - original: a database to which nobody is connected, whose contents the new one has.
    ///   - body: what needs a database.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, or ``ChildProcess/Failure`` with PostgreSQL's words.
    public static func with<Value: Sendable>(
        copying original: TestDatabase? = nil,
        _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        await turns.take()
        defer { turns.giveBack() }
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

/// So many may go on; the others wait in the order in which they came.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiters: ArraySlice<CheckedContinuation<Void, Never>> = []
    }

    private let state: Mutex<State>

    init(free: Int) {
        state = Mutex(State(free: free))
    }

    func take() async {
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

    func giveBack() {
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
