import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization
public import UseCases

/// Writes candles, last prices, names and warnings to a store, and reads them back.
///
/// Callers never wait for a write: values are queued, and ``run()`` writes them one after another.
/// The queue is bounded: 64 pages of candles, of which the oldest is dropped and counted, and one
/// value of every other kind, of which the newest is kept. A failing store loses only what it
/// should have stored; it is tried again each second.
///
/// Data of different feeds are separate. The exchange's first answer tells which feed it is, and
/// nothing is written before. Data of a recording are never written.
public final class MarketArchive: Sendable {
    /// How many of the newest candles of a series are read.
    public static let candlesMax = 5_000
    /// How often the last prices are written.
    public static let closesInterval: Duration = .seconds(60)
    /// How often old candles are removed.
    public static let sweepInterval: Duration = .seconds(3_600)
    /// Pause before a failing store is tried again.
    static let retryInterval: Duration = .seconds(1)

    /// The state of the archive.
    public struct Status: Sendable, Hashable {
        /// Why an operation of the store failed last; nil if each one's last call succeeded.
        public var failure: StoreFailure?
        /// Number of queued pages of candles.
        public var waitingPages = 0
        /// Number of pages of candles dropped since the start.
        public var droppedPages = 0
        /// Number of unreadable stored rows since the start.
        public var skippedRows = 0

        /// The initial state.
        public init() {}
    }

    /// The dependencies of an archive.
    public struct Parts: Sendable {
        let store: any MarketStoreSource
        let latest: SnapshotPublisher
        let clock: any Clock<Duration>
        let stopwatch: Stopwatch
        let now: @Sendable () -> Timestamp
        let onFailure: @Sendable (StoreFailure?) -> Void

        /// Collects the dependencies.
        ///
        /// - Parameters:
        ///   - store: the store.
        ///   - latest: the boards whose last prices are written.
        ///   - clock: measures intervals.
        ///   - now: the local wall clock.
        ///   - onFailure: called with the failure when the store begins to fail or fails
        ///     differently, and with nil when it works again; must return at once.
        public init(
            store: any MarketStoreSource,
            latest: SnapshotPublisher,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            onFailure: @escaping @Sendable (StoreFailure?) -> Void
        ) {
            self.store = store
            self.latest = latest
            self.clock = clock
            stopwatch = Stopwatch(clock)
            self.now = now
            self.onFailure = onFailure
        }
    }

    /// A kind of call of the store.
    enum Operation: CaseIterable, Sendable {
        case write
        /// Reading, and removing old candles, which is repeated each minute: a store that can be
        /// read works.
        case read
    }

    private struct State {
        var plan: ArchiveQueue
        var failures = OperationFailures<Operation>()
        var skippedRows = 0
    }

    let parts: Parts
    private let state: Mutex<State>
    private let isChanged = AsyncEvent()

    /// Makes an archive.
    ///
    /// - Parameters:
    ///   - kind: the expected feed, until ``identify(_:)`` is called.
    ///   - parts: its dependencies.
    public init(expecting kind: FeedKind, parts: Parts) {
        self.parts = parts
        state = Mutex(State(plan: ArchiveQueue(expecting: kind)))
    }

    /// The state of the archive.
    public var status: Status {
        state.withLock { state in
            var status = Status()
            status.failure = state.failures.first
            status.waitingPages = state.plan.waitingPages
            status.droppedPages = state.plan.droppedPages
            status.skippedRows = state.skippedRows
            return status
        }
    }

    /// The feed that is read, and written once it is certain.
    public var kind: FeedKind { state.withLock { $0.plan.kind } }

    /// Sets the feed according to the exchange.
    public func identify(_ kind: FeedKind) {
        let isNew = state.withLock { state in
            guard !state.plan.isCertain || state.plan.kind != kind else { return false }
            state.plan.identify(kind)
            return true
        }
        if isNew { isChanged.signal() }
    }

    /// Queues a value without waiting.
    func put(_ change: (inout ArchiveQueue) -> Void) {
        state.withLock { change(&$0.plan) }
        isChanged.signal()
    }

    /// Writes queued values until the task is cancelled.
    public func run() async {
        var closesAt = parts.stopwatch.elapsed + Self.closesInterval
        var sweepAt = parts.stopwatch.elapsed
        var retryAt: Duration?
        var lookAt: Duration = .zero
        while !Task.isCancelled {
            let now = parts.stopwatch.elapsed
            if isReadFailing, now >= lookAt {
                _ = await lookAgain()
                lookAt = now + Self.retryInterval
            }
            if now >= closesAt {
                closesAt = now + Self.closesInterval
                putCloses()
            }
            if now >= sweepAt {
                let isSwept = await sweep()
                sweepAt = now + (isSwept ? Self.sweepInterval : Self.closesInterval)
            }
            if retryAt.map({ now >= $0 }) ?? true {
                retryAt = await writeAll() ? nil : parts.stopwatch.elapsed + Self.retryInterval
            }
            let wakeAt =
                [closesAt, sweepAt, retryAt, isReadFailing ? lookAt : nil].compactMap(\.self).min()
                ?? closesAt
            let wait = (wakeAt - parts.stopwatch.elapsed).atLeastTick
            if retryAt == nil {
                await isChanged.wait(within: wait, clock: parts.clock)
            } else {
                try? await parts.clock.sleep(for: wait)
            }
        }
    }

