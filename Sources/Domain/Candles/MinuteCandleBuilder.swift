/// Builds one minute candles of all markets from live trades alone.
///
/// The clock is the exchange time of the newest trade, never the local clock. A minute ends when a
/// trade arrives ``settling`` after its end. A wrong or suspended local clock therefore neither
/// ends a minute early nor skips one.
///
/// A minute is either complete or not reported. After a lost connection nothing is known until the
/// first trade after the next subscription. The unfinished minutes and the minute of that trade are
/// discarded. (A subscription may take effect ten seconds after it was sent; a trade proves that it
/// has.) The stream never repeats a trade, so two equal trades are two trades.
///
/// A living connection may be silent while frames are lost: the exchange stalls, or the machine
/// sleeps. A silence of the busiest market is a loss as well, so its data alone end a minute. It
/// shows as ``FeedEvent/stale``, or as a hole in the exchange times of that market: after a sleep
/// the first frames may be old ones that had arrived before it.
///
/// The newest ``minutesMax`` minutes with a trade are kept. Older ones are evicted, and their
/// unwritten candles are counted in ``droppedRows``.
public struct MinuteCandleBuilder: Sendable {
    /// Maximum number of finished minutes that have a trade.
    public static let minutesMax = 60
    /// Maximum number of markets.
    public static let marketsMax = MarketBoard.marketsMax
    /// How far the stream must be past a minute to end it.
    ///
    /// Trades of different markets are not strictly in order of time.
    public static let settling: Duration = .seconds(2)
    /// How long the exchange may take to stream a newly listed and subscribed market.
    ///
    /// 10.3 s were observed.
    public static let subscribing: Duration = .seconds(30)
    /// Maximum number of disjoint spans; the oldest are evicted.
    static let spansMax = 64

    /// Every minute before this exchange time is finished; nil while no stream runs.
    public private(set) var closedUntil: Timestamp?
    /// Number of candles evicted unwritten.
    public internal(set) var droppedRows = 0
    /// Number of trades too late for the minutes kept.
    public private(set) var lateTrades = 0
    /// Listed markets, in order of first appearance.
    public private(set) var markets: [MarketID] = []
    /// Markets listed while the stream ran.
    ///
    /// Only REST has all of their first trades.
    ///
    /// Each market is listed once, so markets bound the length. Their minutes are not reported as
    /// covered until REST has been read, because the process may end before.
    public private(set) var partialMarkets: [PartialMarketData] = []

    /// Minutes with a trade that are complete so far, ascending.
    ///
    /// The last ones may be unfinished.
    var minutes: [Minute] = []
    /// Complete and finished spans, ascending; none before the oldest minute kept.
    var whole: [Range<Timestamp>] = []
    /// The spans among them that are unwritten.
    var unwritten: [Range<Timestamp>] = []
    private var stream = Stream.lost
    /// Exchange time of the newest trade.
    private var streamedUntil: Timestamp?
    private var busiest = BusiestMarket()
    /// Exchange time of the newest data of the busiest market since the subscription: until then no
    /// silence is known.
    private var aliveUntil: Timestamp?
    /// Minutes that open before this are no longer kept.
    private var floor = Timestamp(microseconds: .min)
    private var known: Set<MarketID> = []
    private var listedAt: [Quote: Timestamp] = [:]
    private var partialUntil: [MarketID: Timestamp] = [:]

    /// State of the stream.
    private enum Stream: Sendable {
        /// Disconnected, or not subscribed.
        case lost
        /// Subscribed, without a trade so far.
        case subscribed
        /// Subscribed, and possibly incomplete from this time on.
        case silent(since: Timestamp)
        /// Complete; minutes that open from this time on are complete.
        case running(from: Timestamp)
    }

    /// A builder without data.
    public init() {}

