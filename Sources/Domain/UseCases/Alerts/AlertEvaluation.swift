import Concurrency
public import Domain
import Synchronization

/// Evaluates the alert rules of all users on the board's events, and stores the alerts while this
/// process leads.
///
/// Every process evaluates all the time. So a new leader knows the values before its term, and
/// stores the alerts of the last seconds that the leader before it did not.
public final class AlertEvaluation: Sendable {
    /// The most alerts that wait for the store; beyond, the oldest are dropped and counted.
    public static let pendingMax = 10_000
    /// The most alerts of one transaction.
    static let batchMax = 500
    /// How long a process keeps alerts at least while another one leads, which stores them.
    ///
    /// The lease outlives a dead leader by three seconds at most, and nothing is dropped once it
    /// has expired. What is older was found while the leader lived. A leader with data that did not
    /// store it knew better: the process that found it had missed data. A leader that lost its feed
    /// finds the crossing once it has data again, and tells it as late; until the values that it
    /// saves are later than the alert, the alert is kept.
    static let retention: Duration = .seconds(5)
    /// How long a process keeps alerts at most while another one leads.
    static let retentionMax: Duration = .seconds(600)
    /// How often changed rules are looked for without a hint.
    public static let changesInterval: Duration = .seconds(1)
    /// The least time between two readings of rules, however often they change.
    static let hintInterval: Duration = .milliseconds(50)
    /// How often values are saved.
    static let valuesInterval: Duration = .seconds(10)

    /// The state of the evaluation, for administrators.
    public struct Status: Sendable, Hashable {
        /// Whether this process stores alerts.
        public var isLeading = false
        /// Number of rules.
        public var rules = 0
        /// Number of alerts that wait for the store.
        public var pending = 0
        /// Number of alerts dropped since the start, because too many waited or the store refused
        /// them.
        public var dropped = 0
        /// Why the store failed last; nil if its last call succeeded.
        public var failure: StoreFailure?

        /// The initial status.
        public init() {}
    }

    /// A kind of call of the store.
    enum Operation: Int, Sendable, CaseIterable {
        case read, store, save
    }

    struct State {
        var observer: AlertObserver
        /// Whether the rules of the observer's feed were read.
        var isLoaded = false
        /// The term whose stored firings the observer has.
        var term: Int64?
        var pending = PendingAlerts()
        /// When the values of another process were read last, to take back alerts.
        var valuesReadAt: Duration?
        /// The failures of operations whose last call failed.
        var failures: [Operation: StoreFailure] = [:]
        /// Users whose changed rules were not read yet.
        var unread: Set<UserID> = []
        /// Whether the next event begins with what the board knows, because rules are new.
        var needsBegin = false
        /// Whether rules may have changed since they were read.
        var isHurried = false
        /// The feed of the newest events.
        var feed: FeedKind
    }

    let repository: any AlertRepository
    let interests: AlertInterests
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let onFailure: @Sendable (StoreFailure?) -> Void
    let state: Mutex<State>
    let wake = AsyncEvent()
    private let listeners = Mutex<[@Sendable ([UserID]) -> Void]>([])
    private let changeListeners = Mutex<[@Sendable ([UserID]) -> Void]>([])

    /// Makes an evaluation that is not running yet.
    ///
    /// - Parameters:
    ///   - repository: the rules and the log.
    ///   - feed: the expected kind of feed.
    ///   - interests: what rules keep followed.
    ///   - clock: measures intervals.
    ///   - onFailure: is called when the store begins to fail or fails differently, and with nil
    ///     when it works again; it must return at once.
    public init(
        repository: any AlertRepository,
        feed: FeedKind,
        interests: AlertInterests,
        clock: any Clock<Duration>,
        onFailure: @escaping @Sendable (StoreFailure?) -> Void
    ) {
        self.repository = repository
        self.interests = interests
        self.clock = clock
        stopwatch = Stopwatch(clock)
        self.onFailure = onFailure
        state = Mutex(State(observer: AlertObserver(feed: feed), feed: feed))
    }

    /// The period in which this process stores the alerts of the present feed; nil while it does
    /// not.
    public var term: WebhookDispatcher.Term? {
        let feed = state.withLock(\.feed)
        return repository.term(of: feed).map { WebhookDispatcher.Term(feed: feed, number: $0) }
    }

    /// The current state of the evaluation.
    public var status: Status {
        state.withLock { state in
            var status = Status()
            status.isLeading = state.term != nil && state.term == repository.term(of: state.feed)
            status.rules = state.observer.book.count
            status.pending = state.pending.count
            status.dropped = state.pending.dropped
            status.failure = state.firstFailure
            return status
        }
    }

