/// The candles of one minute of all markets, made of nothing but the stream's trades.
///
/// It goes by the stream's own time, the newest trade's, and asks no clock: a minute is over when
/// a trade was heard that came ``settling`` after its end. So a wrong local clock, or one that
/// jumped while the machine slept, neither closes a minute early nor passes over one.
///
/// What it tells is whole or not told at all. From the loss of the connection on, nothing is known
/// until the first trade after the next subscription; the minutes that were not over before, and
/// that in which the trade comes, are given up. (A subscription may take effect ten seconds after
/// it was sent; a trade shows that it has.) The stream never tells a trade twice, so that two equal
/// ones are two trades.
///
/// Of the newest ``minutesMax`` minutes with a trade the candles are kept. The oldest go, and those
/// of them that were not written are counted in ``droppedRows``.
public struct MinuteCandleBuilder: Sendable {
    /// How many minutes are kept that had a trade and are over.
    public static let minutesMax = 60
    /// How many markets are told apart.
    public static let marketsMax = MarketBoard.marketsMax
    /// How far the stream has to be past a minute for that one to be over: trades of different
    /// markets are not told strictly in the order of time.
    public static let settling: Duration = .seconds(2)
    /// How long the exchange may take to tell of a market that was just listed and subscribed:
    /// 10.3 s were seen.
    public static let subscribing: Duration = .seconds(30)
    /// How many spans apart from each other are told; of more the oldest are given up.
    static let spansMax = 64

    /// Until when every minute is over, in exchange time; nil while no stream runs.
    public private(set) var closedUntil: Timestamp?
    /// How many candles went unwritten.
    public internal(set) var droppedRows = 0
    /// How many trades came too late for the minutes that are kept.
    public private(set) var lateTrades = 0
    /// The markets that were listed, in the order in which they were first seen.
    public private(set) var markets: [MarketID] = []
    /// The markets that were listed while the stream ran: only REST has all of their first trades.
    ///
    /// Each is in doubt once, so that there are no more than markets. The minutes are not told to
    /// be covered meanwhile: this process may end before REST was asked.
    public private(set) var doubts: [PartialMarketData] = []

    /// The minutes with a trade that are whole so far, ascending; the last ones may not be over.
    var minutes: [Minute] = []
    /// The spans that are whole and over, ascending; none before the oldest minute that is kept.
    var whole: [Range<Timestamp>] = []
    /// Those of them that were not written.
    var unwritten: [Range<Timestamp>] = []
    private var stream = Stream.lost
    /// Exchange time of the newest trade.
    private var streamedUntil: Timestamp?
    /// Minutes that open before are not kept any more.
    private var floor = Timestamp(microseconds: .min)
    private var known: Set<MarketID> = []
    private var listedAt: [Quote: Timestamp] = [:]
    private var doubtfulUntil: [MarketID: Timestamp] = [:]

    /// How the stream stands.
    private enum Stream: Sendable {
        /// There is none, or it is not subscribed.
        case lost
        /// Subscribed, and silent so far.
        case subscribed
        /// It tells everything; minutes that open from a time on are whole.
        case running(from: Timestamp)
    }

    /// A ledger that has heard of nothing.
    public init() {}

    /// Takes what the feed delivered.
    public mutating func apply(_ batch: MarketEventBatch) {
        for event in batch.events {
            switch event {
            case .trade(let trade): apply(trade)
            case .listing(let listing): apply(listing)
            case .feed(let event): apply(event)
            case .ticker, .dayBegan, .skipped: continue
            }
        }
    }

    /// Notes that REST told what was in doubt.
    public mutating func settle(_ doubt: PartialMarketData) {
        doubts.removeAll { $0 == doubt }
    }

    /// Notes that REST did not tell all of what was in doubt: the minutes are as if nobody had
    /// heard them.
    public mutating func giveUp(_ doubt: PartialMarketData) {
        settle(doubt)
        whole.remove(doubt.span)
        unwritten.remove(doubt.span)
    }

    private mutating func apply(_ event: FeedEvent) {
        switch event {
        case .identified: discardOtherFeed()
        case .subscribed:
            markLoss()
            stream = .subscribed
        case .reconnecting, .ended: markLoss()
        // A silent connection loses nothing as long as it stands.
        case .live, .stale, .listingFailed: return
        }
    }

    /// Begins anew; a stream that stands is another's from here on.
    private mutating func discardOtherFeed() {
        let before = stream
        self = MinuteCandleBuilder()
        switch before {
        case .lost: return
        case .subscribed, .running: stream = .subscribed
        }
    }

    /// Gives up the minutes that are not over.
    private mutating func markLoss() {
        stream = .lost
        if let closedUntil {
            minutes.removeAll { $0.openTime >= closedUntil }
        }
        closedUntil = nil
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
        case .lost: return
        case .subscribed:
            // What was told before the loss is no sign that the stream is back.
            guard streamedUntil.map({ trade.executedAt > $0 }) ?? true else { return }
            let settled = trade.executedAt.advanced(by: Self.settling)
            start = Self.minute.nextBucket(after: Self.minute.bucketStart(of: settled))
            stream = .running(from: start)
            closedUntil = start
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
        if let until = doubtfulUntil[trade.market] {
            guard bucket >= until else { return }
            doubtfulUntil[trade.market] = nil
        }
        // Nearly every trade belongs to the last minute or the one before.
        let place = minutes.lastIndex { $0.openTime <= bucket }
        if let place, minutes[place].openTime == bucket {
            minutes[place].take(trade)
        } else {
            var minute = Minute(openTime: bucket)
            minute.take(trade)
            minutes.insert(minute, at: place.map { $0 + 1 } ?? 0)
        }
    }

    /// Notes which minutes are over, and lets the oldest go.
    private mutating func close() {
        guard let streamedUntil, let before = closedUntil else { return }
        let end = Self.minute.bucketStart(of: streamedUntil.advanced(by: .zero - Self.settling))
        if end > before {
            closedUntil = end
            whole.add(before..<end)
            unwritten.add(before..<end)
            whole.removeFirst(max(0, whole.count - Self.spansMax))
            unwritten.removeFirst(max(0, unwritten.count - Self.spansMax))
        }
        guard minutes.count > Self.minutesMax else { return }
        let surplus = minutes.count { $0.openTime < max(end, before) } - Self.minutesMax
        if surplus > 0 { letGo(surplus) }
    }

    private mutating func letGo(_ count: Int) {
        for minute in minutes.prefix(count) {
            floor = Self.minute.nextBucket(after: minute.openTime)
            // What is told to be covered has to have its candles.
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
    /// Learns which markets there are.
    ///
    /// One that is new while the stream runs is subscribed a while after the exchange listed it,
    /// which was at some time since the listing before.
    private mutating func apply(_ listing: Listing) {
        let before = listedAt[listing.quote]
        listedAt[listing.quote] = listing.at
        for entry in listing.entries where markets.count < Self.marketsMax {
            guard known.insert(entry.market).inserted else { continue }
            markets.append(entry.market)
            guard case .running(let start) = stream else { continue }
            let from = max(start, Self.minute.bucketStart(of: before ?? start))
            let until = Self.minute.nextBucket(after: listing.at.advanced(by: Self.subscribing))
            guard from < until else { continue }
            doubtfulUntil[entry.market] = until
            doubts.append(PartialMarketData(market: entry.market, span: from..<until))
        }
    }
}
