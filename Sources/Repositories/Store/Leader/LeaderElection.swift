import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization

/// Builds one minute candles of all markets, and writes them while this process leads.
///
/// Every process builds candles all the time; the holder of the lease writes. A new leader writes
/// everything it has, so the last minutes of a dead leader are not lost. Minutes that no process
/// received completely are read over REST, one market at a time.
///
/// Candles waiting for an unreachable store are bounded by ``MinuteCandleBuilder/minutesMax``.
/// Dropped ones are counted, and read over REST later.
public final class LeaderElection: Sendable {
    /// Number of candles written at once; a larger minute is not split.
    static let batchRowsMax = 2_000
    /// How often unwritten candles are looked for without the end of a minute.
    static let writeInterval: Duration = .seconds(1)
    /// Minimum time between two roll-ups.
    static let rollUpInterval: Duration = .seconds(5)
    /// How often partitions for the coming days are created.
    static let prepareInterval: Duration = .seconds(3_600)
    /// Delay before that is repeated after a failure.
    static let prepareRetryInterval: Duration = .seconds(60)

    /// A change of the leadership.
    public enum Event: Sendable, Hashable {
        /// The lease was acquired: this process writes.
        case leading(epoch: Int64)
        /// The lease was lost: another process may write.
        case following
    }

    /// The state of the leadership.
    public struct Status: Sendable, Hashable {
        /// The epoch, while this process leads.
        public var epoch: Int64?
        /// Whether this process or another is known to write; false if none does or the store
        /// cannot tell.
        public var isLed = false
        /// How far the newest written minute lies behind the exchange's time; nil before this
        /// process wrote one, and while it does not lead.
        public var lag: Duration?
        /// Number of finished candles held that this process has not written.
        public var bufferedRows = 0
        /// Number of candles dropped since the start while no process was known to write them.
        public var droppedRows = 0
        /// Number of REST requests left to backfill all missing minutes.
        public var healingLeft = 0
        /// Why the store failed last; nil after a successful call.
        public var failure: StoreFailure?

        /// The initial state.
        public init() {}

        /// Whether this process leads.
        public var isLeading: Bool { epoch != nil }
    }

    /// The dependencies of an election.
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

        /// Collects the dependencies.
        ///
        /// - Parameters:
        ///   - store: the store of candles and leases.
        ///   - holder: a unique name of this process.
        ///   - candles: candles over REST, for missing minutes.
        ///   - identity: tells which feed it is.
        ///   - clock: measures delays.
        ///   - now: the local wall clock.
        ///   - exchangeClockLead: how far the exchange's clock is ahead of it, such as
        ///     ``LiveMarketFeed/exchangeClockLead``.
        ///   - onEvent: called when this process begins or ceases to lead; must return at once.
        ///   - onFailure: called with the failure when the store begins to fail or fails
        ///     differently, and with nil when it works again; must return at once.
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
        var builder = MinuteCandleBuilder()
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
    /// Whether the lease was requested, and an answer arrived or failed.
    private let isAsked = AsyncValue(false)
    /// The newest epoch in which this process led.
    private let terms = AsyncValue(Int64.zero)

    /// Makes an election that is not running yet.
    public init(_ parts: Parts) { self.parts = parts }

    /// Records the events of the feed, without waiting.
    public func take(_ batch: MarketEventBatch) {
        let isNews = state.withLock { state in
            let before = state.builder.closedUntil
            state.changeBuilder { $0.apply(batch) }
            return state.builder.closedUntil != before
        }
        if isNews { isChanged.signal() }
    }

    /// The state of the leadership.
    public var status: Status {
        let (elapsed, time) = (parts.stopwatch.elapsed, exchangeTime)
        return state.withLock { state in
            var status = Status()
            status.epoch = state.plan.lease(at: elapsed)?.epoch
            if status.isLeading {
                status.lag = state.writtenUntil.map { max(.zero, time.duration(since: $0)) }
            }
            status.isLed =
                status.isLeading || state.plan.isLedByAnother && !state.plan.isAbstaining
            status.bufferedRows = state.builder.unwrittenRows
            status.droppedRows = state.droppedRows
            status.healingLeft = state.healingLeft + state.builder.partialMarkets.count
            status.failure = state.failure
            return status
        }
    }

    /// Holds the lease, writes and backfills until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.keepLease() }
            group.addTask { await self.runWriter() }
            group.addTask { await self.runBackfill() }
            await group.waitForAll()
        }
    }

    /// Calls `body` whenever this process begins to lead, until the task is cancelled.
    public func forEachTerm(_ body: () -> Void) async {
        var last: Int64 = 0
        while let epoch = await terms.first(where: { [last] in $0 > last }) {
            last = epoch
            body()
        }
    }

    /// Writes everything unwritten and releases the lease, at the end of the program, after
    /// ``run()``.
    public func resign() async {
        guard let lease else { return }
        if let feed { _ = await writeAll(feed) }
        await giveBack(lease)
    }

    private func giveBack(_ lease: LeaseDTO) async {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.lose(lease, at: now) }
        let store = parts.store
        // If this fails, the lease expires.
        try? await limited { () throws(StoreError) in try await store.releaseLease(lease) }
        announce()
    }

    /// Waits until the lease was requested once, with a short timeout.
    func untilAsked() async {
        _ = await isAsked.first(
            within: LeaseStateMachine.callLimit,
            clock: parts.clock,
            where: \.self
        )
    }

    /// The lease of the feed while it is certainly held.
    var lease: LeaseDTO? {
        let (now, feed) = (parts.stopwatch.elapsed, feed)
        return state.withLock { $0.plan.lease(at: now) }.flatMap { $0.feed == feed ? $0 : nil }
    }

    /// Whether another process holds the lease according to the store.
    var isLedByAnother: Bool { state.withLock { $0.plan.isLedByAnother } }

    /// The feed under which candles are stored; nil while the exchange has not identified itself,
    /// and for a recording.
    var feed: String? {
        let known = parts.identity.state.value
        return known.isCertain && known.kind != .replay ? known.kind.rawValue : nil
    }

    /// The exchange's time as far as it is known.
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
                // A leader with nothing to write would keep others from writing.
                state.withLock { $0.plan.abstain() }
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
            // The exchange turned out to be another one, whose feed has its own lease.
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
                state.builder.markAllUnwritten()
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

    /// Makes a call with a timeout.
    private func limited<Value: Sendable>(
        _ call: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer = try await withTimeout(LeaseStateMachine.callLimit, clock: parts.clock, call)
        guard let answer else {
            throw StoreError(.unavailable, "the request for the lease timed out")
        }
        return answer
    }

    /// Reports a change of the leadership.
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
    /// Changes the builder, and counts dropped candles unless another leader has them.
    mutating func changeBuilder(_ change: (inout MinuteCandleBuilder) -> Void) {
        let before = builder.droppedRows
        change(&builder)
        if !plan.isLedByAnother { droppedRows += max(0, builder.droppedRows - before) }
    }
}
