import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization

/// Gathers the candles of one minute of all markets, and writes them while this process leads.
///
/// Every process gathers all the time; the one that holds the lease writes. Who takes it over
/// writes everything that it has, so that the last minutes of a leader that died are there. What
/// no process heard whole the leader reads over REST, a market at a time.
///
/// What waits for a store that is away is bounded by ``MinuteCandleBuilder/minutesMax``; what is
/// lost by that is counted, and read over REST later.
public final class LeaderElection: Sendable {
    /// How many candles are written at once; a minute more than that is not divided.
    static let batchRowsMax = 2_000
    /// How often is looked for something to write that no closing of a minute told of.
    static let writeInterval: Duration = .seconds(1)
    /// How far apart roll-ups are at the least.
    static let rollUpInterval: Duration = .seconds(5)
    /// How often room is made for the coming days.
    static let prepareInterval: Duration = .seconds(3_600)
    /// How soon that is tried again when it failed.
    static let prepareRetryInterval: Duration = .seconds(60)

    /// What happened to the leadership.
    public enum Event: Sendable, Hashable {
        /// It was taken: this process writes.
        case leading(epoch: Int64)
        /// It ended: another may write.
        case following
    }

    /// How the leadership stands.
    public struct Status: Sendable, Hashable {
        /// The epoch, while this process leads.
        public var epoch: Int64?
        /// Whether this process or another is known to write: false while nobody is, or nobody can
        /// tell.
        public var isLed = false
        /// How far the newest written minute lies behind the exchange's time; nil before this
        /// process wrote one, and while it does not lead.
        public var lag: Duration?
        /// How many candles of minutes that are over are held and were not written by this process.
        public var bufferedRows = 0
        /// How many candles were given up unwritten since the start, while nobody was known to
        /// write them.
        public var droppedRows = 0
        /// How many readings over REST are left until what is missing is healed.
        public var healingLeft = 0
        /// Why the store failed last; nil after a call that succeeded.
        public var failure: StoreFailure?

        /// Nothing has happened yet.
        public init() {}

        /// Whether this process leads.
        public var isLeading: Bool { epoch != nil }
    }

    /// What a leadership is made of.
    public struct Parts: Sendable {
        let store: any SharedMarketStoreSource
        let holder: String
        let candles: any CandleSource
        let identity: FeedIdentity
        let clock: any Clock<Duration>
        let stopwatch: Stopwatch
        let now: @Sendable () -> Timestamp
        let exchangeClockLead: @Sendable () -> Duration?
        let onEvent: @Sendable (Event) -> Void
        let onFailure: @Sendable (StoreFailure?) -> Void

        /// Gathers the parts.
        ///
        /// - Parameters:
        ///   - store: where candles are kept, and the lease.
        ///   - holder: a name of this process that no other has.
        ///   - candles: candles over REST, for what nobody heard.
        ///   - identity: says what kind of feed it is.
        ///   - clock: measures waits.
        ///   - now: the local wall clock.
        ///   - exchangeClockLead: how far the exchange's clock is ahead of it, such as
        ///     ``LiveMarketFeed/exchangeClockLead``.
        ///   - onEvent: is told when this process begins and ceases to lead; returns at once.
        ///   - onFailure: is told when the store begins to fail or fails in another way, and with
        ///     nil when it works again; returns at once.
        public init(
            store: any SharedMarketStoreSource,
            holder: String,
            candles: any CandleSource,
            identity: FeedIdentity,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            exchangeClockLead: @escaping @Sendable () -> Duration?,
            onEvent: @escaping @Sendable (Event) -> Void,
            onFailure: @escaping @Sendable (StoreFailure?) -> Void
        ) {
            self.store = store
            self.holder = holder
            self.candles = candles
            self.identity = identity
            self.clock = clock
            stopwatch = Stopwatch(clock)
            self.now = now
            self.exchangeClockLead = exchangeClockLead
            self.onEvent = onEvent
            self.onFailure = onFailure
        }
    }

    struct State {
        var plan = LeaseStateMachine()
        var ledger = MinuteCandleBuilder()
        var writtenUntil: Timestamp?
        var needsRollUp = false
        var droppedRows = 0
        var healingLeft = 0
        var failure: StoreFailure?
        var announced: Int64?
    }

    let parts: Parts
    let state = Mutex(State())
    let isChanged = AsyncEvent()
    /// Whether the lease was asked for, and an answer came or none.
    private let isAsked = AsyncValue(false)
    /// The newest epoch in which this process led.
    private let terms = AsyncValue(Int64.zero)

    /// Makes a leadership that is not running yet.
    public init(_ parts: Parts) { self.parts = parts }

    /// Takes what the feed delivered, without waiting.
    public func take(_ batch: MarketEventBatch) {
        let isNews = state.withLock { state in
            let before = state.ledger.closedUntil
            state.changeLedger { $0.apply(batch) }
            return state.ledger.closedUntil != before
        }
        if isNews { isChanged.signal() }
    }

    /// How the leadership stands.
    public var status: Status {
        let (elapsed, time) = (parts.stopwatch.elapsed, exchangeTime)
        return state.withLock { state in
            var status = Status()
            status.epoch = state.plan.lease(at: elapsed)?.epoch
            if status.isLeading {
                status.lag = state.writtenUntil.map { max(.zero, time.duration(since: $0)) }
            }
            status.isLed =
                status.isLeading || state.plan.isLedByAnother && !state.plan.isOut
            status.bufferedRows = state.ledger.unwrittenRows
            status.droppedRows = state.droppedRows
            status.healingLeft = state.healingLeft + state.ledger.doubts.count
            status.failure = state.failure
            return status
        }
    }

