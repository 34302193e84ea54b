extension CandleSeries {
    /// Applies a page from REST or the store, and live trades for anything newer.
    ///
    /// - Buckets that ended before the request become REST's: origin `rest`, and `isCorrected`
    ///   where trades had given other numbers. A candle missing in the page is removed, unless the
    ///   page has no later candle either.
    /// - The running bucket is built from trades alone if all are known. Otherwise the trades that
    ///   REST's row lacks are added to it.
    /// - Buckets outside the page stay. Of two REST answers the later request wins, whatever the
    ///   order of arrival. Stored candles only fill empty buckets.
    ///
    /// - Parameters:
    ///   - page: candles of this series' interval, or of the interval it is built from.
    ///   - tape: the market's trades.
    public mutating func apply(_ page: CandlePage, tape: TradeTape) {
        precondition(
            page.interval == interval || page.interval == interval.served,
            "a page of \(page.interval.rawValue) does not fit candles of \(interval.rawValue)"
        )
        let page = page.interval == interval ? page : page.folded(to: interval)
        let candles = page.candles
        let isOlder = reading.map { page.requestedAt < $0.requestedAt } ?? false
        if page.isStored {
            fillEmptyBuckets(with: candles)
            stored = StoredSpans(fetchedAt: page.requestedAt, spans: page.spans)
            noteStoreJoined()
        } else if isOlder {
            fillEmptyBuckets(with: candles)
            if let first = candles.first { extendKnown(from: first.openTime) }
        } else {
            renew(with: candles, page, tape)
        }
        settle()
    }

    /// The series with past candles, from their beginning on.
    ///
    /// The cost is linear in all candles.
    func preceded(by run: PastCandles.Run) -> CandleSeries {
        var series = self
        series.storage.removeOldest(index(openingAtOrAfter: run.span.lowerBound))
        series.fillEmptyBuckets(with: run.candles)
        series.past = PastSpan(span: run.span, isBeginning: run.isBeginning)
        series.suspectedLosses.removeAll { loss in
            loss.isUnreachable && run.span.lowerBound <= loss.from
                && loss.end <= run.span.upperBound
        }
        return series
    }

    /// Fills empty buckets that no newer REST answer covers.
    private mutating func fillEmptyBuckets(with rows: [Candle]) {
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
        let open = (place..<count).map { storage.entry(at: $0) }
        closed += rows.prefix { $0.openTime < end && place == count }
        storage.replaceAll(with: closed, open)
    }

    private mutating func renew(with rows: [Candle], _ page: CandlePage, _ tape: TradeTape) {
        let finalUntil = finalEnd(of: rows, page)
        let isRunning = rows.last.map { $0.openTime >= finalUntil } ?? false
        let closed = merged(rows.prefix { $0.openTime < finalUntil }, until: finalUntil)
        let running = isRunning ? rows.last : nil
        let open = openEntries(from: finalUntil, row: running, page, tape)
        storage.replaceAll(with: closed, open)
        let start = rows.first?.openTime ?? finalUntil
        // The page now covers the time before the first trade, which was unknown.
        extendKnown(
            from: Swift.min(start, knownFrom == nil ? suspectedLosses.first?.until ?? start : start)
        )
        let isFirst = reading == nil
        endLosses(by: page, rows: rows, finalUntil: finalUntil)
        self.finalUntil = finalUntil
        reading = (page.requestedAt, start)
        if isFirst { noteStoreJoined() }
    }

    /// Ends the losses that a page covers.
    ///
    /// The part of a loss before the page stays where older candles show that the page was cut. A
    /// loss that is not within the newest part of REST's candles waits for all of them.
    private mutating func endLosses(by page: CandlePage, rows: [Candle], finalUntil: Timestamp) {
        let start = rows.first?.openTime ?? finalUntil
        let isCut = first.map { $0.openTime < start } ?? false
        var losses: [SuspectedLoss] = []
        for var loss in suspectedLosses {
            let isBefore = page.isNewestPart && (rows.isEmpty || loss.from < start)
            guard loss.isCovered(byRequestAt: page.requestedAt), !loss.isUnreachable, !isBefore
            else {
                losses.append(loss)
                continue
            }
            guard loss.from > SuspectedLoss.beginning.from else { continue }
            let end = Swift.max(loss.until ?? finalUntil, loss.from)
            // The last bucket may go on for long after the page.
            let readUntil = Swift.max(Swift.min(end, page.requestedAt), loss.from)
            note(DataRepair(span: loss.from..<readUntil))
            guard isCut, !loss.isRefilled, loss.from < start else { continue }
            loss.until = Swift.min(end, start)
            loss.isUnreachable = true
            note(DataRepair(span: loss.from..<loss.end, failure: .tooLong))
            losses.append(loss)
        }
        suspectedLosses = losses
    }

    /// Stores a repair, unless that of a later loss is known: an older one may wait longer.
    private mutating func note(_ new: DataRepair) {
        guard repair.map({ $0.span.lowerBound <= new.span.lowerBound }) ?? true else { return }
        repair = new
    }

    /// Tells whether REST's first page reaches back to the stored candles.
    private mutating func noteStoreJoined() {
        guard let end = stored?.spans.last?.upperBound, let knownFrom, let finalUntil,
            end < finalUntil
        else { return }
        repair =
            knownFrom <= end
            ? DataRepair(span: end..<finalUntil)
            : DataRepair(span: end..<knownFrom, failure: .tooLong)
    }

    private mutating func extendKnown(from start: Timestamp) {
        knownFrom = Swift.min(knownFrom ?? start, start)
    }

    /// Start of the first bucket that the page does not settle.
    private func finalEnd(of rows: [Candle], _ page: CandlePage) -> Timestamp {
        let requested = interval.bucketStart(of: page.requestedAt)
        guard let last = rows.last?.openTime else {
            return Swift.min(first?.openTime ?? requested, requested)
        }
        // Only a later row proves that REST had every trade of a bucket.
        if last >= requested { return last }
        // The exchange reported later buckets before, so REST lags and its last row may be
        // incomplete.
        let next = index(openingAtOrAfter: interval.nextBucket(after: last))
        let later = self[next..<Swift.max(next, index(openingAtOrAfter: requested))]
        return later.contains { $0.origin != .store } ? last : requested
    }

    /// Held and REST candles before a moment; REST wins where it reaches.
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
                let differs =
                    held.origin == .live && !mayLackTrades(row.openTime)
                    && !held.hasNumbers(of: row)
                row.isCorrected = row.isCorrected || held.isCorrected || differs
            }
            closed.append(row)
        }
        return closed
    }

    /// Candles of the buckets that the page does not settle.
    private mutating func openEntries(
        from start: Timestamp,
        row: Candle?,
        _ page: CandlePage,
        _ tape: TradeTape
    ) -> [CandleStorage.Entry] {
        // Trades that the stream will repeat are applied when they arrive.
        let live = tape.delivered(since: start)
        var built = build(live.reversed(), from: start, tape)
        for place in index(openingAtOrAfter: start)..<count {
            var held = storage.entry(at: place)
            let openTime = held.candle.openTime
            held.isWhole = held.isWhole && !mayLackTrades(openTime)
            if held.isWhole || !(built[openTime]?.isWhole ?? false) { built[openTime] = held }
        }
        running = nil
        if let row, !(built[row.openTime]?.isWhole ?? false) {
            let place = mayLackTrades(row.openTime) ? nil : index(opening: row.openTime)
            let trades = live.reversed().filter {
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

    /// Candles built from trades alone, by bucket.
    func build(
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
    /// Whether open, high, low, close and volume are equal.
    func hasNumbers(of other: Candle) -> Bool {
        open == other.open && high == other.high && low == other.low && close == other.close
            && volume == other.volume
    }
}
