import Domain
import Synchronization

@testable import UseCases

/// An in-memory repository of one user that fails on demand and can hold reads.
final class FailingUserRepository: UserRepository {
    private struct State {
        var record = UserRecord(name: "local")
        var changeCount: Int64 = 0
        var readFailure: StoreFailure?
        var writeFailure: StoreFailure?
        var readCount = 0
        var checkCount = 0
        var performCount = 0
        var lastingFailure: StoreFailure?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes reads fail; nil ends it.
    func failReading(_ failure: StoreFailure?) { state.withLock { $0.readFailure = failure } }

    /// Makes changes fail; nil ends it.
    func failWriting(_ failure: StoreFailure?) { state.withLock { $0.writeFailure = failure } }

    /// The stored record.
    var kept: UserRecord { state.withLock { $0.record } }

    /// The number of reads of the record.
    var readCount: Int { state.withLock { $0.readCount } }

    /// Holds changes until their task is cancelled and makes them fail; nil ends it.
    func failOnCancellation(_ failure: StoreFailure?) {
        state.withLock { $0.lastingFailure = failure }
    }

    /// The number of attempted changes.
    var performCount: Int { state.withLock { $0.performCount } }

    /// The number of write checks.
    var checkCount: Int { state.withLock { $0.checkCount } }

    /// Makes a change as another process.
    func changeElsewhere(_ change: UserChange) throws {
        try state.withLock { state in
            state.record = try state.record.applying(change)
            state.changeCount += 1
        }
    }

    /// Holds reads after they have read their record.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Releases the held reads.
    func letGo() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for reading in held { reading.resume() }
    }

    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        let record = try state.withLock { state throws(StoreFailure) in
            if let failure = state.readFailure { throw failure }
            state.readCount += 1
            return state.record
        }
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if !isHeld { continuation.resume() }
        }
        return record
    }

    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        let lastingFailure = state.withLock { state in
            state.performCount += 1
            return state.lastingFailure
        }
        if let lastingFailure {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            continuation.finish()
            throw lastingFailure
        }
        return try state.withLock { state throws(StoreFailure) in
            if let failure = state.writeFailure { throw failure }
            let changed = try state.record.applying(change)
            if changed != state.record { state.changeCount += 1 }
            state.record = changed
            return changed
        }
    }

    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try state.withLock { state throws(StoreFailure) in
            if let failure = state.readFailure { throw failure }
            return state.changeCount
        }
    }

    func checkWriting(of user: UserID) async throws(StoreFailure) {
        try state.withLock { state throws(StoreFailure) in
            state.checkCount += 1
            if let failure = state.writeFailure { throw failure }
        }
    }

    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] { [] }
}
