import Domain

/// The environment of a command: configuration, terminal and log.
struct Program: Sendable {
    /// The environment variables.
    let environment: [String: String]
    /// The configuration in force.
    let configuration: Configuration
    /// Whether standard input and output are a terminal.
    let isTerminal: Bool
    /// The log.
    let log: any Log
    /// Draws the screens instead of the terminal of this process; nil outside of tests.
    var screenHost: (any ScreenHost)?

    /// The configured store for the user of this program.
    ///
    /// - Throws: ``ProgramError`` `configuration` if the store needs a token and none was given.
    func storeSession() throws(ProgramError) -> StoreSession {
        try storeSession(in: try store())
    }

    /// The configured store for a program without a user of its own.
    func anonymousStoreSession() throws(ProgramError) -> StoreSession {
        StoreSession(forAll: try store(), log: log, clock: ContinuousClock())
    }

    /// A session of a store that is in use already; throws as ``storeSession()`` does.
    func storeSession(in place: any ProgramStore) throws(ProgramError) -> StoreSession {
        warnOfUnusedToken(place)
        return try StoreSession(
            place: place,
            token: configuration.token,
            log: log,
            clock: ContinuousClock()
        )
    }

    /// Warns about a token that the store does not use, because the user may expect a database.
    ///
    /// An unused token is not an error: a shell may set a token for other commands.
    private func warnOfUnusedToken(_ place: any ProgramStore) {
        guard configuration.token != nil, !place.isShared else { return }
        log.write(
            .warning,
            "\(Setting.token.environmentName) is unused: "
                + "\(Setting.databaseURL.environmentName) is not set"
        )
    }
}
