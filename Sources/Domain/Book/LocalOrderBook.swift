/// An order book as it is followed: joined from snapshots and changes, compared, and healed.
///
/// Everything is ordered by the exchange's time, whatever the order of arrival:
///
/// - A snapshot is the truth as of its time, as far as it tells: to its last level, or everything
///   on a side with fewer than thirty. Changes that are newer stay on top of it. Those that arrive
///   before the first snapshot are kept until it is there.
/// - A change that is not newer than the last snapshot says nothing about what that told. Beyond
///   its last level, and beyond the digits of a REST answer, it counts where the price is held and
///   was last changed earlier.
/// - A change never undoes a newer one, not even a deletion. Of two at one time the later arrival
///   counts, so what arrives twice changes nothing.
/// - A snapshot that is not newer than the last one is ignored. One that is of its very moment, or
///   over REST of its millisecond, is taken while a reload is wanted: where nothing happens, the
///   exchange may tell the same time for ever.
/// - A REST answer tells whole milliseconds, so changes of that millisecond are newer, and cuts
///   quantities to four digits, so digits beyond and levels below 0.0001 are no difference. A
///   snapshot of the stream at the same time is newer than it.
public struct LocalOrderBook: Sendable, Hashable {
    /// The levels.
    public private(set) var book = OrderBook()
    /// Whether a snapshot is in: before that, changes are only kept for later.
    public private(set) var isReady = false
    /// Whether the stream of changes runs without a known loss since the last snapshot.
    public private(set) var isComplete = false
    /// How many snapshots were compared with the local book: all that were taken but the first.
    public private(set) var comparisons = 0
    /// How many of them found it different and replaced what was wrong.
    ///
    /// Levels that could not be known before are none: those farther than any snapshot told, and
    /// after a REST answer the digits and the small levels that it does not tell.
    public var heals: Int { correctionReasons.total }
    /// The same by what was known to be wrong before.
    public private(set) var correctionReasons = BookCorrections()
    /// When the newest data were received, on the local clock; what is ignored as too old is none.
    public private(set) var lastDataAt: Timestamp?
    /// Where the newest data came from.
    public private(set) var origin: FeedStatus.Origin?
    /// Whether a reading over REST is wanted: nothing is in yet, sides cross, or data were lost.
    public var needsReload: Bool { !isReady || !isComplete || book.isCrossed }

    private var log = DeltaBuffer()
    /// The newest exchange time of a change, in microseconds.
    private var changedAt = Int64.min
    /// Snapshots tell everything until this exchange time, in microseconds.
    private var settledAt = Int64.min
    /// The newest exchange time before the last loss: no earlier snapshot makes up for it.
    private var lostAt = Int64.min
    private var lastTruth: OrderBookSnapshot.Origin?

    /// A book of which nothing is known.
    public init() {}

    /// The exchange time of the newest data; nil if there are none yet.
    public var newestAt: Timestamp? {
        let newest = max(changedAt, settledAt)
        return newest == .min ? nil : Timestamp(microseconds: newest)
    }

    /// How many levels a side has, those included that are left out while sides cross.
    public func count(_ side: BookSide) -> Int { book.count(side) }

    /// Takes a snapshot: the truth as of its time.
    public mutating func apply(_ snapshot: OrderBookSnapshot, receivedAt: Timestamp) {
        guard let settledAt = settledTime(of: snapshot) else { return }
        let settlesLoss = snapshot.latest >= lostAt && settledAt >= log.horizon
        let reason: BookCorrections.Reason =
            !isComplete ? .loss : book.isCrossed ? .crossed : .mismatch
        log.forget(until: settledAt)
        let isWrong = mend(with: snapshot, settledAt, replaces: !isComplete && settlesLoss)
        if isReady {
            comparisons += 1
            if isWrong { correctionReasons.count(reason) }
        } else {
            for entry in log.inOrder { book.apply(entry.changes, at: entry.at) }
            isReady = true
        }
        isComplete = isComplete || settlesLoss
        self.settledAt = settledAt
        lastTruth = snapshot.origin
        lastDataAt = receivedAt
        origin = snapshot.origin == .rest ? .rest : .stream
    }