    /// Writes the last prices and all queued values; stops at the first failure.
    ///
    /// For the end of a program, after ``run()``.
    public func flush() async {
        putCloses()
        _ = await writeAll()
    }

    /// Writes the last prices now, for a process that has just become the leader.
    public func hurry() {
        putCloses()
        isChanged.signal()
    }

    /// Queues the last prices of the newest snapshot.
    private func putCloses() {
        let board = parts.latest.value.board
        guard board.feed.kind == kind else { return }
        let closes = StoredReferenceMapping.closes(of: board)
        state.withLock { $0.plan.add(closes: closes) }
    }

    /// Writes until the queue is empty.
    ///
    /// - Returns: false if the store failed temporarily.
    private func writeAll() async -> Bool {
        while let work = state.withLock({ $0.plan.next(now: parts.now()) }) {
            do throws(StoreError) {
                try await write(work)
                state.withLock { $0.plan.succeeded() }
                note(nil, of: .write)
            } catch {
                if error.code == .fenced || error.code == .forbidden {
                    // Another instance writes the same data from the exchange.
                    state.withLock { $0.plan.discarded() }
                    if error.code == .fenced, isFailing, await lookAgain() {
                        note(nil, of: .write)
                    }
                    continue
                }
                let failure = StoreFailure(error)
                // A cancelled write may have failed, whatever the error says.
                let mayRetry = failure.isRetryable || Task.isCancelled
                state.withLock { $0.plan.failed(mayRetry: mayRetry) }
                if !Task.isCancelled { note(failure, of: .write) }
                if mayRetry { return false }
            }
        }
        return true
    }

    /// Checks whether a failed store works again.
    ///
    /// An old answer that another process writes does not count: only a new one does.
    ///
    /// - Returns: whether it does.
    private func lookAgain() async -> Bool {
        let feed = kind.rawValue
        return await read { store throws(StoreError) in try await store.marks(feed: feed) } != nil
    }

    private var isFailing: Bool { state.withLock { $0.failures.first != nil } }

    private var isReadFailing: Bool { state.withLock { $0.failures[.read] != nil } }

    private func write(_ work: ArchiveQueue.Work) async throws(StoreError) {
        switch work {
        case .candles(let candles): try await parts.store.saveCandles(candles)
        case .closes(let closes, let feed): try await parts.store.savePrices(closes, feed: feed)
        case .names(let names, let feed): try await parts.store.saveNames(names, feed: feed)
        case .marks(let marks, let feed): try await parts.store.saveWarnings(marks, feed: feed)
        }
    }

    /// Removes old candles and journal rows.
    ///
    /// - Returns: whether the store did so.
    private func sweep() async -> Bool {
        let terms = Dictionary(
            grouping: CandleInterval.allCases.filter { $0.retentionPeriod != nil }
        ) {
            $0.retentionPeriod
        }
        let now = parts.now()
        for (term, intervals) in terms {
            guard let term else { continue }
            let read = await read { store throws(StoreError) in
                try await store.removeCandles(
                    intervals: intervals.map(\.rawValue),
                    openingBefore: now.advanced(by: .zero - term).microseconds
                )
            }
            guard read != nil else { return false }
        }
        return await read { store throws(StoreError) in try await store.pruneJournals() } != nil
    }

    /// Makes a call and records its outcome.
    ///
    /// - Returns: nil if it failed.
    func read<Value: Sendable>(
        _ call: (any MarketStoreSource) async throws(StoreError) -> Value
    ) async -> Value? {
        do throws(StoreError) {
            let value = try await call(parts.store)
            note(nil, of: .read)
            return value
        } catch {
            let isAnothers = error.code == .fenced || error.code == .forbidden
            if !isAnothers, !Task.isCancelled {
                note(StoreFailure(error), of: .read)
                // The store is read again until it works.
                isChanged.signal()
            }
            return nil
        }
    }

    func noteSkipped(_ rows: Int) {
        if rows > 0 { state.withLock { $0.skippedRows += rows } }
    }

    private func note(_ failure: StoreFailure?, of operation: Operation) {
        let first = state.withLock { $0.failures.note(failure, of: operation) }
        if let first { parts.onFailure(first) }
    }
}
