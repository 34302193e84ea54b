import Concurrency
import Domain

/// Decides which closes are read from the exchange, and when: a pure state machine.
///
/// The order is that of the board's needs: unknown bases first, then those that become unknown
/// soon, then those that are not known to the minute, then lines, of which few start at a time.
/// Nothing is requested twice at a time, and nothing again before its answer could have changed.
struct CloseFetchScheduler: Sendable {
    /// The requests in flight at a time, so that other requests for candles wait less than half a
    /// second.
    static let fetchesMax = 32
    /// The most requests in any second while a base is unknown, and afterwards.
    static let rates = (urgent: 100, steady: 50)
    /// The least time between two requests for lines.
    static let lineSpacing: Duration = .milliseconds(100)
    /// How long after a success the same data may be requested again, doubling up to the last.
    static let gaps = (first: Duration.seconds(10), last: Duration.seconds(600))
    /// The wait before a refused market is requested again.
    static let refusedWait: Duration = .seconds(60)

    /// What is read with one call.
    enum Request: Sendable, Hashable {
        /// All minutes of a market, in API 1.x.
        case minutes(MarketID)
        /// The last minutes before the beginning of a period, in API 2.x.
        case minute(MarketID, ChangePeriod)
        /// The newest candles of ten minutes, in API 2.x.
        case tenMinutes(MarketID)
    }

    /// A request in flight.
    struct Fetch: Sendable, Hashable {
        /// The request.
        var request: Request
        /// The market.
        var market: MarketID
        /// The moment whose base is read.
        var moment: Timestamp
    }

    fileprivate struct Entry: Sendable {
        var isInFlight = false
        /// The earliest next fetch after a failure.
        var retryAt: Duration = .zero
        /// The earliest next fetch of the same data.
        var notBefore: Duration = .zero
        /// The earliest next fetch of a base that is known, but not to the minute, and need not be.
        var refinedNotBefore: Duration = .zero
        /// The moment whose base was read last.
        var moment: Timestamp?
        /// Answers in a row after which the board still lacks the base.
        var answers = 0
        var backoff = Backoff(.exchange)
    }

    /// Whether one call returns all minutes of a market, as in API 1.x.
    private var isWhole: Bool?
    private var entries: [Request: Entry] = [:]
    private var needs: [(request: Request, need: CloseNeed)] = []
    private var fetches = 0
    private var nextAt: Duration = .zero
    private var nextLineAt: Duration = .zero
    /// Failures of the exchange itself delay all requests.
    private var outage = Backoff(.exchange)
    private var resumesAt: Duration = .zero

    /// Makes a scheduler without needs.
    init() {}

    /// Replaces the needs by those that the board has now.
    ///
    /// - Parameters:
    ///   - new: the needs, the most important first of each reason.
    ///   - isWhole: whether one call returns all minutes of a market, as in API 1.x.
    ///   - now: monotonic time.
    mutating func apply(_ new: [CloseNeed], isWhole: Bool, at now: Duration) {
        if self.isWhole != isWhole {
            self.isWhole = isWhole
            // Failures of the other generation do not count.
            outage = Backoff(.exchange)
            resumesAt = .zero
        }
        var wanted: Set<Request> = []
        needs = []
        for reason in [CloseNeed.Reason.base, .reach, .minute, .line] {
            for need in new where need.reason == reason {
                let request = request(for: need)
                if wanted.insert(request).inserted { needs.append((request, need)) }
            }
        }
        entries = entries.filter { request, entry in
            entry.isInFlight || wanted.contains(request)
                || max(entry.retryAt, entry.notBefore, entry.refinedNotBefore) > now
        }
        for request in Array(entries.keys) where !wanted.contains(request) {
            entries[request]?.answers = 0
        }
    }

