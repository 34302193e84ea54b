/// SQL of user administration, which only the owner of the schema runs.
enum UserAccountStatements {
    static let users = NamedStatement(
        name: "users",
        sql: "SELECT id, name, added_at, disabled_at IS NOT NULL FROM hoga.users ORDER BY id"
    )

    /// Whether the role has the rights of the owner; no row without tables.
    static let isOwner = NamedStatement(
        name: "is_owner",
        sql: """
            SELECT pg_has_role(c.relowner, 'USAGE')
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = 'hoga' AND c.relname = 'users'
            """
    )

    static let user = NamedStatement(
        name: "user",
        sql: "SELECT id, name, added_at, disabled_at IS NOT NULL FROM hoga.users WHERE name = $1"
    )

    static let lock = NamedStatement(
        name: "lock_user",
        sql: "SELECT id FROM hoga.users WHERE name = $1 FOR NO KEY UPDATE"
    )

    /// No row when the name exists.
    ///
    /// Checked first, so that no number is lost.
    static let add = NamedStatement(
        name: "add_user",
        sql: """
            INSERT INTO hoga.users (name, added_at)
            SELECT $1::text, $2::timestamptz
            WHERE NOT EXISTS (SELECT FROM hoga.users WHERE name = $1)
            ON CONFLICT (name) DO NOTHING
            RETURNING id, name, added_at, disabled_at IS NOT NULL
            """
    )

    static let disable = NamedStatement(
        name: "disable_user",
        sql: """
            UPDATE hoga.users SET disabled_at =
                CASE WHEN $2 THEN coalesce(disabled_at, clock_timestamp()) END
            WHERE name = $1
            """
    )

    /// Cascades to all rows of the user and notifies listeners of 0.1.0.
    static let remove = NamedStatement(
        name: "remove_user",
        sql: """
            WITH removed AS (DELETE FROM hoga.users WHERE name = $1 RETURNING id)
            SELECT id, pg_notify('hoga_personal', id::text) FROM removed
            """
    )

    static let asOfOneMoment = NamedStatement(
        name: "as_of_one_moment",
        sql: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
    )

    static let tokens = NamedStatement(
        name: "tokens",
        sql: """
            SELECT id, scope, made_at, expires_at, revoked_at, used_at
            FROM hoga.api_tokens WHERE user_id = $1 ORDER BY id
            """
    )

    static let countTokens = NamedStatement(
        name: "count_tokens",
        sql: "SELECT count(*) FROM hoga.api_tokens WHERE user_id = $1 AND revoked_at IS NULL"
    )

    static let addToken = NamedStatement(
        name: "add_token",
        sql: """
            INSERT INTO hoga.api_tokens (user_id, token_sha256, scope, made_at, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            RETURNING id, scope, made_at, expires_at, revoked_at, used_at
            """
    )

    static let revoke = NamedStatement(
        name: "revoke_token",
        sql: "UPDATE hoga.api_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1"
    )
}
