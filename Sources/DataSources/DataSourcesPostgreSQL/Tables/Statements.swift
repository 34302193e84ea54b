/// A statement with the name under which it is kept for later releases.
struct NamedStatement: Sendable {
    /// Its name in the list.
    let name: String
    /// Its text.
    let sql: StaticString

    /// The statement with its parameters.
    func callAsFunction(_ values: PostgreSQLValue...) -> PostgreSQLStatement {
        PostgreSQLStatement(sql, values)
    }

    /// The statement with its parameters.
    func callAsFunction(values: [PostgreSQLValue]) -> PostgreSQLStatement {
        PostgreSQLStatement(sql, values)
    }
}

/// All SQL of the running program, except for migrations and user administration.
///
/// Each release's list is kept as a file: an upgraded schema must work with the statements of the
/// release before.
///
/// Transactions are READ COMMITTED, as ``PostgreSQLSchema/verify()`` verifies: each statement sees
/// everything committed before it began. Locks are always acquired in the same order, so that no
/// deadlock is possible. A change of a user's record locks the row of its user first, and changes
/// nothing of other users. A writer of market data locks the lease, then ``lockCandles`` if it
/// writes candles, then rows in key order; a writer of alerts locks the lease, then users in order,
/// then webhooks in order.
enum Statements {
    /// Every statement.
    static let all: [NamedStatement] =
        [settle, readAccessMode, readWalPosition] + personal + tokens + changes + lease
        + candleWriting
        + candleReading + rolling + removal + reference + alerts + webhooks

    /// Time limits and planner settings until the transaction ends; no user.
    ///
    /// Every statement is a short one, so compiling it or starting workers costs more than it
    /// saves, whatever the statistics say. A pooler in transaction mode would share settings of a
    /// session, and refuses those of a connection's start.
    static let settle = NamedStatement(
        name: "settle",
        sql: """
            SELECT set_config('app.user_id', '', true),
                set_config('statement_timeout', $1, true),
                set_config('lock_timeout', $2, true),
                set_config('idle_in_transaction_session_timeout', $3, true),
                set_config('jit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true)
            """
    )

    /// Whether the server follows another one, and whether transactions are read-only.
    static let readAccessMode = NamedStatement(
        name: "read_access_mode",
        sql: "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'"
    )

    /// The cluster, and how much of its log the server has: what a primary has written to disk,
    /// and what a standby has replayed.
    ///
    /// An idle primary's log ends where its standby's does, whatever the age of the last change.
    static let readWalPosition = NamedStatement(
        name: "read_wal_position",
        sql: """
            SELECT system_identifier,
                pg_wal_lsn_diff(
                    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                        ELSE pg_current_wal_flush_lsn() END,
                    '0/0'
                )::bigint
            FROM pg_control_system()
            """
    )
}