    /// Starts the fetches that are due.
    ///
    /// - Returns: the fetches, and when to call again without an event; nil if only an event can
    ///   make a fetch due.
    mutating func next(at now: Duration) -> (fetches: [Fetch], wakeAt: Duration?) {
        var started: [Fetch] = []
        var wakeAt: Duration?
        let isUrgent = needs.contains { $0.need.reason == .base }
        let rate = isUrgent ? Self.rates.urgent : Self.rates.steady
        // Delayed calls count too.
        let spacing = (Duration.seconds(1) + Self.burst) / rate
        for (request, need) in needs {
            guard fetches < Self.fetchesMax else { return (started, nil) }
            let entry = entries[request] ?? Entry()
            guard !entry.isInFlight else { continue }
            let isLine = need.reason == .line
            let due = max(
                entry.due(for: need, by: request),
                resumesAt,
                isLine ? max(nextAt, nextLineAt) : nextAt
            )
            guard due <= now else {
                wakeAt = min(wakeAt ?? due, due)
                continue
            }
            nextAt = max(nextAt, now - Self.burst) + spacing
            if isLine { nextLineAt = now + Self.lineSpacing }
            fetches += 1
            entries[request, default: Entry()].isInFlight = true
            started.append(Fetch(request: request, market: need.market, moment: need.moment))
        }
        return (started, wakeAt)
    }

    /// Stores an answer, before the board applies it.
    mutating func succeeded(_ fetch: Fetch, at now: Duration) {
        outage.succeeded()
        resumesAt = .zero
        end(fetch) { entry in
            if fetch.request.isOfMoment, entry.moment != fetch.moment { entry.answers = 0 }
            entry.moment = fetch.moment
            let gap = Self.gaps.first * (1 << min(entry.answers, 6))
            entry.notBefore = now + min(gap, Self.gaps.last)
            entry.refinedNotBefore = now + Self.gaps.last
            entry.answers += 1
            entry.backoff.succeeded()
        }
        needs.removeAll { $0.request == fetch.request }
    }

    /// Stores a failure.
    ///
    /// - Parameters:
    ///   - fetch: the failed fetch.
    ///   - isOutage: whether the failure concerns all markets.
    ///   - pause: the pause that the exchange asked for.
    ///   - now: monotonic time.
    ///   - random: uniformly random bits.
    mutating func failed(
        _ fetch: Fetch,
        isOutage: Bool,
        pause: Duration,
        at now: Duration,
        random: UInt64
    ) {
        if isOutage, now >= resumesAt {
            resumesAt = now + outage.failed(at: now, random: random, pause: pause)
        }
        resumesAt = max(resumesAt, now + pause)
        end(fetch) { entry in
            // Of an outage too, so that one market that fails alone lets others go first.
            let wait = entry.backoff.failed(at: now, random: random)
            entry.retryAt = now + (isOutage ? wait : max(wait, Self.refusedWait))
        }
    }

    /// Ends a fetch that was cancelled.
    mutating func cancelled(_ fetch: Fetch) { end(fetch) { _ in } }

    /// How long unused requests may be caught up.
    private static let burst: Duration = .milliseconds(50)

    private mutating func end(_ fetch: Fetch, _ body: (inout Entry) -> Void) {
        fetches -= 1
        var entry = entries[fetch.request] ?? Entry()
        entry.isInFlight = false
        body(&entry)
        entries[fetch.request] = entry
    }

    private func request(for need: CloseNeed) -> Request {
        if isWhole == true { return .minutes(need.market) }
        return switch need.reason {
        case .base, .minute: .minute(need.market, need.period)
        case .reach, .line: .tenMinutes(need.market)
        }
    }
}

extension CloseFetchScheduler.Request {
    /// Whether the answer is that of one moment, so that another moment has another one.
    fileprivate var isOfMoment: Bool {
        switch self {
        case .minute: true
        case .minutes, .tenMinutes: false
        }
    }
}

extension CloseFetchScheduler.Entry {
    /// The earliest next fetch for a need.
    fileprivate func due(
        for need: CloseNeed,
        by request: CloseFetchScheduler.Request
    ) -> Duration {
        let isSpare =
            need.reason == .line || (need.reason == .minute && !need.period.isReadToTheMinute)
        if isSpare {
            return max(retryAt, notBefore, refinedNotBefore)
        }
        let isOther = request.isOfMoment && moment != need.moment
        return isOther ? retryAt : max(retryAt, notBefore)
    }
}
