extension MinuteCandleBuilder {
    /// How many candles of minutes that are over were not written.
    public var unwrittenRows: Int {
        guard let end = writableUntil else { return 0 }
        return minutes.prefix { $0.openTime < end }.reduce(0) { $0 + $1.unwrittenCount }
    }

    /// Whether there is something to write.
    public var hasUnwritten: Bool { !certain(unwritten).isEmpty || unwrittenRows > 0 }

    /// Hands out the oldest of what was not written, which counts as written from then on.
    ///
    /// - Parameter rowsMax: how many candles are enough; no minute is told in parts, so that it may
    ///   be those of one minute more.
    /// - Returns: nil if there is nothing to write.
    public mutating func dequeueUnwritten(rowsMax: Int) -> MinuteCandleBatch? {
        guard let end = writableUntil else { return nil }
        var taken = MinuteCandleBatch(rows: [], covered: [])
        var place = 0
        while place < minutes.count, minutes[place].openTime < end, taken.rows.count < rowsMax {
            taken.rows += minutes[place].dequeueUnwritten()
            place += 1
        }
        let isAll = place == minutes.count || minutes[place].openTime >= end
        let until = isAll ? end : minutes[place].openTime
        let told = Timestamp(microseconds: .min)..<until
        taken.covered = certain(unwritten).compactMap { span in
            let part = span.clamped(to: told)
            return part.isEmpty ? nil : part
        }
        for span in taken.covered { unwritten.remove(span) }
        return taken.rows.isEmpty && taken.covered.isEmpty ? nil : taken
    }

    /// Takes back what could not be written.
    public mutating func requeue(_ taken: MinuteCandleBatch) {
        var gone: Set<Timestamp> = []
        for row in taken.rows {
            let place = minutes.firstIndex { $0.openTime == row.candle.openTime }
            guard let place else {
                droppedRows += 1
                gone.insert(row.candle.openTime)
                continue
            }
            minutes[place].requeue(row.market)
        }
        for span in taken.covered { unwritten.add(span) }
        for openTime in gone {
            unwritten.remove(openTime..<Self.minute.nextBucket(after: openTime))
        }
    }

    /// Notes that whoever wrote so far may not have written everything: all is to be written.
    public mutating func markAllUnwritten() {
        unwritten = whole
        for place in minutes.indices { minutes[place].markAllUnwritten() }
    }

    /// What of some spans every market was heard in.
    private func certain(_ spans: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var certain = spans
        for span in Set(doubts.map(\.span)) { certain.remove(span) }
        return certain
    }

    /// Until when minutes are over and whole; nil if none is.
    private var writableUntil: Timestamp? { closedUntil ?? whole.last?.upperBound }
}

extension MinuteCandleBuilder {
    /// The candles of one minute.
    struct Minute: Sendable {
        let openTime: Timestamp
        private var entries: [MarketID: CandleStorage.Entry] = [:]
        /// The markets whose candle was not written as it is; nil for all.
        private var unwritten: Set<MarketID>?

        init(openTime: Timestamp) { self.openTime = openTime }

        var unwrittenCount: Int { unwritten?.count ?? entries.count }

        mutating func take(_ trade: Trade) {
            if entries[trade.market] == nil {
                entries[trade.market] = CandleStorage.Entry(opening: openTime, trade, isWhole: true)
            } else {
                entries[trade.market]?.absorb(trade)
            }
            unwritten?.insert(trade.market)
        }

        mutating func dequeueUnwritten() -> [MinuteCandleBatch.Row] {
            defer { unwritten = [] }
            return (unwritten.map(Array.init) ?? Array(entries.keys)).sorted()
                .compactMap { market in
                    entries[market].map { entry in
                        MinuteCandleBatch.Row(
                            market: market,
                            candle: entry.candle,
                            lastTradeAt: entry.lastAt
                        )
                    }
                }
        }

        mutating func requeue(_ market: MarketID) { unwritten?.insert(market) }

        mutating func markAllUnwritten() { unwritten = nil }
    }
}

extension [Range<Timestamp>] {
    /// Adds a span, and joins those that overlap or touch; they stay ascending.
    mutating func add(_ span: Range<Timestamp>) {
        guard !span.isEmpty else { return }
        var joined = span
        let touching = indices.filter {
            self[$0].lowerBound <= span.upperBound && self[$0].upperBound >= span.lowerBound
        }
        for index in touching {
            joined =
                Swift.min(
                    joined.lowerBound,
                    self[index].lowerBound
                )..<Swift.max(joined.upperBound, self[index].upperBound)
        }
        removeAll { $0.lowerBound <= span.upperBound && $0.upperBound >= span.lowerBound }
        let place = firstIndex { $0.lowerBound > joined.lowerBound } ?? count
        insert(joined, at: place)
    }

    /// Removes the times of a span.
    mutating func remove(_ span: Range<Timestamp>) {
        self = flatMap { held -> [Range<Timestamp>] in
            guard held.overlaps(span) else { return [held] }
            var rest: [Range<Timestamp>] = []
            if held.lowerBound < span.lowerBound { rest.append(held.lowerBound..<span.lowerBound) }
            if span.upperBound < held.upperBound { rest.append(span.upperBound..<held.upperBound) }
            return rest
        }
    }
}
