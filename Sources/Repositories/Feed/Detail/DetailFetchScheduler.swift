import Concurrency
import DataSourceContracts
import Domain

/// Decides which REST requests the detail feed sends, and when: a pure state machine.
///
/// One request serves all interests that need it and is never sent twice at a time. Its response
/// counts only if the interest is still open. There are four reasons for a request: the board lacks
/// data; a reload; the last snapshot of a book is too old; a bucket of candles has closed.
struct DetailFetchScheduler: Sendable {
    /// The requests in flight at a time; further ones wait.
    static let fetchesMax = 16
    /// The same for past candles.
    static let pastFetchesMax = 4
    /// The shortest time between two requests of past candles, of at most six calls each: 48 calls
    /// a second.
    static let pastSpacing: Duration = .milliseconds(125)
    /// The shortest time between two equal requests.
    static let gap: Duration = .seconds(1)
    /// The longest gap for data that the board still lacks after responses.
    static let gapMax: Duration = .seconds(32)
    /// How old the last snapshot of a book, of stream or REST, may be before REST reads one.
    static let bookAgeMax: Duration = .seconds(8)
    /// The wait before a refused market is requested again.
    static let refusedWait: Duration = .seconds(60)

    /// A request in flight.
    struct Fetch: Sendable, Hashable {
        /// Identifies it.
        var id: Int
        /// The request.
        var request: DetailRequest
        /// How far back candles are read.
        var reach = CandleReach.whole
    }

    /// The state of one request.
    struct Entry: Sendable {
        /// The open interests that it serves.
        var interests: Set<DetailInterest> = []
        /// The fetch in flight.
        var fetch: Int?
        /// Whether the fetch in flight belongs to an interest that was closed since.
        var isFetchStale = false
        /// Whether the fetch in flight serves a reload, which stays pending if it fails.
        var wasRequested = false
        /// Whether a screen shows one of the interests.
        var isHeld = false
        /// Whether the board lacks data of one of the interests.
        var isNeeded = false
        /// Whether it is requested regardless of the board.
        var isRequested = false
        /// When the last fetch started; nil before the first one.
        var startedAt: Duration?
        /// Responses in a row after which the board still lacks data.
        var unhelpfulCount = 0
        /// The earliest next fetch after a failure.
        var notBefore: Duration = .zero
        var backoff = Backoff(.exchange)
        /// When the last snapshot of a book arrived.
        var snapshotAt: Duration = .zero
        /// Whether the whole candles were read twice, without an unreadable row, since the last
        /// interest was opened.
        var isWhole = false
        /// How far back candles were read last; a confirmation reads as far.
        var lastReach = CandleReach.whole
        /// Whether candles were read twice since the board lacked them.
        var isConfirmed = false
        /// When candles are read again.
        var correction: CandleCorrection?
    }

    var entries: [DetailRequest: Entry] = [:]
    var nextID = 1
    var fetches = 0
    var refreshes = CallRateLimit()
    var corrections = CallRateLimit()
    var pastReadings = CallRateLimit(spacing: pastSpacing)
    /// The markets whose books are open.
    private(set) var books: Set<MarketID> = []
    /// The open interests.
    private(set) var open: Set<DetailInterest> = []
    /// The markets whose books the streams carry.
    var subscribed: [APIGeneration: Set<MarketID>] = [:]
    /// The board's last needs; nil if an event since then may change them.
    private var lastNeeds: Set<DetailInterest>?

    /// Makes a scheduler without interests.
    init() {}

    /// Opens an interest.
    mutating func open(_ interest: DetailInterest, at now: Duration) {
        open.insert(interest)
        if interest.facet == .book { books.insert(interest.market) }
        lastNeeds = nil
        guard let request = DetailRequest(interest) else { return }
        if entries[request]?.interests.isEmpty ?? true {
            // A fetch that is still in flight belongs to an earlier interest.
            let fetch = entries[request]?.fetch
            entries[request] = Entry(fetch: fetch, isFetchStale: fetch != nil)
            entries[request]?.snapshotAt = now
        }
        entries[request]?.interests.insert(interest)
        entries[request]?.isWhole = false
    }

    /// Closes an interest; a late response is not delivered.
    mutating func close(_ interest: DetailInterest) {
        open.remove(interest)
        if interest.facet == .book { books.remove(interest.market) }
        guard let request = DetailRequest(interest) else { return }
        entries[request]?.interests.remove(interest)
        guard let entry = entries[request], entry.interests.isEmpty else { return }
        if entry.fetch == nil { entries[request] = nil }
    }

    /// Sets the interests that screens hold.
    mutating func hold(_ interests: Set<DetailInterest>) {
        for request in Array(entries.keys) {
            let isHeld = entries[request].map { !$0.interests.isDisjoint(with: interests) }
            entries[request]?.isHeld = isHeld ?? false
        }
    }

