extension CandleSeries {
    /// Applies a live trade.
    ///
    /// The trade goes into its bucket, which is opened if necessary. A late trade changes a closed
    /// candle unless REST already settled that bucket. A trade more than ``lateBucketsMax`` buckets
    /// late is dropped and counted in ``dropped``.
    public mutating func apply(_ trade: Trade) {
        let bucket = bucketStart(of: trade)
        noteStream(trade, bucket)
        if let finalUntil, bucket < finalUntil { return }
        if refine(with: trade, bucket) { return }
        guard let newest = storage.newest?.candle.openTime, bucket <= newest else {
            open(bucket, with: trade)
            return
        }
        if bucket == newest {
            storage.changeNewest { $0.add(trade) }
        } else {
            applyLate(trade, bucket, newest: newest)
        }
    }

    /// Marks that trades after a time may be lost until the next REST page that reaches back to it.
    ///
    /// Only a page requested after that time, and once the loss was noted, ends the loss. The end
    /// of a loss is noted again, so that nothing is lost in between.
    ///
    /// - Parameters:
    ///   - time: exchange time until which the stream was complete.
    ///   - notedAt: when the loss was noted, in exchange time; nil if that is unknown.
    public mutating func markLoss(from time: Timestamp, notedAt: Timestamp? = nil) {
        var loss = SuspectedLoss(
            lostAt: time,
            notedAt: notedAt,
            from: interval.bucketStart(of: time),
            until: nil
        )
        if let last = suspectedLosses.last {
            loss.lostAt = Swift.max(time, last.lostAt)
            if last.until == nil {
                loss.from = Swift.min(loss.from, last.from)
                suspectedLosses.removeLast()
            } else if !last.isRefilled {
                loss.from = Swift.max(loss.from, last.end)
            }
        }
        suspectedLosses.append(loss)
        if suspectedLosses.count > Self.suspectedLossesMax {
            let oldest = suspectedLosses.removeFirst()
            suspectedLosses[0].from = oldest.from
            suspectedLosses[0].isRefilled = false
            suspectedLosses[0].isUnreachable = false
        }
    }

    /// Applies trades that the stream has lost and REST has.
    ///
    /// REST's next page still corrects the candles.
    ///
    /// - Parameters:
    ///   - trades: the trades, oldest first.
    ///   - tape: the market's trades, these included.
    public mutating func refill(with trades: [Trade], tape: TradeTape) {
        let droppedBefore = dropped
        for trade in trades { apply(trade) }
        let isTooLate = dropped > droppedBefore
        // The next page has them.
        dropped = droppedBefore
        if !isTooLate, let last = suspectedLosses.indices.last,
            suspectedLosses[last].from > SuspectedLoss.beginning.from,
            tape.isWhole(since: suspectedLosses[last].lostAt)
        {
            suspectedLosses[last].isRefilled = true
        }
        rebuildOpenCandles(from: tape)
    }

    /// Builds the candles that REST has not settled from their trades alone where all are known.
    private mutating func rebuildOpenCandles(from tape: TradeTape) {
        guard let finalUntil else { return }
        let first = Swift.max(index(openingAtOrAfter: finalUntil), count - CandleStorage.recentMin)
        guard first >= 0, first < count else { return }
        let built = build(
            tape.delivered(since: self[first].openTime).reversed(),
            from: self[first].openTime,
            tape
        )
        for place in first..<count {
            guard let entry = built[self[place].openTime], entry.isWhole else { continue }
            if running?.openTime == self[place].openTime { running = nil }
            storage.change(at: place) { $0 = entry }
        }
    }

    /// Most trades belong to the newest candle, whose bucket is known.
    private func bucketStart(of trade: Trade) -> Timestamp {
        if let newest = storage.newest?.candle.openTime, trade.executedAt >= newest,
            trade.executedAt < newestEnd
        {
            return newest
        }
        return interval.bucketStart(of: trade.executedAt)
    }

    /// The first trade after a loss ends it: the next bucket is complete again.
    private mutating func noteStream(_ trade: Trade, _ bucket: Timestamp) {
        guard let last = suspectedLosses.indices.last, suspectedLosses[last].until == nil,
            trade.executedAt > suspectedLosses[last].lostAt
        else { return }
        suspectedLosses[last].until = interval.nextBucket(after: bucket)
    }

    private mutating func open(_ bucket: Timestamp, with trade: Trade) {
        storage.append(
            CandleStorage.Entry(opening: bucket, trade, isWhole: !mayLackTrades(bucket))
        )
        settle()
    }

    private mutating func applyLate(_ trade: Trade, _ bucket: Timestamp, newest: Timestamp) {
        guard interval.bucketCount(from: bucket, to: newest) <= Self.lateBucketsMax else {
            dropped += 1
            return
        }
        let place = index(openingAtOrAfter: bucket)
        if self[place].openTime == bucket {
            storage.change(at: place) { $0.add(trade) }
        } else {
            let entry = CandleStorage.Entry(opening: bucket, trade, isWhole: !mayLackTrades(bucket))
            storage.insert(entry, at: place)
            settle()
        }
    }

    /// Adds a trade to the bucket that was running when REST answered, while it is still unclear
    /// which trades REST included.
    ///
    /// - Returns: whether the trade was added.
    private mutating func refine(with trade: Trade, _ bucket: Timestamp) -> Bool {
        guard var running else { return false }
        // A second reference would force a copy of the trades.
        self.running = nil
        guard !running.isSettled(by: trade.executedAt),
            let place = index(opening: running.openTime),
            count - place <= CandleStorage.recentMin
        else { return false }
        if bucket == running.openTime {
            running.add(trade)
            storage.change(at: place) { $0 = running.entry }
        }
        self.running = running
        return bucket == running.openTime
    }
}

extension CandleStorage.Entry {
    /// Adds a trade unless REST already included it.
    mutating func add(_ trade: Trade) {
        if trade.executedAt > restUntil { absorb(trade) }
    }
}
