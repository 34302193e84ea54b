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
    func keeping() throws(ProgramError) -> Keeping {
        try keeping(in: try StorePlace(self))
    }

    /// What the program keeps over restarts that serves everybody, and nobody's own where that
    /// takes a token.
    func keepingForAll() throws(ProgramError) -> Keeping {
        Keeping(forAll: try StorePlace(self), log: log, clock: ContinuousClock())
    }

    /// What is kept in a place that is in use already; throws as ``keeping()`` does.
    func keeping(in place: StorePlace) throws(ProgramError) -> Keeping {
        try Keeping(
            place: place,
            token: configuration.token,
            log: log,
            clock: ContinuousClock()
        )
    }
}
