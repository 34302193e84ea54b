/// An order book maintained from snapshots and changes of one API generation.
///
/// A snapshot of another generation begins the book anew. In API 2.x each snapshot is the whole
/// book, see ``BestLevelsBook``. In API 1.x the book is compared with every later snapshot and
/// corrected; everything is ordered by exchange time, not by arrival:
///
/// - A snapshot is authoritative at its time, down to its last level, or for the whole side if it
///   lists fewer than thirty levels. Newer changes stay on top of it. Changes that arrive before
///   the first snapshot are buffered.
/// - A change that is not newer than the last snapshot is ignored within the snapshot's range.
///   Beyond the last level, and beyond the digits of a REST answer, it applies if the price is held
///   and was last changed earlier.
/// - A change never overwrites a newer one, not even a deletion. Of two changes with the same time
///   the later arrival wins, so duplicates have no effect.
/// - A snapshot that is not newer than the last one is ignored. While a reload is needed, a
///   snapshot of the same microsecond (REST: millisecond) is accepted, because a quiet market may
///   repeat its time forever.
/// - A REST answer has whole milliseconds, so changes of that millisecond are newer. It truncates
///   quantities to four digits, so further digits and levels below 0.0001 are no difference. A
///   stream snapshot of the same time is newer than the REST answer.
/// - A snapshot with unreadable levels does not replace a complete book, because a hidden level may
///   be the best one. After ``unreadableLimit`` without a whole one it is better than an old book:
///   it is applied, and the book is not complete.
public struct LocalOrderBook: Sendable, Hashable {
    /// How long a complete book is kept while all snapshots have unreadable levels.
    static let unreadableLimit = FeedStatus.staleAfter

    /// The levels.
    public private(set) var book = OrderBook()
    /// Whether a snapshot has been applied.
    ///
    /// Before that, changes are only buffered.
    public private(set) var isReady = false
    /// Whether a snapshot was applied and no later change is known to be lost.
    public private(set) var isComplete = false
    /// Number of snapshots compared with the local book: all applied ones except the first.
    public private(set) var comparisons = 0
    /// Number of comparisons that found a wrong level and corrected it.
    ///
    /// Levels that could not be known before do not count: levels beyond every snapshot so far, and
    /// after a REST answer its missing digits and small levels. Nor do differences from a REST
    /// answer that may be newer than all that the stream told: changes may be on their way.
    public var corrections: Int { correctionReasons.total }
    /// Corrections by reason.
    public private(set) var correctionReasons = BookCorrections()
    /// When the newest data were received, on the local clock.
    ///
    /// Ignored data do not count.
    public private(set) var lastDataAt: Timestamp?
    /// Source of the newest data.
    public private(set) var origin: FeedStatus.Origin?
    /// The API of all levels; nil before the first snapshot.
    public private(set) var api: ExchangeAPI?
    /// Exchange time of the levels beyond the fifteenth in API 2.x.
    ///
    /// Nil without any, and in API 1.x, where all levels are as new as the book.
    public var deepAt: Timestamp? { whole?.deepAt }
    /// Whether the exchange has levels beyond those of API 2.x's frames that are not known.
    public var lacksDeepLevels: Bool { whole?.lacksDeepLevels ?? false }
    /// Whether a REST snapshot is needed: no snapshot yet, crossed sides, or lost changes.
    public var needsReload: Bool { !isReady || !isComplete || book.isCrossed }

    private var log = DeltaBuffer()
    /// Newest exchange time of a change, in microseconds.
    private var changedAt = Int64.min
    /// Snapshots include every change up to this exchange time, in microseconds.
    private var settledAt = Int64.min
    /// Newest exchange time known at the last loss; only a snapshot of that time or later repairs
    /// the loss.
    private var lostAt = Int64.min
    private var lastOrigin: OrderBookSnapshot.Origin?
    /// The snapshots of API 2.x that the levels come from.
    private var whole: BestLevelsBook?

