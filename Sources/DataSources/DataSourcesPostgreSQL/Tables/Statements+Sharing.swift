/// Tokens, change notifications, and leases.
extension Statements {
    static let findToken = NamedStatement(
        name: "find_token",
        sql: "SELECT token_id, owner_id, owner, granted, until FROM hoga.find_token($1)"
    )

    /// Several tokens at once: `$1` has their hashes in hexadecimal.
    static let findTokens = NamedStatement(
        name: "find_tokens",
        sql: """
            SELECT asked.place, found.token_id, found.owner_id, found.owner, found.granted,
                found.until
            FROM unnest($1::text[]) WITH ORDINALITY AS asked (sha256, place),
                LATERAL hoga.find_token(decode(asked.sha256, 'hex')) AS found
            """
    )

    static let readOwnTokens = NamedStatement(
        name: "read_own_tokens",
        sql: """
            SELECT token_id, granted, made, ends, NULL::timestamptz, used, named, is_asking
            FROM hoga.own_tokens($1)
            """
    )

    static let addOwnToken = NamedStatement(
        name: "add_own_token",
        sql: """
            SELECT outcome, token_id, made, ends
            FROM hoga.add_own_token($1, $2, $3, $4, $5, $6, $7)
            """
    )

    static let revokeOwnToken = NamedStatement(
        name: "revoke_own_token",
        sql: "SELECT hoga.revoke_own_token($1, $2)"
    )

    static let tokens = [findToken, findTokens, readOwnTokens, addOwnToken, revokeOwnToken]

    /// Users changed since a mark, with the age of the newest change; the first row has the next
    /// mark and no user.
    static let readNews = NamedStatement(
        name: "read_news",
        sql: "SELECT mark, is_reset, changed, is_access, age FROM hoga.aged_news($1::text)"
    )

    /// Notifies listeners of changed users.
    ///
    /// A transaction of its own: the commit of a transaction with notifications waits for those of
    /// all others, and for their writes to disk.
    static let notifyChanges = NamedStatement(
        name: "tell_changes",
        sql: """
            SELECT pg_notify('hoga_personal', changed) FROM unnest($1::text[]) AS given (changed)
            """
    )

    /// Sends a heartbeat on a channel.
    static let notify = NamedStatement(
        name: "notify",
        sql: "SELECT pg_notify($1, $2)"
    )

    static let changes = [readNews, notifyChanges, notify]

    /// Acquires the lease unless another process holds it.
    ///
    /// Checking whether it is free locks nothing. If two processes insert the first row at once,
    /// the second one sees it as a conflict: both keys of the table are arbiters, so this is no
    /// error. A row that ends ten times later than any request was written under a wrong clock,
    /// before the server's was set back or by another server, and would block every writer.
    static let takeLease = NamedStatement(
        name: "take_lease",
        sql: """
            WITH made AS (
                INSERT INTO hoga.instance_lease (name, holder, epoch, expires_at)
                SELECT $1, $2, 1, clock_timestamp() + $3 * interval '1 microsecond'
                WHERE NOT EXISTS (SELECT FROM hoga.instance_lease AS held WHERE held.name = $1)
                ON CONFLICT DO NOTHING
                RETURNING epoch
            ), taken AS (
                UPDATE hoga.instance_lease AS held SET
                    holder = $2, epoch = held.epoch + 1,
                    expires_at = clock_timestamp() + $3 * interval '1 microsecond'
                WHERE held.name = $1
                    AND (
                        held.expires_at <= clock_timestamp() OR held.holder = $2
                        OR held.expires_at
                            > clock_timestamp() + 10 * $3 * interval '1 microsecond'
                    )
                RETURNING epoch
            )
            SELECT epoch FROM made UNION ALL SELECT epoch FROM taken
            """
    )

    static let renewLease = NamedStatement(
        name: "renew_lease",
        sql: """
            UPDATE hoga.instance_lease
            SET expires_at = clock_timestamp() + $4 * interval '1 microsecond'
            WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp()
            """
    )

    static let releaseLease = NamedStatement(
        name: "release_lease",
        sql: """
            UPDATE hoga.instance_lease SET expires_at = clock_timestamp()
            WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp()
            """
    )

    /// Verifies that the lease is held, and locks it until the transaction ends.
    static let holdLease = NamedStatement(
        name: "hold_lease",
        sql: "SELECT hoga.hold_lease($1, $2, $3)::text"
    )

    static let readLeases = NamedStatement(
        name: "read_leases",
        sql: """
            SELECT name, holder, epoch, expires_at, expires_at > clock_timestamp()
            FROM hoga.instance_lease ORDER BY name
            """
    )

    static let lease = [takeLease, renewLease, releaseLease, holdLease, readLeases]
}