    /// Takes and keeps the lease, writes and heals, until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.keepLease() }
            group.addTask { await self.runWriter() }
            group.addTask { await self.runBackfill() }
            await group.waitForAll()
        }
    }

    /// Does something whenever this process begins to lead, until the task is cancelled.
    public func forEachTerm(_ body: () -> Void) async {
        var last: Int64 = 0
        while let epoch = await terms.first(where: { [last] in $0 > last }) {
            last = epoch
            body()
        }
    }

    /// Writes what waits and gives the lease back, at the end of the program, after ``run()``.
    public func resign() async {
        guard let lease else { return }
        if let feed { _ = await writeAll(feed) }
        await giveBack(lease)
    }

    private func giveBack(_ lease: LeaseDTO) async {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.lose(lease, at: now) }
        let store = parts.store
        // Should this fail, nobody gets it sooner than it runs out.
        try? await limited { () throws(StoreError) in try await store.releaseLease(lease) }
        announce()
    }

    /// Waits until the lease was asked for once, but not for long.
    func untilAsked() async {
        _ = await isAsked.first(
            within: LeaseStateMachine.callLimit,
            clock: parts.clock,
            where: \.self
        )
    }

    /// The lease of the feed, as long as it is certain to be held.
    var lease: LeaseDTO? {
        let (now, feed) = (parts.stopwatch.elapsed, feed)
        return state.withLock { $0.plan.lease(at: now) }.flatMap { $0.feed == feed ? $0 : nil }
    }

    /// Whether another holds the lease, as far as the store told.
    var isLedByAnother: Bool { state.withLock { $0.plan.isLedByAnother } }

    /// The feed under whose name candles are kept; nil while the exchange has not said what it is,
    /// and of a recording.
    var feed: String? {
        let known = parts.identity.state.value
        return known.isCertain && known.kind != .replay ? known.kind.rawValue : nil
    }

    /// What the exchange's clock shows, as far as anybody knows.
    var exchangeTime: Timestamp { parts.now().advanced(by: parts.exchangeClockLead() ?? .zero) }

    /// Ends leading: the store refused a write of this lease.
    func noteFenced(_ lease: LeaseDTO) {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.lose(lease, at: now) }
        announce()
    }

    func note(_ failure: StoreFailure?) {
        let isNews = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNews { parts.onFailure(failure) }
    }
}

// MARK: The lease

extension LeaderElection {
    private func keepLease() async {
        while !Task.isCancelled {
            let now = parts.stopwatch.elapsed
            guard let feed else {
                // Who has nothing to write would keep others from writing.
                state.withLock { $0.plan.stayOut() }
                isAsked.update { $0 = true }
                try? await parts.clock.sleep(for: LeaseStateMachine.askInterval)
                continue
            }
            let action = state.withLock { $0.plan.next(at: now) }
            announce()
            switch action {
            case .wait(let until):
                try? await parts.clock.sleep(for: (until - now).atLeastTick)
            case .take: await takeLease(of: feed, at: now)
            // The exchange turned out to be another: its feed has a lease of its own.
            case .renew(let lease) where lease.feed != feed: await giveBack(lease)
            case .renew(let lease): await renew(lease, at: now)
            }
        }
    }

    private func takeLease(of feed: String, at askedAt: Duration) async {
        let (store, holder) = (parts.store, parts.holder)
        do throws(StoreError) {
            let lease = try await limited { () throws(StoreError) in
                try await store.takeLease(
                    holder: holder,
                    feed: feed,
                    for: LeaseStateMachine.duration
                )
            }
            let now = parts.stopwatch.elapsed
            state.withLock { state in
                state.plan.took(lease, askedAt: askedAt, at: now)
                guard state.plan.lease(at: now) != nil else { return }
                state.ledger.markAllUnwritten()
                state.writtenUntil = nil
            }
            note(nil)
            announce()
            isChanged.signal()
        } catch {
            failed(error)
        }
        isAsked.update { $0 = true }
    }

    private func renew(_ lease: LeaseDTO, at askedAt: Duration) async {
        let store = parts.store
        do throws(StoreError) {
            let isHeld = try await limited { () throws(StoreError) in
                try await store.renewLease(lease, for: LeaseStateMachine.duration)
            }
            let now = parts.stopwatch.elapsed
            state.withLock { $0.plan.renewed(isHeld, lease, askedAt: askedAt, at: now) }
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: StoreError) {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.failed(at: now) }
        if !Task.isCancelled { note(StoreFailure(error)) }
    }

    /// Makes a call that is given up when it takes too long.
    private func limited<Value: Sendable>(
        _ call: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer = try await withTimeout(LeaseStateMachine.callLimit, clock: parts.clock, call)
        guard let answer else {
            throw StoreError(.unavailable, "the lease on writing candles: no answer in time")
        }
        return answer
    }

    /// Tells whether this process leads, where that is news.
    private func announce() {
        let now = parts.stopwatch.elapsed
        let event = state.withLock { state -> Event? in
            let epoch = state.plan.lease(at: now)?.epoch
            guard epoch != state.announced else { return nil }
            state.announced = epoch
            return epoch.map(Event.leading) ?? .following
        }
        guard let event else { return }
        if case .leading(let epoch) = event { terms.update { $0 = epoch } }
        parts.onEvent(event)
    }
}

extension LeaderElection.State {
    /// Changes the ledger, and counts what that gave up unless another leader has it.
    mutating func changeLedger(_ change: (inout MinuteCandleBuilder) -> Void) {
        let before = ledger.droppedRows
        change(&ledger)
        if !plan.isLedByAnother { droppedRows += max(0, ledger.droppedRows - before) }
    }
}
