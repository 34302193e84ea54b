import DataSourceContracts
import Domain

/// Which connections carry the books that are wanted: the rules of the second exchange connection,
/// without a socket and without a clock.
///
/// A list that grows is subscribed again, whole, on the same connection. API 1.x knows no way back,
/// so a list that shrinks makes a new connection: it is subscribed first, then the old one is
/// closed, and for a while both deliver the same, which does no harm to a book. A connection is
/// judged by the age of its data: see ``silenceMax``.
struct BookStreamStateMachine: Sendable {
    /// How long a connection stays before it is given up for a smaller list, or for none.
    static let replacementInterval: Duration = .seconds(30)
    /// A connection without a frame of any kind for so long is dead if REST has shown a book of
    /// its list to move in that time: two readings, both asked for in the silence, that differ.
    ///
    /// Quiet markets send nothing for as long as they like, so silence alone means nothing.
    static let silenceMax: Duration = .seconds(30)
    /// How long the frame may take that tells of a move which REST has shown.
    static let moveGrace: Duration = .seconds(10)
    /// For how long a refusal of whole books is believed.
    static let refusalMemory: Duration = .seconds(600)

    /// What to do, in order.
    enum Action: Sendable, Hashable {
        /// Open a connection of this name.
        case open(Int)
        /// Subscribe this list on a connection.
        case subscribe(Int, BookConnection.Order)
        /// Close a connection.
        case close(Int)
        /// These markets are subscribed now, and no others.
        case reportSubscribed([MarketID])
        /// The stream is lost; the next attempt has this number and is made after this wait.
        case reportLost(attempt: Int, wait: Duration, FeedFailure)
    }

    private var wanted: [MarketID] = []
    private var current: BookConnection?
    /// The connection that takes the place of the current one as soon as it is subscribed.
    private var successor: BookConnection?
    private var nextID = 1
    private var backoff = ReconnectBackoff()
    private var retryAt: Duration = .zero
    private var pausedUntil: Duration = .zero
    private var openedAt: Duration = .zero
    private var snapshotsRefusedAt: Duration?
    /// A recording was played to its end: there is nothing to connect to any more.
    private var isOver = false
    private var told: Set<MarketID> = []
    private var isLost = false
    private var pending: [Action] = []
    /// The last reading over REST of each wanted book: when it was asked for, and what it said.
    private var readings: [MarketID: (askedAt: Duration, levels: Int)] = [:]

    /// Nobody wants a book.
    init() {}

    /// Notes which books are wanted.
    mutating func want(_ markets: Set<MarketID>) {
        wanted = markets.sorted()
        readings = readings.filter { markets.contains($0.key) }
    }

    /// What is to be done now, and when to ask again.
    mutating func next(
        at now: Duration,
        random: UInt64
    ) -> (actions: [Action], wakeAt: Duration?) {
        current?.confirmIfDue(at: now)
        successor?.confirmIfDue(at: now)
        judgeSilence(at: now, random: random)
        succeed()
        if wanted.isEmpty {
            closeAll(at: now)
        } else {
            openWhatIsMissing(at: now)
            subscribe()
        }
        tell()
        defer { pending = [] }
        return (pending, wakeAt(now))
    }

    /// Notes that a connection stands.
    mutating func connected(_ id: Int, at now: Duration) {
        change(id) { $0.open(at: now) }
    }

    /// Notes that an order was sent, as so many requests.
    mutating func sent(_ id: Int, _ order: BookConnection.Order, requests: Int, at now: Duration) {
        change(id) { $0.sent(order.number, requests: requests, at: now) }
    }

    /// Notes that the exchange registered a request.
    mutating func acknowledged(_ id: Int, at now: Duration) {
        change(id) { $0.acknowledged(at: now) }
    }

    /// Notes frames of a connection.
    mutating func received(_ id: Int, hasSnapshots: Bool, at now: Duration) {
        change(id) { $0.received(hasSnapshots: hasSnapshots, at: now) }
    }

    /// Notes that the exchange refused a request, without saying which.
    ///
    /// - Returns: whether the connection goes on, with changes alone: whole books are the type that
    ///   no list of the exchange's documentation names.
    mutating func refused(_ id: Int, at now: Duration) -> Bool {
        var goesOn = false
        change(id) { goesOn = $0.stopSubscribingSnapshots(at: now) }
        if goesOn { snapshotsRefusedAt = now }
        return goesOn
    }

    /// Notes the end of a connection that was not closed by order.
    mutating func ended(_ id: Int, _ error: DataSourceError, at now: Duration, random: UInt64) {
        switch error.code {
        case .cancelled: return
        case .ended:
            isOver = true
            if current?.id == id { current = successor }
            successor = nil
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus, .refused,
            .rateLimited, .malformed:
            lose(id, FeedFailure(error), pause: error.pause, at: now, random: random)
        }
    }

