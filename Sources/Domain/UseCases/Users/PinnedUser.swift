import Concurrency
public import Domain
import Synchronization

/// The one user of a terminal: a pinned user of a ``UserStateService``, with a queue of changes for
/// a caller that does not wait.
///
/// A change is published when the store has it, or with its failure. At most ``waitingMax`` changes
/// wait; one more is refused. Changes are applied in order.
public final class PinnedUser: Sendable {
    /// The most changes that wait.
    public static let waitingMax = 64

    private struct Queue {
        var waiting: [UserChange] = []
        /// The newest change that found the queue full.
        var overflow: UserChange?
        var reported: StoreFailure?
    }

    /// The state of the user.
    public let state: UserStatePublisher
    private let service: UserStateService
    private let user: UserID
    private let queue = Mutex(Queue())
    private let wake = AsyncEvent()

    /// Pins a user of a service that has no other users.
    public init(_ user: UserID, of service: UserStateService) {
        self.user = user
        self.service = service
        guard let state = try? service.pin(user) else {
            preconditionFailure("A service without users accepts one.")
        }
        self.state = state
    }

    /// Appends a change to the queue; returns at once.
    ///
    /// - Returns: false if the queue is full. The change is refused then.
    @discardableResult
    public func enqueue(_ change: UserChange) -> Bool {
        let isQueued = queue.withLock { queue in
            guard queue.waiting.count < Self.waitingMax else {
                queue.overflow = change
                return false
            }
            queue.waiting.append(change)
            return true
        }
        wake.signal()
        return isQueued
    }

    /// Takes a failure that another writer to the same store reports; returns at once.
    public func report(_ failure: StoreFailure) {
        queue.withLock { $0.reported = failure }
        wake.signal()
    }

    /// Reloads the record soon; returns at once.
    public func reload() { service.invalidate(user) }

    /// Applies a change and waits for it.
    ///
    /// - Throws: ``Domain/StoreFailure``, which is also published.
    @discardableResult
    public func perform(_ change: UserChange) async throws(StoreFailure) -> UserState {
        do throws(StoreFailure) {
            return try await service.perform(change, of: user)
        } catch {
            _ = service.reject(change, of: user, error)
            throw error
        }
    }

    /// Runs the service and applies queued changes until the task is cancelled.
    ///
    /// Called once.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.service.run() }
            group.addTask {
                while await self.wake.wait() { await self.applyQueue() }
            }
            await group.waitForAll()
        }
    }

    /// Applies the changes that still wait, at the end of the program.
    ///
    /// After a failure of the store the remaining changes fail with it. A change that was in flight
    /// when ``run()`` was cancelled is still in the queue.
    ///
    /// - Returns: the changes that failed.
    public func flush() async -> [RejectedChange] {
        var rejected: [RejectedChange] = []
        var storeFailure: StoreFailure?
        while let change = first {
            do throws(StoreFailure) {
                if let storeFailure { throw storeFailure }
                try await service.perform(change, of: user)
            } catch {
                if error.isStoreFault { storeFailure = error }
                let refusal = service.reject(change, of: user, error)
                rejected += [refusal].compactMap(\.self)
            }
            removeFirst()
        }
        return rejected + [rejectOverflow()].compactMap(\.self)
    }

    private func applyQueue() async {
        while let change = first {
            do throws(StoreFailure) {
                try await service.perform(change, of: user)
            } catch {
                // A cancelled change may not have been made: flush() applies it.
                if Task.isCancelled { return }
                _ = service.reject(change, of: user, error)
            }
            removeFirst()
        }
        _ = rejectOverflow()
        let reported = queue.withLock { queue in
            defer { queue.reported = nil }
            return queue.reported
        }
        if let reported { service.report(reported, of: user) }
    }

    /// The next change.
    ///
    /// The change stays in the queue until it was applied.
    private var first: UserChange? { queue.withLock { $0.waiting.first } }

    private func removeFirst() { queue.withLock { queue in _ = queue.waiting.removeFirst() } }

    private func rejectOverflow() -> RejectedChange? {
        let change = queue.withLock { queue in
            defer { queue.overflow = nil }
            return queue.overflow
        }
        return change.flatMap { service.reject($0, of: user, .tooManyWaiting) }
    }
}