    /// Applies a batch of the feed.
    public mutating func apply(_ batch: MarketEventBatch) {
        for event in batch.events {
            if let time = busiest.apply(event) { noteLife(at: time) }
            switch event {
            case .trade(let trade): apply(trade)
            case .listing(let listing): apply(listing)
            case .feed(let event): apply(event)
            case .ticker, .base, .row, .state, .dayBegan, .closes, .skipped: continue
            }
        }
    }

    /// Records that REST covered the span completely.
    public mutating func settle(_ partial: PartialMarketData) {
        partialMarkets.removeAll { $0 == partial }
    }

    /// Records that REST did not cover the span completely.
    ///
    /// The minutes count as missed for all markets.
    public mutating func giveUp(_ partial: PartialMarketData) {
        settle(partial)
        whole.remove(partial.span)
        unwritten.remove(partial.span)
    }

    private mutating func apply(_ event: FeedEvent) {
        switch event {
        case .identified: discardOtherFeed()
        case .subscribed:
            markLoss()
            stream = .subscribed
        case .stale: markSilence()
        case .reconnecting, .ended: markLoss()
        case .live, .listingFailed, .reads, .uses: return
        }
    }

    /// Starts over.
    ///
    /// A running stream now belongs to the other feed.
    private mutating func discardOtherFeed() {
        let before = stream
        self = MinuteCandleBuilder()
        switch before {
        case .lost: return
        case .subscribed, .silent, .running: stream = .subscribed
        }
    }

    /// Discards unfinished minutes.
    private mutating func markLoss() {
        stream = .lost
        aliveUntil = nil
        if let closedUntil {
            minutes.removeAll { $0.openTime >= closedUntil }
        }
        closedUntil = nil
    }
}

// MARK: Silence

extension MinuteCandleBuilder {
    /// Discards the minutes from the newest data of the busiest market on.
    private mutating func markSilence() {
        guard case .running = stream, let since = aliveUntil ?? streamedUntil else { return }
        markLoss()
        stream = .silent(since: since)
    }

    /// Applies the time of data of the busiest market.
    private mutating func noteLife(at time: Timestamp) {
        if case .running = stream, busiest.id != nil, let aliveUntil,
            time >= aliveUntil.advanced(by: FeedStatus.staleAfter)
        {
            markSilence()
        }
        switch stream {
        case .lost: return
        case .subscribed, .running: break
        case .silent(let since):
            // Delayed frames from the begin of the silence do not prove its end.
            guard time >= since.advanced(by: FeedStatus.staleAfter) else { return }
            begin(at: time)
        }
        aliveUntil = max(aliveUntil ?? time, time)
    }

    /// Begins to follow a stream that is complete from some time on.
    ///
    /// - Returns: the start of the first complete minute.
    @discardableResult
    private mutating func begin(at time: Timestamp) -> Timestamp {
        let settled = time.advanced(by: Self.settling)
        let start = Self.minute.nextBucket(after: Self.minute.bucketStart(of: settled))
        stream = .running(from: start)
        closedUntil = start
        return start
    }
}

// MARK: Trades

extension MinuteCandleBuilder {
    private mutating func apply(_ trade: Trade) {
        guard trade.price.sign > 0, trade.quantity.sign >= 0, known.contains(trade.market) else {
            return
        }
        let start: Timestamp
        switch stream {
        case .lost, .silent: return
        case .subscribed:
            // A trade from before the loss does not prove that the stream is back.
            guard streamedUntil.map({ trade.executedAt > $0 }) ?? true else { return }
            start = begin(at: trade.executedAt)
        case .running(let from): start = from
        }
        record(trade, from: start)
        streamedUntil = max(streamedUntil ?? trade.executedAt, trade.executedAt)
        close()
    }

    private mutating func record(_ trade: Trade, from start: Timestamp) {
        let bucket = Self.minute.bucketStart(of: trade.executedAt)
        guard bucket >= start else { return }
        guard bucket >= floor else {
            lateTrades += 1
            return
        }
        if let until = partialUntil[trade.market] {
            guard bucket >= until else { return }
            partialUntil[trade.market] = nil
        }
        // Nearly every trade belongs to the last minute or the one before.
        let place = minutes.lastIndex { $0.openTime <= bucket }
        if let place, minutes[place].openTime == bucket {
            minutes[place].add(trade)
        } else {
            var minute = Minute(openTime: bucket)
            minute.add(trade)
            minutes.insert(minute, at: place.map { $0 + 1 } ?? 0)
        }
    }

