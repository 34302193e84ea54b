import Domain

extension ReadingPlan {
    /// Makes up what is to be called now.
    ///
    /// - Parameters:
    ///   - now: monotonic time since any fixed moment.
    ///   - time: exchange time.
    /// - Returns: the calls, and when to ask again though nothing happened.
    mutating func next(
        at now: Duration,
        time: Timestamp
    ) -> (flights: [Flight], wakeAt: Duration?) {
        var started: [Flight] = []
        for reading in wanted(at: now) { start(reading, at: now, &started) }
        for reading in overdueBooks(at: now) {
            guard hasRoom, refreshes.take(at: now) else { break }
            start(reading, at: now, &started)
        }
        for reading in dueCorrections(at: now, time: time) {
            guard hasRoom, corrections.take(at: now) else { break }
            start(reading, at: now, &started)
        }
        return (started, wakeAt(now, time))
    }

    /// Before all calls.
    private static let never: Duration = .seconds(-1)

    private var hasRoom: Bool { flights < Self.flightsMax }

    private mutating func start(
        _ reading: DetailRequest,
        at now: Duration,
        _ started: inout [Flight]
    ) {
        guard hasRoom, var entry = entries[reading] else { return }
        let flight = Flight(id: nextID, reading: reading)
        nextID += 1
        flights += 1
        entry.flight = flight.id
        entry.startedAt = now
        entry.isFlightAsked = entry.isAsked
        entry.isAsked = false
        entries[reading] = entry
        started.append(flight)
    }

    /// What is lacking or asked for and may be read now, what was never read first.
    private func wanted(at now: Duration) -> [DetailRequest] {
        entries.filter { reading, entry in
            wantedAt(reading, entry).map { $0 <= now } ?? false
        }
        .sorted { left, right in
            (left.value.startedAt ?? Self.never, left.key)
                < (right.value.startedAt ?? Self.never, right.key)
        }
        .map(\.key)
    }

    /// When a call may be made because it is lacking or asked for; nil if it is not.
    private func wantedAt(_ reading: DetailRequest, _ entry: Entry) -> Duration? {
        guard entry.isNeeded || entry.isAsked, entry.isIdle else { return nil }
        return max(entry.gapEnd(isBook: reading.isBook), entry.notBefore)
    }

    /// The books without a whole one for too long, the oldest first: that makes a round of them.
    private func overdueBooks(at now: Duration) -> [DetailRequest] {
        entries.filter { reading, entry in
            overdueAt(reading, entry).map { $0 <= now } ?? false
        }
        .sorted { left, right in
            (left.value.touchedAt, left.key) < (right.value.touchedAt, right.key)
        }
        .map(\.key)
    }

    private func overdueAt(_ reading: DetailRequest, _ entry: Entry) -> Duration? {
        guard reading.isBook, entry.isIdle, !entry.isNeeded, !entry.isAsked else { return nil }
        return max(entry.touchedAt + Self.bookAgeMax, entry.notBefore)
    }

    /// The candles to read again: those of screens in their few seconds after the close first, then
    /// the sweep through all others, whatever has waited longest.
    private func dueCorrections(at now: Duration, time: Timestamp) -> [DetailRequest] {
        var inTime: [(Timestamp, DetailRequest)] = []
        var others: [(Timestamp, DetailRequest)] = []
        for (reading, entry) in entries {
            guard let due = correctionAt(entry), due <= time, entry.notBefore <= now,
                let correction = entry.correction
            else { continue }
            if entry.isHeld, time <= correction.sweptFrom {
                inTime.append((due, reading))
            } else {
                others.append((due, reading))
            }
        }
        return (inTime.sorted(by: <) + others.sorted(by: <)).map(\.1)
    }

    private func correctionAt(_ entry: Entry) -> Timestamp? {
        guard let correction = entry.correction, entry.isIdle, !entry.isNeeded, !entry.isAsked
        else { return nil }
        return entry.isHeld ? correction.dueAt : correction.sweptFrom
    }

    private func wakeAt(_ now: Duration, _ time: Timestamp) -> Duration? {
        // Whatever waits for room is looked at again when a call ends.
        guard hasRoom else { return nil }
        var earliest: Duration?
        func note(_ moment: Duration) { earliest = min(earliest ?? moment, moment) }
        for (reading, entry) in entries {
            if let moment = wantedAt(reading, entry) { note(moment) }
            if let moment = overdueAt(reading, entry) { note(max(moment, refreshes.next(at: now))) }
            if let due = correctionAt(entry) {
                let moment = max(now + due.duration(since: time), entry.notBefore)
                note(max(moment, corrections.next(at: now)))
            }
        }
        return earliest
    }
}

extension ReadingPlan.Entry {
    /// Whether no call is under way and somebody would get its answer.
    fileprivate var isIdle: Bool { flight == nil && !interests.isEmpty }

    /// When the book was last whole, or last asked for.
    fileprivate var touchedAt: Duration { max(snapshotAt, startedAt ?? snapshotAt) }

    /// When the next call may be made; a book is read each second for as long as it is lacking.
    fileprivate func gapEnd(isBook: Bool) -> Duration {
        guard let startedAt else { return .zero }
        let doublings = isBook || isAsked ? 0 : min(max(fruitless - 1, 0), 5)
        return startedAt + min(ReadingPlan.gapMax, ReadingPlan.gap * (1 << doublings))
    }
}

extension DetailRequest: Comparable {
    fileprivate var isBook: Bool {
        switch self {
        case .book: true
        case .trades, .candles: false
        }
    }

    /// A total order, for equal times: by market, then book, trades, candles.
    static func < (left: DetailRequest, right: DetailRequest) -> Bool {
        left.market == right.market ? left.rank < right.rank : left.market < right.market
    }

    private var rank: Int {
        switch self {
        case .book: 0
        case .trades: 1
        case .candles(_, let interval):
            2 + (CandleInterval.allCases.firstIndex(of: interval) ?? 0)
        }
    }
}
