extension SimulatedMarket {
    /// The newest `count` rows of API 2.x that open before the minute `end`, ascending.
    ///
    /// - Parameters:
    ///   - unit: a length of less than an hour.
    ///   - end: a minute since the Unix epoch.
    ///   - count: the maximum number of rows.
    ///   - past: minutes before the simulation; nil if there are none.
    ///   - closure: minutes without rows.
    /// - Returns: the rows.
    func minuteRows(
        _ unit: MarketCandleUnit,
        before end: Int,
        count: Int,
        past: PastMinutes?,
        closure: Range<Int>
    ) -> [CandleRow] {
        let rows =
            (past?.rows(before: end, filling: count, of: unit, without: closure) ?? [])
            + rowsSinceStart(unit)
        return newest(count, of: rows, unit, before: end, closure: closure)
    }

    /// The newest `count` rows of API 2.x that open before the minute `end`, ascending, as far as
    /// the minutes of the last 25 hours have them.
    ///
    /// - Parameters:
    ///   - unit: a length of less than an hour.
    ///   - end: a minute since the Unix epoch.
    ///   - count: the maximum number of rows.
    ///   - closure: minutes without rows.
    /// - Returns: the rows; the oldest one may lack minutes.
    func recentRows(
        _ unit: MarketCandleUnit,
        before end: Int,
        count: Int,
        closure: Range<Int>
    ) -> [CandleRow] {
        // The oldest minute is kept only for its close.
        let oldest = history.minute - MinuteHistory.capacity + 2
        let rows = [CandleRow].newest(
            of: oldest..<max(oldest, min(end, history.minute + 1)),
            filling: count,
            of: unit,
            without: closure
        ) { history[$0] }
        return newest(count, of: rows, unit, before: end, closure: closure)
    }

    /// The newest `count` rows of API 2.x that open before the minute `end`, ascending.
    ///
    /// - Parameters:
    ///   - unit: a length of an hour or more.
    ///   - end: a minute since the Unix epoch.
    ///   - count: the maximum number of rows.
    ///   - archive: rows before the simulation; nil if there are none.
    ///   - closure: minutes without rows.
    /// - Returns: the rows.
    func longRows(
        _ unit: MarketCandleUnit,
        before end: Int,
        count: Int,
        archive: ChartArchive?,
        closure: Range<Int>
    ) -> [CandleRow] {
        let rows = candles(unit.storedInterval ?? .hour1, archive: archive)
        return newest(count, of: rows, unit, before: end, closure: closure)
    }

    private func newest(
        _ count: Int,
        of rows: [CandleRow],
        _ unit: MarketCandleUnit,
        before end: Int,
        closure: Range<Int>
    ) -> [CandleRow] {
        var folded: [CandleRow] = []
        for row in rows where !row.isInside(closure) {
            folded.fold(row, startingAt: unit.start(of: row.start))
        }
        return folded.filter { $0.start < end }.suffix(count)
    }

    private func rowsSinceStart(_ unit: MarketCandleUnit) -> [CandleRow] {
        let running = CandleRow(
            history[history.minute],
            start: history.minute,
            last: history.minute
        )
        if let stored = unit.storedInterval {
            return chartRows.rows(for: stored) + (running.map { [$0] } ?? [])
        }
        // The oldest minute is kept only for its close.
        let oldest = history.minute - MinuteHistory.capacity + 2
        let first = max(oldest, past?.current ?? oldest)
        return (first...history.minute).compactMap { number in
            CandleRow(history[number], start: number, last: number)
        }
    }

    /// The last price before a minute; nil if it is not known any more.
    func close(before minute: Int, past: PastMinutes?) -> Int64? {
        let number = minute - 1
        if number > history.minute { return price }
        if number > history.minute - MinuteHistory.capacity { return history[number].close }
        guard let past, past.numbers.contains(number) else { return nil }
        return past[number].close
    }
}