    /// Takes changes.
    public mutating func apply(_ delta: OrderBookDelta, receivedAt: Timestamp) {
        let at = delta.at.microseconds
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

    /// Notes that changes may have been lost until the next snapshot.
    ///
    /// What is held stays, and changes go on being taken. The next snapshot from after the loss
    /// replaces everything, also the levels beyond those it tells.
    public mutating func markLoss() {
        isComplete = false
        lostAt = max(changedAt, settledAt)
    }
}

extension LocalOrderBook {
    /// Until when a snapshot tells everything; nil if it comes too late to be taken.
    private func settledTime(of snapshot: OrderBookSnapshot) -> Int64? {
        let earliest = snapshot.earliest
        if !isReady { return earliest }
        // Changes since then that had to be forgotten could not be put on top of it.
        if earliest < log.horizon { return nil }
        if earliest > settledAt { return earliest }
        return needsReload && snapshot.latest >= settledAt ? settledAt : nil
    }

    /// Compares both sides with a snapshot and mends them.
    private mutating func mend(
        with snapshot: OrderBookSnapshot,
        _ settledAt: Int64,
        replaces: Bool
    ) -> Bool {
        var isWrong = false
        let (log, isReady, followsCut) = (log, isReady, lastTruth == .rest)
        book.withLadders { ladder, side in
            let truth = BookSideSnapshot(
                side: side,
                levels: snapshot.levels(side),
                isComplete: snapshot.isComplete(side),
                settledAt: settledAt,
                isCut: snapshot.origin == .rest,
                followsCut: followsCut,
                replaces: replaces
            )
            let isSideWrong = ladder.mend(with: truth) { price in
                isReady && log.changes(side, price, after: settledAt)
            }
            isWrong = isWrong || isSideWrong
        }
        return isWrong
    }

    /// Takes changes that are newer than the last snapshot, but not than all changes.
    private mutating func applyLate(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            let key = change.side.key(of: change.price)
            if let held = book.ladder(change.side).level(key) {
                if held.at > at { continue }
            } else if change.quantity.isZero || log.changes(change.side, change.price, after: at) {
                continue
            } else if at <= log.horizon {
                // Whether it was deleted since is no longer known.
                markLoss()
                continue
            }
            book.withLadder(change.side) { $0.set(key, change.quantity.units, at: at) }
        }
        book.settleCrossing()
    }

    /// Takes what changes from before the last snapshot say that it does not tell.
    private mutating func applySettled(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            let key = change.side.key(of: change.price)
            let quantity = change.quantity.units
            let ladder = book.ladder(change.side)
            let isTold = key >= ladder.range
            if let held = ladder.level(key) {
                let isDigits = BookSideSnapshot.cut(held.quantity) == BookSideSnapshot.cut(quantity)
                if held.at > at || (isTold && !(isDigits && lastTruth == .rest)) { continue }
                book.withLadder(change.side) { $0.set(key, quantity, at: at) }
            } else if !isTold, quantity > 0 {
                // An earlier snapshot or a deletion may have said otherwise since.
                book.withLadder(change.side) { $0.shortenReach(to: ladder.range) }
            }
        }
        book.settleCrossing()
    }
}

extension OrderBookSnapshot {
    /// Everything until this time is in it, in microseconds.
    fileprivate var earliest: Int64 {
        switch origin {
        case .rest: at.microseconds == .min ? .min : at.microseconds - 1
        case .stream: at.microseconds
        }
    }

    /// Nothing after this time is in it, in microseconds: REST tells whole milliseconds, cut.
    fileprivate var latest: Int64 {
        switch origin {
        case .rest: at.microseconds > .max - 999 ? .max : at.microseconds + 999
        case .stream: at.microseconds
        }
    }
}