    /// Applies the interests whose data the board lacks.
    ///
    /// - Returns: whether the board lacks data that it did not lack before.
    mutating func apply(_ needs: Set<DetailInterest>) -> Bool {
        guard needs != lastNeeds else { return false }
        lastNeeds = needs
        var hasNew = false
        for request in Array(entries.keys) {
            guard var entry = entries[request] else { continue }
            let isNeeded = !entry.interests.isDisjoint(with: needs)
            if isNeeded, !entry.isNeeded {
                hasNew = true
                entry.isConfirmed = false
            }
            entry.isNeeded = isNeeded
            if !isNeeded { entry.unhelpfulCount = 0 }
            entries[request] = entry
        }
        return hasNew
    }

    /// Requests everything at once, regardless of earlier failures.
    mutating func requestAll() {
        for request in Array(entries.keys) {
            entries[request]?.isRequested = true
            entries[request]?.unhelpfulCount = 0
            entries[request]?.notBefore = .zero
        }
    }

    /// The interests that a response serves; nil if none is open any more.
    func recipients(of fetch: Fetch) -> Set<DetailInterest>? {
        guard let entry = entries[fetch.request], entry.fetch == fetch.id,
            !entry.isFetchStale, !entry.interests.isEmpty
        else { return nil }
        return entry.interests
    }

    /// Ends a fetch, after success or failure.
    mutating func end(_ fetch: Fetch) {
        fetches -= 1
        guard var entry = entries[fetch.request], entry.fetch == fetch.id else { return }
        entry.fetch = nil
        entry.isFetchStale = false
        entries[fetch.request] = entry.interests.isEmpty ? nil : entry
    }

    /// Stores a success, before the board applies the response.
    mutating func succeeded(
        _ fetch: Fetch,
        requestedAt: Timestamp,
        isReadable: Bool,
        at now: Duration,
        random: UInt64
    ) {
        guard recipients(of: fetch) != nil, var entry = entries[fetch.request] else { return }
        lastNeeds = nil
        entry.backoff.succeeded()
        entry.isNeeded = false
        entry.unhelpfulCount += 1
        switch fetch.request {
        case .book: entry.snapshotAt = now
        case .trades, .pastCandles: break
        case .candles(_, let interval):
            if fetch.reach == .whole { entry.isWhole = entry.isConfirmed && isReadable }
            entry.lastReach = fetch.reach
            entry.correction =
                entry.isConfirmed
                ? CandleCorrection(afterRequestAt: requestedAt, interval: interval, random: random)
                : CandleCorrection(confirmingRequestAt: requestedAt)
            entry.isConfirmed = true
        }
        entries[fetch.request] = entry
    }

    /// Stores a failure.
    ///
    /// - Returns: the affected interests and the wait before the next attempt; nil if no interest
    ///   is open any more.
    mutating func failed(
        _ fetch: Fetch,
        isRefused: Bool,
        pause: Duration,
        at now: Duration,
        random: UInt64
    ) -> (interests: Set<DetailInterest>, wait: Duration)? {
        guard let interests = recipients(of: fetch), var entry = entries[fetch.request] else {
            return nil
        }
        var wait = entry.backoff.failed(at: now, random: random, pause: pause)
        wait = max(wait, isRefused ? Self.refusedWait : Self.gap)
        entry.notBefore = now + wait
        entry.isRequested = entry.isRequested || entry.wasRequested
        entries[fetch.request] = entry
        return (interests, wait)
    }
}

extension DetailFetchScheduler {
    /// Starts the fetches that are due.
    ///
    /// - Parameters:
    ///   - now: monotonic time since any fixed moment.
    ///   - time: exchange time.
    /// - Returns: the fetches, and when to call again without an event.
    mutating func next(
        at now: Duration,
        time: Timestamp
    ) -> (fetches: [Fetch], wakeAt: Duration?) {
        var started: [Fetch] = []
        for request in wanted(at: now) {
            if request.isPast {
                guard hasRoomForPast, pastReadings.acquire(at: now) else { continue }
            }
            start(request, reach: entries[request]?.neededReach ?? .whole, at: now, &started)
        }
        for request in overdueBooks(at: now) {
            guard hasRoom, refreshes.acquire(at: now) else { break }
            start(request, at: now, &started)
        }
        for request in dueCorrections(at: now, time: time) {
            guard hasRoom, corrections.acquire(at: now) else { break }
            start(request, reach: entries[request]?.correctionReach ?? .whole, at: now, &started)
        }
        return (started, wakeAt(now, time))
    }

    /// The start of a request that was never sent.
    private static let never: Duration = .seconds(-1)

    private var hasRoom: Bool { fetches < Self.fetchesMax }

    private var hasRoomForPast: Bool {
        hasRoom
            && entries.count { $0.key.isPast && $0.value.fetch != nil } < Self.pastFetchesMax
    }

