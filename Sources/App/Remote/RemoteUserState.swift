import Domain
import UseCases
import ViewStates

/// The user of a remote server, wired up but not running.
///
/// The state follows the rules of a shared store: nothing falls back to memory, and a change is
/// visible once the server has made it.
struct RemoteUserState: Sendable {
    /// The user.
    let user: PinnedUser
    /// Whether the server has alerts; one of 0.1.0 has none.
    let hasAlerts: @Sendable () -> Bool

    /// Wires the user.
    ///
    /// - Parameters:
    ///   - repository: reads and changes the record; nil without a token.
    ///   - clock: measures the poll interval.
    init(_ repository: RemoteUserRepository?, clock: any Clock<Duration>) {
        let service = UserStateService(
            repository: repository ?? UnavailableUserRepository(Self.missingToken),
            notifications: nil,
            polls: true,
            outlet: .screen(fallsBackToMemory: false),
            clock: clock
        )
        user = PinnedUser(.tokenOwner, of: service)
        hasAlerts = { repository?.hasAlerts ?? false }
    }

    /// Serves the user until the task is cancelled.
    func run() async { await user.run() }

    /// Applies the queued changes at the end of the program.
    ///
    /// - Returns: a sentence about the changes that failed; nil if none did.
    func end() async -> String? { StoreLog.loss(await user.flush()) }

    private static let missingToken = StoreFailure(
        .noToken,
        "no token is configured. Name a file with your token in HOGA_TOKEN_FILE. The owner of the "
            + "server makes tokens with `hoga user token new NAME`"
    )
}
