import DataSourceContracts
import Migrations
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A shared database is migrated only by its owner, once, or refused with the reason",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct PostgreSQLMigrationTests {
    private static let steps = Migration.postgreSQL
    private static let newest = Migration.postgreSQL.count

    private static func step(_ number: Int, runsWith: Int, _ sql: String) -> Migration {
        let file = "-- runs-with: \(runsWith)\n\(sql);\n"
        return Migration(number: number, name: "000\(number)_later", file: Array(file.utf8))
    }

    private static func schema(
        _ pool: PostgreSQLPool,
        _ steps: some Sequence<Migration> = steps
    ) -> PostgreSQLSchema {
        PostgreSQLSchema(pool: pool, steps: steps, oldest: Migration.requiredPostgreSQL)
    }

    /// The migrations and tables of the database.
    private static func state(_ database: TestDatabase) async throws -> String {
        try await database.execute(
            """
            SELECT string_agg(relname, ' ' ORDER BY oid) FROM pg_class
            WHERE relnamespace = to_regnamespace('hoga')
            """
        )
    }

    // MARK: Bringing up to date

    @Test("an empty database gets every migration, and a second call applies none")
    func fresh() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let schema = Self.schema(pool)
                let before = try await schema.migrations()
                #expect(before.map(\.state) == Self.steps.map { _ in .pending })
                #expect(try await Self.state(database) == "")
                let error = await failure { try await schema.verify() }
                #expect(error?.code == .incompatible)
                #expect(error?.detail.contains("hoga migrate up") == true)
                let applied = try await schema.migrate()
                #expect(applied.map(\.number) == Array(1...Self.newest))
                #expect(applied.allSatisfy { $0.state == .applied && $0.appliedAt != nil })
                #expect(try await schema.migrate() == [])
                #expect(try await schema.verify() == applied)
            }
            try await withPool(database.appURL) { pool in
                let seen = try await Self.schema(pool).verify()
                #expect(seen.map(\.state) == Self.steps.map { _ in .applied })
            }
        }
    }

    @Test("exactly one of ten concurrent calls applies each migration")
    func atOnce() async throws {
        try await TestDatabase.with { database in
            let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try await withPool(database.ownerURL) { pool in
                            // Nine others may come first.
                            try await PostgreSQLSchema(
                                pool: pool,
                                steps: Self.steps,
                                oldest: Migration.requiredPostgreSQL,
                                lockPatience: .seconds(3_600)
                            ).migrate().map(\.number)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == Array(1...Self.newest))
            let history = try await database.execute(
                "SELECT string_agg(number::text, ' ' ORDER BY applied_at) "
                    + "FROM hoga.schema_migrations"
            )
            #expect(history == (1...Self.newest).map { "\($0)" }.joined(separator: " "))
        }
    }

    @Test("a failed migration leaves the database unchanged")
    func failing() async throws {
        try await MigratedDatabase.with { database in
            let before = try await Self.state(database)
            let number = Self.newest + 1
            let bad = Self.step(number, runsWith: 4, "CREATE TABLE hoga.x (a int); SELECT 1 / 0")
            try await withPool(database.ownerURL) { pool in
                let error = await failure {
                    try await Self.schema(pool, Self.steps + [bad]).migrate()
                }
                #expect(error != nil)
                let states = try await Self.schema(pool, Self.steps + [bad]).migrations()
                #expect(states.last?.state == .pending)
            }
            #expect(try await Self.state(database) == before)
        }
    }

    // MARK: Beside readers

    @Test("after each failed try a migration waits twice as long for a lock, up to a second")
    func lockTimeout() {
        var timeout = LockTimeout()
        let texts = (0..<7).map { _ in
            defer { timeout.increase() }
            return timeout.text
        }
        #expect(texts == ["50ms", "100ms", "200ms", "400ms", "800ms", "1000ms", "1000ms"])
    }

    @Test("a migration waits for a long reader without blocking others, then is applied")
    func longReader() async throws {
        try await MigratedDatabase.with { database in
            let number = Self.newest + 1
            let later = Self.step(
                number,
                runsWith: 4,
                "ALTER TABLE hoga.cash ADD COLUMN later int"
            )
            try await withPool(database.ownerURL) { pool in
                let impatient = PostgreSQLSchema(
                    pool: pool,
                    steps: Self.steps + [later],
                    oldest: Migration.requiredPostgreSQL,
                    lockPatience: .milliseconds(1)
                )
                try await pool.transaction { reader async throws(StoreError) in
                    _ = try await reader.perform([
                        PostgreSQLStatement("SELECT count(*) FROM hoga.cash")
                    ])
                    let error = await failure { try await impatient.migrate() }
                    #expect(error?.code == .busy)
                }
                #expect(try await impatient.migrate().map(\.number) == [number])
            }
        }
    }

    @Test("a migration outside a transaction is repeated after a failure halfway")
    func outsideTransaction() async throws {
        try await MigratedDatabase.with { database in
            try await database.execute(
                """
                INSERT INTO hoga.closes (feed, market, price, at, is_trading)
                SELECT 'live', n::text, 1, now(), true FROM generate_series(1, 2) AS n
                """
            )
            let number = Self.newest + 1
            let file = """
                -- runs-with: 4
                -- outside-transaction
                -- One row of each price.

                DROP INDEX CONCURRENTLY IF EXISTS hoga.closes_by_price;
                CREATE UNIQUE INDEX CONCURRENTLY closes_by_price
                    ON hoga.closes (price);

                """
            let step = Migration(
                number: number,
                name: "000\(number)_later",
                file: Array(file.utf8)
            )
            #expect(step.statementsOutsideTransaction?.count == 2)
            #expect(Self.steps.allSatisfy { $0.statementsOutsideTransaction == nil })
            try await withPool(database.ownerURL) { pool in
                let schema = Self.schema(pool, Self.steps + [step])
                let error = await failure { try await schema.migrate() }
                #expect(error?.detail.contains("23505") == true)
                let isValid = """
                    SELECT indisvalid FROM pg_index
                    WHERE indexrelid = to_regclass('hoga.closes_by_price')
                    """
                #expect(try await database.execute(isValid) == "f")
                #expect(try await schema.migrations().last?.state == .pending)
                try await database.execute("DELETE FROM hoga.closes WHERE market = '1'")
                #expect(try await schema.migrate().map(\.number) == [number])
                #expect(try await database.execute(isValid) == "t")
            }
        }
    }

    // MARK: Refusals

    @Test("an altered migration is named")
    func altered() async throws {
        try await MigratedDatabase.with { database in
            let second = Self.steps[1]
            let file = Array((second.sql + "\n").utf8)
            var steps = Self.steps
            steps[1] = Migration(number: 2, name: second.name, file: file)
            steps.append(Self.step(Self.newest + 1, runsWith: 4, "CREATE TABLE hoga.x (a int)"))
            let before = try await Self.state(database)
            try await withPool(database.ownerURL) { [steps] pool in
                let schema = Self.schema(pool, steps)
                for error in [
                    await failure { try await schema.verify() },
                    await failure { try await schema.migrate() },
                ] {
                    #expect(error?.code == .incompatible)
                    #expect(error?.detail.contains(second.name) == true)
                }
            }
            #expect(try await Self.state(database) == before)
        }
    }

    @Test("a newer schema is used if it is compatible", arguments: [true, false])
    func newer(isCompatible: Bool) async throws {
        try await MigratedDatabase.with { database in
            let number = Self.newest + 1
            let later = Self.step(
                number,
                runsWith: isCompatible ? Self.newest : number,
                "CREATE TABLE hoga.later (a int)"
            )
            try await withPool(database.ownerURL) { pool in
                _ = try await Self.schema(pool, Self.steps + [later]).migrate()
                let error = await failure { try await Self.schema(pool).verify() }
                let other = await failure { try await Self.schema(pool).migrate() }
                #expect(error == other)
                if isCompatible {
                    #expect(error == nil)
                    #expect(try await Self.schema(pool).migrations().last?.state == .newer)
                } else {
                    #expect(error?.code == .incompatible)
                    #expect(error?.detail.contains("upgrade hoga") == true)
                }
            }
        }
    }

    @Test("a schema of that name from another program is unchanged")
    func foreign() async throws {
        try await TestDatabase.with { database in
            try await database.execute(
                "CREATE SCHEMA hoga; CREATE TABLE hoga.other (a int)",
                as: "hoga_owner"
            )
            try await withPool(database.ownerURL) { pool in
                for error in [
                    await failure { try await Self.schema(pool).migrations() },
                    await failure { try await Self.schema(pool).migrate() },
                ] {
                    #expect(error?.code == .incompatible)
                    #expect(error?.detail.contains("another program") == true)
                }
            }
            #expect(try await Self.state(database) == "other")
        }
    }

    @Test("a role without permission is told to use the owner", arguments: [0, 4])
    func noRights(applied: Int) async throws {
        try await TestDatabase.with { database in
            if applied > 0 {
                try await withPool(database.ownerURL) { pool in
                    _ = try await Self.schema(pool, Self.steps.prefix(applied)).migrate()
                }
            }
            let before = try await Self.state(database)
            try await withPool(database.appURL) { pool in
                let error = await failure { try await Self.schema(pool).migrate() }
                #expect(error?.code == .unavailable)
                #expect(error?.detail.contains("connect as the role that owns it") == true)
            }
            #expect(try await Self.state(database) == before)
        }
    }

    @Test("without the role hoga_app, and without permission to create it, the remedy is given")
    func noRole() async throws {
        // Roles belong to the whole cluster.
        let cluster = try await TestCluster.make()
        let url = "postgresql://plain@127.0.0.1:\(cluster.port)/postgres"
        try await withPool(cluster.url) { admin in
            try await admin.write("CREATE ROLE plain LOGIN")
            try await admin.write("GRANT CREATE ON DATABASE postgres TO plain")
            try await withPool(url) { pool in
                let schema = Self.schema(pool)
                let error = await failure { try await schema.migrate() }
                #expect(error?.code == .unavailable)
                #expect(error?.detail.contains("CREATE ROLE hoga_app NOLOGIN") == true)
                #expect(try await admin.number(Self.countSchemas) == 0)
                #expect(try await admin.number(Self.countRoles) == 0)
                // The remedy; the owner of the schema need not own the database.
                try await admin.write("CREATE ROLE hoga_app NOLOGIN")
                #expect(try await schema.migrate().count == Self.newest)
            }
        }
    }

    private static let countSchemas: StaticString =
        "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'hoga'"
    private static let countRoles: StaticString =
        "SELECT count(*) FROM pg_catalog.pg_roles WHERE rolname = 'hoga_app'"

    // MARK: Beside another release

    @Test("this program refuses the schema before the oldest that it accepts, with the remedy")
    func tooOld() async throws {
        try await MigratedDatabase.with(.release1) { database in
            try await withPool(database.appURL) { pool in
                let error = await failure { try await PostgreSQLSchema(pool: pool).verify() }
                #expect(error?.code == .incompatible)
                #expect(error?.detail.contains("run 'hoga migrate up'") == true)
            }
        }
    }

    @Test("this program works with the oldest schema that it accepts")
    func oldestSchema() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let old = Self.steps.prefix(Migration.requiredPostgreSQL)
                _ = try await Self.schema(pool, old).migrate()
                try await Self.schema(pool).verify()
                _ = try await PostgreSQLUserAccounts(pool: pool).addUser(name: "local", at: 1)
            }
            try await withPool(database.appURL) { pool in
                for statement in Statements.all {
                    let error = await failure { try await prepare(statement, in: pool) }
                    #expect(error == nil, "\(statement.name)")
                }
                let store = PostgreSQLStore(pool: pool, slowness: 30)
                let record = try await store.write(.putCash("5"), user: 1, at: 1)
                #expect(record.cash == "5")
                #expect(try await store.journal(user: 1, newest: 1).count == 1)
            }
        }
    }

    @Test("instances of schema 12 read and change settings beside this one, and keep the layout")
    func schema12() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            var settings = UserRecordSamples.settings
            let change = TestChange.putSettings(settings, expecting: nil)
            _ = try await stand.store.write(change, user: 1, at: 1)
            settings.theme = "dark"
            let patience = PostgreSQLStore.TransactionTimeouts.short.values(times: 1)
            // Its statements `put_settings` and `read_personal`.
            let answers = try await stand.app.perform(
                [
                    Statements.settleUser(values: [.text("1")] + patience),
                    PostgreSQLStatement(
                        """
                        INSERT INTO hoga.settings (
                            user_id, sort, sort_direction, quote, tab, pin_favorites, change_period,
                            "interval", chart_style, averages, depth, theme, colors, lang
                        ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                        ON CONFLICT (user_id) DO UPDATE SET theme = excluded.theme
                        """,
                        [.integer(1)] + settings.values.dropLast()
                    ),
                    PostgreSQLStatement("SELECT * FROM hoga.user_record($1)", [.integer(1)]),
                ],
                as: .writing
            )
            var texts: [String] = []
            for row in answers[2] where try row.integer(0) == 2 {
                for column in 7...17 { texts.append(try row.text(column)) }
            }
            #expect(
                texts == [
                    "changeRate", "asc", "BTC", "favorites", "MID", "6h", "line", "3,7,99", "dark",
                    "western", "en",
                ]
            )
            #expect(try await stand.store.record(of: 1).settings == settings)
        }
    }

    @Test("instances of schema 13 change records beside this one, and keep alerts")
    func schema13() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            let rule = UserRecordSamples.rule
            _ = try await stand.store.write(.putAlertRule(rule), user: 1, at: 1)
            var expected = try await stand.store.write(.seeAlerts(4), user: 1, at: 2)
            let patience = PostgreSQLStore.TransactionTimeouts.short.values(times: 1)
            // Its statements `put_cash`, `record_change`, `read_personal` and `read_change_count`.
            let answers = try await stand.app.perform(
                [
                    Statements.settleUser(values: [.text("1")] + patience),
                    Statements.putCash(.integer(1), .text("5")),
                    PostgreSQLStatement(
                        "SELECT * FROM hoga.record_change($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                        [.integer(1), .time(3), .text("cash.put"), .null]
                            + [0, 0, 0, 0, 1].map(PostgreSQLValue.integer)
                    ),
                    PostgreSQLStatement("SELECT * FROM hoga.read_record($1)", [.integer(1)]),
                    PostgreSQLStatement(
                        """
                        SELECT profile_revision + favorites_revision + settings_revision
                            + holdings_revision + cash_revision
                        FROM hoga.users WHERE id = $1
                        """,
                        [.integer(1)]
                    ),
                ],
                as: .writing
            )
            #expect(answers[2].count == 1)
            #expect(try UserRecordDTO.read(answers[3])?.cash == "5")
            #expect(try answers[4][0].integer(0) == 1)
            expected.cash = "5"
            expected.revisions.cash = 1
            #expect(try await stand.store.record(of: 1) == expected)
            let journal = try await stand.store.journal(user: 1, newest: 9)
            #expect(journal.map(\.number) == [3, 2, 1])
        }
    }

    @Test("every migration has a runs-with line, and numbers have no gaps")
    func headers() {
        #expect(Self.steps.map(\.number) == Array(1...Self.newest))
        for step in Self.steps {
            #expect((1...step.number).contains(step.runsWith), "\(step.name)")
            #expect(step.name.hasPrefix("\(10_000 + step.number)_".dropFirst()))
        }
        #expect((1...Self.newest).contains(Migration.requiredPostgreSQL))
    }
}

/// Prepares a statement, which fails if it does not fit the schema.
func prepare(_ statement: NamedStatement, in pool: PostgreSQLPool) async throws {
    try await pool.transaction { transaction async throws(StoreError) in
        try await transaction.execute("PREPARE tried AS \(statement.sql); DEALLOCATE tried")
    }
}
