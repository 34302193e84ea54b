import Domain

/// Which REST calls the details want, and when: the rules, without a network and without a clock.
///
/// A call is made once for everybody who needs it and never twice at a time, and its answer counts
/// only if what asked for it is still open. There are four reasons to call: the board lacks
/// something; somebody asks for everything anew; a book has gone without a whole one for too long;
/// a bucket of candles has closed.
struct ReadingPlan: Sendable {
    /// How many calls are under way at the most; what is due beyond waits.
    static let flightsMax = 16
    /// How far apart two calls for the same are at the least.
    static let gap: Duration = .seconds(1)
    /// The longest gap for what the board lacks however often it is read.
    static let gapMax: Duration = .seconds(32)
    /// How old the last whole book, of stream or REST, may grow before one is read over REST.
    static let bookAgeMax: Duration = .seconds(8)
    /// When a market that the exchange refuses is asked for again.
    static let refusedWait: Duration = .seconds(60)

    /// A call to make.
    struct Flight: Sendable, Hashable {
        /// What names it.
        var id: Int
        /// The call.
        var reading: DetailRequest
    }

    /// What is held of one call.
    struct Entry: Sendable {
        /// The open parts that it serves.
        var interests: Set<DetailInterest> = []
        /// The call that is under way.
        var flight: Int?
        /// Whether its answer belongs to an opening that has ended.
        var isFlightStale = false
        /// Whether the call under way was asked for: it is so still if it fails.
        var isFlightAsked = false
        /// Whether a screen shows one of the parts.
        var isHeld = false
        /// Whether the board lacks one of the parts.
        var isNeeded = false
        /// Whether it is to be read whatever the board has.
        var isAsked = false
        /// When the last call was made; nil before the first one.
        var startedAt: Duration?
        /// How often it was read in a row and is lacking still.
        var fruitless = 0
        /// Not before then: it failed.
        var notBefore: Duration = .zero
        var backoff = ReconnectBackoff()
        /// For a book: when the last whole one came.
        var snapshotAt: Duration = .zero
        /// For candles: whether they were read twice since they were lacking.
        var isConfirmed = false
        /// For candles that were read: when they are read again.
        var correction: CandleCorrection?
    }

    var entries: [DetailRequest: Entry] = [:]
    var nextID = 1
    var flights = 0
    var refreshes = CallRateLimit()
    var corrections = CallRateLimit()
    /// The markets whose books are open.
    private(set) var books: Set<MarketID> = []
    /// The open parts.
    private(set) var open: Set<DetailInterest> = []
    /// The markets whose books the stream carries.
    private var subscribed: Set<MarketID> = []
    /// The board's last word, unless something has happened since that makes it new.
    private var lastNeeds: Set<DetailInterest>?

    /// Nothing is open.
    init() {}

    /// Opens a part: it may be read from now on.
    mutating func open(_ interest: DetailInterest, at now: Duration) {
        open.insert(interest)
        if interest.facet == .book { books.insert(interest.market) }
        lastNeeds = nil
        let reading = DetailRequest(interest)
        if entries[reading]?.interests.isEmpty ?? true {
            // An answer that is still under way was asked for by an earlier opening.
            let flight = entries[reading]?.flight
            entries[reading] = Entry(flight: flight, isFlightStale: flight != nil)
            entries[reading]?.snapshotAt = now
        }
        entries[reading]?.interests.insert(interest)
    }

    /// Closes a part: a late answer for it is not delivered.
    mutating func close(_ interest: DetailInterest) {
        open.remove(interest)
        if interest.facet == .book { books.remove(interest.market) }
        let reading = DetailRequest(interest)
        entries[reading]?.interests.remove(interest)
        guard let entry = entries[reading], entry.interests.isEmpty else { return }
        if entry.flight == nil { entries[reading] = nil }
    }

    /// Notes which parts screens hold, not only a glance.
    mutating func hold(_ interests: Set<DetailInterest>) {
        for reading in Array(entries.keys) {
            let isHeld = entries[reading].map { !$0.interests.isDisjoint(with: interests) }
            entries[reading]?.isHeld = isHeld ?? false
        }
    }

