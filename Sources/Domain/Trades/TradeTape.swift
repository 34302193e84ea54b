/// The newest trades of one market, merged from REST and stream without duplicates.
///
/// A collection indexed by age: 0 is the newest. Trades are ordered by exchange time, and within a
/// microsecond by arrival.
public struct TradeTape: Sendable, RandomAccessCollection {
    /// Maximum number of trades; the oldest are evicted.
    public static let capacity = 500
    /// Maximum number of gaps.
    ///
    /// On overflow everything before the oldest gap is evicted with it.
    public static let gapsMax = 16

    var storage = TapeStorage()
    /// Positions where trades may be missing, oldest first.
    var breaks: [Break] = []
    /// REST rows that the stream may still repeat; nil once that is decided.
    var expected: ExpectedTrades?
    /// The greatest identifier, so that most trades are identified without a search.
    private var newestID: TradeID?
    /// Number of trades dropped because they were older than a full tape.
    public private(set) var dropped = 0
    /// Whether past trades were read since the tape began or trades were lost.
    public internal(set) var isJoined = false
    /// Whether the exchange has no trade before the oldest one.
    var beginsWithFirstTrade = false
    /// What became of the newest loss; nil before the first one was read again.
    public internal(set) var repair: DataRepair?
    /// Whether a live trade arrived since ``repair``, so that a new loss is another one.
    var hasStreamed = false
    /// Where the loss began of which REST was read in the middle.
    var lossStart: Timestamp?
    /// Histories requested before this time may lack lost trades.
    var lossNotedAt: Timestamp?

    /// An empty tape.
    public init() {}

    /// Age of the newest trade.
    public var startIndex: Int { 0 }
    /// Age of the oldest trade plus one.
    public var endIndex: Int { storage.count }
    /// Number of trades.
    public var count: Int { storage.count }

    /// The trade at an age: 0 is the newest.
    public subscript(age: Int) -> TapedTrade { storage[storage.count - 1 - age] }

    /// Age of a trade; nil if it is not on the tape.
    public func age(of id: TradeID) -> Int? { firstIndex { $0.id == id } }

