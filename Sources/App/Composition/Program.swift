import Domain

/// What a command needs of the system around it.
struct Program: Sendable {
    /// The environment.
    let environment: [String: String]
    /// The configuration in force.
    let configuration: Configuration
    /// Whether input and output are a terminal.
    let isTerminal: Bool
    /// Takes log lines.
    let log: any Log

    /// What the program keeps over restarts for whoever uses it, in the configured store.
    ///
    /// - Throws: ``ProgramError`` `configuration` where that takes a token and none was given.
    func keeping() throws(ProgramError) -> StoreSession {
        try keeping(in: try StorePlace(self))
    }

    /// What the program keeps over restarts that serves everybody, and nobody's own where that
    /// takes a token.
    func anonymousStoreSession() throws(ProgramError) -> StoreSession {
        StoreSession(forAll: try StorePlace(self), log: log, clock: ContinuousClock())
    }

    /// What is kept in a place that is in use already; throws as ``keeping()`` does.
    func keeping(in place: StorePlace) throws(ProgramError) -> StoreSession {
        warnOfUnusedToken(place)
        return try StoreSession(
            place: place,
            token: configuration.token,
            log: log,
            clock: ContinuousClock()
        )
    }

    /// Says so where a token was given and nothing takes one: whoever meant a database would else
    /// look at what is kept in a file, and change that.
    ///
    /// It is no error: a token may stand in the environment of a shell that uses both.
    private func warnOfUnusedToken(_ place: StorePlace) {
        guard configuration.token != nil, !place.isShared else { return }
        log.write(
            .warning,
            "\(Setting.token.environmentName) is not used: it opens a database, and "
                + "\(Setting.databaseURL.environmentName) names none"
        )
    }
}
