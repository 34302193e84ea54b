import Domain
import TestSupport

/// The board and the observer of one process, which stores its alerts while it leads.
struct AlertTrialProcess {
    private let number: Int
    /// How far the local clock is behind the exchange's.
    private let clockLead: Duration
    private(set) var board = MarketBoard(kind: .simulated)
    private var observer = AlertObserver(feed: .simulated)
    /// The alerts that wait for the store, with the time since when.
    private var pending: [(alert: FiredAlert, since: Timestamp)] = []
    private var savedAt: Timestamp?
    /// The store's revision that the rules are of.
    private var revision = 0
    /// The term in which it leads.
    private var term: Int?
    /// Whether the next event begins with what the board knows.
    private var needsBegin = false
    private(set) var isRunning = true

    private static let interest = DetailInterest(market: AlertTrialExchange.market, facet: .trades)
    /// As the program does.
    private static let saving: Duration = .seconds(10)
    private static let retention: Duration = .seconds(5)
    private static let retentionMax: Duration = .seconds(600)

    init(_ number: Int, clockLead: Duration) {
        self.number = number
        self.clockLead = clockLead
    }

    /// When the busiest market was heard of last.
    var lastActivityAt: Timestamp? { board.feed.lastActivityAt?.advanced(by: clockLead) }

    /// The local clock.
    private func local(_ now: Timestamp) -> Timestamp { now.advanced(by: .zero - clockLead) }

    /// Ends the process, without saving.
    mutating func crash() { isRunning = false }

    /// Starts a process with what was saved and stored, and an empty board.
    mutating func begin(_ api: ExchangeAPI, with store: AlertTrialStore, at now: Timestamp) {
        isRunning = true
        board = MarketBoard(kind: .simulated)
        observer = AlertObserver(feed: .simulated, restoring: store.values)
        observer.set([store.owner])
        observer.replaceFirings(by: [store.owner])
        pending = []
        revision = store.revision
        term = store.leader == number ? store.term : nil
        needsBegin = true
        apply([.feed(.identified(.simulated)), .feed(.reads(api))], at: now)
        _ = board.apply(
            DetailEventBatch(events: [.feed(.opened(Self.interest))], receivedAt: local(now))
        )
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

    private mutating func evaluate(
        at now: Timestamp,
        _ body: (inout AlertObserver, MarketBoard) -> [FiredAlert]
    ) {
        var fired = body(&observer, board)
        if needsBegin {
            needsBegin = false
            fired += observer.begin(board, now: local(now))
        }
        pending += fired.map { ($0, now) }
    }

    // MARK: The store

    /// Evaluates what depends on time, once a second, reads what has changed and saves values.
    mutating func tick(_ store: inout AlertTrialStore, at now: Timestamp) {
        guard isRunning else { return }
        let local = local(now)
        evaluate(at: now) { $0.tick($1, now: local) }
        update(from: store)
        save(in: &store, at: now)
        guard term != nil, savedAt.map({ now.duration(since: $0) >= Self.saving }) ?? true else {
            return
        }
        savedAt = now
        store.values = observer.book.watchedValues
    }

    private mutating func update(from store: AlertTrialStore) {
        let newTerm = store.leader == number ? store.term : nil
        defer { revision = store.revision }
        if let newTerm, newTerm != term {
            // The stored firings count, and alerts found before are stored if they fit.
            observer.replaceAll(by: [store.owner])
            observer.replaceFirings(by: [store.owner])
            pending = pending.filter { observer.mayStore($0.alert) }
            needsBegin = true
        } else if revision != store.revision {
            observer.set([store.owner])
        }
        term = newTerm
    }

    /// Stores alerts while the process leads; otherwise takes back those that the leader has not
    /// stored, though it had data.
    mutating func save(in store: inout AlertTrialStore, at now: Timestamp) {
        guard isRunning else { return }
        if term != nil, store.leader == number, store.term == term {
            for found in pending { store.store(found.alert) }
            pending = []
        } else if store.leader != nil, store.leader != number {
            let decided = pending.prefix { now.duration(since: $0.since) >= Self.retention }
                .filter { found, since in
                    now.duration(since: since) >= Self.retentionMax
                        || observer.isDecided(found, knowing: store.values)
                }
                .map(\.alert)
            pending.removeAll { decided.contains($0.alert) }
            observer.withdraw(decided)
        }
    }
}
