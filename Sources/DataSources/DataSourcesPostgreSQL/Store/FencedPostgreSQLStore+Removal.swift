import DataSourceContracts

extension FencedPostgreSQLStore {
    /// Intervals whose candles lie together, and are kept equally long.
    private enum Kind: String, CaseIterable {
        case minute = "candles_1m"
        case minutes = "candles_minutes"

        var intervals: [String] {
            switch self {
            case .minute: ["1m"]
            case .minutes: ["3m", "5m", "10m", "30m"]
            }
        }

        /// Removes what has no partition of its own.
        func removeRest(before time: Int64) -> PostgreSQLStatement {
            switch self {
            case .minute: Statements.removeRestOfMinute(.time(time))
            case .minutes: Statements.removeRestOfMinutes(.time(time))
            }
        }
    }

    /// Removes candles of all feeds: they are kept equally long.
    ///
    /// Drops whole partitions where all intervals of their kind are named: candles of minutes that
    /// share one with newer ones stay until those are as old.
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
        let drops = whole.map { Statements.dropPartitions(.text($0.rawValue), .time(time)) }
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
        let answers = try await write(
            [Statements.lockCandles()] + drops + deletions + spans,
            .long
        )
        .dropFirst()
        var removed = 0
        for answer in answers.prefix(drops.count) {
            if let row = answer.first { removed += Int(try row.integer(0)) }
        }
        for answer in answers.dropFirst(drops.count).prefix(deletions.count) {
            removed += answer.changedRows
        }
        return removed
    }
}
