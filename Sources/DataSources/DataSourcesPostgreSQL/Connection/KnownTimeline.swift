import DataSourceContracts

/// The newest timeline of a cluster that was seen.
///
/// Each promotion of a standby begins a timeline. A primary of an earlier one was replaced: what it
/// accepts is lost when it is made a standby.
struct KnownTimeline: Sendable {
    /// Asks a server for its cluster and its timeline; NULL on a standby, which accepts no changes.
    static let statement = EncodedStatement(
        unparameterized: """
            SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery() THEN
                ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END
            FROM pg_control_system()
            """
    )

    private var newest: (cluster: Int64, timeline: Int64)?

    /// Compares a server with those seen before.
    ///
    /// - Parameters:
    ///   - timeline: its timeline; nil for a standby.
    ///   - cluster: its cluster. Timelines of another one, for example after a restoration, have
    ///     nothing to do with those before.
    /// - Returns: the later timeline by which the server was replaced; nil if there is none.
    mutating func known(before timeline: Int64?, of cluster: Int64) -> Int64? {
        guard let timeline else { return nil }
        if let newest, newest.cluster == cluster, newest.timeline > timeline {
            return newest.timeline
        }
        newest = (cluster, timeline)
        return nil
    }
}

extension StoreError {
    /// A server that was the primary before another one.
    static func formerPrimary(_ timeline: Int64?, _ known: Int64, at location: String) -> Self {
        StoreError(
            .unavailable,
            "\(location): a former primary, of timeline \(timeline ?? 0) where \(known) is known: "
                + "stop it, or make it a standby of the new primary"
        )
    }
}
