import DataSourceContracts

/// A shared store with writes fenced by the lease of a feed.
///
/// Each write locks the lease in its own transaction before it changes anything, which verifies
/// that the lease is still the given one. A process may be suspended at any moment and would then
/// keep its locks. Statements that lock are therefore sent as one short piece, one with many rows
/// locks after the server has received them all, and the server ends a transaction left idle.
struct FencedPostgreSQLStore: MarketStoreSource, MinuteStoreSource {
    /// Maximum number of rows written under the short timeouts, far more than a leader writes at
    /// once.
    static let quickRowsMax = 20_000

    let store: PostgreSQLStore
    let lease: LeaseDTO

    // MARK: Candles

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        let series = candles.series
        try checkFeed(series.feed)
        let batch = try CandleBatch(
            feed: series.feed,
            interval: series.interval,
            candles.rows.map { MinuteCandleBatchDTO.Row(market: series.market, candle: $0) }
        )
        let spans = try Self.checked(candles.spans)
        let ends = [
            PostgreSQLValue.times(spans.map(\.from)), .times(spans.map(\.to)),
        ]
        try await keep(
            batch,
            and: spans.isEmpty ? [] : [Statements.joinSpans(values: series.values + ends)]
        )
    }

    func saveMinutes(_ minutes: MinuteCandleBatchDTO) async throws(StoreError) {
        try checkFeed(minutes.feed)
        let batch = try CandleBatch(
            feed: minutes.feed,
            interval: RolledInterval.source,
            minutes.rows
        )
        let spans = try Self.checked(minutes.covered)
        let join = Statements.joinCoverage(
            .text(minutes.feed),
            .times(spans.map(\.from)),
            .times(spans.map(\.to))
        )
        try await keep(batch, and: spans.isEmpty ? [] : [join])
    }

    /// Writes candles and what they cover in one round trip.
    private func keep(
        _ batch: CandleBatch,
        and spans: [PostgreSQLStatement]
    ) async throws(StoreError) {
        let rows = batch.rows.count
        let candles = rows > 0 ? [Statements.writeCandles(values: lease.values + batch.values)] : []
        _ = try await store.pool.perform(
            [store.settle(rows > Self.quickRowsMax ? .long : .leading)] + candles
                + (rows > 0 ? [] : [hold, lock]) + spans,
            as: .writing,
            within: store.longestTimeout
        )
    }

    /// Nonempty spans, each with times that can be stored.
    private static func checked(
        _ spans: [StoredCandlesDTO.Span]
    ) throws(StoreError) -> [StoredCandlesDTO.Span] {
        for span in spans {
            try CanonicalValues.check(time: span.from, "the begin of a span")
            try CanonicalValues.check(time: span.to, "the end of a span")
        }
        return spans.joined
    }

    func prepare(at: Int64) async throws(StoreError) {
        try CanonicalValues.check(time: at, "the time to prepare for")
        _ = try await store.pool.perform(
            [
                store.settle(.long),
                Statements.preparePartitions(values: lease.values + [.time(at)]),
            ],
            as: .writing,
            within: store.longestTimeout
        )
    }

    // MARK: Last prices, names and warnings

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try checkFeed(feed)
        let rows = try ReferenceRows.closes(closes)
        guard !rows.isEmpty else { return }
        try await write([Statements.savePrices(values: rows.values(feed: feed))], .leading)
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try checkFeed(feed)
        try await write(try ReferenceRows.names(names, feed: feed), .leading)
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try checkFeed(feed)
        try await write(try ReferenceRows.marks(marks, feed: feed), .leading)
    }

    // MARK: Reading

    func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await store.candles(of: series, newest: count, before: end)
    }

    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span] {
        try await store.coveredMinutes(feed: feed)
    }

    func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try await store.closes(feed: feed)
    }

    func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await store.names(feed: feed)
    }

    func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try await store.marks(feed: feed)
    }

    // MARK: For the calls

    /// The lock that begins every write.
    var hold: PostgreSQLStatement { Statements.holdLease(values: lease.values) }

    /// The lock that follows before candles are written.
    var lock: PostgreSQLStatement { Statements.lockCandles() }

    /// Refuses data of another feed than the lease's.
    func checkFeed(_ feed: String) throws(StoreError) {
        guard feed.hasSameBytes(as: lease.feed) else {
            throw StoreError(.fenced, "the lease belongs to another feed")
        }
    }

    /// Writes in one round trip as the holder of the lease.
    ///
    /// - Returns: the answer to each statement.
    @discardableResult
    func write(
        _ statements: [PostgreSQLStatement],
        _ patience: PostgreSQLStore.TransactionTimeouts
    ) async throws(StoreError) -> ArraySlice<PostgreSQLRows> {
        try await store.pool.perform(
            [store.settle(patience), hold] + statements,
            as: .writing,
            within: store.longestTimeout
        )
        .dropFirst(2)
    }
}

