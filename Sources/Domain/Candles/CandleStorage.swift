/// Candles ascending, with running sums of what averages are taken of.
///
/// They lie in two pieces: a long one that changes when buckets close, and a short one of the
/// newest, the running candle last. A trade that follows a copy duplicates the short piece alone.
/// The sums wrap round; the difference of two is right while it fits, and the sum of as many
/// values as an average takes does for values up to 10¹⁸.
struct CandleStorage: Sendable {
    /// How many candles the short piece keeps: a trade that comes late finds its bucket there.
    static let recentMin = 10
    /// How long the short piece gets before it is cut to `recentMin`.
    static let recentMax = 32

    private var archive: [Candle] = []
    private var archivedSums: [Sums] = []
    /// How many candles of the archive were given up at its old end.
    private var archiveStart = 0
    private var recent: [Entry] = []

    private var archivedCount: Int { archive.count - archiveStart }
    var count: Int { archivedCount + recent.count }

    /// The candle at a place, 0 the oldest.
    subscript(place: Int) -> Candle {
        place < archivedCount
            ? archive[archiveStart + place] : recent[place - archivedCount].candle
    }

    /// The newest candle with what is known of its trades.
    var newest: Entry? { recent.last }

    /// A candle with what is known of its trades.
    func entry(at place: Int) -> Entry {
        place < archivedCount ? Entry(self[place]) : recent[place - archivedCount]
    }

    /// The sums up to and including a place; −1 stands for before the oldest candle.
    func sums(through place: Int) -> Sums {
        if place < 0 {
            if count == 0 { return Sums() }
            return sums(through: 0).without(self[0])
        }
        return place < archivedCount
            ? archivedSums[archiveStart + place] : recent[place - archivedCount].sums
    }

    /// The place of the first candle that opens at `time` or later.
    func place(openingAtOrAfter time: Timestamp) -> Int {
        if let last = recent.last, last.candle.openTime < time { return count }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].openTime < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func append(_ entry: Entry) {
        var entry = entry
        entry.sums = sums(through: count - 1).with(entry.candle)
        recent.append(entry)
        if recent.count > Self.recentMax { archiveRecent() }
    }

    /// Changes the newest candle.
    mutating func changeNewest(_ body: (inout Entry) -> Void) {
        guard let last = recent.indices.last else { return }
        let before = recent[last].sums.without(recent[last].candle)
        body(&recent[last])
        recent[last].sums = before.with(recent[last].candle)
    }

    /// Changes one of the newest `recentMin` candles.
    mutating func change(at place: Int, _ body: (inout Entry) -> Void) {
        let index = place - archivedCount
        precondition(recent.indices.contains(index), "a candle that old no longer changes")
        body(&recent[index])
        addUp(from: index)
    }

    /// Puts a candle among the newest `recentMin`.
    mutating func insert(_ entry: Entry, at place: Int) {
        let index = place - archivedCount
        precondition(index >= 0, "a candle that old is no longer put in")
        recent.insert(entry, at: index)
        addUp(from: index)
        if recent.count > Self.recentMax { archiveRecent() }
    }

    mutating func removeOldest(_ number: Int) {
        let archived = min(number, archivedCount)
        archiveStart += archived
        recent.removeFirst(min(number - archived, recent.count))
    }

    /// Takes other candles instead of all.
    mutating func replaceAll(with closed: [Candle], _ open: [Entry]) {
        self = CandleStorage()
        archive.reserveCapacity(closed.count)
        archivedSums.reserveCapacity(closed.count)
        // The newest stay where late trades find them.
        let recentClosed = min(closed.count, Self.recentMin)
        for candle in closed.dropLast(recentClosed) { archive(candle) }
        for candle in closed.suffix(recentClosed) { append(Entry(candle)) }
        for entry in open { append(entry) }
    }

    private mutating func archive(_ candle: Candle) {
        archivedSums.append((archivedSums.last ?? Sums()).with(candle))
        archive.append(candle)
    }

    private mutating func archiveRecent() {
        let number = recent.count - Self.recentMin
        // What was given up is let go when the archive is written anyway.
        if archiveStart > archive.count / 2 {
            archive.removeFirst(archiveStart)
            archivedSums.removeFirst(archiveStart)
            archiveStart = 0
        }
        archive.append(contentsOf: recent.prefix(number).lazy.map(\.candle))
        archivedSums.append(contentsOf: recent.prefix(number).lazy.map(\.sums))
        recent.removeFirst(number)
    }

    private mutating func addUp(from index: Int) {
        var sums =
            index > 0 ? recent[index - 1].sums : sums(through: archivedCount - 1)
        for index in index..<recent.count {
            sums = sums.with(recent[index].candle)
            recent[index].sums = sums
        }
    }
}

extension CandleStorage {
    /// Sums of all candles up to one.
    struct Sums: Sendable {
        var close: Int128 = 0
        var volume: Int128 = 0

        func with(_ candle: Candle) -> Sums {
            Sums(close: close &+ candle.close.units, volume: volume &+ candle.volume.units)
        }

        func without(_ candle: Candle) -> Sums {
            Sums(close: close &- candle.close.units, volume: volume &- candle.volume.units)
        }
    }

    /// A candle with what is known of its trades.
    struct Entry: Sendable {
        var candle: Candle
        fileprivate(set) var sums = Sums()
        /// When the first trade was; the beginning of time where REST told the first price.
        var firstAt: Timestamp
        /// When the last trade was.
        var lastAt: Timestamp
        /// Until when REST told all trades.
        var restUntil: Timestamp
        /// Whether all its trades came one by one.
        var isWhole: Bool

        /// A candle that was told, not built.
        init(_ candle: Candle, restUntil: Timestamp = Timestamp(microseconds: .min)) {
            self.candle = candle
            firstAt = Timestamp(microseconds: .min)
            lastAt = restUntil
            self.restUntil = restUntil
            isWhole = false
        }

        /// The candle of one trade.
        init(opening openTime: Timestamp, _ trade: some CandleInput, isWhole: Bool) {
            candle = Candle(
                openTime: openTime,
                open: trade.price,
                high: trade.price,
                low: trade.price,
                close: trade.price,
                volume: trade.quantity,
                origin: .live
            )
            firstAt = trade.executedAt
            lastAt = trade.executedAt
            restUntil = Timestamp(microseconds: .min)
            self.isWhole = isWhole
        }

        /// Takes a trade of its bucket, whatever the order in which they come.
        mutating func absorb(_ trade: some CandleInput) {
            candle.origin = .live
            candle.high = max(candle.high, trade.price)
            candle.low = min(candle.low, trade.price)
            candle.volume = candle.volume.saturatingSum(trade.quantity)
            if trade.executedAt < firstAt {
                candle.open = trade.price
                firstAt = trade.executedAt
            }
            if trade.executedAt >= lastAt {
                candle.close = trade.price
                lastAt = trade.executedAt
            }
        }
    }
}

/// What a candle takes of a trade.
protocol CandleInput {
    var executedAt: Timestamp { get }
    var price: FixedDecimal { get }
    var quantity: FixedDecimal { get }
}

extension Trade: CandleInput {}

extension TapedTrade: CandleInput {
    var executedAt: Timestamp { id.at }
}
