/// The book of API 2.x: the newest snapshot, and the levels beyond a frame's fifteen from REST.
///
/// The stream sends the best levels, whole, and no changes. Further levels count only strictly
/// beyond the last listed price, and until they are ``deepAgeMax`` older than it.
struct BestLevelsBook: Sendable, Hashable {
    /// How much older than the best levels the levels beyond them may be, in microseconds: 30 s.
    ///
    /// Older ones would describe a part of the book that nobody has seen since.
    static let deepAgeMax: Int64 = 30_000_000

    /// One side.
    struct Side: Sendable, Hashable {
        /// The levels, best first.
        var levels: [BookLevel] = []
        /// How many of them the newest snapshot lists.
        var newestCount = 0
        /// Whether the exchange has no levels beyond these.
        var isComplete = false
        /// Whether those of REST lie so far beyond that others may be missing in between.
        var isCut = false
    }

    /// The newest snapshot.
    private let newest: OrderBookSnapshot
    /// The newest REST answer; nil once it is too old.
    private let deep: OrderBookSnapshot?
    private let asks: Side
    private let bids: Side

    /// The book of a snapshot of API 2.x after `last`; nil if it is older than all of that.
    init?(_ snapshot: OrderBookSnapshot, after last: BestLevelsBook?) {
        let isNewest = last.map { snapshot.at >= $0.newest.at } ?? true
        let isDeepest =
            snapshot.origin == .rest && last?.deep.map { snapshot.at >= $0.at } ?? true
        guard let newest = isNewest ? snapshot : last?.newest, isNewest || isDeepest else {
            return nil
        }
        let deep = (isDeepest ? snapshot : last?.deep).flatMap { deep in
            newest.at.microseconds - deep.at.microseconds <= Self.deepAgeMax ? deep : nil
        }
        self.newest = newest
        self.deep = deep
        asks = Side(.ask, newest, deep)
        bids = Side(.bid, newest, deep)
    }

    /// Exchange time of the best levels, in microseconds.
    var newestAt: Int64 { newest.at.microseconds }

    /// Whether a side goes on beyond its levels, and no REST answer tells how.
    var lacksDeepLevels: Bool {
        asks.isCut || bids.isCut || deep == nil && !(asks.isComplete && bids.isComplete)
    }

    /// Exchange time of the levels that REST alone has: those beyond the newest snapshot's, and
    /// beyond the fifteenth; nil without any.
    var deepAt: Timestamp? {
        let hasDeep = BookSide.allCases.contains {
            let side = side($0)
            return side.levels.count > min(side.newestCount, OrderBookSnapshot.bestLevelsMax)
        }
        return hasDeep ? deep?.at ?? newest.at : nil
    }

    /// The levels of one side.
    func side(_ side: BookSide) -> Side { side == .ask ? asks : bids }

    /// A ladder's levels of one side, best first, with the time of each.
    func ladderLevels(_ side: BookSide) -> [BookLadder.Level] {
        let shown = self.side(side)
        let deepAt = deep?.at.microseconds ?? newestAt
        return shown.levels.enumerated().map { index, level in
            BookLadder.Level(
                key: side.key(of: level.price),
                quantity: level.quantity.units,
                at: index < shown.newestCount ? newestAt : deepAt
            )
        }
    }
}

extension BestLevelsBook.Side {
    /// The side of the newest snapshot, and what is beyond it in a REST answer.
    fileprivate init(_ side: BookSide, _ newest: OrderBookSnapshot, _ deep: OrderBookSnapshot?) {
        levels = newest.levels(side)
        newestCount = levels.count
        isComplete = newest.isComplete(side)
        // A level that is gone lies before the last listed price, even one without a quantity.
        guard newest.origin == .stream, !isComplete, let last = newest.lastPrice(side), let deep
        else { return }
        let key = side.key(of: last)
        // Levels between the last one here and the first one there would be in neither.
        guard let best = deep.levels(side).first, side.key(of: best.price) >= key else {
            isCut = true
            return
        }
        levels += deep.levels(side).filter { side.key(of: $0.price) < key }
        isComplete = deep.isComplete(side)
    }
}

extension BookLadder {
    /// Replaces one side's levels by those of a book of API 2.x.
    mutating func replace(with book: BestLevelsBook, _ side: BookSide) {
        let levels = book.ladderLevels(side)
        let range = book.side(side).isComplete ? Int128.min : levels.last?.key ?? .max
        replace(best: levels, range: range, reach: range)
    }
}
