import Domain
import TestSupport

/// The board and the observer of one process, with the store of its alerts.
struct AlertTrialProcess {
    /// How far the local clock is behind the exchange's.
    private let clockLead: Duration
    private(set) var board = MarketBoard(kind: .simulated)
    private var observer = AlertObserver(feed: .simulated)
    private var owner = AlertOwner(id: .local)
    /// The state that was saved last, each ten seconds.
    private var saved: AlertBookState?
    private var savedAt: Timestamp?
    /// Whether the next event begins with what the board knows.
    private var needsBegin = false
    private(set) var isRunning = true
    private var alerts: [Alert] = []

    private static let interest = DetailInterest(market: AlertTrialExchange.market, facet: .trades)
    private static let saving: Duration = .seconds(10)

    init(clockLead: Duration) { self.clockLead = clockLead }

    /// The rules so far.
    var rules: [UserAlertRule] { owner.rules }

    /// Begins with an empty board.
    mutating func begin(_ api: ExchangeAPI, at now: Timestamp) {
        apply([.feed(.identified(.simulated)), .feed(.reads(api))], at: now)
        _ = board.apply(
            DetailEventBatch(events: [.feed(.opened(Self.interest))], receivedAt: local(now))
        )
    }

    /// When the busiest market was heard of last.
    var lastActivityAt: Timestamp? { board.feed.lastActivityAt?.advanced(by: clockLead) }

    /// The local clock.
    private func local(_ now: Timestamp) -> Timestamp { now.advanced(by: .zero - clockLead) }

    /// Adds a rule of the user.
    ///
    /// - Returns: the rule.
    mutating func add(_ rule: AlertRule, at now: Timestamp) -> AlertRule {
        let number = Int64(owner.rules.count + 1)
        owner.rules.append(UserAlertRule(number: number, rule: rule, createdAt: now))
        observer.set([owner])
        needsBegin = true
        return rule
    }

    /// Ends the process, without saving.
    mutating func crash() { isRunning = false }

    /// Starts the next process with what was saved and stored.
    mutating func restart(_ api: ExchangeAPI, at now: Timestamp) {
        isRunning = true
        board = MarketBoard(kind: .simulated)
        observer = AlertObserver(feed: .simulated, restoring: saved)
        observer.set([owner])
        needsBegin = true
        begin(api, at: now)
    }

    /// The alerts since the last call; all are stored at once.
    mutating func takeAlerts() -> [Alert] {
        defer { alerts = [] }
        return alerts
    }

    // MARK: Events

    mutating func apply(_ events: [MarketEvent], at now: Timestamp) {
        guard isRunning else { return }
        let batch = MarketEventBatch(
            events: events,
            receivedAt: local(now),
            frameCount: events.count,
            clockLead: clockLead
        )
        _ = board.apply(batch)
        evaluate(at: now) { $0.follow(batch, $1) }
    }

    mutating func apply(_ history: TradeHistory, at now: Timestamp) {
        guard isRunning else { return }
        let loss = board.tape(of: history.market).lastTradeBeforeLoss
        _ = board.apply(DetailEventBatch(events: [.tradeHistory(history)], receivedAt: local(now)))
        guard let loss else { return }
        evaluate(at: now) { $0.repair(history.market, since: loss, $1) }
    }

    mutating func tick(at now: Timestamp) {
        guard isRunning else { return }
        let local = local(now)
        evaluate(at: now) { $0.tick($1, now: local) }
        if savedAt.map({ now.duration(since: $0) >= Self.saving }) ?? true {
            savedAt = now
            saved = observer.book.watchedValues
        }
    }

    private mutating func evaluate(
        at now: Timestamp,
        _ body: (inout AlertObserver, MarketBoard) -> [FiredAlert]
    ) {
        var fired = body(&observer, board)
        if needsBegin {
            needsBegin = false
            fired += observer.begin(board, now: local(now))
        }
        for found in fired {
            alerts.append(found.alert)
            owner.fired[found.alert.rule.number, default: [:]][found.alert.subject] = found.state
        }
        if !fired.isEmpty { observer.set([owner]) }
    }
}
