import BlockingExecutor
import DataSources
import Glibc
import Synchronization

/// Connections to a PostgreSQL server that many callers share.
///
/// `run()` does the work; the composition root calls it once and ends it by cancellation. What is
/// asked before waits for it.
public final class PostgreSQLPool: Sendable {
    /// What a batch is for.
    public enum Purpose: Sendable, Hashable {
        /// It changes nothing: when its connection breaks it is sent once more.
        case reading
        /// It may change something: it is sent once.
        case writing
    }

    /// Where the server is.
    public let address: PostgreSQLAddress
    private let settings: Settings
    private let sessions: [PostgreSQLSession]
    private let free: Mutex<[Int]>

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
        self.settings = settings
        sessions = (0..<settings.connectionsMax).map { _ in
            PostgreSQLSession(address: address, settings: settings)
        }
        free = Mutex(Array(0..<settings.connectionsMax))
    }

    /// Works until the task is cancelled; to be called once.
    public func run() async {
        for await _ in AsyncStream<Never>(bufferingPolicy: .bufferingOldest(1), { _ in }) {}
    }

    /// Runs statements in one round trip and one transaction: all of them or none.
    ///
    /// - Parameters:
    ///   - statements: what to run, in order.
    ///   - purpose: whether it may be sent again when its connection breaks.
    ///   - patience: the longest it may take once it is sent; nil for that of the settings.
    /// - Returns: what each statement answered.
    /// - Throws: ``StoreError``: the first statement's that failed.
    func perform(
        _ statements: [PostgreSQLStatement],
        as purpose: Purpose,
        within patience: Duration? = nil
    ) async throws(StoreError) -> [PostgreSQLRows] {
        var encoded: [EncodedStatement] = []
        for statement in statements { encoded.append(try EncodedStatement(statement)) }
        let session = try take()
        defer { free.withLock { $0.append(session) } }
        return try await sessions[session].perform(encoded)
    }

    /// Runs several round trips on one connection in one transaction.
    ///
    /// - Parameters:
    ///   - patience: the longest that each round trip may take; nil for that of the settings.
    ///   - body: what is done; when it throws, or the task is cancelled, nothing of it is kept.
    /// - Returns: what the body returned, once it is kept.
    /// - Throws: ``StoreError``: what the body threw, or why it could not be kept.
    func transaction<Value: Sendable>(
        within patience: Duration? = nil,
        _ body: (PostgreSQLTransaction) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let session = try take()
        defer { free.withLock { $0.append(session) } }
        _ = try await sessions[session].perform([EncodedStatement(PostgreSQLStatement("BEGIN"))])
        do {
            let value = try await body(PostgreSQLTransaction(session: sessions[session]))
            _ = try await sessions[session].perform([
                EncodedStatement(PostgreSQLStatement("COMMIT"))
            ])
            return value
        } catch {
            _ = try? await sessions[session].perform([
                EncodedStatement(PostgreSQLStatement("ROLLBACK"))
            ])
            throw error
        }
    }

    private func take() throws(StoreError) -> Int {
        guard let session = free.withLock({ $0.popLast() }) else {
            throw StoreError.crowded("all connections are in use")
        }
        return session
    }
}

/// A transaction under way.
struct PostgreSQLTransaction: Sendable {
    fileprivate let session: PostgreSQLSession

    /// Runs statements in one round trip.
    func perform(_ statements: [PostgreSQLStatement]) async throws(StoreError) -> [PostgreSQLRows] {
        var encoded: [EncodedStatement] = []
        for statement in statements { encoded.append(try EncodedStatement(statement)) }
        return try await session.perform(encoded)
    }

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
    ///   - bytes: what it reads, header and trailer included.
    /// - Returns: how many rows were copied.
    func copy(_ sql: StaticString, _ bytes: [UInt8]) async throws(StoreError) -> Int {
        try await session.script("\(sql)", copied: bytes).last?.changedRows ?? 0
    }

    /// Runs a text of any number of statements without parameters: a migration.
    func execute(_ script: String) async throws(StoreError) {
        _ = try await session.script(script, copied: [])
    }
}

/// One connection with a thread of its own.
actor PostgreSQLSession {
    private nonisolated let executor = QueueExecutor(label: "hoga.postgresql")
    private let address: PostgreSQLAddress
    private let settings: PostgreSQLPool.Settings
    private var connection: PostgreSQLConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    init(address: PostgreSQLAddress, settings: PostgreSQLPool.Settings) {
        self.address = address
        self.settings = settings
    }

    func perform(_ statements: [EncodedStatement]) throws(StoreError) -> [PostgreSQLRows] {
        let connection = try open()
        for statement in statements { try connection.queue(statement) }
        try connection.queueSync()
        var rows: [PostgreSQLRows] = []
        var failure: StoreError?
        while true {
            switch try next(connection) {
            case .nothingYet, .statementEnd, .copyReady: break
            case .rows(let answer): rows.append(answer)
            case .failure(let words):
                failure = failure ?? StoreError(postgreSQL: words, at: connection.location)
            case .synced:
                if let failure { throw failure }
                return rows
            }
        }
    }

    func script(_ text: String, copied bytes: [UInt8]) throws(StoreError) -> [PostgreSQLRows] {
        let connection = try open()
        try connection.queue(script: text)
        var rows: [PostgreSQLRows] = []
        var failure: StoreError?
        while true {
            switch try next(connection) {
            case .nothingYet, .synced: break
            case .copyReady:
                try connection.queue(copied: bytes[...])
                try connection.queueCopyEnd()
            case .rows(let answer): rows.append(answer)
            case .failure(let words):
                failure = failure ?? StoreError(postgreSQL: words, at: connection.location)
            case .statementEnd:
                try connection.endScript()
                if let failure { throw failure }
                return rows
            }
        }
    }

    private func next(
        _ connection: PostgreSQLConnection
    ) throws(StoreError) -> PostgreSQLConnection.Answer {
        do {
            while true {
                let isSent = try connection.flush()
                let answer = try connection.nextAnswer()
                guard case .nothingYet = answer else { return answer }
                var waits = pollfd(
                    fd: connection.descriptor,
                    events: Int16(isSent ? POLLIN : POLLIN | POLLOUT),
                    revents: 0
                )
                _ = unsafe poll(&waits, 1, 1_000)
                try connection.receive()
            }
        } catch {
            self.connection = nil
            throw error
        }
    }

    private func open() throws(StoreError) -> PostgreSQLConnection {
        if let connection { return connection }
        var failure = StoreError.away("no host", at: "\(address)")
        for attempt in address.attempts(
            applicationName: settings.applicationName,
            silenceMax: .seconds(10)
        ) {
            do throws(StoreError) {
                let connection = try PostgreSQLConnection(attempt, at: "\(address)")
                opening: while true {
                    switch connection.continueOpening() {
                    case .open:
                        try connection.prepareForBatches()
                        self.connection = connection
                        return connection
                    case .failed(let error): throw error
                    case .waiting(let forOutput):
                        var waits = pollfd(
                            fd: connection.descriptor,
                            events: Int16(forOutput ? POLLOUT : POLLIN),
                            revents: 0
                        )
                        if unsafe poll(&waits, 1, 3_000) < 1 {
                            throw StoreError.away("it does not answer", at: "\(address)")
                        }
                    }
                }
            } catch { failure = error }
        }
        throw failure
    }
}
