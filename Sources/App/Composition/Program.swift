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

    /// What the program keeps over restarts, in the configured store.
    func keeping() -> Keeping {
        Keeping(path: configuration.store.path(environment), log: log)
    }
}
