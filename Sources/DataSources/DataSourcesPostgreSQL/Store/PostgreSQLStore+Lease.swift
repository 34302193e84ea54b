public import DataSourceContracts

extension PostgreSQLStore: SharedMarketStoreSource {
    /// Acquires the lease of a feed if no other process holds it.
    ///
    /// - Throws: ``StoreError``: `busy` while a write of the last holder is in progress.
    public func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? {
        let answers = try await pool.perform(
            [
                settle(.short),
                Statements.takeLease(
                    LeaseDTO.name(of: feed),
                    .text(holder),
                    .integer(duration.microseconds)
                ),
            ],
            as: .urgent
        )
        guard let row = answers[1].first else { return nil }
        return LeaseDTO(feed: feed, holder: holder, epoch: try row.integer(0))
    }

    /// Extends a lease, without waiting for writes.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        let values = lease.values + [.integer(duration.microseconds)]
        let answers = try await pool.perform(
            [settle(.short), Statements.renewLease(values: values)],
            as: .urgent
        )
        return answers[1].changedRows == 1
    }

    /// Releases a lease if it is still held.
    public func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        _ = try await pool.perform(
            [settle(.short), Statements.releaseLease(values: lease.values)],
            as: .urgent
        )
    }

    /// The same store with writes fenced by a lease.
    public func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        FencedPostgreSQLStore(store: self, lease: lease)
    }

    /// The last lease of each feed, by feed; none for a feed that never had one.
    public func leaseStatuses() async throws(StoreError) -> [LeaseStatus] {
        let answers = try await pool.perform(
            [settle(.short), Statements.readLeases()],
            as: .reading
        )
        var statuses: [LeaseStatus] = []
        for row in answers[1] {
            guard let feed = LeaseDTO.feed(named: try row.text(0)) else { continue }
            statuses.append(
                LeaseStatus(
                    lease: LeaseDTO(
                        feed: feed,
                        holder: try row.text(1),
                        epoch: try row.integer(2)
                    ),
                    expiresAt: try row.time(3),
                    isInForce: try row.bool(4)
                )
            )
        }
        return statuses
    }

    /// The state of the lease for writing a feed's market data.
    public struct LeaseStatus: Sendable, Hashable {
        /// The last acquired lease.
        public let lease: LeaseDTO
        /// When it ends or ended, microseconds since 1970 UTC.
        public let expiresAt: Int64
        /// Whether it is held, by the server's clock.
        public let isInForce: Bool
    }
}

extension LeaseDTO {
    private static let prefix = "candles-"

    /// The database's name for the lease of a feed: `candles-live`.
    static func name(of feed: String) -> PostgreSQLValue { .text(prefix + feed) }

    /// The feed of a lease with this name; nil for other leases.
    fileprivate static func feed(named name: String) -> String? {
        name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    /// The parameters that identify it.
    var values: [PostgreSQLValue] {
        [Self.name(of: feed), .text(holder), .integer(epoch)]
    }
}