    /// A book without data.
    public init() {}

    /// Exchange time of the newest data; nil if there are none.
    public var newestAt: Timestamp? {
        let newest = max(changedAt, settledAt)
        return newest == .min ? nil : Timestamp(microseconds: newest)
    }

    /// Number of levels on a side, including those hidden while sides cross.
    public func count(_ side: BookSide) -> Int { book.count(side) }

    /// Applies a snapshot.
    public mutating func apply(_ snapshot: OrderBookSnapshot, receivedAt: Timestamp) {
        let isWhole = snapshot.unreadableCount == 0
        if !isWhole, isComplete, let lastDataAt,
            receivedAt.duration(since: lastDataAt) < Self.unreadableLimit
        {
            return
        }
        begin(snapshot)
        switch snapshot.api {
        case .v1: compare(with: snapshot, receivedAt: receivedAt)
        case .v2: replace(with: snapshot, receivedAt: receivedAt)
        }
        if !isWhole, isReady { markLoss() }
    }

    private mutating func compare(with snapshot: OrderBookSnapshot, receivedAt: Timestamp) {
        guard let settledAt = settledTime(of: snapshot) else { return }
        let repairsLoss =
            snapshot.unreadableCount == 0 && snapshot.latest >= lostAt && settledAt >= log.horizon
        let reason: BookCorrections.Reason =
            !isComplete ? .loss : book.isCrossed ? .crossed : .mismatch
        let overtakesStream =
            snapshot.origin == .rest && snapshot.latest > max(changedAt, self.settledAt)
        log.discard(until: settledAt)
        let isWrong = correct(with: snapshot, settledAt, replaces: !isComplete && repairsLoss)
        if isReady {
            comparisons += 1
            if isWrong, !(reason == .mismatch && overtakesStream) {
                correctionReasons.count(reason)
            }
        } else {
            for entry in log.inOrder { book.apply(entry.changes, at: entry.at) }
            isReady = true
        }
        isComplete = isComplete || repairsLoss
        self.settledAt = settledAt
        lastOrigin = snapshot.origin
        lastDataAt = receivedAt
        origin = snapshot.origin == .rest ? .rest : .stream
    }

    /// Applies changes, of API 1.x.
    public mutating func apply(_ delta: OrderBookDelta, receivedAt: Timestamp) {
        let at = delta.at.microseconds
        if api == .v2 {
            // They precede the snapshot with which the book of API 1.x begins.
            log.append(delta.changes, at: at)
            return
        }
        if at <= settledAt {
            applySettled(delta.changes, at: at)
            return
        }
        if isReady {
            if at >= changedAt {
                book.apply(delta.changes, at: at)
            } else {
                applyLate(delta.changes, at: at)
            }
        }
        log.append(delta.changes, at: at)
        changedAt = max(changedAt, at)
        lastDataAt = receivedAt
        origin = .stream
    }

    /// Marks that changes may be lost.
    ///
    /// Levels stay and changes still apply. The next snapshot from after the loss replaces all
    /// levels, including those beyond its range.
    public mutating func markLoss() {
        isComplete = false
        lostAt = max(changedAt, settledAt)
    }
}

extension LocalOrderBook {
    /// Prepares the book for a snapshot, which may be of another API generation.
    private mutating func begin(_ snapshot: OrderBookSnapshot) {
        if let api, api != snapshot.api {
            var other = LocalOrderBook()
            other.comparisons = comparisons
            other.correctionReasons = correctionReasons
            // Changes of API 1.x may have arrived before its snapshot.
            if snapshot.api == .v1 {
                other.log = log
                other.changedAt = log.entries.map(\.at).max() ?? .min
            }
            self = other
        }
        api = snapshot.api
    }

