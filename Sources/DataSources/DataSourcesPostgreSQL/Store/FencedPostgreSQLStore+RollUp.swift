import DataSourceContracts

extension FencedPostgreSQLStore {
    /// Maximum number of hours with late minutes processed in one transaction.
    private static let lateMax: Int64 = 512
    /// Maximum number of markets per statement: at most 92,000 minutes, some tenths of a second.
    private static let marketsMax = 64

    /// Builds longer candles in transactions of at most a quarter of a day of all markets each.
    ///
    /// Completed transactions stay if a later one fails.
    func rollUp(feed: String, until: Int64) async throws(StoreError) -> Int {
        try checkFeed(feed)
        try CanonicalValues.check(time: until, "the time to roll up to")
        var written = 0
        while true {
            let portion = try await rollUpPortion(feed: feed, until: until)
            written += portion.written
            if portion.isLast { return written }
        }
    }

    private func rollUpPortion(
        feed: String,
        until: Int64
    ) async throws(StoreError) -> (written: Int, isLast: Bool) {
        try await store.pool.transaction(within: store.longestTimeout) {
            transaction async throws(StoreError) in
            // While the lock is held no process writes candles, so the rows read stay unchanged.
            _ = try await transaction.perform([
                self.store.settle(.leading), Statements.planByKey(), self.hold, self.lock,
            ])
            let answers = try await transaction.perform([
                Statements.readCoverage(.text(feed)), Statements.readMinuteSpans(.text(feed)),
                Statements.readRolled(.text(feed)),
                Statements.readLate(.text(feed), .integer(Self.lateMax)),
            ])
            let plan = try RollUpPlan(answers[0], own: answers[1], made: answers[2])
            let late = try RollUpPlan.Late.read(answers[3])
            let steps = plan.steps(until: until)
            let portion = RollUpPlan.portion(of: steps)
            var written = 0
            for step in portion {
                written += try await self.make(step, of: feed, in: transaction)
                _ = try await transaction.perform([self.note(step, of: feed)])
            }
            // Buckets built only now include late minutes.
            for step in plan.steps(again: late) {
                written += try await self.make(step, of: feed, in: transaction)
            }
            if !late.isEmpty {
                _ = try await transaction.perform([
                    Statements.removeLate(
                        .text(feed),
                        .texts(late.map { String(decoding: $0.market, as: UTF8.self) }),
                        .times(late.map(\.hour))
                    )
                ])
            }
            return (written, portion.count == steps.count && late.count < Int(Self.lateMax))
        }
    }

    /// Builds the candles of a step.
    ///
    /// - Returns: the number of written candles.
    private func make(
        _ step: RollUpPlan.Step,
        of feed: String,
        in transaction: PostgreSQLTransaction
    ) async throws(StoreError) -> Int {
        let times: [PostgreSQLValue] = [.time(step.from), .time(step.to)]
        var markets = step.markets.map { String(decoding: $0, as: UTF8.self) }
        if markets.isEmpty {
            let days = step.wholeDays
            let statement = Statements.readMarkets(
                values: [.text(feed)] + times + [.time(days.from), .time(days.to)]
            )
            for row in try await transaction.perform([statement])[0] {
                markets.append(try row.text(0))
            }
        }
        // One round trip each: if the process is suspended, only the statement already sent
        // continues.
        var written = 0
        var rest = markets[...]
        while !rest.isEmpty {
            let statement = Statements.rollUp(
                values: [
                    .text(feed), .text(step.interval.rawValue),
                    .texts(Array(rest.prefix(Self.marketsMax))),
                    .integer(step.interval.microseconds),
                ] + times
            )
            written += try await transaction.perform([statement])[0].changedRows
            rest = rest.dropFirst(Self.marketsMax)
        }
        return written
    }

    private func note(_ step: RollUpPlan.Step, of feed: String) -> PostgreSQLStatement {
        Statements.joinRolled(
            .text(feed),
            .text(String(decoding: step.markets.first ?? [], as: UTF8.self)),
            .text(step.interval.rawValue),
            .time(step.from),
            .time(step.to)
        )
    }
}

extension RollUpPlan {
    /// Reads the answers of ``Statements/readCoverage``, ``Statements/readMinuteSpans`` and
    /// ``Statements/readRolled``.
    fileprivate init(
        _ coverage: PostgreSQLRows,
        own: PostgreSQLRows,
        made: PostgreSQLRows
    ) throws(StoreError) {
        self.coverage = try coverage.spans(from: 0)
        for row in own {
            let market = Array(try row.text(0).utf8)
            // An empty name stands for all markets.
            guard !market.isEmpty else { continue }
            let span = Span(from: try row.time(1), to: try row.time(2))
            self.own[market, default: []].append(span)
        }
        for row in made {
            guard let interval = RolledInterval(rawValue: try row.text(1)) else { continue }
            let key = Made(market: Array(try row.text(0).utf8), interval: interval)
            let span = Span(from: try row.time(2), to: try row.time(3))
            self.made[key, default: []].append(span)
        }
    }
}

extension RollUpPlan.Late {
    /// Reads the answer of ``Statements/readLate``.
    fileprivate static func read(_ rows: PostgreSQLRows) throws(StoreError) -> [Self] {
        var late: [Self] = []
        for row in rows {
            late.append(Self(market: Array(try row.text(0).utf8), hour: try row.time(1)))
        }
        return late
    }
}
