extension TradeHistoryMerge {
    /// Merges rows of whole milliseconds, whose order within one is unknown.
    ///
    /// Each row that equals a trade of the tape by millisecond, price, quantity and side is that
    /// trade; the stream's time counts where the clocks differ by a millisecond. The other rows are
    /// trades that the tape lacks. The rows are one run up to the request, so they close each gap
    /// that begins after their oldest millisecond.
    ///
    /// - Parameter isTailWanted: whether rows newer than all trades are added.
    mutating func joinTimes(isTailWanted: Bool) {
        guard let oldest = rows.first else { return }
        let known = segments.joined()
        let (start, newest) = (known.first?.id.at, known.map(\.id.at).max())
        var (missing, isShiftKnown) = rowsToAdd()
        if let newest, !isTailWanted { missing.removeAll { $0.at > newest } }
        let added = identify(missing)
        joinSegments(from: isFromFirstTrade ? 0 : firstReached(by: oldest.at), with: added)
        beginsWithOldestRow = isFromFirstTrade && segments.count == 1
        // The stream may still bring trades of its newest moments.
        let settled = newest.map { $0.advanced(by: .zero - ExpectedRepeats.lateness) }
        let tail = added.drop { trade in settled.map { trade.id.at < $0 } ?? false }
        expected = ExpectedRepeats(
            Array(tail),
            tellsLost: newest != nil,
            isShiftKnown: isShiftKnown
        ).map(ExpectedTrades.rows)
        if let start { recovered = added.dropLast(tail.count).filter { $0.id.at >= start } }
        setTicks()
    }

    /// Index of the first segment that the rows join with its successors.
    private func firstReached(by oldest: Timestamp) -> Int {
        var place = segments.count - 1
        while place > 0, let last = segments[place - 1].last,
            TradeHistory.hasAll(after: last.id.at, from: oldest)
                || isFromOldestServed && TradeHistory.begins(with: last.id.at, from: oldest)
        {
            place -= 1
        }
        return place
    }

    /// Makes one segment of those from an index on and the added trades.
    private mutating func joinSegments(from first: Int, with added: [TapedTrade]) {
        let old = Array(segments[first...].joined())
        var joined: [TapedTrade] = []
        joined.reserveCapacity(old.count + added.count)
        var rest = added[...]
        for trade in old {
            let earlier = rest.prefix { $0.id.at < trade.id.at }
            joined += earlier
            rest = rest.dropFirst(earlier.count)
            joined.append(trade)
        }
        joined += rest
        segments = segments[..<first] + [joined]
        gapsFrom = Array(gapsFrom.prefix(first))
    }

    /// The rows that the tape lacks, oldest first, with times of the stream's clock as far as the
    /// trades of the tape tell its distance from REST's.
    private func rowsToAdd() -> (rows: [TradeHistory.Row], isShiftKnown: Bool) {
        var counts: [TradeHistory.Row: Int] = [:]
        for row in rows { counts[row, default: 0] += 1 }
        let oldest = rows.first?.at ?? Timestamp(microseconds: .max)
        // A trade of a whole second may be any row of that second.
        let second = TradeHistory.Resolution.second.start(of: oldest)
        var trades = segments.joined().map { $0.row(in: .millisecond) }
            .filter {
                $0.at == second
                    || $0.at >= oldest.advanced(by: .zero - ExpectedRepeats.clockDifference)
            }
        let (shifts, isShiftKnown) = Self.shifts(of: trades, from: counts)
        for shift in shifts { Self.remove(&trades, later: shift, than: &counts) }
        removeWholeSeconds(trades, from: &counts)
        let shift = shifts.first ?? .zero
        let missing = rows.compactMap { row -> TradeHistory.Row? in
            guard let count = counts[row], count > 0 else { return nil }
            counts[row] = count - 1
            var row = row
            row.at = row.at.advanced(by: shift)
            return row
        }
        return (missing, isShiftKnown)
    }

    /// The possible distances of the stream's clock from REST's, the one of most trades first, and
    /// whether that one alone is the one of most trades.
    private static func shifts(
        of trades: [TradeHistory.Row],
        from counts: [TradeHistory.Row: Int]
    ) -> (shifts: [Duration], isKnown: Bool) {
        let ranked = ExpectedRepeats.shifts.enumerated()
            .map { place, shift -> (left: Int, place: Int, shift: Duration) in
                var (trades, counts) = (trades, counts)
                remove(&trades, later: shift, than: &counts)
                return (trades.count, place, shift)
            }
            .sorted { ($0.left, $0.place) < ($1.left, $1.place) }
        return (ranked.map(\.shift), ranked[0].left < ranked[1].left)
    }

    /// Removes trades and rows that are equal but for the distance of the clocks.
    private static func remove(
        _ trades: inout [TradeHistory.Row],
        later shift: Duration,
        than counts: inout [TradeHistory.Row: Int]
    ) {
        trades.removeAll { trade in
            var row = trade
            row.at = trade.at.advanced(by: .zero - shift)
            guard let count = counts[row], count > 0 else { return false }
            counts[row] = count - 1
            return true
        }
    }

    /// Removes the rows of trades that were read in whole seconds, before API 2.x was in use.
    private func removeWholeSeconds(
        _ trades: [TradeHistory.Row],
        from counts: inout [TradeHistory.Row: Int]
    ) {
        var seconds: [TradeHistory.Row: Int] = [:]
        for trade in trades where trade.at == TradeHistory.Resolution.second.start(of: trade.at) {
            seconds[trade, default: 0] += 1
        }
        guard !seconds.isEmpty else { return }
        for row in rows {
            var second = row
            second.at = TradeHistory.Resolution.second.start(of: row.at)
            guard let count = counts[row], count > 0, let left = seconds[second], left > 0
            else { continue }
            counts[row] = count - 1
            seconds[second] = left - 1
        }
    }
}
