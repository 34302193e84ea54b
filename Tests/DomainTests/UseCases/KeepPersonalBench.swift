import Domain
import TestSupport

/// The use case over a repository that fails on demand, driven step by step.
struct KeepPersonalBench {
    let tasks = SteppedTasks()
    let repository = FallibleRepository()
    let latest: LatestPersonal
    let commands = PersonalCommands()
    let keep: KeepPersonal

    /// Makes a bench.
    ///
    /// - Parameters:
    ///   - hasStore: whether there is a repository at all.
    ///   - isShared: whether others keep theirs in it too.
    init(hasStore: Bool = true, isShared: Bool = false) {
        latest = LatestPersonal(
            PersonalCut(
                user: isShared ? .ofToken : .local,
                record: PersonalRecord(name: "local"),
                status: .opening,
                sequence: 0
            )
        )
        keep = KeepPersonal(
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

    func put(_ change: PersonalChange) {
        commands.put(change)
        tasks.settle()
    }

    var cut: PersonalCut { latest.value }
    var favorites: [MarketID] { cut.record.favorites.value }
}
