/// The trades of a tape in two arrays: a long one that rarely changes, and a short one.
///
/// A board is copied many times a second while every market keeps writing. After a copy the next
/// write duplicates only the short array of at most `recentMax` trades.
struct TapeStorage: Sendable {
    /// The short array is moved to the archive at this length.
    static let recentMax = 64

    private var archive: [TapedTrade] = []
    /// Number of evicted trades at the start of the archive.
    private var archiveStart = 0
    private var recent: [TapedTrade] = []

    var count: Int { archivedCount + recent.count }
    private var archivedCount: Int { archive.count - archiveStart }

    /// The trade at an index, 0 the oldest.
    subscript(place: Int) -> TapedTrade {
        place < archivedCount ? archive[archiveStart + place] : recent[place - archivedCount]
    }

    /// The newest trade.
    var newest: TapedTrade? { count == 0 ? nil : self[count - 1] }

    /// All trades, oldest first.
    var all: [TapedTrade] { Array(archive[archiveStart...]) + recent }

    mutating func append(_ trade: TapedTrade) {
        recent.append(trade)
        if recent.count == Self.recentMax { replaceAll(with: all) }
    }

    /// Inserts a trade and updates the price direction of the next one.
    mutating func insert(_ trade: TapedTrade, at place: Int) {
        // Late trades are late by moments, so this is nearly always the short array.
        if place < archivedCount {
            var trades = all
            trades.insert(trade, at: place)
            trades[place + 1].setTick(after: trade)
            replaceAll(with: trades)
        } else {
            let index = place - archivedCount
            recent.insert(trade, at: index)
            if index + 1 < recent.count { recent[index + 1].setTick(after: trade) }
            if recent.count == Self.recentMax { replaceAll(with: all) }
        }
    }

    mutating func removeOldest(_ number: Int) {
        let archived = min(number, archivedCount)
        archiveStart += archived
        recent.removeFirst(min(number - archived, recent.count))
    }

    mutating func replaceAll(with trades: [TapedTrade]) {
        archive = trades
        archiveStart = 0
        recent = []
        recent.reserveCapacity(Self.recentMax)
    }
}