    /// Compares a reading over REST with the one before.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - levels: a hash of its levels.
    ///   - askedAt: when it was asked for.
    ///   - now: when it was answered.
    mutating func noteReading(
        of market: MarketID,
        levels: Int,
        askedAt: Duration,
        at now: Duration
    ) {
        guard wanted.contains(market) else { return }
        if let before = readings[market], before.levels != levels {
            current?.noteMove(of: market, since: before.askedAt, at: now)
        }
        readings[market] = (askedAt, levels)
    }

    /// Tries a lost connection again at once, but not before a pause that the exchange asked for.
    mutating func retry(at now: Duration) {
        retryAt = min(retryAt, max(now, pausedUntil))
    }
}

extension BookStreamStateMachine {
    private mutating func change(_ id: Int, _ body: (inout BookConnection) -> Void) {
        if var link = current, link.id == id {
            body(&link)
            current = link
        } else if var link = successor, link.id == id {
            body(&link)
            successor = link
        }
    }

    private mutating func open(at now: Duration) -> BookConnection {
        let isRefused = snapshotsRefusedAt.map { now - $0 < Self.refusalMemory } ?? false
        let link = BookConnection(id: nextID, asksSnapshots: !isRefused)
        nextID += 1
        openedAt = now
        pending.append(.open(link.id))
        return link
    }

    /// Puts the successor in its place once it is subscribed.
    private mutating func succeed() {
        guard let successor, successor.isConfirmed else { return }
        if let current { pending.append(.close(current.id)) }
        current = successor
        self.successor = nil
    }

    private mutating func openWhatIsMissing(at now: Duration) {
        guard !isOver else { return }
        guard let current else {
            if now >= retryAt { self.current = open(at: now) }
            return
        }
        guard successor == nil, current.isConfirmed, now >= openedAt + Self.replacementInterval,
            !current.carried.isSubset(of: wanted)
        else { return }
        successor = open(at: now)
    }

    private mutating func subscribe() {
        if let id = current?.id, let order = current?.order(wanted) {
            pending.append(.subscribe(id, order))
        }
        if let id = successor?.id, let order = successor?.order(wanted) {
            pending.append(.subscribe(id, order))
        }
    }

    private mutating func closeAll(at now: Duration) {
        guard now >= openedAt + Self.replacementInterval else { return }
        for link in [current, successor].compactMap(\.self) { pending.append(.close(link.id)) }
        current = nil
        successor = nil
    }

    private mutating func tell() {
        let isIdle = wanted.isEmpty && current == nil
        guard isIdle || current?.confirmed != nil else { return }
        let markets = isIdle ? [] : (current?.confirmed?.markets ?? [])
        guard isLost || told != Set(markets) else { return }
        told = Set(markets)
        isLost = false
        pending.append(.reportSubscribed(markets))
    }

    private mutating func judgeSilence(at now: Duration, random: UInt64) {
        guard let current, let deadAt = current.deadAt, now >= deadAt else { return }
        pending.append(.close(current.id))
        lose(current.id, .bookSilence, pause: .zero, at: now, random: random)
    }

    private mutating func lose(
        _ id: Int,
        _ failure: FeedFailure,
        pause: Duration,
        at now: Duration,
        random: UInt64
    ) {
        if successor?.id == id {
            // The old connection still serves: the next attempt may wait as any replacement does.
            successor = nil
            openedAt = now
            return
        }
        guard let lost = current, lost.id == id else { return }
        if let since = lost.confirmedAt, now - since >= StreamLiveness.stableAfter {
            backoff.succeeded()
        }
        current = successor
        successor = nil
        isLost = true
        let wait = backoff.failed(at: now, random: random, pause: pause)
        retryAt = now + wait
        pausedUntil = now + pause
        pending.append(
            .reportLost(
                attempt: backoff.attempt,
                // The next attempt may be under way already.
                wait: current == nil ? wait : .zero,
                failure
            )
        )
    }

    private func wakeAt(_ now: Duration) -> Duration? {
        var times = [current?.patienceEnd, successor?.patienceEnd].compactMap(\.self)
        if let current {
            if let deadAt = current.deadAt { times.append(deadAt) }
            if successor == nil, !current.carried.isSubset(of: wanted) || wanted.isEmpty {
                times.append(openedAt + Self.replacementInterval)
            }
        } else if !wanted.isEmpty, !isOver {
            times.append(retryAt)
        }
        // What is due already waits for something else, such as an acknowledgement.
        return times.filter { $0 > now }.min()
    }
}
