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
public final class CandleWriter: Sendable {
    /// Number of candles written at once; a larger minute is not split.
    static let batchRowsMax = 2_000
    /// How often unwritten candles are looked for without the end of a minute.
    static let writeInterval: Duration = .seconds(1)
    /// Minimum time between two roll-ups.
    static let rollUpInterval: Duration = .seconds(5)
    /// Delay before a failed roll-up is repeated.
    static let rollUpRetryInterval: Duration = .seconds(2)
    /// How often partitions for the coming days are created.
    static let prepareInterval: Duration = .seconds(3_600)
    /// Delay before that is repeated after a failure.
    static let prepareRetryInterval: Duration = .seconds(5)

    /// The state of the writer.
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
        /// Why an operation of the store failed last; nil if each one's last call succeeded.
        public var failure: StoreFailure?

        /// The initial state.
        public init() {}

        /// Whether this process leads.
        public var isLeading: Bool { epoch != nil }
    }

    /// The dependencies of a writer and its election.
    public struct Parts: Sendable {
        let store: any SharedMarketStoreSource
        let holder: String
        let candles: any CandleSource
        let identity: FeedIdentity
        let clock: any Clock<Duration>
        let stopwatch: Stopwatch
        let now: @Sendable () -> Timestamp
        let exchangeClockLead: @Sendable () -> Duration?
        let onEvent: @Sendable (LeaderElection.Event) -> Void
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
            onEvent: @escaping @Sendable (LeaderElection.Event) -> Void,
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
        var builder = MinuteCandleBuilder()
        /// The epoch of the newest lease under which candles were written.
        var epoch: Int64?
        /// The end of the newest minute written in that epoch.
        var writtenUntil: Timestamp?
        var needsRollUp = false
        var droppedRows = 0
        var healingLeft = 0
    }

    /// Decides whether this process writes.
    public let election: LeaderElection
    let parts: Parts
    let state = Mutex(State())
    let isChanged: AsyncEvent

    /// Makes a writer that is not running yet.
    public init(_ parts: Parts) {
        self.parts = parts
        let isChanged = AsyncEvent()
        self.isChanged = isChanged
        let election = LeaderElection.Parts(
            store: parts.store,
            holder: parts.holder,
            identity: parts.identity,
            clock: parts.clock,
            leadsRecordings: false,
            onEvent: parts.onEvent,
            onFailure: parts.onFailure
        )
        self.election = LeaderElection(election) { isChanged.signal() }
    }

    /// Records the events of the feed, without waiting.
    public func receive(_ batch: MarketEventBatch) {
        let isLedByAnother = election.isLedByAnother
        let hasClosed = state.withLock { state in
            let before = state.builder.closedUntil
            state.changeBuilder(isLedByAnother: isLedByAnother) { $0.apply(batch) }
            return state.builder.closedUntil != before
        }
        if hasClosed { isChanged.signal() }
    }

    /// The state of the writer.
    public var status: Status {
        let (leadership, time) = (election.status, exchangeTime)
        return state.withLock { state in
            var status = Status()
            status.epoch = leadership.epoch
            if status.isLeading, status.epoch == state.epoch {
                status.lag = state.writtenUntil.map { max(.zero, time.duration(since: $0)) }
            }
            status.isLed = leadership.isLed
            status.bufferedRows = state.builder.unwrittenRows
            status.droppedRows = state.droppedRows
            status.healingLeft = state.healingLeft + state.builder.partialMarkets.count
            status.failure = leadership.failure
            return status
        }
    }

    /// Holds the lease, writes and backfills until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.election.run() }
            group.addTask { await self.runWriting() }
            group.addTask { await self.runBackfill() }
            await group.waitForAll()
        }
    }

    /// Writes everything unwritten and releases the lease, at the end of the program, after
    /// ``run()``.
    public func resign() async {
        guard let lease = election.lease else { return }
        if let feed = election.feed { _ = await writeAll(feed) }
        await election.release(lease)
    }

    /// The exchange's time as far as it is known.
    var exchangeTime: Timestamp { parts.now().advanced(by: parts.exchangeClockLead() ?? .zero) }
}

extension CandleWriter.State {
    /// Begins to write under a lease: everything held is written again.
    mutating func beginTerm(_ epoch: Int64) {
        guard self.epoch != epoch else { return }
        self.epoch = epoch
        builder.markAllUnwritten()
        writtenUntil = nil
    }

    /// Changes the builder, and counts dropped candles unless another leader has them.
    mutating func changeBuilder(
        isLedByAnother: Bool,
        _ change: (inout MinuteCandleBuilder) -> Void
    ) {
        let before = builder.droppedRows
        change(&builder)
        if !isLedByAnother { droppedRows += max(0, builder.droppedRows - before) }
    }
}
