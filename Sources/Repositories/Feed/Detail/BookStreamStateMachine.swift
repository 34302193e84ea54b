import Concurrency
import DataSourceContracts
import Domain

/// The rules of the exchange connection that carries order books: a pure state machine.
///
/// A list that grows is subscribed again, whole, on the same connection. In API 2.x so is one that
/// shrinks. API 1.x has no unsubscribe, so there a list that shrinks needs a new connection. The
/// new one is subscribed first, then the old one is closed; meanwhile both deliver the same, which
/// does not harm a book. A connection is judged by the age of its data: see ``silenceMax``.
struct BookStreamStateMachine: Sendable {
    /// The shortest time before a connection is replaced for a smaller list, or closed for none.
    static let replacementInterval: Duration = .seconds(30)
    /// The silence after which a connection counts as dead if REST shows a change of a subscribed
    /// book: two responses differ whose requests were both sent during the silence.
    ///
    /// Quiet markets send nothing for any time, so silence alone is no evidence.
    static let silenceMax: Duration = .seconds(30)
    /// The longest accepted delay between a change in a REST response and its stream frame.
    static let moveGrace: Duration = .seconds(10)
    /// How long a refusal of snapshots is remembered.
    static let refusalMemory: Duration = .seconds(600)

    /// An action for the shell.
    enum Action: Sendable, Hashable {
        /// Open a connection with this identifier.
        case open(Int)
        /// Subscribe a list on a connection.
        case subscribe(Int, BookConnection.Order)
        /// Close a connection.
        case close(Int)
        /// Report that exactly these markets are subscribed.
        case reportSubscribed([MarketID])
        /// Report the loss of the stream, with the number of the next attempt and the wait before
        /// it.
        case reportLost(attempt: Int, wait: Duration, FeedFailure)
    }

    private var wanted: [MarketID] = []
    private var current: BookConnection?
    /// The connection that replaces the current one once it is subscribed.
    private var successor: BookConnection?
    private var nextID = 1
    private var backoff = Backoff(.exchange)
    private var retryAt: Duration = .zero
    private var pausedUntil: Duration = .zero
    private var openedAt: Duration = .zero
    private var snapshotsRefusedAt: Duration?
    /// Whether a recording has ended, so that no connection is opened any more.
    private var hasEnded = false
    private var reported: Set<MarketID> = []
    private var isLost = false
    private var pending: [Action] = []
    /// The last REST response for each wanted book: when it was requested, and a hash of its
    /// levels.
    private var responses: [MarketID: (requestedAt: Duration, levels: Int)] = [:]

    /// Makes a state without books.
    init() {}

    /// Sets the wanted books.
    mutating func want(_ markets: Set<MarketID>) {
        wanted = markets.sorted()
        responses = responses.filter { markets.contains($0.key) }
    }

    /// The next actions, and when to call again.
    mutating func next(
        at now: Duration,
        random: UInt64
    ) -> (actions: [Action], wakeAt: Duration?) {
        current?.confirmIfDue(at: now)
        successor?.confirmIfDue(at: now)
        closeIfDead(at: now, random: random)
        promoteSuccessor()
        if wanted.isEmpty {
            closeAll(at: now)
        } else {
            openIfNeeded(at: now)
            subscribe()
        }
        reportIfChanged()
        defer { pending = [] }
        return (pending, wakeAt(now))
    }

    /// Stores that a connection to a server of this API is open.
    mutating func connected(_ id: Int, _ generation: APIGeneration, at now: Duration) {
        change(id) { $0.open(generation, at: now) }
    }

    /// Stores that an order was sent, as this many requests.
    mutating func sent(_ id: Int, _ order: BookConnection.Order, requests: Int, at now: Duration) {
        change(id) { $0.sent(order.number, requests: requests, at: now) }
    }

    /// Counts an acknowledgement of the exchange.
    mutating func acknowledged(_ id: Int, at now: Duration) {
        change(id) { $0.acknowledged(at: now) }
    }

    /// Stores that frames of a connection arrived.
    mutating func received(_ id: Int, hasSnapshots: Bool, at now: Duration) {
        change(id) { $0.received(hasSnapshots: hasSnapshots, at: now) }
    }