    private mutating func start(
        _ request: DetailRequest,
        reach: CandleReach = .whole,
        at now: Duration,
        _ started: inout [Fetch]
    ) {
        guard hasRoom, var entry = entries[request] else { return }
        let fetch = Fetch(id: nextID, request: request, reach: reach)
        nextID += 1
        fetches += 1
        entry.fetch = fetch.id
        entry.startedAt = now
        entry.wasRequested = entry.isRequested
        entry.isRequested = false
        entries[request] = entry
        started.append(fetch)
    }

    /// The needed or requested data that may be fetched now, never fetched ones first.
    private func wanted(at now: Duration) -> [DetailRequest] {
        entries.filter { request, entry in
            wantedAt(request, entry).map { $0 <= now } ?? false
        }
        .sorted { left, right in
            (left.value.startedAt ?? Self.never, left.key)
                < (right.value.startedAt ?? Self.never, right.key)
        }
        .map(\.key)
    }

    /// When needed or requested data may be fetched; nil if it is neither.
    private func wantedAt(_ request: DetailRequest, _ entry: Entry) -> Duration? {
        guard entry.isNeeded || entry.isRequested, entry.isIdle else { return nil }
        return max(entry.gapEnd(isBook: request.isBook), entry.notBefore)
    }

    /// The books whose snapshots are too old, the oldest first, which serves all in turn.
    private func overdueBooks(at now: Duration) -> [DetailRequest] {
        entries.filter { request, entry in
            overdueAt(request, entry).map { $0 <= now } ?? false
        }
        .sorted { left, right in
            (left.value.touchedAt, left.key) < (right.value.touchedAt, right.key)
        }
        .map(\.key)
    }

    private func overdueAt(_ request: DetailRequest, _ entry: Entry) -> Duration? {
        guard request.isBook, entry.isIdle, !entry.isNeeded, !entry.isRequested else { return nil }
        return max(entry.touchedAt + Self.bookAgeMax, entry.notBefore)
    }

    /// The candles to read again: first those of screens in the seconds after a close, then all
    /// others, the longest waiting first.
    private func dueCorrections(at now: Duration, time: Timestamp) -> [DetailRequest] {
        var inTime: [(Timestamp, DetailRequest)] = []
        var others: [(Timestamp, DetailRequest)] = []
        for (request, entry) in entries {
            guard let due = correctionAt(entry), due <= time, entry.notBefore <= now,
                let correction = entry.correction
            else { continue }
            if entry.isHeld, time <= correction.sweptFrom {
                inTime.append((due, request))
            } else {
                others.append((due, request))
            }
        }
        return (inTime.sorted(by: <) + others.sorted(by: <)).map(\.1)
    }

    private func correctionAt(_ entry: Entry) -> Timestamp? {
        guard let correction = entry.correction, entry.isIdle, !entry.isNeeded, !entry.isRequested
        else { return nil }
        return entry.isHeld ? correction.dueAt : correction.sweptFrom
    }

    private func wakeAt(_ now: Duration, _ time: Timestamp) -> Duration? {
        // The end of a fetch makes room and calls this again.
        guard hasRoom else { return nil }
        var earliest: Duration?
        func note(_ moment: Duration) { earliest = min(earliest ?? moment, moment) }
        let hasRoomForPast = hasRoomForPast
        for (request, entry) in entries {
            if let moment = wantedAt(request, entry) {
                if !request.isPast {
                    note(moment)
                } else if hasRoomForPast {
                    note(max(moment, pastReadings.next(at: now)))
                }
            }
            if let moment = overdueAt(request, entry) { note(max(moment, refreshes.next(at: now))) }
            if let due = correctionAt(entry) {
                let moment = max(now + due.duration(since: time), entry.notBefore)
                note(max(moment, corrections.next(at: now)))
            }
        }
        return earliest
    }
}

extension DetailFetchScheduler.Entry {
    /// Whether no fetch is in flight and an interest would get its response.
    fileprivate var isIdle: Bool { fetch == nil && !interests.isEmpty }

    /// How far back candles are read that the board lacks.
    ///
    /// Candles that a loss left out are nearly always among the newest ones. If the board still
    /// lacks candles after those, all that one reading returns are read.
    fileprivate var neededReach: CandleReach {
        isWhole && unhelpfulCount == 0 && !isRequested ? .newest : .whole
    }

    /// How far back candles are read again: a confirmation as far as before, else the newest, which
    /// have the bucket that has closed.
    fileprivate var correctionReach: CandleReach {
        correction?.isConfirmation ?? true ? lastReach : .newest
    }

    /// When the last snapshot arrived or was requested.
    fileprivate var touchedAt: Duration { max(snapshotAt, startedAt ?? snapshotAt) }

    /// When the next fetch may start; a book that the board lacks is read each second.
    fileprivate func gapEnd(isBook: Bool) -> Duration {
        guard let startedAt else { return .zero }
        let doublings = isBook || isRequested ? 0 : min(max(unhelpfulCount - 1, 0), 5)
        return startedAt
            + min(DetailFetchScheduler.gapMax, DetailFetchScheduler.gap * (1 << doublings))
    }
}