    /// Spans of exchange time in which trades may be missing, oldest first.
    ///
    /// A gap is removed when REST fills it or when the last trade before it is evicted.
    public var gaps: [Range<Timestamp>] {
        let gaps = breaks.compactMap { gap in
            gap.next.map { Swift.min(gap.from, $0.at)..<$0.at }
        }
        // Already in order unless REST and stream contradict each other.
        return gaps.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether trades may be missing just before a trade.
    func isAfterGap(_ id: TradeID) -> Bool { breaks.contains { $0.next == id } }

    /// Trades may be missing since this time, and none has arrived yet.
    public var openGapFrom: Timestamp? {
        breaks.last.flatMap { $0.next == nil ? $0.from : nil }
    }

    /// The time of the last trade before the oldest gap that was not read again yet; nil without
    /// such a gap.
    public var lastTradeBeforeLoss: Timestamp? {
        guard let gap = breaks.first(where: { !$0.isRead }) else { return nil }
        guard let next = gap.next, let age = age(of: next) else { return first?.id.at }
        return age + 1 < count ? self[age + 1].id.at : nil
    }

    /// Whether past trades were read and no trade is missing in between.
    public var isComplete: Bool { isJoined && breaks.isEmpty }

    /// Whether the tape has every received trade from a moment on.
    ///
    /// Only a trade before that moment, or the market's first trade, can prove it.
    public func isWhole(since moment: Timestamp) -> Bool {
        guard expectedCount == 0, openGapFrom == nil, let oldest = last else { return false }
        if let gap = breaks.last?.next, gap.at >= moment { return false }
        return oldest.id.at < moment || beginsWithFirstTrade
    }

    /// Number of trades that came from REST and that the stream is expected to repeat.
    ///
    /// Consumers of single live trades receive these a second time.
    var expectedCount: Int { Swift.min(expected?.remainingCount ?? 0, count) }

    /// Whether the newest trade is known from REST alone so far.
    ///
    /// REST of API 1.x has whole seconds.
    public var isNewestFromREST: Bool {
        guard let newest = first?.id else { return false }
        if case .rows(let repeats) = expected { return repeats.rows.last?.id == newest }
        return newest.at == TradeHistory.Resolution.second.start(of: newest.at)
    }

    /// The trades known from REST that the stream is expected to repeat, oldest first.
    var awaited: [TapedTrade] {
        switch expected {
        case .rows(let repeats): repeats.rows
        case .run: prefix(expectedCount).reversed()
        case nil: []
        }
    }

    /// The trades since a moment, newest first, without ``awaited`` ones.
    func delivered(since moment: Timestamp) -> [TapedTrade] {
        let trades = prefix { $0.id.at >= moment || $0.id.at.second == moment.second }
        let ids = Set(awaited.map(\.id))
        return trades.filter { !ids.contains($0.id) }
    }

    /// Appends a live trade.
    ///
    /// An older trade is inserted by its time. If the tape is full, a trade older than all others
    /// is dropped and counted in ``dropped``.
    ///
    /// - Returns: trades known from REST of which it is now clear that the stream lost them.
    @discardableResult
    public mutating func append(_ trade: Trade) -> [TapedTrade] {
        hasStreamed = true
        switch expected {
        case nil:
            insert(TapedTrade(trade))
            return []
        case .run(var run):
            let awaited = expectedCount
            expected = nil
            guard run.add(ExpectedDuplicates.LiveTrade(trade)) else {
                // The rows that the run has not reached are the newest trades.
                expected = ExpectedRepeats(
                    prefix(awaited).reversed(),
                    in: .second,
                    tellsLost: false,
                    isShiftKnown: true
                ).map(ExpectedTrades.rows)
                return append(trade)
            }
            for trade in run.removeUnmatched() { insert(TapedTrade(trade.row, at: trade.at)) }
            expected = run.isDecided ? nil : .run(run)
            return []
        case .rows(var repeats):
            expected = nil
            let (isRepeat, lost) = repeats.compare(trade)
            if !isRepeat { insert(TapedTrade(trade)) }
            expected = repeats.rows.isEmpty ? nil : .rows(repeats)
            return lost
        }
    }

    /// Merges past trades with live ones.
    ///
    /// In whole seconds, the longest run of REST's last rows that equals the stream's first trades
    /// by second, price, quantity and side is the same trades. REST's earlier rows go before it.
    /// Nothing is added if the stream reaches farther back. While the stream has fewer trades than
    /// REST, later live trades are compared first. After a loss, REST's first rows are compared
    /// with the last old trades in the same way; without an overlap the gap stays.
    ///
    /// In whole milliseconds, the rows that the tape lacks are added one by one; the gaps that the
    /// rows reach are closed. A history that was requested before the loss was noted is ignored.
    ///
    /// Identifiers never change: a trade known from both keeps the stream's. Trades inserted before
    /// others of the same moment get higher sequence numbers.
    ///
    /// - Returns: the added trades that the stream has lost, oldest first.
    @discardableResult
    public mutating func join(_ history: TradeHistory) -> [TapedTrade] {
        // A stream without loss brings these rows anyway.
        if isJoined, expected != nil { return [] }
        if let requestedAt = history.requestedAt, let lossNotedAt, requestedAt < lossNotedAt {
            return []
        }
        var merge = TradeHistoryMerge(
            segments: segments,
            gapsFrom: breaks.map(\.from),
            history
        )
        merge.join(isTailWanted: !isJoined)
        if merge.beginsWithOldestRow {
            let length = merge.segments.joined().count
            beginsWithFirstTrade = merge.isFromFirstTrade && length <= Self.capacity
        }
        // A reading that did not know of the gap says nothing about it.
        let unread = Set(breaks.filter { !$0.isRead }.map(\.from))
        let isFinal =
            unread.isDisjoint(with: merge.gapsFrom) || history.resolution == .second
            || history.beginning != .asRequested || lastTradeBeforeLoss == nil
        if isFinal { noteRepair(by: merge, history) }
        expected = merge.expected
        write(merge, isRead: isFinal)
        isJoined = isFinal
        return merge.recovered
    }
}

extension TradeTape {
    /// A place where trades may be missing.
    struct Break: Sendable, Hashable {
        /// Everything before this time is known.
        let from: Timestamp
        /// The first trade after the gap; nil while none has arrived.
        var next: TradeID?
        /// Whether REST was read for it and did not fill it.
        var isRead = false
    }

    /// Trades between the gaps, oldest first.
    ///
    /// The last segment is the stream's since the newest gap.
    var segments: [[TapedTrade]] {
        var segments: [[TapedTrade]] = [[]]
        var next = breaks.first?.next
        for trade in storage.all {
            if trade.id == next {
                segments.append([])
                next = segments.count - 1 < breaks.count ? breaks[segments.count - 1].next : nil
            }
            segments[segments.count - 1].append(trade)
        }
        if openGapFrom != nil { segments.append([]) }
        return segments
    }

