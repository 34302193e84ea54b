import DataSourceContracts

/// The table of leases, inside one transaction.
struct LeaseTable {
    let connection: SQLiteConnection
    /// The time, microseconds since 1970 UTC.
    let now: Int64

    /// Whether a holder can acquire the lease of a feed.
    ///
    /// A lease that ends more than ten durations from now was taken under a wrong clock.
    func isFree(for holder: String, feed: String, _ duration: Duration) throws(StoreError) -> Bool {
        let held = try connection.first(
            "SELECT holder, expires_at FROM instance_lease WHERE feed = ?1",
            [.text(feed)]
        ) { row throws(StoreError) in (holder: try row.text(0), end: row.integer(1)) }
        guard let held else { return true }
        return held.end <= now || held.holder.hasSameBytes(as: holder)
            || held.end > now + 10 * duration.microseconds
    }

    /// Acquires the lease of a feed.
    func take(
        holder: String,
        feed: String,
        for duration: Duration
    ) throws(StoreError) -> LeaseDTO {
        let epoch = try connection.first(
            """
            INSERT INTO instance_lease (feed, holder, epoch, expires_at) VALUES (?1, ?2, 1, ?3)
            ON CONFLICT (feed) DO UPDATE SET
                holder = excluded.holder, epoch = epoch + 1, expires_at = excluded.expires_at
            RETURNING epoch
            """,
            [.text(feed), .text(holder), .integer(now + duration.microseconds)]
        ) { $0.integer(0) }
        guard let epoch else { preconditionFailure("A row that was written is returned.") }
        return LeaseDTO(feed: feed, holder: holder, epoch: epoch)
    }

    /// Sets the end of a lease.
    ///
    /// - Returns: false if it expired or was taken over.
    func end(_ lease: LeaseDTO, at time: Int64) throws(StoreError) -> Bool {
        try connection.run(
            """
            UPDATE instance_lease SET expires_at = ?5
            WHERE feed = ?1 AND holder = ?2 AND epoch = ?3 AND expires_at > ?4
            """,
            [
                .text(lease.feed), .text(lease.holder), .integer(lease.epoch), .integer(now),
                .integer(time),
            ]
        )
        return connection.changedRows > 0
    }

    /// Verifies that a lease is held.
    ///
    /// - Throws: ``StoreError``: `fenced`.
    func hold(_ lease: LeaseDTO) throws(StoreError) {
        let isHeld = try connection.first(
            """
            SELECT 1 FROM instance_lease
            WHERE feed = ?1 AND holder = ?2 AND epoch = ?3 AND expires_at > ?4
            """,
            [.text(lease.feed), .text(lease.holder), .integer(lease.epoch), .integer(now)]
        ) { _ in true }
        guard isHeld == nil else { return }
        throw StoreError(.fenced, "\(connection.path): the lease is not held")
    }
}

extension Duration {
    /// In whole microseconds.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

/// As its connection.
@available(*, unavailable)
extension LeaseTable: Sendable {}
