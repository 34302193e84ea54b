import DataSourceContracts
import Synchronization

/// A transaction in progress, valid during the call that it was made for.
///
/// A transaction begins with its first statement. After a failure it runs nothing more.
struct PostgreSQLTransaction: Sendable {
    private let pool: PostgreSQLPool
    private let timeLimit: Duration?
    private let progress = Progress()

    /// The progress, shared by all copies.
    private final class Progress: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        /// The held connection, once the transaction has begun.
        var connection: PoolStateMachine.ConnectionID?
        /// The failure that ended it.
        var failure: StoreError?
    }

    /// Makes a transaction that has not begun.
    init(pool: PostgreSQLPool, timeLimit: Duration?) {
        self.pool = pool
        self.timeLimit = timeLimit
    }

    /// Runs statements in one round trip.
    ///
    /// - Returns: the rows of each statement.
    /// - Throws: ``StoreError``: the first failure of a statement; the transaction is then rolled
    ///   back.
    func perform(_ statements: [PostgreSQLStatement]) async throws(StoreError) -> [PostgreSQLRows] {
        let batch = try EncodedStatement.list(statements)
        // BEGIN needs no round trip of its own.
        let isFirst = connection == nil
        let rows = try await send(.batch(isFirst ? [.begin] + batch : batch))
        return isFirst ? Array(rows.dropFirst()) : rows
    }

    /// Runs a script of statements without parameters, such as a migration.
    ///
    /// - Throws: ``StoreError``, as ``perform(_:)``.
    func execute(_ script: String) async throws(StoreError) {
        try await begin()
        _ = try await send(.script(script))
    }

    /// Commits.
    func commit() async throws(StoreError) {
        if let failure = progress.state.withLock({ $0.failure }) { throw failure }
        // A transaction that has not begun has nothing to commit.
        guard connection != nil else { return }
        _ = try await send(.batch([.commit]))
        progress.state.withLock { $0.connection = nil }
    }

    /// Abandons the transaction.
    ///
    /// - Returns: the held connection, which must be released.
    func abandon() -> PoolStateMachine.ConnectionID? {
        progress.state.withLock { state in
            defer { state.connection = nil }
            state.failure = state.failure ?? StoreError(.refused, "the transaction is over")
            return state.connection
        }
    }

    private var connection: PoolStateMachine.ConnectionID? {
        progress.state.withLock { $0.connection }
    }

    private func begin() async throws(StoreError) {
        if connection == nil { _ = try await send(.batch([.begin])) }
    }

    private func send(_ outgoing: OutgoingQuery) async throws(StoreError) -> [PostgreSQLRows] {
        let (connection, failure) = progress.state.withLock { ($0.connection, $0.failure) }
        if let failure { throw failure }
        do throws(StoreError) {
            let kind = connection.map(PoolStateMachine.Kind.step) ?? .opening
            let answer = try await pool.send(outgoing, as: kind, within: timeLimit)
            progress.state.withLock { $0.connection = answer.connection }
            return answer.rows
        } catch {
            progress.state.withLock { $0.failure = error }
            throw error
        }
    }
}
