import DataSourceContracts
import Synchronization

/// A transaction under way; of no use after the call that it was made for.
///
/// It begins with the first thing it does. One that failed does nothing more.
struct PostgreSQLTransaction: Sendable {
    private let pool: PostgreSQLPool
    private let patience: Duration?
    private let progress = Progress()

    /// How far it is, shared by all copies.
    private final class Progress: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        /// What is held for it, once it has begun.
        var connection: PoolStateMachine.ConnectionID?
        /// Why it can do nothing more.
        var failure: StoreError?
    }

    /// Makes a transaction that has not begun.
    init(pool: PostgreSQLPool, patience: Duration?) {
        self.pool = pool
        self.patience = patience
    }

    /// Runs statements in one round trip.
    ///
    /// - Returns: what each statement answered.
    /// - Throws: ``StoreError``: why the first statement failed that did; nothing of the
    ///   transaction will be kept then.
    func perform(_ statements: [PostgreSQLStatement]) async throws(StoreError) -> [PostgreSQLRows] {
        let batch = try EncodedStatement.list(statements)
        // The beginning costs no round trip of its own.
        let isFirst = connection == nil
        let rows = try await send(.batch(isFirst ? [.begin] + batch : batch))
        return isFirst ? Array(rows.dropFirst()) : rows
    }

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
    ///   - bytes: what it reads, header and trailer included.
    /// - Returns: how many rows were copied.
    /// - Throws: ``StoreError``, as ``perform(_:)``.
    func copy(_ sql: StaticString, _ bytes: [UInt8]) async throws(StoreError) -> Int {
        try await begin()
        return try await send(.copy("\(sql)", bytes)).last?.changedRows ?? 0
    }

    /// Runs a text of any number of statements without parameters: a migration.
    ///
    /// - Throws: ``StoreError``, as ``perform(_:)``.
    func execute(_ script: String) async throws(StoreError) {
        try await begin()
        _ = try await send(.script(script))
    }

    /// Keeps what was done.
    func commit() async throws(StoreError) {
        if let failure = progress.state.withLock({ $0.failure }) { throw failure }
        // What has not begun has nothing to keep.
        guard connection != nil else { return }
        _ = try await send(.batch([.commit]))
        progress.state.withLock { $0.connection = nil }
    }

    /// Gives it up.
    ///
    /// - Returns: what is held for it and must be let go.
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
            let answer = try await pool.send(outgoing, as: kind, within: patience)
            progress.state.withLock { $0.connection = answer.connection }
            return answer.rows
        } catch {
            progress.state.withLock { $0.failure = error }
            throw error
        }
    }
}
