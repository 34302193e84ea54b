extension PostgreSQLPool {
    /// Bounds of a pool.
    public struct Settings: Sendable {
        /// What the server shows for the connections.
        public var applicationName: String
        /// How many connections are open at most.
        public var connectionsMax = 8
        /// How many callers wait at most for a connection; one more is refused with `busy`.
        public var waitingMax = 1_024
        /// How long a caller waits for a connection.
        public var waitMax = Duration.seconds(2)
        /// How long one host is tried.
        public var connectTimeout = Duration.seconds(3)
        /// How long a batch may take, unless its caller says otherwise.
        public var statementTimeout = Duration.seconds(5)

        /// How long a connection may lie idle that is not the last one.
        public var idleMax = Duration.seconds(30)

        /// Makes settings with the usual bounds.
        public init(applicationName: String) { self.applicationName = applicationName }
    }
}

extension PostgreSQLPool.Settings {
    /// How long the server's own limit may come before the one here.
    private static let statementMargin = Duration.milliseconds(500)

    /// What the plan of a pool wants to know.
    var bounds: PoolStateMachine.Bounds {
        PoolStateMachine.Bounds(
            connectionsMax: connectionsMax,
            waitingMax: waitingMax,
            waitMax: waitMax,
            patience: statementTimeout + Self.statementMargin,
            idleMax: idleMax
        )
    }
}