    /// Replaces the levels by those of a snapshot of API 2.x.
    private mutating func replace(with snapshot: OrderBookSnapshot, receivedAt: Timestamp) {
        guard let next = BestLevelsBook(snapshot, after: whole) else { return }
        let at = next.newestAt
        let isChanged = BookSide.allCases.contains { next.side($0) != whole?.side($0) }
        log.discard(until: at)
        whole = next
        if isChanged { book.withLadders { ladder, side in ladder.replace(with: next, side) } }
        settledAt = at
        isReady = true
        isComplete = isComplete || at >= lostAt
        lastDataAt = receivedAt
        origin = snapshot.origin == .rest ? .rest : .stream
    }

    /// The time up to which a snapshot includes every change; nil if it is too old to be applied.
    private func settledTime(of snapshot: OrderBookSnapshot) -> Int64? {
        let earliest = snapshot.earliest
        if !isReady { return earliest }
        // Evicted changes newer than the snapshot could not be applied on top of it.
        if earliest < log.horizon { return nil }
        if earliest > settledAt { return earliest }
        return needsReload && snapshot.latest >= settledAt ? settledAt : nil
    }

    /// Compares both sides with a snapshot and corrects them.
    private mutating func correct(
        with snapshot: OrderBookSnapshot,
        _ settledAt: Int64,
        replaces: Bool
    ) -> Bool {
        var isWrong = false
        let (log, isReady, followsTruncated) = (log, isReady, lastOrigin == .rest)
        book.withLadders { ladder, side in
            let sideSnapshot = BookSideSnapshot(
                side: side,
                levels: snapshot.levels(side),
                isComplete: snapshot.isComplete(side),
                settledAt: settledAt,
                isTruncated: snapshot.origin == .rest,
                followsTruncated: followsTruncated,
                replaces: replaces
            )
            let isSideWrong = ladder.correct(with: sideSnapshot) { price in
                isReady && log.changes(side, price, after: settledAt)
            }
            isWrong = isWrong || isSideWrong
        }
        return isWrong
    }

    /// Applies changes that are newer than the last snapshot but not the newest of all.
    private mutating func applyLate(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            let key = change.side.key(of: change.price)
            if let held = book.ladder(change.side).level(key) {
                if held.at > at { continue }
            } else if change.quantity.isZero || log.changes(change.side, change.price, after: at) {
                continue
            } else if at <= log.horizon {
                // The evicted frames may have deleted this level since.
                markLoss()
                continue
            }
            book.withLadder(change.side) { $0.set(key, change.quantity.units, at: at) }
        }
        book.settleCrossing()
    }

    /// Applies changes from before the last snapshot where the snapshot shows nothing.
    private mutating func applySettled(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            let key = change.side.key(of: change.price)
            let quantity = change.quantity.units
            let ladder = book.ladder(change.side)
            let isInRange = key >= ladder.range
            if let held = ladder.level(key) {
                let differsInDigitsOnly =
                    BookSideSnapshot.truncated(held.quantity)
                    == BookSideSnapshot.truncated(quantity)
                if held.at > at || (isInRange && !(differsInDigitsOnly && lastOrigin == .rest)) {
                    continue
                }
                book.withLadder(change.side) { $0.set(key, quantity, at: at) }
            } else if !isInRange, quantity > 0 {
                // An earlier snapshot or a deletion may have changed this level since.
                book.withLadder(change.side) { $0.shortenReach(to: ladder.range) }
            }
        }
        book.settleCrossing()
    }
}

extension OrderBookSnapshot {
    /// The snapshot includes every change up to this time, in microseconds.
    fileprivate var earliest: Int64 {
        switch origin {
        case .rest: at.microseconds == .min ? .min : at.microseconds - 1
        case .stream: at.microseconds
        }
    }

    /// The snapshot includes no change after this time, in microseconds.
    ///
    /// REST truncates to milliseconds.
    fileprivate var latest: Int64 {
        switch origin {
        case .rest: at.microseconds > .max - 999 ? .max : at.microseconds + 999
        case .stream: at.microseconds
        }
    }
}
