/// A statement of the running program, with a name under which it is kept for later releases.
struct NamedStatement: Sendable {
    /// What it is called in the list.
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

/// All SQL of the running program, but for migrations and looking after users.
///
/// Each release's list is kept as a file: an upgraded schema has to live with the statements of the
/// release before it.
///
/// Transactions are READ COMMITTED, as ``PostgreSQLSchema/verify()`` makes sure of: each statement
/// sees what was committed before it began. Whoever
/// locks more than one thing does so in one order, so that nobody waits in a circle:
/// a personal change locks the row of its user first, and changes nothing of other users; a writer
/// of market data locks the lease, then ``lockCandles`` where it writes candles, then rows in the
/// order of their keys.
enum Statements {
    /// Every statement.
    static let all: [NamedStatement] =
        personal + tokens + news + lease + candleWriting + candleStaging + candleReading + rolling
        + removal + reference

    /// What a statement may wait for and how long it may take, until the transaction ends; no user.
    static let settle = NamedStatement(
        name: "settle",
        sql: """
            SELECT set_config('app.user_id', '', true),
                set_config('statement_timeout', $1, true),
                set_config('lock_timeout', $2, true),
                set_config('idle_in_transaction_session_timeout', $3, true)
            """
    )
}