extension FencedPostgreSQLStore {
    /// Intervals whose candles share partitions and have the same retention.
    private enum Kind: String, CaseIterable {
        case minute = "candles_1m"
        case minutes = "candles_minutes"

        var intervals: [String] {
            switch self {
            case .minute: ["1m"]
            case .minutes: ["3m", "5m", "10m", "30m"]
            }
        }

        /// Removes candles outside of partitions of their own.
        func removeRest(before time: Int64) -> PostgreSQLStatement {
            switch self {
            case .minute: Statements.removeRestOfMinute(.time(time))
            case .minutes: Statements.removeRestOfMinutes(.time(time))
            }
        }
    }

    /// Removes candles of all feeds, which have the same retention.
    ///
    /// Drops whole partitions if all intervals of their kind are given, each in its own transaction
    /// after the spans were cut, so that no span covers removed candles. One minute candles that
    /// share a partition with newer ones stay until those are as old.
    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try CanonicalValues.check(time: time, "the time of the oldest candles")
        guard !intervals.isEmpty else { return 0 }
        let whole = Kind.allCases.filter { $0.intervals.allSatisfy(intervals.contains) }
        let others = intervals.filter { name in
            !whole.contains { $0.intervals.contains(name) }
        }
        var deletions = whole.map { $0.removeRest(before: time) }
        if !others.isEmpty {
            deletions.append(Statements.removeCandles(.texts(others), .time(time)))
        }
        let values: [PostgreSQLValue] = [.texts(intervals), .time(time)]
        var spans = [
            Statements.removeSpans(values: values), Statements.cutSpans(values: values),
            Statements.removeRolled(values: values), Statements.cutRolled(values: values),
        ]
        if intervals.contains(RolledInterval.source) {
            spans += [Statements.removeCoverage(.time(time)), Statements.cutCoverage(.time(time))]
        }
        let answers = try await write([lock] + deletions + spans, .long).dropFirst()
        var removed = answers.prefix(deletions.count).reduce(0) { $0 + $1.changedRows }
        for kind in whole {
            while let dropped = try await dropPartition(of: kind, before: time) {
                removed += dropped
            }
        }
        return removed
    }

    /// The users whose journals are pruned in one transaction, in about 40 ms.
    private static let prunedUsersMax: Int64 = 1_000

    /// Removes journal rows that are not kept any more, a thousand users at a time.
    ///
    /// A user's own changes do so too; this is for users who change nothing any more.
    func pruneJournals() async throws(StoreError) {
        var last: Int64? = 0
        while let user = last, !Task.isCancelled {
            let values = lease.values + [.integer(user), .integer(Self.prunedUsersMax)]
            let answers = try await store.pool.perform(
                [store.settle(.short), Statements.pruneJournals(values: values)],
                as: .writing
            )
            last = try answers[1].first?.optionalInteger(0)
        }
    }

    /// How often a partition that readers use is tried to be dropped.
    private static let dropAttemptsMax = 8
    /// The pause between two attempts.
    private static let dropInterval = Duration.milliseconds(250)

    /// Drops the oldest partition of a kind if all of it opens before a time.
    ///
    /// The server waits 40 ms for the lock, because other readers queue behind it.
    ///
    /// - Returns: the number of its candles; nil if no partition is that old, or if a reader, such
    ///   as a dump, still uses the table after some attempts: the next removal drops it then.
    private func dropPartition(
        of kind: Kind,
        before time: Int64
    ) async throws(StoreError) -> Int? {
        let values: [PostgreSQLValue] = lease.values + [.text(kind.rawValue), .time(time)]
        for attempt in 1...Self.dropAttemptsMax {
            do throws(StoreError) {
                let answers = try await store.pool.perform(
                    [store.settle(.long), Statements.dropPartition(values: values)],
                    as: .writing,
                    within: store.longestTimeout
                )
                guard let row = answers[1].first else { return nil }
                return try row.optionalInteger(0).map { Int($0) }
            } catch {
                guard error.code == .busy else { throw error }
            }
            guard attempt < Self.dropAttemptsMax, !Task.isCancelled else { break }
            try? await store.pool.clock.sleep(for: Self.dropInterval)
        }
        return nil
    }
}
