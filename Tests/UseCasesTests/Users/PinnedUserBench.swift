import Domain
import TestSupport

@testable import UseCases

/// A pinned user over a repository that fails on demand, driven step by step.
struct PinnedUserBench {
    let tasks = SteppedTasks()
    let repository = FailingUserRepository()
    let pinned: PinnedUser

    /// Makes a bench.
    ///
    /// - Parameters:
    ///   - hasStore: whether there is a store at all.
    ///   - isShared: whether other users share the store.
    init(hasStore: Bool = true, isShared: Bool = false) {
        let service = UserStateService(
            repository: hasStore ? repository : UnavailableUserRepository(.noStore),
            notifications: nil,
            polls: true,
            outlet: .screen(fallsBackToMemory: !isShared),
            clock: tasks.clock
        )
        pinned = PinnedUser(isShared ? .tokenOwner : .local, of: service)
    }

    func drive(_ drive: () throws -> Void) async throws {
        let pinned = pinned
        try await tasks.running({ await pinned.run() }, drive: drive)
    }

    func put(_ change: UserChange) {
        pinned.enqueue(change)
        tasks.settle()
    }

    var state: UserState { pinned.state.value }
    var favorites: [MarketID] { state.record.favorites.value }
}
