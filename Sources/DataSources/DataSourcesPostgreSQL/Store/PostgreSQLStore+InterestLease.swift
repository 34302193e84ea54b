public import DataSourceContracts

extension PostgreSQLStore: SharedMarketStoreSource {
    /// Takes the lease of a feed if nobody else holds it.
    ///
    /// - Throws: ``StoreError``: `busy` while a write of the last holder is under way.
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
            as: .leasing
        )
        guard let row = answers[1].first else { return nil }
        return LeaseDTO(feed: feed, holder: holder, epoch: try row.integer(0))
    }

    /// Holds a lease for longer; it waits for no write.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        let values = lease.values + [.integer(duration.microseconds)]
        let answers = try await pool.perform(
            [settle(.short), Statements.renewLease(values: values)],
            as: .leasing
        )
        return answers[1].changedRows == 1
    }

    /// Gives a lease back if it is still held.
    public func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        _ = try await pool.perform(
            [settle(.short), Statements.releaseLease(values: lease.values)],
            as: .leasing
        )
    }

    /// The same store, writing as the holder of a lease.
    public func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        FencedPostgreSQLStore(store: self, lease: lease)
    }

    /// Who took the lease of each feed last, by feed; none of a feed of which nobody ever did.
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

    /// How the lease on writing the market data of a feed stands.
    public struct LeaseStatus: Sendable, Hashable {
        /// As it was taken last.
        public let lease: LeaseDTO
        /// When it ends or ended, microseconds since 1970 UTC.
        public let expiresAt: Int64
        /// Whether it is held, by the server's clock.
        public let isInForce: Bool
    }
}

extension LeaseDTO {
    private static let prefix = "candles-"

    /// What the lease of a feed is called in the database: `candles-live`.
    static func name(of feed: String) -> PostgreSQLValue { .text(prefix + feed) }

    /// The feed of a lease that is called so; nil of one on something else.
    fileprivate static func feed(named name: String) -> String? {
        name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    /// The parameters that name it.
    var values: [PostgreSQLValue] {
        [Self.name(of: feed), .text(holder), .integer(epoch)]
    }
}
