/// The closes of one market's minutes: its price at the end of each minute, as far as known.
///
/// Two sources fill it: pages of candles, and the market's own trades while the stream is complete.
/// The closes of the newest ``minutesMax`` minutes are kept; older ones are evicted, an hour of
/// them at a time. Both sources together keep at most one step of 24 bytes a minute: 18 MB for 493
/// markets that are all traded in every minute.
struct MinuteCloses: Sendable {
    /// As ``ClosePage/reach``.
    static let minutesMax = Int32(ClosePage.reach.components.seconds / 60)
    /// The interval of the candles that stand in for minutes.
    static let coarse = CandleInterval.minutes10
    /// How much later a base is read ahead.
    static let reach: Duration = .seconds(600)

    /// The base of a change.
    enum Close: Sendable, Hashable {
        /// The close of the last minute with a trade; exact, or as it was less than ten minutes
        /// before.
        case known(FixedDecimal, isExact: Bool)
        /// The market was not traded before; exact, or as it was less than ten minutes before.
        case none(isExact: Bool)
        /// The close must be read.
        case unknown
    }

    /// Closes that were read, and those of earlier connections.
    private var past = CloseSteps()
    /// Closes of the trades of this connection; the last one holds until the next trade.
    private var own = CloseSteps()
    /// The market was not traded before this minute.
    private var untradedUntil = Int32.min
    /// The newest minute with a trade, and its last trade so far.
    private var running: (minute: Int32, price: FixedDecimal, at: Timestamp)?
    /// The time of the last trade before the running minute.
    private var endedAt = Timestamp(microseconds: .min)
    /// Whether all trades are recorded.
    private(set) var isFollowed = false

    init() {}

    /// The price at a moment, which counts as the start of its minute.
    func close(at moment: Timestamp) -> Close {
        let minute = Self.minute(of: moment)
        if let running, minute > running.minute { return .known(running.price, isExact: true) }
        if let step = own.last(from: minute) { return .known(step.price, isExact: true) }
        if let step = past.last(from: minute) {
            if minute <= step.last { return .known(step.price, isExact: true) }
            if minute - step.last < Self.coarseMinutes {
                return .known(step.price, isExact: false)
            }
        }
        if minute <= untradedUntil { return .none(isExact: true) }
        return minute - Self.coarseMinutes < untradedUntil ? .none(isExact: false) : .unknown
    }

    /// Number of different closes in memory.
    var stepCount: Int { past.count + own.count }

    /// Starts to record trades: all trades from the start of a minute on will arrive.
    ///
    /// - Parameters:
    ///   - moment: the start of the minute.
    ///   - price: the price of the last trade before; nil if the market was never traded.
    ///   - tradedAt: the time of that trade; nil if it is unknown.
    mutating func follow(
        from moment: Timestamp,
        price: FixedDecimal?,
        tradedAt: Timestamp? = nil
    ) {
        lose(at: moment)
        isFollowed = true
        endedAt = tradedAt ?? Timestamp(microseconds: .min)
        let minute = Self.minute(of: moment)
        if let price { own.append(minute, minute, price) }
    }

    /// Records a trade.
    ///
    /// Trades may arrive late: the time decides which one is the last of its minute. A trade that
    /// is older than the last one before the running minute closes no minute.
    mutating func record(_ trade: Trade) {
        let (minute, at) = (Self.minute(of: trade.executedAt), trade.executedAt)
        guard isFollowed, at >= endedAt else { return }
        if let running {
            if minute < running.minute {
                own.end(minute, at: trade.price)
                endedAt = at
                return
            }
            guard at >= running.at else { return }
            if minute > running.minute {
                own.end(running.minute, at: running.price)
                endedAt = running.at
            }
        }
        running = (minute, trade.price, at)
        own.evict(before: minute - Self.minutesMax)
        past.evict(before: minute - Self.minutesMax)
    }

    /// Stops recording: trades after a moment may be missing.
    mutating func lose(at moment: Timestamp) {
        guard isFollowed else { return }
        let minute = Self.minute(of: moment)
        // A minute that may be incomplete has no close.
        if let running, running.minute < minute { own.end(running.minute, at: running.price) }
        own.end(through: minute)
        past = past.overlaid(by: own)
        own = CloseSteps()
        running = nil
        isFollowed = false
    }

