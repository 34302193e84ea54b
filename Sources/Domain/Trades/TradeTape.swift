/// The newest trades of one market, joined from REST and stream.
///
/// A collection of trades by age: 0 is the newest. They stand in the order of exchange time, and
/// within a microsecond in that of arrival.
public struct TradeTape: Sendable, RandomAccessCollection {
    /// How many trades are kept; the oldest go when it is full.
    public static let capacity = 500
    /// How many gaps are kept; when there would be more, all before the oldest gap goes with it.
    public static let gapsMax = 16

    var ring = TapeStorage()
    /// Where trades may be missing, oldest first.
    var breaks: [Break] = []
    /// What REST told and the stream may yet tell as well; nil when that is decided.
    var awaited: ExpectedDuplicates?
    /// The name that follows every other in time, so that most trades are named without a search.
    private var newestID: TradeID?
    /// How many trades arrived but could not be taken: they came late, and the tape was full of
    /// newer ones.
    public private(set) var dropped = 0
    /// Whether past trades were read since the market's tape began or broke off.
    public private(set) var isJoined = false
    /// Whether the exchange had nothing before the oldest trade.
    var beginsWithFirstTrade = false

    /// An empty tape.
    public init() {}

    /// The age of the newest trade.
    public var startIndex: Int { 0 }
    /// One more than the age of the oldest trade.
    public var endIndex: Int { ring.count }
    /// How many trades there are.
    public var count: Int { ring.count }

    /// The trade that is `age` trades old: 0 is the newest.
    public subscript(age: Int) -> TapedTrade { ring[ring.count - 1 - age] }

    /// How old the trade of that name is: 0 is the newest; nil if it is not on the tape.
    public func age(of id: TradeID) -> Int? { firstIndex { $0.id == id } }

    /// Spans of exchange time in which trades may be missing, oldest first.
    ///
    /// A gap goes when REST fills it, or when the last trade before it scrolls off.
    public var gaps: [Range<Timestamp>] {
        let gaps = breaks.compactMap { gap in
            gap.next.map { Swift.min(gap.from, $0.at)..<$0.at }
        }
        // They lie in the order of time unless REST and stream contradict each other.
        return gaps.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Since when trades may be missing, while none has arrived since.
    public var openGapFrom: Timestamp? {
        breaks.last.flatMap { $0.next == nil ? $0.from : nil }
    }

    /// Whether past trades were read and none is missing between any two on the tape.
    public var isComplete: Bool { isJoined && breaks.isEmpty }

    /// Whether every trade from a moment on is here, as far as they have arrived.
    ///
    /// Only a trade before that moment, or the market's first one, can tell.
    public func isWhole(since moment: Timestamp) -> Bool {
        guard awaitedCount == 0, openGapFrom == nil, let oldest = last else { return false }
        if let gap = breaks.last?.next, gap.at >= moment { return false }
        return oldest.id.at < moment || beginsWithFirstTrade
    }

    /// How many of the newest trades REST told and the stream is expected to bring yet.
    ///
    /// Whoever takes the stream's trades one by one gets them a second time.
    var awaitedCount: Int { Swift.min(awaited?.unheardCount ?? 0, count) }

    /// Takes a trade of the stream.
    ///
    /// One older than the newest goes where its time says. When the tape is full, one that is
    /// older than all is counted in ``dropped`` and left out.
    public mutating func append(_ trade: Trade) {
        guard var awaited else {
            insert(TapedTrade(trade))
            return
        }
        self.awaited = nil
        awaited.hear(ExpectedDuplicates.Heard(trade))
        for trade in awaited.takeUnexplained() { insert(TapedTrade(trade.row, at: trade.at)) }
        self.awaited = awaited.isDecided ? nil : awaited
    }

    /// Joins past trades with those of the stream.
    ///
    /// The longest run of the last rows of REST that equals the first trades of the stream by
    /// second, price, quantity and side is the same trades; what REST tells before goes before.
    /// Nothing is added when the stream reaches farther back. While the stream has told less than
    /// REST, what it brings is compared first. Behind a loss, the first rows of REST are compared
    /// with the last old trades in the same way; without an overlap the gap stays.
    ///
    /// Names once given stay: of a trade that both told, the stream's. Twins that are found to
    /// stand before others of the same moment get higher numbers than those.
    public mutating func join(_ history: TradeHistory) {
        // Rows that a stream without a loss brings anyway are of no use.
        if isJoined, awaited != nil { return }
        var joint = TradeHistoryMerge(
            segments: segments,
            gapsFrom: breaks.map(\.from),
            rows: history.rows.suffix(Self.capacity)
        )
        joint.join(isTailWanted: !isJoined)
        if joint.beginsWithOldestRow {
            let length = joint.segments.joined().count
            beginsWithFirstTrade = history.isComplete && length <= Self.capacity
        }
        awaited = joint.awaited
        write(joint)
        isJoined = true
    }

    /// Notes that trades after a moment, or after the newest one if that is later, may be missing
    /// until the next one that arrives.
    ///
    /// - Parameter time: until when the stream told everything, in exchange time.
    public mutating func markLoss(at time: Timestamp) {
        isJoined = false
        awaited = nil
        guard let newest = ring.newest, openGapFrom == nil else { return }
        if breaks.count == Self.gapsMax, let start = breaks[0].next {
            removeAll(before: start)
        }
        breaks.append(Break(from: Swift.max(time, newest.id.at), next: nil))
    }
}

extension TradeTape {
    /// A place where trades may be missing.
    struct Break: Sendable, Hashable {
        /// Until when everything is known.
        let from: Timestamp
        /// The first trade after it; nil while none has come.
        var next: TradeID?
    }

