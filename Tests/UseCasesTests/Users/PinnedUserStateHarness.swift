import Domain
import TestSupport
@testable import UseCases

/// The use case over a repository that fails on demand, driven step by step.
struct PinnedUserBench {
    let tasks = SteppedTasks()
    let repository = FailingUserRepository()
    let latest: UserStatePublisher
    let commands = UserChangeQueue()
    let keep: PinnedUserState

    /// Makes a bench.
    ///
    /// - Parameters:
    ///   - hasStore: whether there is a repository at all.
    ///   - isShared: whether others keep theirs in it too.
    init(hasStore: Bool = true, isShared: Bool = false) {
        latest = UserStatePublisher(
            UserState(
                user: isShared ? .tokenOwner : .local,
                record: UserRecord(name: "local"),
                status: .opening,
                sequence: 0
            )
        )
        keep = PinnedUserState(
            repository: hasStore ? repository : nil,
            isShared: isShared,
            latest: latest,
            commands: commands,
            clock: tasks.clock
        )
    }

    func drive(_ drive: () throws -> Void) async throws {
        let keep = keep
        try await tasks.running({ await keep.run() }, drive: drive)
    }

    func put(_ change: UserChange) {
        commands.put(change)
        tasks.settle()
    }

    var cut: UserState { latest.value }
    var favorites: [MarketID] { cut.record.favorites.value }
}