    /// Ends minutes and evicts the oldest.
    private mutating func close() {
        guard let streamedUntil, let aliveUntil, let before = closedUntil else { return }
        let settled = streamedUntil.advanced(by: .zero - Self.settling)
        let end = Self.minute.bucketStart(of: min(settled, aliveUntil))
        if end > before {
            closedUntil = end
            whole.add(before..<end)
            unwritten.add(before..<end)
            whole.removeFirst(max(0, whole.count - Self.spansMax))
            unwritten.removeFirst(max(0, unwritten.count - Self.spansMax))
        }
        guard minutes.count > Self.minutesMax else { return }
        let surplus = minutes.count { $0.openTime < max(end, before) } - Self.minutesMax
        if surplus > 0 { evict(surplus) }
    }

    private mutating func evict(_ count: Int) {
        for minute in minutes.prefix(count) {
            floor = Self.minute.nextBucket(after: minute.openTime)
            // A covered span must have its candles.
            if minute.unwrittenCount > 0 {
                droppedRows += minute.unwrittenCount
                unwritten.remove(minute.openTime..<floor)
            }
        }
        minutes.removeFirst(count)
        whole.remove(Timestamp(microseconds: .min)..<floor)
    }

    static let minute = CandleInterval.minute1
}

// MARK: Listings

extension MinuteCandleBuilder {
    /// Adds markets.
    ///
    /// A market that appears while the stream runs is subscribed some time after its listing, which
    /// happened after the previous listing was read.
    private mutating func apply(_ listing: Listing) {
        let before = listedAt[listing.quote]
        listedAt[listing.quote] = listing.at
        for market in listing.subscribable where markets.count < Self.marketsMax {
            guard known.insert(market).inserted else { continue }
            markets.append(market)
            guard case .running(let start) = stream else { continue }
            let from = max(start, Self.minute.bucketStart(of: before ?? start))
            let until = Self.minute.nextBucket(after: listing.at.advanced(by: Self.subscribing))
            guard from < until else { continue }
            partialUntil[market] = until
            partialMarkets.append(PartialMarketData(market: market, span: from..<until))
        }
    }
}

extension MinuteCandleBuilder {
    /// Number of unwritten candles of finished minutes.
    public var unwrittenRows: Int {
        guard let end = writableUntil else { return 0 }
        return minutes.prefix { $0.openTime < end }.reduce(0) { $0 + $1.unwrittenCount }
    }

    /// Whether anything is unwritten.
    public var hasUnwritten: Bool { !certain(unwritten).isEmpty || unwrittenRows > 0 }

    /// Removes and returns the oldest unwritten candles.
    ///
    /// They count as written from then on.
    ///
    /// - Parameter rowsMax: number of candles after which no further minute is added. A minute is
    ///   never split, so the batch may exceed it by one minute.
    /// - Returns: nil if nothing is unwritten.
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

    /// Puts back a batch that could not be written.
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

    /// Marks everything unwritten, because the previous writer may not have written everything.
    public mutating func markAllUnwritten() {
        unwritten = whole
        for place in minutes.indices { minutes[place].markAllUnwritten() }
    }

    /// The parts of the spans in which every market was complete.
    private func certain(_ spans: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var certain = spans
        for span in Set(partialMarkets.map(\.span)) { certain.remove(span) }
        return certain
    }

    /// Minutes before this are finished and complete; nil if there are none.
    private var writableUntil: Timestamp? { closedUntil ?? whole.last?.upperBound }
}

extension [Range<Timestamp>] {
    /// Adds a span and merges overlapping and adjacent ones; the result stays ascending.
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

    /// Removes a span of time.
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
