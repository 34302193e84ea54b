import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A pool runs batches and transactions",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct PostgreSQLPoolTests {
    @Test("a batch is one transaction and throws its first failure")
    func batchIsAtomic() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                try await pool.write("CREATE TABLE things (number bigint PRIMARY KEY)")
                let error = await failure {
                    try await pool.perform(
                        [
                            PostgreSQLStatement("INSERT INTO things VALUES (1)"),
                            PostgreSQLStatement("INSERT INTO nothing VALUES (1)"),
                            PostgreSQLStatement("INSERT INTO things VALUES (1, 2, 3)"),
                        ],
                        as: .writing
                    )
                }
                #expect(error?.code == .incompatible)
                #expect(error?.detail.contains("\"nothing\" does not exist") == true)
                let count = try await pool.number("SELECT count(*) FROM things")
                #expect(count == 0)
                let rows = try await pool.perform(
                    [
                        PostgreSQLStatement(
                            "INSERT INTO things SELECT * FROM unnest($1::bigint[])",
                            [.integers([1, 2, 3])]
                        ),
                        PostgreSQLStatement("SELECT number FROM things ORDER BY number DESC"),
                    ],
                    as: .writing
                )
                #expect(rows[0].changedRows == 3)
                #expect(try rows[1].map { try $0.integer(0) } == [3, 2, 1])
            }
        }
    }

    @Test("a setting of a batch ends with it")
    func settingsAreLocal() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL, { $0.connectionsMax = 1 }) { pool in
                let rows = try await pool.perform(
                    [
                        PostgreSQLStatement(
                            "SELECT set_config('app.user_id', $1, true)",
                            [.text("7")]
                        ),
                        PostgreSQLStatement("SELECT current_setting('app.user_id', true)"),
                    ],
                    as: .reading
                )
                #expect(try rows[1][0].text(0) == "7")
                let after = try await pool.read("SELECT current_setting('app.user_id', true)")
                #expect(try after[0].text(0).isEmpty)
            }
        }
    }

    @Test("a transaction of several round trips is atomic")
    func transactionIsAtomic() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL, { $0.connectionsMax = 2 }) { pool in
                try await pool.transaction { transaction throws(StoreError) in
                    try await transaction.execute(
                        "CREATE TABLE a (number bigint); CREATE TABLE b (number bigint);"
                    )
                    _ = try await transaction.perform([
                        PostgreSQLStatement("INSERT INTO a VALUES (1), (2)")
                    ])
                }
                let error = await failure {
                    try await pool.transaction { transaction throws(StoreError) in
                        _ = try await transaction.perform([
                            PostgreSQLStatement("DELETE FROM a")
                        ])
                        throw StoreError(.conflict, "on second thoughts")
                    }
                }
                #expect(error == StoreError(.conflict, "on second thoughts"))
                let count = try await pool.number("SELECT count(*) FROM a")
                #expect(count == 2)
                // The first failure fails the transaction, even if the body continues.
                let second = await failure {
                    try await pool.transaction { transaction throws(StoreError) in
                        _ = try await transaction.perform([PostgreSQLStatement("DELETE FROM a")])
                        _ = try? await transaction.perform([PostgreSQLStatement("SELECT 1 / 0")])
                    }
                }
                #expect(second?.detail.contains("22012") == true)
                let kept = try await pool.number("SELECT count(*) FROM a")
                #expect(kept == 2)
                // Nothing is left open on the server.
                let isQuiet = try await eventually {
                    try await pool.number(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                        AND state LIKE 'idle in transaction%'
                        """
                    ) == 0
                }
                #expect(isQuiet)
            }
        }
    }

    @Test("an empty transaction needs no server")
    func emptyTransaction() async throws {
        let url = "postgresql://nobody@127.0.0.1:\(LoopbackServer.reservedPort())/nothing"
        let value = try await withPool(url) { pool in
            try await pool.transaction { _ throws(StoreError) in 7 }
        }
        #expect(value == 7)
    }

    @Test("arrays may exceed the socket buffer, and a COPY from standard input is refused")
    func bigValues() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let decimals = (0..<300_000).map { "\($0).5" }
                let answers = try await pool.perform(
                    [
                        PostgreSQLStatement(
                            """
                            SELECT count(*), sum(given.number)::text
                            FROM unnest($1::numeric[]) AS given (number)
                            """,
                            [.decimals(decimals)]
                        )
                    ],
                    as: .reading
                )
                #expect(try answers[0][0].integer(0) == 300_000)
                #expect(try answers[0][0].text(1) == "45000000000.0")
                try await pool.write("CREATE TABLE copied (number bigint)")
                let script = await failure {
                    try await pool.transaction { transaction throws(StoreError) in
                        try await transaction.execute("COPY copied FROM STDIN")
                    }
                }
                #expect(script?.code == .busy)
                #expect(try await pool.number("SELECT count(*) FROM copied") == 0)
            }
        }
    }

    @Test(
        "server errors become store errors",
        arguments: [
            ("RAISE EXCEPTION USING ERRCODE = '53100'", StoreError.Code.full),
            ("RAISE EXCEPTION USING ERRCODE = '53300'", .busy),
            ("RAISE EXCEPTION USING ERRCODE = '55P03'", .busy),
            ("RAISE EXCEPTION USING ERRCODE = '40001'", .busy),
            ("RAISE EXCEPTION USING ERRCODE = '40P01'", .busy),
            ("RAISE EXCEPTION USING ERRCODE = '57014'", .busy),
            ("RAISE EXCEPTION USING ERRCODE = '25006'", .readOnly),
            ("RAISE EXCEPTION USING ERRCODE = '57P01'", .unavailable),
            ("RAISE EXCEPTION USING ERRCODE = '08006'", .unavailable),
            ("RAISE EXCEPTION USING ERRCODE = '42501'", .unavailable),
            ("RAISE EXCEPTION USING ERRCODE = 'XX001'", .damaged),
            ("RAISE EXCEPTION USING ERRCODE = 'XX002'", .damaged),
            ("PERFORM 1 FROM hoga_nothing.things", .incompatible),
            ("PERFORM nothing FROM pg_class", .incompatible),
            ("PERFORM nothing(1)", .incompatible),
            ("PERFORM 'secret'::bigint", .incompatible),
        ]
    )
    func errors(statement: String, code: StoreError.Code) async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let error = await failure {
                    try await pool.transaction { transaction throws(StoreError) in
                        try await transaction.execute("DO $$ BEGIN \(statement); END $$")
                    }
                }
                #expect(error?.code == code)
                #expect(error?.detail.contains("secret") == false)
                // The next call gets a connection after any error.
                let count = try await pool.number("SELECT 1::bigint")
                #expect(count == 1)
            }
        }
    }

    @Test("a violated constraint is named without values")
    func constraints() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                try await pool.write("CREATE TABLE names (name text CONSTRAINT short_name UNIQUE)")
                try await pool.write("INSERT INTO names VALUES ('secret')")
                let error = await failure {
                    try await pool.write("INSERT INTO names VALUES ('secret')")
                }
                #expect(error?.detail.contains("short_name") == true)
                #expect(error?.detail.contains("secret") == false)
            }
        }
    }
}