    /// Takes the board's word of what is lacking.
    ///
    /// - Returns: whether something is lacking that was not before.
    mutating func take(_ needs: Set<DetailInterest>) -> Bool {
        guard needs != lastNeeds else { return false }
        lastNeeds = needs
        var hasNew = false
        for reading in Array(entries.keys) {
            guard var entry = entries[reading] else { continue }
            let isNeeded = !entry.interests.isDisjoint(with: needs)
            if isNeeded, !entry.isNeeded {
                hasNew = true
                entry.isConfirmed = false
            }
            entry.isNeeded = isNeeded
            if !isNeeded { entry.fruitless = 0 }
            entries[reading] = entry
        }
        return hasNew
    }

    /// Notes that whole books of these markets came.
    mutating func noteSnapshots(of markets: Set<MarketID>, at now: Duration) {
        for market in markets { entries[.book(market)]?.snapshotAt = now }
    }

    /// Notes whose books the stream carries, and asks for those to be read that are new there.
    ///
    /// What changed before a subscription counts is in a reading that is made after it.
    ///
    /// - Returns: whether there are such.
    mutating func noteSubscribed(_ markets: Set<MarketID>) -> Bool {
        let new = markets.subtracting(subscribed)
        subscribed = markets
        for market in new { entries[.book(market)]?.isAsked = true }
        return !new.isEmpty
    }

    /// Asks for everything to be read at once, whatever failed before.
    mutating func askAll() {
        for reading in Array(entries.keys) {
            entries[reading]?.isAsked = true
            entries[reading]?.fruitless = 0
            entries[reading]?.notBefore = .zero
        }
    }

    /// The parts that an answer is for; nil if nobody waits for it any more.
    func takers(of flight: Flight) -> Set<DetailInterest>? {
        guard let entry = entries[flight.reading], entry.flight == flight.id,
            !entry.isFlightStale, !entry.interests.isEmpty
        else { return nil }
        return entry.interests
    }

    /// Notes that a call has come to its end, whichever.
    mutating func end(_ flight: Flight) {
        flights -= 1
        guard var entry = entries[flight.reading], entry.flight == flight.id else { return }
        entry.flight = nil
        entry.isFlightStale = false
        entries[flight.reading] = entry.interests.isEmpty ? nil : entry
    }

    /// Notes an answer, before the board has its say on it.
    mutating func succeeded(
        _ flight: Flight,
        askedAt: Timestamp,
        at now: Duration,
        random: UInt64
    ) {
        guard takers(of: flight) != nil, var entry = entries[flight.reading] else { return }
        lastNeeds = nil
        entry.backoff.succeeded()
        entry.isNeeded = false
        entry.fruitless += 1
        switch flight.reading {
        case .book: entry.snapshotAt = now
        case .trades: break
        case .candles(_, let interval):
            entry.correction =
                entry.isConfirmed
                ? CandleCorrection(afterReadingAt: askedAt, interval: interval, random: random)
                : CandleCorrection(confirmingReadingAt: askedAt)
            entry.isConfirmed = true
        }
        entries[flight.reading] = entry
    }

    /// Notes a failure.
    ///
    /// - Returns: the parts that it concerns and the wait before the next attempt; nil if nobody
    ///   waits for it any more.
    mutating func failed(
        _ flight: Flight,
        isRefused: Bool,
        pause: Duration,
        at now: Duration,
        random: UInt64
    ) -> (interests: Set<DetailInterest>, wait: Duration)? {
        guard let interests = takers(of: flight), var entry = entries[flight.reading] else {
            return nil
        }
        var wait = entry.backoff.failed(at: now, random: random, pause: pause)
        wait = max(wait, isRefused ? Self.refusedWait : Self.gap)
        entry.notBefore = now + wait
        entry.isAsked = entry.isAsked || entry.isFlightAsked
        entries[flight.reading] = entry
        return (interests, wait)
    }
}