    /// The trades between the breaks, oldest first; the last ones are those of the stream since
    /// the newest break.
    private var segments: [[TapedTrade]] {
        var segments: [[TapedTrade]] = [[]]
        var next = breaks.first?.next
        for trade in ring.all {
            if trade.id == next {
                segments.append([])
                next = segments.count - 1 < breaks.count ? breaks[segments.count - 1].next : nil
            }
            segments[segments.count - 1].append(trade)
        }
        if openGapFrom != nil { segments.append([]) }
        return segments
    }

    private mutating func write(_ joint: TradeHistoryMerge) {
        var segments = joint.segments
        var gapsFrom = joint.gapsFrom
        var surplus = segments.joined().count - Self.capacity
        while surplus > 0 {
            let removed = Swift.min(surplus, segments[0].count)
            segments[0].removeFirst(removed)
            surplus -= removed
            // A gap with nothing before it is none.
            if segments[0].isEmpty, !gapsFrom.isEmpty {
                segments.removeFirst()
                gapsFrom.removeFirst()
            }
        }
        breaks = zip(gapsFrom, segments.dropFirst()).map { Break(from: $0, next: $1.first?.id) }
        ring.replaceAll(with: Array(segments.joined()))
        newestID = self.map(\.id).max()
    }

    /// Puts a trade where its time says, and names it.
    private mutating func insert(_ trade: TapedTrade) {
        var place = ring.count
        while place > 0, ring[place - 1].id.at > trade.id.at { place -= 1 }
        if place == 0, ring.count == Self.capacity {
            dropped += 1
            return
        }
        var taped = trade
        taped.id.twin = twinNumber(at: trade.id.at)
        newestID = newestID.map { Swift.max($0, taped.id) } ?? taped.id
        let isAfterBreak = noteFirst(taped.id, at: place)
        taped.setTick(after: place > 0 && !isAfterBreak ? ring[place - 1] : nil)
        if place == ring.count {
            ring.append(taped)
        } else {
            if place == 0 { beginsWithFirstTrade = false }
            ring.insert(taped, at: place)
        }
        trim()
    }

    /// Notes a trade that is the first one after a break if it stands at that place.
    ///
    /// - Returns: whether it is.
    private mutating func noteFirst(_ id: TradeID, at place: Int) -> Bool {
        guard let gap = breaks.indices.last else { return false }
        if place == ring.count {
            if breaks[gap].next != nil { return false }
        } else {
            guard breaks[gap].next == ring[place].id, id.at >= breaks[gap].from else {
                return false
            }
        }
        breaks[gap].next = id
        return true
    }

    /// The number of the next twin at a microsecond.
    private func twinNumber(at moment: Timestamp) -> Int {
        guard let newestID, newestID.at >= moment else { return 0 }
        if newestID.at == moment { return newestID.twin + 1 }
        // REST's trades of that second may stand behind it.
        let twins = lazy.prefix { $0.id.at.second >= moment.second }
            .filter { $0.id.at == moment }
        return twins.map { $0.id.twin + 1 }.max() ?? 0
    }

    private mutating func removeAll(before start: TradeID) {
        guard let age = age(of: start) else { return }
        ring.removeOldest(ring.count - 1 - age)
        beginsWithFirstTrade = false
        breaks.removeFirst()
    }

    /// Lets the oldest trade go if there is one too many, and the gap behind it.
    private mutating func trim() {
        guard ring.count > Self.capacity else { return }
        ring.removeOldest(1)
        beginsWithFirstTrade = false
        if let next = breaks.first?.next, ring[0].id == next { breaks.removeFirst() }
    }
}

extension TradeTape: Hashable {
    /// Whether two tapes tell the same.
    public static func == (left: TradeTape, right: TradeTape) -> Bool {
        left.ring.count == right.ring.count && left.dropped == right.dropped
            && left.isJoined == right.isJoined && left.breaks == right.breaks
            && left.awaited == right.awaited && left.elementsEqual(right)
    }

    /// Hashes what tells tapes apart at once.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ring.count)
        hasher.combine(dropped)
        hasher.combine(first)
    }
}
