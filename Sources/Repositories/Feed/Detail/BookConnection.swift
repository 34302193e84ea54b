import Domain

/// One stream connection as the plan of books sees it.
struct BookConnection: Sendable {
    /// How long the exchange may take to acknowledge; 10.3 s were seen, and a server that never
    /// does sends data all the same.
    static let patience: Duration = .seconds(12)

    /// A full list to subscribe.
    struct Order: Sendable, Hashable {
        /// Counts the orders of one connection.
        var number: Int
        /// The markets.
        var markets: [MarketID]
        /// Whether whole books are subscribed too, not only changes.
        var withSnapshots: Bool
    }

    /// What names the connection.
    let id: Int
    /// Whether it stands.
    private(set) var isOpen = false
    /// The last list that was ordered.
    private(set) var order: Order?
    /// The last list that is known to be subscribed.
    private(set) var confirmed: Order?
    /// When the first list was known to be subscribed.
    private(set) var confirmedAt: Duration?
    /// Everything ever ordered: the exchange is not known to forget what a later list leaves out.
    private(set) var carried: Set<MarketID> = []
    /// When the last frame of any kind came.
    private(set) var lastFrameAt: Duration = .zero
    /// When REST showed that a book had moved since the last frame; nil if it did not.
    private(set) var missedMoveAt: Duration?
    /// Whether whole books are asked for.
    private(set) var asksSnapshots: Bool

    private var hasSnapshots = false
    private var sentNumber = 0
    private var sentAt: Duration = .zero
    private var acknowledgementsDue = 0
    private var acknowledgementsSeen = 0

    init(id: Int, asksSnapshots: Bool) {
        self.id = id
        self.asksSnapshots = asksSnapshots
    }

    /// Whether what was ordered last is subscribed.
    var isConfirmed: Bool { confirmed != nil && confirmed?.number == order?.number }

    /// When the last list counts as subscribed though nobody said so; nil while nothing is owed.
    var patienceEnd: Duration? {
        guard let order, sentNumber == order.number, !isConfirmed else { return nil }
        return sentAt + Self.patience
    }

    mutating func open(at now: Duration) {
        isOpen = true
        lastFrameAt = now
    }

    /// The order for a list of markets; nil if all of them were ordered already.
    mutating func order(_ markets: [MarketID]) -> Order? {
        guard isOpen else { return nil }
        if let order, Set(order.markets).isSuperset(of: markets) { return nil }
        let next = Order(
            number: (order?.number ?? 0) + 1,
            markets: markets,
            withSnapshots: asksSnapshots
        )
        order = next
        carried.formUnion(markets)
        return next
    }

    /// Notes that an order went out as so many requests.
    mutating func sent(_ number: Int, requests: Int, at now: Duration) {
        sentNumber = number
        sentAt = now
        acknowledgementsDue += requests
        confirmIfDue(at: now)
    }

    /// Notes the exchange's word that one request is registered; it does not say which.
    mutating func acknowledged(at now: Duration) {
        acknowledgementsSeen += 1
        confirmIfDue(at: now)
    }

    /// Notes frames.
    mutating func received(hasSnapshots: Bool, at now: Duration) {
        lastFrameAt = now
        missedMoveAt = nil
        if hasSnapshots { self.hasSnapshots = true }
    }

    /// Goes on without whole books, where they can be what was refused.
    ///
    /// - Returns: false if the refusal meant something else.
    mutating func stopSubscribingSnapshots(at now: Duration) -> Bool {
        guard asksSnapshots, !hasSnapshots else { return false }
        asksSnapshots = false
        order?.withSnapshots = false
        acknowledged(at: now)
        return true
    }

    /// When the connection is dead unless a frame comes; nil while nothing speaks against it.
    var deadAt: Duration? {
        missedMoveAt.map {
            max(
                lastFrameAt + BookStreamStateMachine.silenceMax,
                $0 + BookStreamStateMachine.moveGrace
            )
        }
    }

    /// Notes that a book moved over REST some time after `since`.
    mutating func noteMove(of market: MarketID, since: Duration, at now: Duration) {
        guard let confirmedAt, confirmedAt < since, lastFrameAt < since,
            confirmed?.markets.contains(market) == true
        else { return }
        missedMoveAt = missedMoveAt ?? now
    }

    /// Confirms what was sent: all is acknowledged, or patience is over.
    mutating func confirmIfDue(at now: Duration) {
        guard let end = patienceEnd else { return }
        guard acknowledgementsSeen >= acknowledgementsDue || now >= end else { return }
        confirmed = order
        confirmedAt = confirmedAt ?? now
    }
}
