import Domain
import Synchronization
@testable import UseCases

/// A repository that keeps what it is told as long as it lives, fails on demand, and lets a call
/// wait.
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

    /// How reading fails from now on; nil for no more.
    func failReading(_ failure: StoreFailure?) { state.withLock { $0.readFailure = failure } }

    /// How changing fails from now on; nil for no more.
    func failWriting(_ failure: StoreFailure?) { state.withLock { $0.writeFailure = failure } }

    /// What is kept.
    var kept: UserRecord { state.withLock { $0.record } }

    /// How often everything was read.
    var readCount: Int { state.withLock { $0.readCount } }

    /// Lets changes wait until their task is cancelled and fail then; nil for no more.
    func failOnCancellation(_ failure: StoreFailure?) {
        state.withLock { $0.lastingFailure = failure }
    }

    /// How many changes were tried.
    var performCount: Int { state.withLock { $0.performCount } }

    /// How often it was asked whether it takes changes.
    var checkCount: Int { state.withLock { $0.checkCount } }

    /// Another process makes a change.
    func changeElsewhere(_ change: UserChange) throws {
        try state.withLock { state in
            state.record = try state.record.applying(change)
            state.changeCount += 1
        }
    }

    /// Lets readings wait, made up already, until they are let go.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Lets the readings go that were held.
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
