public import DataSources

extension PostgreSQLStore: SharedMarketStoreSource {
    /// The name of the lease on writing market data.
    static let leaseName = PostgreSQLValue.text("candles")

    /// Takes the lease if nobody else holds it.
    ///
    /// - Throws: ``StoreError``: `busy` while a write of the last holder is under way.
    public func takeLease(
        holder: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? {
        let answers = try await pool.perform(
            [
                settle(.short),
                Statements.takeLease(
                    Self.leaseName,
                    .text(holder),
                    .integer(duration.microseconds)
                ),
            ],
            as: .writing
        )
        guard let row = answers[1].first else { return nil }
        return LeaseDTO(holder: holder, epoch: try row.integer(0))
    }

    /// Holds a lease for longer; it waits for no write.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        let values = lease.values + [.integer(duration.microseconds)]
        let answers = try await pool.perform(
            [settle(.short), Statements.renewLease(values: values)],
            as: .writing
        )
        return answers[1].changedRows == 1
    }

    /// Gives a lease back if it is still held.
    public func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        _ = try await pool.perform(
            [settle(.short), Statements.releaseLease(values: lease.values)],
            as: .writing
        )
    }

    /// The same store, writing as the holder of a lease.
    public func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        FencedPostgreSQLStore(store: self, lease: lease)
    }

    /// Who took the lease last; nil while nobody ever did.
    public func leaseStatus() async throws(StoreError) -> LeaseStatus? {
        let answers = try await pool.perform(
            [settle(.short), Statements.readLease(Self.leaseName)],
            as: .reading
        )
        guard let row = answers[1].first else { return nil }
        return LeaseStatus(
            lease: LeaseDTO(holder: try row.text(0), epoch: try row.integer(1)),
            expiresAt: try row.time(2),
            isInForce: try row.bool(3)
        )
    }

    /// How the lease on writing market data stands.
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
    /// The parameters that name it.
    var values: [PostgreSQLValue] {
        [PostgreSQLStore.leaseName, .text(holder), .integer(epoch)]
    }
}
