/// Trades in the order of a tape, in two pieces: a long one that changes rarely, and a short one.
///
/// A board is copied many times a second and each market goes on writing. What a copy makes the
/// next write duplicate is the short piece alone, plain bytes of at most `recentMax` trades.
struct TapeStorage: Sendable {
    /// How long the short piece gets before it is put to the long one.
    static let recentMax = 64

    private var archive: [TapedTrade] = []
    /// How many trades of the archive have scrolled off.
    private var archiveStart = 0
    private var recent: [TapedTrade] = []

    var count: Int { archivedCount + recent.count }
    private var archivedCount: Int { archive.count - archiveStart }

    /// The trade at a place, 0 the oldest.
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

    /// Puts a trade at a place, and tells the one behind it where the price went since.
    mutating func insert(_ trade: TapedTrade, at place: Int) {
        // Trades come late by moments: this is nearly always the short piece.
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
