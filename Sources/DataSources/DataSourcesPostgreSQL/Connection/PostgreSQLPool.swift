public import DataSourceContracts

/// A pool of connections to a PostgreSQL server.
///
/// ``run()`` works on a thread of its own. The composition root calls it once and ends it by
/// cancellation. Calls made before wait for it; calls made after its end are refused.
///
/// The pool uses no session state between transactions: no named prepared statements, session
/// settings or notifications. A pooler in transaction mode may therefore stand between.
///
/// Bound: ``Settings/waitingMax`` calls wait for a connection; one more is refused with `busy`. A
/// few urgent ones may wait beside them. libpq touches no signals, so the program ignores SIGPIPE
/// itself.
public final class PostgreSQLPool: Sendable {
    /// The purpose of a batch.
    public enum Purpose: Sendable, Hashable {
        /// The batch changes nothing, so it is sent once more when its connection breaks.
        case reading
        /// The batch may change data, so it is sent once.
        case writing
        /// As writing, but before all waiting calls: leases, which would be lost behind many
        /// reads, and the news of other instances' changes, which would be late.
        case urgent
    }

    /// How long calls waited for a connection, with those that got none.
    public struct Waits: Sendable, Hashable {
        /// The number of waits that ended since the start.
        public let count: Int
        /// The total time of those waits.
        public let total: Duration
        /// The longest wait that ended in the last minute; nil if none did.
        public let longestInLastMinute: Duration?
    }

    /// The address of the server.
    public let address: PostgreSQLAddress
    private let queue: PoolQueue
    private let connector: Connector
    private let loop: PoolLoop
    /// Measures waiting.
    let clock: any Clock<Duration>

    /// Makes a pool; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: the server and the role.
    ///   - settings: bounds.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits for backoff.
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    public init(
        address: PostgreSQLAddress,
        settings: Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        self.address = address
        self.clock = clock
        queue = try PoolQueue(bounds: settings.bounds, clock: clock, random: random)
        connector = try Connector(address: address, settings: settings, clock: clock)
        loop = PoolLoop(
            queue: queue,
            connector: connector,
            canceler: QueryCanceler(requestsMax: 2 * settings.connectionsMax)
        )
    }

    /// The waits of calls for a connection.
    public var waits: Waits { queue.waits }

    /// Works until the task is cancelled; called once.
    ///
    /// All connections are closed and all calls have ended when it returns.
    public func run() async {
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            queue.end(because: StoreError(.unavailable, "the store was closed"))
            connector.end()
        }
    }

    /// Runs statements in one round trip and one transaction: all of them or none.
    ///
    /// - Parameters:
    ///   - statements: the statements in order, without `BEGIN` and `COMMIT`.
    ///   - purpose: whether the batch is sent again when its connection breaks.
    ///   - timeLimit: the longest time from sending; nil for that of the settings.
    /// - Returns: the rows of each statement.
    /// - Throws: ``StoreError``: the first failure of a statement; `busy` when no connection became
    ///   free, the time ran out, or the task was cancelled; `unavailable` without a server;
    ///   `refused` for a value that PostgreSQL cannot store.
    func perform(
        _ statements: [PostgreSQLStatement],
        as purpose: Purpose,
        within timeLimit: Duration? = nil
    ) async throws(StoreError) -> [PostgreSQLRows] {
        let batch = try EncodedStatement.list(statements)
        let kind: PoolStateMachine.Kind =
            switch purpose {
            case .reading: .batch(isRepeatable: true)
            case .writing: .batch(isRepeatable: false)
            case .urgent: .urgent
            }
        return try await send(.batch(batch), as: kind, within: timeLimit).rows
    }

    /// Runs one statement without parameters outside a transaction, such as
    /// `CREATE INDEX CONCURRENTLY`.
    ///
    /// - Throws: ``StoreError``, as ``perform(_:as:within:)``.
    func execute(
        outsideTransaction statement: String,
        within timeLimit: Duration
    ) async throws(StoreError) {
        let kind = PoolStateMachine.Kind.batch(isRepeatable: false)
        _ = try await send(.script(statement), as: kind, within: timeLimit)
    }

    /// Runs several round trips on one connection in one transaction.
    ///
    /// - Parameters:
    ///   - timeLimit: the longest round trip; nil for that of the settings.
    ///   - body: runs statements one after the other. If it throws, or the task is cancelled, the
    ///     transaction is rolled back.
    /// - Returns: the result of the body, after the commit.
    /// - Throws: ``StoreError``: the error of the body or of the commit.
    func transaction<Value: Sendable>(
        within timeLimit: Duration? = nil,
        _ body: (PostgreSQLTransaction) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let transaction = PostgreSQLTransaction(pool: self, timeLimit: timeLimit)
        do throws(StoreError) {
            let value = try await body(transaction)
            try await transaction.commit()
            return value
        } catch {
            if let connection = transaction.abandon() { queue.release(connection) }
            throw error
        }
    }

    /// Sends a query and waits for its results.
    func send(
        _ outgoing: OutgoingQuery,
        as kind: PoolStateMachine.Kind,
        within timeLimit: Duration?
    ) async throws(StoreError) -> PoolQueue.Reply {
        let ticket = PoolQueue.Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                queue.submit(outgoing, as: kind, within: timeLimit, on: ticket, for: waiter)
            }
        } onCancel: {
            queue.cancel(ticket)
        }
        return try result.get()
    }
}

extension PostgreSQLPool {
    /// Bounds of a pool.
    public struct Settings: Sendable {
        /// The `application_name` of the connections.
        public var applicationName: String
        /// The largest number of connections.
        public var connectionsMax = 8
        /// The callers that may wait for a connection; one more is refused with `busy`.
        public var waitingMax = 1_024
        /// The longest wait for a connection.
        public var waitMax = Duration.seconds(2)
        /// The longest attempt to connect to one host.
        public var connectTimeout = Duration.seconds(3)
        /// The longest first attempt if there is only one host; calls wait for its end.
        public var firstConnectTimeout = Duration.seconds(10)
        /// The default time limit of a batch.
        public var statementTimeout = Duration.seconds(5)

        /// The longest idle time of a connection that is not the last one.
        public var idleMax = Duration.seconds(30)

        /// Makes settings with the default bounds.
        public init(applicationName: String) { self.applicationName = applicationName }
    }
}

extension PostgreSQLPool.Settings {
    /// How much the time limit here exceeds the server's `statement_timeout`.
    private static let statementMargin = Duration.milliseconds(500)

    /// The bounds of the state machine.
    var bounds: PoolStateMachine.Bounds {
        PoolStateMachine.Bounds(
            connectionsMax: connectionsMax,
            waitingMax: waitingMax,
            waitMax: waitMax,
            firstWaitMax: firstConnectTimeout,
            timeLimit: statementTimeout + Self.statementMargin,
            idleMax: idleMax
        )
    }
}
