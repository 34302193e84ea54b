extension CandleSeries {
    /// Takes what REST says, with the trades of the stream for what is newer.
    ///
    /// - Buckets that ended before the page was asked for become what REST says: origin `rest`,
    ///   and `isCorrected` where the trades had said otherwise. A candle that REST leaves out goes,
    ///   unless REST tells nothing later than it either.
    /// - The running bucket is built from trades alone where all are known; else the trades that
    ///   REST's row lacks are added to it.
    /// - What the page does not reach stays. Of two readings the one asked for later wins,
    ///   whatever the order in which they come; candles of the store only fill what is empty.
    ///
    /// - Parameters:
    ///   - page: candles of this series' interval, or of the one it is built from.
    ///   - tape: the market's trades.
    public mutating func apply(_ page: CandlePage, tape: TradeTape) {
        precondition(
            page.interval == interval || page.interval == interval.served,
            "a page of \(page.interval.rawValue) went to candles of \(interval.rawValue)"
        )
        let page = page.interval == interval ? page : page.folded(to: interval)
        let candles = page.candles
        let isOlder = reading.map { page.requestedAt < $0.requestedAt } ?? false
        if page.isStored {
            complete(with: candles)
            stored = StoredSpans(fetchedAt: page.requestedAt, spans: page.spans)
        } else if isOlder {
            complete(with: candles)
            if let first = candles.first { noteTold(from: first.openTime) }
        } else {
            renew(with: candles, page, tape)
        }
        settle()
    }

    /// Fills buckets that are empty and that no newer reading covers.
    private mutating func complete(with rows: [Candle]) {
        let end = reading?.start ?? Timestamp(microseconds: .max)
        var rows = rows[...]
        var closed: [Candle] = []
        closed.reserveCapacity(count + rows.count)
        var place = 0
        while place < count, let row = rows.first, row.openTime < end {
            let held = self[place]
            if row.openTime < held.openTime {
                closed.append(row)
                rows.removeFirst()
                continue
            }
            let isSame = row.openTime == held.openTime
            closed.append(isSame && held.origin == .store ? row : held)
            if isSame { rows.removeFirst() }
            place += 1
        }
        let open = (place..<count).map { stack.entry(at: $0) }
        closed += rows.prefix { $0.openTime < end && place == count }
        stack.replaceAll(with: closed, open)
    }

    private mutating func renew(with rows: [Candle], _ page: CandlePage, _ tape: TradeTape) {
        let finalUntil = finalEnd(of: rows, page)
        let isRunning = rows.last.map { $0.openTime >= finalUntil } ?? false
        let closed = merged(rows.prefix { $0.openTime < finalUntil }, until: finalUntil)
        let running = isRunning ? rows.last : nil
        let open = openEntries(from: finalUntil, row: running, page, tape)
        stack.replaceAll(with: closed, open)
        let start = rows.first?.openTime ?? finalUntil
        // Of what nobody had told before the first trade, the reading tells now.
        noteTold(from: Swift.min(start, toldFrom == nil ? doubts.first?.until ?? start : start))
        doubts.removeAll { $0.lostAt < page.requestedAt }
        self.finalUntil = finalUntil
        reading = (page.requestedAt, start)
    }

    private mutating func noteTold(from start: Timestamp) {
        toldFrom = Swift.min(toldFrom ?? start, start)
    }

    /// When the first bucket opens that the page does not settle.
    private func finalEnd(of rows: [Candle], _ page: CandlePage) -> Timestamp {
        let requested = interval.bucketStart(of: page.requestedAt)
        guard let last = rows.last?.openTime else {
            return Swift.min(first?.openTime ?? requested, requested)
        }
        // Only a row behind it shows that REST had all of a bucket.
        if last >= requested { return last }
        // Where the exchange told of later buckets, REST lags, and its last row may lack trades.
        let next = index(openingAtOrAfter: interval.nextBucket(after: last))
        let later = self[next..<Swift.max(next, index(openingAtOrAfter: requested))]
        return later.contains { $0.origin != .store } ? last : requested
    }

    /// The held candles and REST's, of buckets before a moment: REST's where it reaches.
    private func merged(_ rows: ArraySlice<Candle>, until end: Timestamp) -> [Candle] {
        let start = Swift.min(rows.first?.openTime ?? end, end)
        var place = index(openingAtOrAfter: start)
        var closed = Array(self[..<place])
        closed.reserveCapacity(place + rows.count)
        for row in rows {
            var row = row
            while place < count, self[place].openTime < row.openTime { place += 1 }
            if place < count, self[place].openTime == row.openTime {
                let held = self[place]
                let isOtherwise =
                    held.origin == .live && !isDoubtful(row.openTime) && !held.hasNumbers(of: row)
                row.isCorrected = row.isCorrected || held.isCorrected || isOtherwise
            }
            closed.append(row)
        }
        return closed
    }

    /// The candles of the buckets that the page does not settle.
    private mutating func openEntries(
        from start: Timestamp,
        row: Candle?,
        _ page: CandlePage,
        _ tape: TradeTape
    ) -> [CandleStorage.Entry] {
        // What the stream will bring yet is taken when it comes.
        let heard = tape.dropFirst(tape.awaitedCount).prefix { $0.id.at.second >= start.second }
        var built = build(heard.reversed(), from: start, tape)
        for place in index(openingAtOrAfter: start)..<count {
            var held = stack.entry(at: place)
            let openTime = held.candle.openTime
            held.isWhole = held.isWhole && !isDoubtful(openTime)
            if held.isWhole || !(built[openTime]?.isWhole ?? false) { built[openTime] = held }
        }
        running = nil
        if let row, !(built[row.openTime]?.isWhole ?? false) {
            let place = isDoubtful(row.openTime) ? nil : index(opening: row.openTime)
            let trades = heard.reversed().filter {
                interval.bucketStart(of: $0.id.at) == row.openTime
            }
            let running = RunningCandleMerge(
                row,
                of: page,
                trades: trades,
                volume: place.map { self[$0].volume }
            )
            built[row.openTime] = running.entry
            self.running = running
        }
        return built.values.sorted { $0.candle.openTime < $1.candle.openTime }
    }

    /// Candles from trades alone, by bucket.
    private func build(
        _ trades: some Sequence<TapedTrade>,
        from start: Timestamp,
        _ tape: TradeTape
    ) -> [Timestamp: CandleStorage.Entry] {
        var entries: [Timestamp: CandleStorage.Entry] = [:]
        for trade in trades where trade.id.at >= start {
            let openTime = interval.bucketStart(of: trade.id.at)
            if entries[openTime] == nil {
                let isWhole = tape.isWhole(since: openTime)
                entries[openTime] = CandleStorage.Entry(opening: openTime, trade, isWhole: isWhole)
            } else {
                entries[openTime]?.absorb(trade)
            }
        }
        return entries
    }
}

extension Candle {
    /// Whether another candle has the same five numbers.
    func hasNumbers(of other: Candle) -> Bool {
        open == other.open && high == other.high && low == other.low && close == other.close
            && volume == other.volume
    }
}