    /// Adds a page of candles; it replaces earlier pages where they differ.
    mutating func add(_ page: ClosePage) {
        let until = Self.minute(of: page.until)
        if page.isWhole || page.rows.isEmpty {
            let first = page.rows.first.map { Self.minute(of: $0.openTime) } ?? until
            untradedUntil = max(untradedUntil, first)
        }
        // The market's own trades tell what follows.
        let end = min(until, own.first ?? until)
        var read = CloseSteps(capacity: page.rows.count)
        for (index, row) in page.rows.enumerated() {
            let first = Self.minute(of: page.interval.nextBucket(after: row.openTime))
            guard first <= end else { break }
            let isLast = index + 1 == page.rows.count
            let next = isLast ? end : Self.minute(of: page.rows[index + 1].openTime)
            read.append(first, max(first, min(next, end)), row.close)
        }
        past = past.overlaid(by: read)
        past.evict(before: until - Self.minutesMax)
    }

    private static let coarseMinutes: Int32 = 10

    /// The number of a moment's minute since 1970, clamped so that sums do not overflow.
    private static func minute(of moment: Timestamp) -> Int32 {
        let minute = moment.microseconds.floorDivided(by: 60_000_000)
        return Int32(min(max(minute, -1_000_000_000), 1_000_000_000))
    }
}

/// A price that changes in steps, known in parts of the time: 24 bytes a step.
///
/// Equal closes in a row are one step, so an idle market takes little memory.
private struct CloseSteps: Sendable {
    /// The moments at which each price held, first and last included; ascending and disjoint.
    private var spans: [(first: Int32, last: Int32)] = []
    private var prices: [FixedDecimal] = []

    init() {}

    /// Makes no steps, with room for as many.
    init(capacity: Int) {
        spans.reserveCapacity(capacity)
        prices.reserveCapacity(capacity)
    }

    var count: Int { spans.count }

    /// The moment at which the first step begins; nil without a step.
    var first: Int32? { spans.first?.first }

    /// The last step that begins at or before a minute.
    func last(from minute: Int32) -> (last: Int32, price: FixedDecimal)? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].first <= minute { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : (spans[low - 1].last, prices[low - 1])
    }

    /// Appends a step, or prolongs the last one if it has the same price.
    mutating func append(_ first: Int32, _ last: Int32, _ price: FixedDecimal) {
        if let index = spans.indices.last, spans[index].last + 1 >= first, prices[index] == price {
            spans[index].last = max(spans[index].last, last)
        } else {
            spans.append((first, last))
            prices.append(price)
        }
    }

    /// Ends a minute with trades: its close holds from the next minute on.
    mutating func end(_ minute: Int32, at price: FixedDecimal) {
        let next = minute + 1
        guard let index = spans.indices.last else { return append(next, next, price) }
        if next > spans[index].first {
            spans[index].last = minute
            append(next, next, price)
        } else if next == spans[index].first {
            // A late trade of the minute before the first one.
            prices[index] = price
        }
    }

    /// Lets the last step end with a minute, without those that begin later.
    mutating func end(through minute: Int32) {
        let surplus = spans.count { $0.first > minute }
        spans.removeLast(surplus)
        prices.removeLast(surplus)
        if let index = spans.indices.last { spans[index].last = minute }
    }

    /// Removes steps that ended before a minute, except the last step.
    mutating func evict(before minute: Int32) {
        // In portions of an hour, because each eviction moves all steps.
        guard spans.count > 1, spans[0].last < minute - 60 else { return }
        let surplus = spans.dropLast().firstIndex { $0.last >= minute } ?? spans.count - 1
        spans.removeFirst(surplus)
        prices.removeFirst(surplus)
    }

    /// These steps where the newer ones do not say otherwise.
    func overlaid(by newer: CloseSteps) -> CloseSteps {
        if spans.isEmpty || newer.spans.isEmpty { return spans.isEmpty ? newer : self }
        var merged = CloseSteps()
        var index = 0
        var from = Int32.min
        for (span, price) in zip(newer.spans, newer.prices) {
            while index < spans.count, spans[index].first < span.first {
                let first = max(spans[index].first, from)
                let last = min(spans[index].last, span.first - 1)
                if first <= last { merged.append(first, last, prices[index]) }
                // The rest of the step may lie behind the newer one.
                if spans[index].last >= span.first { break }
                index += 1
            }
            merged.append(span.first, span.last, price)
            from = span.last + 1
            while index < spans.count, spans[index].last <= span.last { index += 1 }
        }
        for index in index..<spans.count {
            let first = max(spans[index].first, from)
            if first <= spans[index].last { merged.append(first, spans[index].last, prices[index]) }
        }
        return merged
    }
}
