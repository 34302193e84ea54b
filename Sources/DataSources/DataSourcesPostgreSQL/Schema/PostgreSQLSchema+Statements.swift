extension PostgreSQLSchema {
    /// The key of the lock that one migration at a time holds: "hoga" in ASCII, and 2.
    static func lock() -> PostgreSQLStatement {
        PostgreSQLStatement("SELECT pg_advisory_xact_lock(1752131425, 2)")
    }

    static func settle(_ values: [PostgreSQLValue]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
                set_config('search_path', 'pg_catalog, pg_temp', true)
            """,
            values
        )
    }

    /// Whether there is a schema, a table of migrations, nothing in the schema; whether this role
    /// may change it, and may do without making a role or make one; how transactions are kept
    /// apart that do not say it.
    static func look() -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT
                to_regnamespace('hoga') IS NOT NULL,
                to_regclass('hoga.schema_migrations') IS NOT NULL,
                NOT EXISTS (
                    SELECT FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('hoga')
                ),
                CASE WHEN to_regnamespace('hoga') IS NULL
                    THEN pg_catalog.has_database_privilege(current_database(), 'CREATE')
                    ELSE (
                        SELECT pg_catalog.pg_has_role(nspowner, 'USAGE')
                        FROM pg_catalog.pg_namespace WHERE oid = to_regnamespace('hoga')
                    )
                END,
                to_regrole('hoga_app') IS NOT NULL
                    OR (
                        SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles
                        WHERE rolname = current_user
                    ),
                current_setting('default_transaction_isolation')
            """
        )
    }

    static func applied() -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT number, name, sha256, runs_with, applied_at FROM hoga.schema_migrations
            ORDER BY number
            """
        )
    }

    static func record(_ values: [PostgreSQLValue]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            INSERT INTO hoga.schema_migrations (number, name, sha256, runs_with, applied_at)
            VALUES ($1, $2, $3, $4, clock_timestamp())
            """,
            values
        )
    }

    /// What has to be there before the first migration.
    ///
    /// Roles are those of all databases of the
    /// server: another database's migration may make the same one at the same time.
    static let beginning = """
        CREATE SCHEMA IF NOT EXISTS hoga;
        CREATE TABLE hoga.schema_migrations (
            number bigint PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE,
            sha256 text COLLATE "C" NOT NULL,
            runs_with bigint NOT NULL,
            applied_at timestamptz NOT NULL
        );
        DO $$
        BEGIN
            IF to_regrole('hoga_app') IS NULL THEN
                CREATE ROLE hoga_app NOLOGIN;
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END
        $$;
        """
}
