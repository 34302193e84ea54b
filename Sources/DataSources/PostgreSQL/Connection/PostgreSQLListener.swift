import DataSources

/// Hears notifications on a connection of its own, which must be a session: no pooler in
/// transaction mode between.
public final class PostgreSQLListener: Sendable {
    /// What is heard.
    public enum News: Sendable, Hashable {
        /// It listens from now on: what came before was not heard.
        case back
        /// It listens no more until ``back``.
        case away
        /// Notifications that came together, oldest first: the payload of each.
        case notifications([String])
    }

    private let address: PostgreSQLAddress
    private let settings: PostgreSQLPool.Settings

    /// Makes a listener; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: where the server is, and as whom it is talked to.
    ///   - settings: its time-outs and waits between attempts are used.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits; spreads the waits between attempts to connect.
    public init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.address = address
        self.settings = settings
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameters:
    ///   - channel: a name of lower-case letters, digits and underscores.
    ///   - deliver: takes news, one after the other.
    public func run(
        channel: StaticString,
        deliver: @escaping @Sendable (News) async -> Void
    ) async {
        for await _ in AsyncStream<Never>(bufferingPolicy: .bufferingOldest(1), { _ in }) {}
    }
}