    /// Calls `listener` with the users whose alerts were stored; it must return at once.
    ///
    /// Intended for the few outlets that the composition root registers at the start.
    public func onStored(_ listener: @escaping @Sendable ([UserID]) -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// Calls `listener` with users whose records have changed; it must return at once.
    public func onChanged(_ listener: @escaping @Sendable ([UserID]) -> Void) {
        changeListeners.withLock { $0.append(listener) }
    }

    func tellStored(_ users: [UserID]) {
        for listener in listeners.withLock(\.self) { listener(users) }
    }

    func tellChanged(_ users: [UserID]) {
        for listener in changeListeners.withLock(\.self) { listener(users) }
    }

    /// Looks for changed rules now; returns at once.
    public func hurry() {
        state.withLock { $0.isHurried = true }
        wake.signal()
    }
}

// MARK: Events

extension AlertEvaluation {
    /// Evaluates a batch of the market list; returns at once.
    func receive(_ batch: MarketEventBatch, _ board: MarketBoard) {
        evaluate(board, now: batch.receivedAt) { $0.follow(batch, board) }
    }

    /// Evaluates books that changed; returns at once.
    func receiveBooks(of markets: Set<MarketID>, _ board: MarketBoard, now: Timestamp) {
        evaluate(board, now: now) { $0.followBooks(of: markets, board) }
    }

    /// Evaluates trades that were read again; returns at once.
    ///
    /// - Parameters:
    ///   - losses: for each market, the last trade before the loss.
    ///   - board: the board with the trades.
    ///   - now: the local wall clock.
    func receiveRepairs(_ losses: [MarketID: Timestamp], _ board: MarketBoard, now: Timestamp) {
        evaluate(board, now: now) { observer in
            losses.sorted { $0.key < $1.key }
                .flatMap { observer.repair($0.key, since: $0.value, board) }
        }
    }

    /// Evaluates what depends on time, once a second; returns at once.
    func tick(_ board: MarketBoard, now: Timestamp) {
        evaluate(board, now: now) { $0.tick(board, now: now) }
    }

    private func evaluate(
        _ board: MarketBoard,
        now: Timestamp,
        _ body: (inout AlertObserver) -> [FiredAlert]
    ) {
        let hasNews = state.withLock { state in
            if state.feed != board.feed.kind {
                // Another kind of data: its rules and values are others.
                state.feed = board.feed.kind
                state.isLoaded = false
                state.isHurried = true
                return true
            }
            guard state.isLoaded else { return false }
            var fired = body(&state.observer)
            if state.needsBegin {
                state.needsBegin = false
                fired += state.observer.begin(board, now: now)
            }
            state.pending.append(fired, at: stopwatch.elapsed, max: Self.pendingMax)
            return !fired.isEmpty
        }
        if hasNews { wake.signal() }
    }
}

extension AlertEvaluation.State {
    /// The failure of the first operation that fails.
    var firstFailure: StoreFailure? {
        AlertEvaluation.Operation.allCases.lazy.compactMap { failures[$0] }.first
    }

    /// Takes back alerts that the leading process would have stored.
    ///
    /// - Parameters:
    ///   - now: the time that alerts are found at.
    ///   - values: the values that were saved last; nil if they are not known.
    /// - Returns: whether rules may fire again, and whether no such alert waits for later values.
    mutating func withdraw(
        at now: Duration,
        knowing values: AlertBookState?
    ) -> (isAny: Bool, isComplete: Bool) {
        let found = pending.found(before: now - AlertEvaluation.retention)
        let old = pending.found(before: now - AlertEvaluation.retentionMax).count
        // Values that were read may be those of the feed before.
        let values = values?.feed == observer.feed ? values : nil
        let decided =
            found.prefix(old)
            + found.dropFirst(old).filter { observer.isDecided($0, knowing: values) }
        guard !decided.isEmpty else { return (false, found.isEmpty) }
        let gone = Set(decided)
        pending.filter { !gone.contains($0) }
        return (observer.withdraw(Array(decided)), decided.count == found.count)
    }
}

/// Alerts that wait for the store, oldest first.
struct PendingAlerts: Sendable {
    private(set) var rows: [(alert: FiredAlert, foundAt: Duration)] = []
    /// The number of the first row, counted from the start of the process.
    private(set) var first = 0
    /// Number of rows that were dropped.
    private(set) var dropped = 0

    var count: Int { rows.count }

    mutating func append(_ alerts: [FiredAlert], at time: Duration, max: Int) {
        rows += alerts.map { ($0, time) }
        if rows.count > max {
            dropped += rows.count - max
            remove(rows.count - max)
        }
    }

    /// Removes the rows before a number.
    mutating func remove(before number: Int) { remove(min(Swift.max(number - first, 0), count)) }

    /// Removes the first row, which the store refuses.
    mutating func dropFirst() {
        dropped += 1
        remove(1)
    }

    /// The alerts found before a time.
    func found(before time: Duration) -> [FiredAlert] {
        rows.prefix { $0.foundAt < time }.map(\.alert)
    }

    mutating func filter(_ isKept: (FiredAlert) -> Bool) {
        let kept = rows.filter { isKept($0.alert) }
        // Numbers before belong to rows that are gone.
        first += count - kept.count
        rows = kept
    }

    private mutating func remove(_ count: Int) {
        rows.removeFirst(count)
        first += count
    }
}
