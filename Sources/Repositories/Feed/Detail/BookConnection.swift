import DataSourceContracts
import Domain

/// The state of one stream connection of ``BookStreamStateMachine``.
struct BookConnection: Sendable {
    /// The longest wait for an acknowledgement.
    ///
    /// 10.3 s were seen; a server that never acknowledges sends data all the same.
    static let acknowledgementLimit: Duration = .seconds(12)

    /// A full list of markets to subscribe.
    struct Order: Sendable, Hashable {
        /// The number of the order on its connection.
        var number: Int
        /// The markets.
        var markets: [MarketID]
        /// Whether snapshots are subscribed beside changes.
        var withSnapshots: Bool
    }

    /// Identifies the connection.
    let id: Int
    /// The API of its server; nil until it is open.
    private(set) var generation: APIGeneration?
    /// The last order.
    private(set) var order: Order?
    /// The last order that is confirmed.
    private(set) var confirmed: Order?
    /// When the first order was confirmed.
    private(set) var confirmedAt: Duration?
    /// The markets of which frames may come: in API 1.x all that were ever ordered, because a later
    /// list is not known to unsubscribe markets; in API 2.x those of the last order.
    private(set) var carried: Set<MarketID> = []
    /// When the last frame of any kind arrived.
    private(set) var lastFrameAt: Duration = .zero
    /// When REST showed that a book changed since the last frame; nil if none did.
    private(set) var missedMoveAt: Duration?
    /// Whether snapshots are requested.
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

    /// Whether the last order is confirmed.
    var isConfirmed: Bool { confirmed != nil && confirmed?.number == order?.number }

    /// When the last order counts as confirmed without an acknowledgement; nil if none is pending.
    var assumedConfirmedAt: Duration? {
        guard let order, sentNumber == order.number, !isConfirmed else { return nil }
        return sentAt + Self.acknowledgementLimit
    }

    mutating func open(_ generation: APIGeneration, at now: Duration) {
        self.generation = generation
        lastFrameAt = now
    }

    /// Makes an order for a list of markets; nil if it is ordered already, or in API 1.x a longer
    /// one.
    mutating func order(_ markets: [MarketID]) -> Order? {
        guard let generation else { return nil }
        if let ordered = order.map({ Set($0.markets) }) {
            switch generation {
            case .v1: if ordered.isSuperset(of: markets) { return nil }
            case .v2: if ordered == Set(markets) { return nil }
            }
        }
        let next = Order(
            number: (order?.number ?? 0) + 1,
            markets: markets,
            withSnapshots: generation == .v2 || asksSnapshots
        )
        order = next
        switch generation {
        case .v1: carried.formUnion(markets)
        case .v2: carried = Set(markets)
        }
        return next
    }

    /// Stores that an order was sent, as this many requests.
    mutating func sent(_ number: Int, requests: Int, at now: Duration) {
        sentNumber = number
        sentAt = now
        // API 2.x acknowledges nothing, so the request itself confirms.
        if generation == .v1 { acknowledgementsDue += requests }
        confirmIfDue(at: now)
    }

    /// Counts an acknowledgement, which does not name its request.
    mutating func acknowledged(at now: Duration) {
        acknowledgementsSeen += 1
        confirmIfDue(at: now)
    }

    /// Stores that frames arrived.
    mutating func received(hasSnapshots: Bool, at now: Duration) {
        lastFrameAt = now
        missedMoveAt = nil
        if hasSnapshots { self.hasSnapshots = true }
    }

    /// Continues without snapshots after a refusal that can mean them.
    ///
    /// - Returns: false if the refusal means something else.
    mutating func stopSubscribingSnapshots(at now: Duration) -> Bool {
        guard generation == .v1, asksSnapshots, !hasSnapshots else { return false }
        asksSnapshots = false
        order?.withSnapshots = false
        acknowledged(at: now)
        return true
    }

    /// When the connection counts as dead unless a frame arrives; nil without evidence.
    var deadAt: Duration? {
        missedMoveAt.map {
            max(
                lastFrameAt + BookStreamStateMachine.silenceMax,
                $0 + BookStreamStateMachine.moveGrace
            )
        }
    }

    /// Stores that a book changed over REST after `since`.
    mutating func noteMove(of market: MarketID, since: Duration, at now: Duration) {
        guard let confirmedAt, confirmedAt < since, lastFrameAt < since,
            confirmed?.markets.contains(market) == true
        else { return }
        missedMoveAt = missedMoveAt ?? now
    }

    /// Confirms the last order once all requests are acknowledged or the limit has passed.
    mutating func confirmIfDue(at now: Duration) {
        guard let end = assumedConfirmedAt else { return }
        guard acknowledgementsSeen >= acknowledgementsDue || now >= end else { return }
        confirmed = order
        confirmedAt = confirmedAt ?? now
    }
}
