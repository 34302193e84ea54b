import DataSourceContracts

/// The privileges that the role `hoga_app` needs on the objects of the newest schema.
///
/// Migrations grant them; a restore without them, or a `REVOKE`, leaves them missing.
enum PostgreSQLPrivileges {
    /// A privilege on an object of the schema `hoga`.
    struct Privilege: Hashable {
        /// A kind of object.
        enum Kind: String {
            case schema
            case table
            /// All functions of a name.
            case function
        }

        var kind: Kind
        /// The name of the object.
        var name: String
        /// The kind of access: `SELECT`, `EXECUTE` and so on.
        var right: String
        /// The only column of a table; nil for all.
        var column: String?
    }

    /// All of them.
    static let all: [Privilege] =
        [Privilege(kind: .schema, name: "hoga", right: "USAGE")]
        + tables.flatMap { names, rights in
            names.flatMap { name in
                rights.map { Privilege(kind: .table, name: name, right: $0) }
            }
        }
        + columns.flatMap { table, right, names in
            names.map { Privilege(kind: .table, name: table, right: right, column: $0) }
        }
        + functions.map { Privilege(kind: .function, name: $0, right: "EXECUTE") }

    private static let tables: [(names: [String], rights: [String])] = [
        (["alert_log", "schema_migrations", "users"], ["SELECT"]),
        (
            [
                "alert_rules", "candle_coverage", "candle_late", "candle_rollups", "candle_spans",
                "candles", "cash", "closes", "coin_names", "favorites", "holdings",
                "market_alerts", "market_warnings", "readings", "settings", "webhooks",
            ], ["SELECT", "INSERT", "UPDATE", "DELETE"]
        ),
        // 0.1.0 deletes old rows of the journal itself; a policy limits it to those.
        (
            ["alert_states", "candles_1m_rest", "candles_minutes_rest", "journal"],
            ["SELECT", "DELETE"]
        ),
        (["candle_writing", "webhook_failures", "webhook_progress"], ["SELECT", "UPDATE"]),
        (["instance_lease"], ["SELECT", "INSERT"]),
    ]

    private static let columns: [(table: String, right: String, names: [String])] = [
        (
            "users", "UPDATE",
            [
                "alerts_revision", "alerts_seen", "cash_revision", "display_name",
                "favorites_revision", "holdings_revision", "profile_revision", "settings_revision",
            ]
        ),
        ("journal", "INSERT", ["at", "kind", "number", "subject", "user_id"]),
        ("instance_lease", "UPDATE", ["epoch", "expires_at", "holder"]),
    ]

    private static let functions = [
        "add_own_token", "aged_news", "alert_books", "alert_changes", "alert_owners", "changes",
        "drop_partition", "drop_partitions", "find_token", "hold_lease", "journal_head",
        "journal_limit", "news", "own_tokens", "prepare_partitions", "prune_journal",
        "prune_journals", "read_alert_values", "read_alerts", "read_record", "record_change",
        "record_webhook_attempts",
        "revoke_own_token", "save_alert_values", "store_alerts", "user_record",
        "webhook_deliveries", "write_candles",
    ]

    /// Reads which of them a role lacks: the connection's, or `hoga_app` for the schema's owner.
    ///
    /// Objects that do not exist are left out.
    static func missing() -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT asked.role::text,
                given.right || coalesce(' (' || given.column || ')', '') || ' on '
                    || given.kind || ' '
                    || CASE given.kind WHEN 'schema' THEN '' ELSE 'hoga.' END || given.name
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
                WITH ORDINALITY AS given (kind, name, "right", "column", place)
            CROSS JOIN (
                SELECT space.oid AS space,
                    CASE
                        WHEN pg_catalog.pg_has_role(space.nspowner, 'USAGE') THEN 'hoga_app'
                        ELSE current_user
                    END AS role
                FROM pg_catalog.pg_namespace AS space WHERE space.nspname = 'hoga'
            ) AS asked
            LEFT JOIN pg_catalog.pg_class AS class
                ON given.kind = 'table' AND class.relnamespace = asked.space
                    AND class.relname = given.name
            LEFT JOIN pg_catalog.pg_attribute AS part
                ON part.attrelid = class.oid AND part.attname = given."column"
            LEFT JOIN pg_catalog.pg_proc AS func
                ON given.kind = 'function' AND func.pronamespace = asked.space
                    AND func.proname = given.name
            WHERE NOT CASE
                WHEN given.kind = 'schema'
                    THEN pg_catalog.has_schema_privilege(asked.role, asked.space, given.right)
                WHEN given.column IS NOT NULL THEN pg_catalog.has_column_privilege(
                    asked.role, class.oid, part.attnum, given.right
                )
                WHEN given.kind = 'table'
                    THEN pg_catalog.has_table_privilege(asked.role, class.oid, given.right)
                ELSE pg_catalog.has_function_privilege(asked.role, func.oid, given.right)
            END
            ORDER BY given.place
            """,
            [
                .texts(all.map(\.kind.rawValue)), .texts(all.map(\.name)),
                .texts(all.map(\.right)), .texts(all.map(\.column)),
            ]
        )
    }

    /// Grants all of them, as the owner of the schema.
    ///
    /// Also revokes large objects from everybody, which only a superuser can: one of the service's
    /// role breaks a dump of the whole database by the owner.
    static let repair: String = {
        var lines = ["GRANT USAGE ON SCHEMA hoga TO hoga_app;"]
        for (names, rights) in tables {
            let tables = names.map { "hoga.\($0)" }.joined(separator: ", ")
            lines.append("GRANT \(rights.joined(separator: ", ")) ON \(tables) TO hoga_app;")
        }
        for (table, right, names) in columns {
            let list = names.joined(separator: ", ")
            lines.append("GRANT \(right) (\(list)) ON hoga.\(table) TO hoga_app;")
        }
        let names = functions.map { "'\($0)'" }.joined(separator: ", ")
        lines.append(
            """
            DO $do$
            DECLARE
                routine regprocedure;
            BEGIN
                FOR routine IN
                    SELECT oid FROM pg_proc
                    WHERE pronamespace = 'hoga'::regnamespace AND proname IN (\(names))
                LOOP
                    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO hoga_app', routine);
                END LOOP;
                -- A block of its own: what is refused to an owner undoes no grant.
                BEGIN
                    REVOKE EXECUTE ON FUNCTION pg_catalog.lo_create(oid),
                        pg_catalog.lo_creat(integer), pg_catalog.lo_from_bytea(oid, bytea)
                        FROM PUBLIC;
                EXCEPTION WHEN insufficient_privilege THEN
                    NULL;
                END;
            END
            $do$;
            """
        )
        lines.append("SELECT hoga.note_audit('privileges.grant', NULL, 'hoga_app');")
        return lines.joined(separator: "\n")
    }()
}
