import Domain
import UseCases
import ViewStates

/// What a service keeps for the user of a token, wired up but not running.
///
/// The rules are those of a shared store: nothing goes on in memory, and a change is seen when the
/// service has made it.
struct RemoteUserState: Sendable {
    /// What is kept, as it was read last.
    let latest: UserStatePublisher
    /// Takes changes from those who do not wait.
    let commands = UserChangeQueue()
    private let personal: PinnedUserState

    /// Wires what is kept.
    ///
    /// - Parameters:
    ///   - repository: reads and changes it.
    ///   - clock: measures how often the service is asked for changes of others.
    init(_ repository: any UserRepository, clock: any Clock<Duration>) {
        latest = UserStatePublisher(
            UserState(
                user: .tokenOwner,
                record: UserRecord(name: ""),
                status: .opening,
                sequence: 0
            )
        )
        personal = PinnedUserState(
            repository: repository,
            isShared: true,
            latest: latest,
            commands: commands,
            clock: clock
        )
    }

    /// Reads, makes changes and notices those of others, until the task is cancelled.
    func run() async { await personal.run() }

    /// Makes what waits, at the end of the program.
    ///
    /// - Returns: one sentence about the changes that were not made; nil if all were.
    func end() async -> String? { StoreLog.loss(await personal.flush()) }
}

/// What is kept of nobody: without a token nothing personal can be read.
struct MissingTokenRepository: UserRepository {
    private static let failure = StoreFailure(
        .noToken,
        "no token: name a file with yours in HOGA_TOKEN_FILE; whoever runs the server "
            + "makes one with `hoga user token new NAME`"
    )

    /// Always refused.
    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        throw Self.failure
    }

    /// Always refused.
    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        throw Self.failure
    }

    /// Always refused.
    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 { throw Self.failure }

    /// Always refused.
    func checkWriting(of user: UserID) async throws(StoreFailure) { throw Self.failure }

    /// Always refused.
    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        throw Self.failure
    }
}
