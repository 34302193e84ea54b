import DataSourceContracts

/// Connections to a PostgreSQL server that many callers share.
///
/// `run()` does the work, on a thread of its own; the composition root calls it once and ends it by
/// cancellation. What is asked before waits for it; what is asked after it ended is refused.
///
/// It needs nothing of a session between two transactions, so a pooler in transaction mode may
/// stand between: no prepared statements with names, no settings that stay, no notifications.
///
/// Full: ``Settings/waitingMax`` calls may wait for a connection; one more is refused with `busy`.
/// Of those that go before all others a few may wait beside them.
/// libpq touches no signals, so the program should ignore SIGPIPE itself.
public final class PostgreSQLPool: Sendable {
    /// What a batch is for.
    public enum Purpose: Sendable, Hashable {
        /// It changes nothing: when its connection breaks it is sent once more.
        case reading
        /// It may change something: it is sent once.
        case writing
        /// As writing, and it goes before all that waits for a connection: the lease, which would
        /// be lost while many read.
        case leasing
    }

    /// How long calls waited for a connection, with those that got none.
    public struct Waits: Sendable, Hashable {
        /// How many waits ended since the start.
        public let count: Int
        /// How long they were, all together.
        public let total: Duration
        /// The longest that ended in the last minute; nil if none did.
        public let longestInLastMinute: Duration?
    }

    /// Where the server is.
    public let address: PostgreSQLAddress
    private let mailbox: PoolQueue
    private let connector: Connector
    private let loop: PoolLoop

    /// Makes a pool; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: where the server is, and as whom it is talked to.
    ///   - settings: bounds.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits; spreads the waits between attempts to connect.
    public init(
        address: PostgreSQLAddress,
        settings: Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.address = address
        let elapsed = Elapsed(clock)
        mailbox = PoolQueue(bounds: settings.bounds, clock: elapsed, random: random)
        connector = Connector(address: address, settings: settings, clock: elapsed)
        loop = PoolLoop(
            mailbox: mailbox,
            connector: connector,
            canceller: QueryCanceller(requestsMax: 2 * settings.connectionsMax)
        )
    }

    /// How long calls waited for a connection.
    public var waits: Waits { mailbox.waits }

    /// Works until the task is cancelled; to be called once.
    ///
    /// When it returns, all connections are closed and all calls were answered.
    public func run() async {
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            mailbox.end(because: StoreError(.unavailable, "the store was closed"))
            connector.end()
        }
    }

    /// Runs statements in one round trip and one transaction: all of them or none.
    ///
    /// - Parameters:
    ///   - statements: what to run, in order; without `BEGIN` and the like.
    ///   - purpose: whether it may be sent again when its connection breaks.
    ///   - patience: the longest it may take once it is sent; nil for that of the settings.
    /// - Returns: what each statement answered.
    /// - Throws: ``StoreError``: why the first statement failed that did; `busy` when no connection
    ///   became free, it took too long, or the task was cancelled; `unavailable` without a server;
    ///   `refused` for a value that PostgreSQL cannot keep.
    func perform(
        _ statements: [PostgreSQLStatement],
        as purpose: Purpose,
        within patience: Duration? = nil
    ) async throws(StoreError) -> [PostgreSQLRows] {
        let batch = try EncodedStatement.list(statements)
        let kind: PoolStateMachine.Kind =
            switch purpose {
            case .reading: .batch(isRepeatable: true)
            case .writing: .batch(isRepeatable: false)
            case .leasing: .urgent
            }
        return try await send(.batch(batch), as: kind, within: patience).rows
    }

    /// Runs several round trips on one connection in one transaction.
    ///
    /// - Parameters:
    ///   - patience: the longest that each round trip may take; nil for that of the settings.
    ///   - body: what is done, one thing at a time; when it throws, or the task is cancelled,
    ///     nothing of it is kept.
    /// - Returns: what the body returned, once it is kept.
    /// - Throws: ``StoreError``: what the body threw, or why it could not be kept.
    func transaction<Value: Sendable>(
        within patience: Duration? = nil,
        _ body: (PostgreSQLTransaction) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let transaction = PostgreSQLTransaction(pool: self, patience: patience)
        do throws(StoreError) {
            let value = try await body(transaction)
            try await transaction.commit()
            return value
        } catch {
            if let connection = transaction.abandon() { mailbox.release(connection) }
            throw error
        }
    }

    /// Sends something and waits for the answer.
    func send(
        _ outgoing: OutgoingQuery,
        as kind: PoolStateMachine.Kind,
        within patience: Duration?
    ) async throws(StoreError) -> PoolQueue.Answer {
        let ticket = PoolQueue.Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                mailbox.submit(outgoing, as: kind, within: patience, on: ticket, for: waiter)
            }
        } onCancel: {
            mailbox.cancel(ticket)
        }
        return try result.get()
    }
}