    /// Stores what became of the gaps since the last reading.
    private mutating func noteRepair(by merge: TradeHistoryMerge, _ history: TradeHistory) {
        guard let newest = breaks.last, let from = breaks.first(where: { !$0.isRead })?.from
        else { return }
        let end = newest.next?.at ?? history.requestedAt ?? history.rows.last?.at ?? from
        // A gap that stays begins where it did, or ends with the same trade.
        let first = merge.segments.last?.first?.id
        let stays =
            merge.gapsFrom.contains { $0 >= from }
            || (newest.next != nil && newest.next == first && !merge.gapsFrom.isEmpty)
        let start = Swift.min(lossStart ?? from, from)
        hasStreamed = false
        lossStart = nil
        guard stays else {
            repair = DataRepair(span: start..<Swift.max(from, end))
            return
        }
        let reason: DataRepair.Reason =
            if case .short(let reason) = history.beginning { reason } else { .notServed }
        let reached = Swift.min(first?.at ?? end, end)
        repair = DataRepair(span: from..<Swift.max(from, reached), failure: reason)
    }

    private mutating func write(_ merge: TradeHistoryMerge, isRead: Bool) {
        let read = Set(breaks.filter(\.isRead).map(\.from))
        var segments = merge.segments
        var gapsFrom = merge.gapsFrom
        var surplus = segments.joined().count - Self.capacity
        while surplus > 0 {
            let removed = Swift.min(surplus, segments[0].count)
            segments[0].removeFirst(removed)
            surplus -= removed
            // A gap without trades before it is removed.
            if segments[0].isEmpty, !gapsFrom.isEmpty {
                segments.removeFirst()
                gapsFrom.removeFirst()
            }
        }
        breaks = zip(gapsFrom, segments.dropFirst())
            .map { Break(from: $0, next: $1.first?.id, isRead: isRead || read.contains($0)) }
        storage.replaceAll(with: Array(segments.joined()))
        newestID = self.map(\.id).max()
    }

    /// Inserts a trade by time and assigns its identifier.
    private mutating func insert(_ trade: TapedTrade) {
        var place = storage.count
        while place > 0, storage[place - 1].id.at > trade.id.at { place -= 1 }
        if place == 0, storage.count == Self.capacity {
            dropped += 1
            return
        }
        var taped = trade
        taped.id.sequence = nextSequence(at: trade.id.at)
        newestID = newestID.map { Swift.max($0, taped.id) } ?? taped.id
        let isAfterBreak = noteFirst(taped.id, at: place)
        taped.setTick(after: place > 0 && !isAfterBreak ? storage[place - 1] : nil)
        if place == storage.count {
            storage.append(taped)
        } else {
            if place == 0 { beginsWithFirstTrade = false }
            storage.insert(taped, at: place)
        }
        trim()
    }

    /// Records the trade as the first one after a gap if it is inserted there.
    ///
    /// - Returns: whether it is.
    private mutating func noteFirst(_ id: TradeID, at place: Int) -> Bool {
        guard let gap = breaks.indices.last else { return false }
        if place == storage.count {
            if breaks[gap].next != nil { return false }
        } else {
            guard breaks[gap].next == storage[place].id, id.at >= breaks[gap].from else {
                return false
            }
        }
        breaks[gap].next = id
        return true
    }

    /// The next sequence number at a microsecond.
    private func nextSequence(at moment: Timestamp) -> Int {
        guard let newestID, newestID.at >= moment else { return 0 }
        if newestID.at == moment { return newestID.sequence + 1 }
        // REST's trades of that second may stand after it.
        let sequences = lazy.prefix { $0.id.at.second >= moment.second }
            .filter { $0.id.at == moment }
        return sequences.map { $0.id.sequence + 1 }.max() ?? 0
    }

    mutating func removeAll(before start: TradeID) {
        guard let age = age(of: start) else { return }
        storage.removeOldest(storage.count - 1 - age)
        beginsWithFirstTrade = false
        breaks.removeFirst()
    }

    /// Evicts the oldest trade if the tape exceeds its capacity, with the gap after it.
    private mutating func trim() {
        guard storage.count > Self.capacity else { return }
        storage.removeOldest(1)
        beginsWithFirstTrade = false
        if let next = breaks.first?.next, storage[0].id == next { breaks.removeFirst() }
    }
}

extension TradeTape: Hashable {
    /// Whether two tapes have the same trades, gaps and counts.
    public static func == (left: TradeTape, right: TradeTape) -> Bool {
        left.storage.count == right.storage.count && left.dropped == right.dropped
            && left.isJoined == right.isJoined && left.breaks == right.breaks
            && left.expected == right.expected && left.repair == right.repair
            && left.elementsEqual(right)
    }

    /// Hashes the cheap parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.count)
        hasher.combine(dropped)
        hasher.combine(first)
    }
}