    /// Handles a refusal of the exchange, which does not name the request.
    ///
    /// - Returns: whether the connection continues with changes alone. Snapshots are the type that
    ///   the exchange's documentation does not list.
    mutating func refused(_ id: Int, at now: Duration) -> Bool {
        var continues = false
        change(id) { continues = $0.stopSubscribingSnapshots(at: now) }
        if continues { snapshotsRefusedAt = now }
        return continues
    }

    /// Handles the end of a connection that the state machine did not close.
    mutating func ended(_ id: Int, _ error: DataSourceError, at now: Duration, random: UInt64) {
        switch error.code {
        case .cancelled: return
        case .ended:
            hasEnded = true
            if current?.id == id { current = successor }
            successor = nil
        case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
            .refused, .rateLimited, .unserved, .malformed:
            lose(id, FeedFailure(error), pause: error.pause, at: now, random: random)
        }
    }

    /// Compares a REST response with the previous one.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - levels: a hash of its levels.
    ///   - requestedAt: when it was requested.
    ///   - now: when it arrived.
    mutating func compareResponse(
        of market: MarketID,
        levels: Int,
        requestedAt: Duration,
        at now: Duration
    ) {
        guard wanted.contains(market) else { return }
        if let before = responses[market], before.levels != levels {
            current?.noteMove(of: market, since: before.requestedAt, at: now)
        }
        responses[market] = (requestedAt, levels)
    }

    /// Retries a lost connection at once, but not before a pause that the exchange asked for.
    mutating func retry(at now: Duration) {
        retryAt = min(retryAt, max(now, pausedUntil))
    }
}

extension BookStreamStateMachine {
    private mutating func change(_ id: Int, _ body: (inout BookConnection) -> Void) {
        if var connection = current, connection.id == id {
            body(&connection)
            current = connection
        } else if var connection = successor, connection.id == id {
            body(&connection)
            successor = connection
        }
    }

    private mutating func open(at now: Duration) -> BookConnection {
        let isRefused = snapshotsRefusedAt.map { now - $0 < Self.refusalMemory } ?? false
        let connection = BookConnection(id: nextID, asksSnapshots: !isRefused)
        nextID += 1
        openedAt = now
        pending.append(.open(connection.id))
        return connection
    }

    /// Makes the successor current once it is subscribed.
    private mutating func promoteSuccessor() {
        guard let successor, successor.isConfirmed else { return }
        if let current { pending.append(.close(current.id)) }
        current = successor
        self.successor = nil
    }

    private mutating func openIfNeeded(at now: Duration) {
        guard !hasEnded else { return }
        guard let current else {
            if now >= retryAt { self.current = open(at: now) }
            return
        }
        // A shorter list replaces the one before in API 2.x.
        guard successor == nil, current.generation != .v2, current.isConfirmed,
            now >= openedAt + Self.replacementInterval,
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
        for connection in [current, successor].compactMap(\.self) {
            pending.append(.close(connection.id))
        }
        current = nil
        successor = nil
    }

    private mutating func reportIfChanged() {
        let isIdle = wanted.isEmpty && current == nil
        guard isIdle || current?.confirmed != nil else { return }
        let markets = isIdle ? [] : (current?.confirmed?.markets ?? [])
        guard isLost || reported != Set(markets) else { return }
        reported = Set(markets)
        isLost = false
        pending.append(.reportSubscribed(markets))
    }

    private mutating func closeIfDead(at now: Duration, random: UInt64) {
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
            // The current connection still serves, so the next attempt waits as any replacement.
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
        // A connection without a book is missed by nobody.
        guard !wanted.isEmpty else { return }
        pending.append(
            .reportLost(
                attempt: backoff.attempt,
                // A successor is the next attempt already.
                wait: current == nil ? wait : .zero,
                failure
            )
        )
    }

    private func wakeAt(_ now: Duration) -> Duration? {
        var times = [current?.assumedConfirmedAt, successor?.assumedConfirmedAt].compactMap(\.self)
        if let current {
            if let deadAt = current.deadAt { times.append(deadAt) }
            if successor == nil, !current.carried.isSubset(of: wanted) || wanted.isEmpty {
                times.append(openedAt + Self.replacementInterval)
            }
        } else if !wanted.isEmpty, !hasEnded {
            times.append(retryAt)
        }
        // A time that has passed waits for something else, such as an acknowledgement.
        return times.filter { $0 > now }.min()
    }
}
