/// SQL of user administration, which only the owner of the schema runs.
enum UserAccountStatements {
    /// States the person who acts, for the audit trail, until the transaction ends.
    static let stateAdministrator = NamedStatement(
        name: "state_administrator",
        sql: "SELECT set_config('app.administrator', $1, true)"
    )

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

    /// Those of the given names that exist.
    static let existing = NamedStatement(
        name: "existing_users",
        sql: "SELECT name FROM hoga.users WHERE name = ANY ($1::text[])"
    )

    /// Fewer rows than names if one of them exists.
    static let addAll = NamedStatement(
        name: "add_users",
        sql: """
            INSERT INTO hoga.users (name, display_name, added_at)
            SELECT new.name, new.display_name, $3::timestamptz
            FROM UNNEST($1::text[], $2::text[]) WITH ORDINALITY AS new (name, display_name, place)
            ORDER BY new.place
            ON CONFLICT (name) DO NOTHING
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
            SELECT id, scope, made_at, expires_at, revoked_at, used_at, note
            FROM hoga.api_tokens WHERE user_id = $1 ORDER BY id
            """
    )

    static let countTokens = NamedStatement(
        name: "count_tokens",
        sql: """
            SELECT count(*) FROM hoga.api_tokens
            WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
            """
    )

    static let addToken = NamedStatement(
        name: "add_token",
        sql: """
            INSERT INTO hoga.api_tokens (user_id, token_sha256, scope, made_at, expires_at, note)
            VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING id, scope, made_at, expires_at, revoked_at, used_at, note
            """
    )

    /// The newest `$4` rows of a user, or of all, in a time span; newest first.
    ///
    /// A user is found by the names of before a renaming and by the name of a removed user, too.
    static let audit = NamedStatement(
        name: "audit",
        sql: """
            SELECT id, at, role, administrator, action, user_id, subject, token_id, details::text
            FROM hoga.audit
            WHERE (
                    $1::text IS NULL
                    OR user_id IN (
                        SELECT found.id FROM hoga.users AS found WHERE found.name = $1
                        UNION ALL
                        SELECT named.user_id FROM hoga.audit AS named WHERE named.subject = $1
                    )
                )
                AND at >= coalesce($2::timestamptz, '-infinity')
                AND at < coalesce($3::timestamptz, 'infinity')
            ORDER BY id DESC LIMIT $4
            """
    )

    /// The token and its owner, who is locked.
    static let lockOwner = NamedStatement(
        name: "lock_token_owner",
        sql: """
            SELECT tokens.id, tokens.scope, tokens.made_at, tokens.expires_at, tokens.revoked_at,
                tokens.used_at, tokens.note, users.id
            FROM hoga.api_tokens AS tokens JOIN hoga.users AS users ON users.id = tokens.user_id
            WHERE tokens.id = $1
            FOR NO KEY UPDATE
            """
    )

    static let expire = NamedStatement(
        name: "expire_token",
        sql: "UPDATE hoga.api_tokens SET expires_at = least(expires_at, $2) WHERE id = $1"
    )

    static let revoke = NamedStatement(
        name: "revoke_token",
        sql: "UPDATE hoga.api_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1"
    )
}
