/// Candles ascending, with running sums for moving averages.
///
/// Candles lie in two arrays: a long archive that changes when buckets close, and a short recent
/// part that ends with the running candle. Copying a board makes the next trade copy only the short
/// part. Sums wrap around. The difference of two sums is exact while it fits, which holds for
/// values up to 10¹⁸ and the largest window.
struct CandleStorage: Sendable {
    /// Minimum length of the recent part; late trades find their bucket there.
    static let recentMin = 10
    /// The recent part is reduced to `recentMin` at this length.
    static let recentMax = 32

    private var archive: [Candle] = []
    private var archivedSums: [Sums] = []
    /// Number of evicted candles at the start of the archive.
    private var archiveStart = 0
    private var recent: [Entry] = []

    private var archivedCount: Int { archive.count - archiveStart }
    var count: Int { archivedCount + recent.count }

    /// The candle at an index, 0 the oldest.
    subscript(place: Int) -> Candle {
        place < archivedCount
            ? archive[archiveStart + place] : recent[place - archivedCount].candle
    }

    /// The newest candle and its trade times.
    var newest: Entry? { recent.last }

    /// A candle and its trade times.
    func entry(at place: Int) -> Entry {
        place < archivedCount ? Entry(self[place]) : recent[place - archivedCount]
    }

    /// Sums up to and including an index; −1 means before the oldest candle.
    func sums(through place: Int) -> Sums {
        if place < 0 {
            if count == 0 { return Sums() }
            return sums(through: 0).without(self[0])
        }
        return place < archivedCount
            ? archivedSums[archiveStart + place] : recent[place - archivedCount].sums
    }

    /// Index of the first candle that opens at `time` or later.
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
        precondition(recent.indices.contains(index), "only the newest candles can change")
        body(&recent[index])
        updateSums(from: index)
    }

    /// Inserts a candle among the newest `recentMin`.
    mutating func insert(_ entry: Entry, at place: Int) {
        let index = place - archivedCount
        precondition(index >= 0, "only the newest candles can be inserted")
        recent.insert(entry, at: index)
        updateSums(from: index)
        if recent.count > Self.recentMax { archiveRecent() }
    }

    mutating func removeOldest(_ number: Int) {
        let archived = min(number, archivedCount)
        archiveStart += archived
        recent.removeFirst(min(number - archived, recent.count))
    }

    /// Replaces all candles.
    mutating func replaceAll(with closed: [Candle], _ open: [Entry]) {
        self = CandleStorage()
        archive.reserveCapacity(closed.count)
        archivedSums.reserveCapacity(closed.count)
        // The newest closed candles stay where late trades find them.
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
        // Evicted candles are freed when the archive is rewritten anyway.
        if archiveStart > archive.count / 2 {
            archive.removeFirst(archiveStart)
            archivedSums.removeFirst(archiveStart)
            archiveStart = 0
        }
        archive.append(contentsOf: recent.prefix(number).lazy.map(\.candle))
        archivedSums.append(contentsOf: recent.prefix(number).lazy.map(\.sums))
        recent.removeFirst(number)
    }

    private mutating func updateSums(from index: Int) {
        var sums =
            index > 0 ? recent[index - 1].sums : sums(through: archivedCount - 1)
        for index in index..<recent.count {
            sums = sums.with(recent[index].candle)
            recent[index].sums = sums
        }
    }
}

extension CandleStorage {
    /// Sums over all candles up to one.
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

    /// A candle and the times of its trades.
    struct Entry: Sendable {
        var candle: Candle
        fileprivate(set) var sums = Sums()
        /// Time of the first trade; the minimum time if REST gave the first price.
        var firstAt: Timestamp
        /// Time of the last trade.
        var lastAt: Timestamp
        /// REST included every trade up to this time.
        var restUntil: Timestamp
        /// Whether every trade of the bucket was applied one by one.
        var isWhole: Bool

        /// A candle from REST or the store.
        init(_ candle: Candle, restUntil: Timestamp = Timestamp(microseconds: .min)) {
            self.candle = candle
            firstAt = Timestamp(microseconds: .min)
            lastAt = restUntil
            self.restUntil = restUntil
            isWhole = false
        }

        /// A candle with one trade.
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

        /// Adds a trade of the bucket, in any order.
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

/// The parts of a trade that a candle needs.
protocol CandleInput {
    var executedAt: Timestamp { get }
    var price: FixedDecimal { get }
    var quantity: FixedDecimal { get }
}

extension Trade: CandleInput {}

extension TapedTrade: CandleInput {
    var executedAt: Timestamp { id.at }
}
