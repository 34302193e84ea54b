extension CandleSeries {
    /// Takes a trade of the stream.
    ///
    /// It goes into its own bucket, and opens it if need be. One that comes late changes a closed
    /// candle as if it had come in time, unless REST has told that bucket already; what is older
    /// than ``lateBucketsMax`` buckets is counted in ``dropped`` and left out.
    public mutating func apply(_ trade: Trade) {
        let bucket = bucketStart(of: trade)
        noteStream(trade, bucket)
        if let finalUntil, bucket < finalUntil { return }
        if refine(with: trade, bucket) { return }
        guard let newest = stack.newest?.candle.openTime, bucket <= newest else {
            open(bucket, with: trade)
            return
        }
        if bucket == newest {
            stack.changeNewest { $0.take(trade) }
        } else {
            applyLate(trade, bucket, newest: newest)
        }
    }

    /// Notes that trades from a time on may be missing until REST is read again.
    ///
    /// The reading that ends this is one that was asked for after that time; it must be asked for
    /// when the stream runs again, so that nothing is lost between.
    public mutating func markLoss(from time: Timestamp) {
        var loss = Doubt(lostAt: time, from: interval.bucketStart(of: time), until: nil)
        if let last = doubts.last {
            loss.lostAt = Swift.max(time, last.lostAt)
            if last.until == nil {
                loss.from = Swift.min(loss.from, last.from)
                doubts.removeLast()
            } else {
                loss.from = Swift.max(loss.from, last.end)
            }
        }
        doubts.append(loss)
        if doubts.count > Self.doubtsMax {
            let oldest = doubts.removeFirst()
            doubts[0].from = oldest.from
        }
    }

    /// Most trades belong to the newest candle: its bucket is known.
    private func bucketStart(of trade: Trade) -> Timestamp {
        if let newest = stack.newest?.candle.openTime, trade.executedAt >= newest,
            trade.executedAt < newestEnd
        {
            return newest
        }
        return interval.bucketStart(of: trade.executedAt)
    }

    /// The first trade after a loss ends it: from the next bucket on nothing is missing.
    private mutating func noteStream(_ trade: Trade, _ bucket: Timestamp) {
        guard let last = doubts.indices.last, doubts[last].until == nil,
            trade.executedAt > doubts[last].lostAt
        else { return }
        doubts[last].until = interval.nextBucket(after: bucket)
    }

    private mutating func open(_ bucket: Timestamp, with trade: Trade) {
        stack.append(
            CandleStorage.Entry(opening: bucket, trade, isWhole: !isDoubtful(bucket))
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
            stack.change(at: place) { $0.take(trade) }
        } else {
            let entry = CandleStorage.Entry(opening: bucket, trade, isWhole: !isDoubtful(bucket))
            stack.insert(entry, at: place)
            settle()
        }
    }

    /// Takes a trade into the candle of the bucket that REST told while it ran, if it is that one
    /// and the cut between REST and the stream is still open.
    ///
    /// - Returns: whether it did.
    private mutating func refine(with trade: Trade, _ bucket: Timestamp) -> Bool {
        guard var running else { return false }
        // Held twice, the trades would be copied.
        self.running = nil
        guard !running.isSettled(by: trade.executedAt),
            let place = index(opening: running.openTime),
            count - place <= CandleStorage.recentMin
        else { return false }
        if bucket == running.openTime {
            running.add(trade)
            stack.change(at: place) { $0 = running.entry }
        }
        self.running = running
        return bucket == running.openTime
    }
}

extension CandleStorage.Entry {
    /// Takes a trade unless REST has told it.
    mutating func take(_ trade: Trade) {
        if trade.executedAt > restUntil { absorb(trade) }
    }
}
