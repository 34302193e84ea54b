import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization
public import UseCases

/// Keeps candles, last prices, names and warnings in a store, and reads them back.
///
/// Nothing waits for a write: what is to be kept is put down and written by ``run()``, one thing
/// after the other. What waits is bounded: 64 pages of candles, of which the oldest is given up and
/// counted, and one of everything else, of which the newest stands. A store that fails costs
/// nothing but what it would have kept; it is tried again each second.
///
/// Data of different kinds of feeds are kept apart. Which kind it is the exchange says with its
/// first answer; nothing is written before. Of a recording nothing is kept.
public final class MarketArchive: Sendable {
    /// How many of the newest candles of a series are read.
    public static let candlesMax = 5_000
    /// How often the last prices are kept.
    public static let closesInterval: Duration = .seconds(60)
    /// How often candles are looked through for those that are too old.
    public static let sweepInterval: Duration = .seconds(3_600)
    /// How long a failing store is left alone.
    static let retryInterval: Duration = .seconds(1)

    /// How the archive stands.
    public struct Status: Sendable, Hashable {
        /// Why the store failed last; nil after a call that succeeded.
        public var failure: StoreFailure?
        /// How many pages of candles wait to be written.
        public var waitingPages = 0
        /// How many pages of candles were given up since the start.
        public var droppedPages = 0
        /// How many stored rows could not be read since the start.
        public var skippedRows = 0

        /// Nothing has happened yet.
        public init() {}
    }

    /// What an archive is made of.
    public struct Parts: Sendable {
        let store: any MarketStoreSource
        let latest: SnapshotPublisher
        let clock: any Clock<Duration>
        let stopwatch: Stopwatch
        let now: @Sendable () -> Timestamp
        let onFailure: @Sendable (StoreFailure?) -> Void

        /// Gathers the parts.
        ///
        /// - Parameters:
        ///   - store: where everything is kept.
        ///   - latest: the boards whose last prices are kept.
        ///   - clock: measures intervals.
        ///   - now: the local wall clock.
        ///   - onFailure: is told when the store begins to fail or fails in another way, and with
        ///     nil when it works again; it must return at once.
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

    private struct State {
        var plan: ArchiveQueue
        var failure: StoreFailure?
        var skippedRows = 0
    }

    let parts: Parts
    private let state: Mutex<State>
    private let isChanged = AsyncEvent()

    /// Makes an archive.
    ///
    /// - Parameters:
    ///   - kind: what kind of feed to expect, until ``identify(_:)`` says which it is.
    ///   - parts: what it is made of.
    public init(expecting kind: FeedKind, parts: Parts) {
        self.parts = parts
        state = Mutex(State(plan: ArchiveQueue(expecting: kind)))
    }

    /// How the archive stands.
    public var status: Status {
        state.withLock { state in
            var status = Status()
            status.failure = state.failure
            status.waitingPages = state.plan.waitingPages
            status.droppedPages = state.plan.droppedPages
            status.skippedRows = state.skippedRows
            return status
        }
    }

    /// The kind of feed that is read of, and written once it is certain.
    public var kind: FeedKind { state.withLock { $0.plan.kind } }

    /// Takes what the exchange says it is.
    public func identify(_ kind: FeedKind) {
        let isNews = state.withLock { state in
            guard !state.plan.isCertain || state.plan.kind != kind else { return false }
            state.plan.identify(kind)
            return true
        }
        if isNews { isChanged.signal() }
    }

    /// Takes what the exchange told, without waiting.
    func put(_ change: (inout ArchiveQueue) -> Void) {
        state.withLock { change(&$0.plan) }
        isChanged.signal()
    }

    /// Writes what is put down, until the task is cancelled.
    public func run() async {
        var closesAt = parts.stopwatch.elapsed + Self.closesInterval
        var sweepAt = parts.stopwatch.elapsed
        var retryAt: Duration?
        while !Task.isCancelled {
            let now = parts.stopwatch.elapsed
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
            let wakeAt = [closesAt, sweepAt, retryAt].compactMap(\.self).min() ?? closesAt
            let wait = (wakeAt - parts.stopwatch.elapsed).atLeastTick
            if retryAt == nil {
                await isChanged.wait(within: wait, clock: parts.clock)
            } else {
                try? await parts.clock.sleep(for: wait)
            }
        }
    }

    /// Writes the last prices and everything else that waits; gives up at the first failure.
    ///
    /// For the end of a program, after ``run()``.
    public func flush() async {
        putCloses()
        _ = await writeAll()
    }

    /// Has the last prices written now, and not only when their time comes: for who just became the
    /// one that writes.
    public func hurry() {
        putCloses()
        isChanged.signal()
    }

    /// Puts down the last prices of the newest cut.
    private func putCloses() {
        let board = parts.latest.value.board
        guard board.feed.kind == kind else { return }
        let closes = StoredReferenceMapping.closes(of: board)
        state.withLock { $0.plan.add(closes: closes) }
    }

    /// Writes until nothing waits.
    ///
    /// - Returns: false when the store failed in a way that may pass.
    private func writeAll() async -> Bool {
        while let work = state.withLock({ $0.plan.next(now: parts.now()) }) {
            do throws(StoreError) {
                try await write(work)
                state.withLock { $0.plan.succeeded() }
                note(nil)
            } catch {
                if error.code == .fenced || error.code == .forbidden {
                    // Another instance writes, and reads the same from the exchange.
                    state.withLock { $0.plan.letGo() }
                    if error.code == .fenced { await lookAgain() }
                    continue
                }
                let failure = StoreFailure(error)
                // A cancelled write may have come to nothing, whatever it says.
                let mayRetry = failure.isRetryable || Task.isCancelled
                state.withLock { $0.plan.failed(mayRetry: mayRetry) }
                if !Task.isCancelled { note(failure) }
                if mayRetry { return false }
            }
        }
        return true
    }

    /// Looks whether a store that failed works again.
    ///
    /// That another writes may have been known before it failed: only an answer of its own counts.
    private func lookAgain() async {
        guard state.withLock({ $0.failure != nil }) else { return }
        let feed = kind.rawValue
        _ = await read { store throws(StoreError) in try await store.marks(feed: feed) }
    }

    private func write(_ work: ArchiveQueue.Work) async throws(StoreError) {
        switch work {
        case .candles(let candles, _): try await parts.store.saveCandles(candles)
        case .closes(let closes, let feed): try await parts.store.savePrices(closes, feed: feed)
        case .names(let names, let feed): try await parts.store.saveNames(names, feed: feed)
        case .marks(let marks, let feed): try await parts.store.saveWarnings(marks, feed: feed)
        }
    }

    /// Removes candles that are too old.
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
        return true
    }

    /// Makes a call, and notes how it went.
    ///
    /// - Returns: nil when it failed.
    func read<Value: Sendable>(
        _ call: (any MarketStoreSource) async throws(StoreError) -> Value
    ) async -> Value? {
        do throws(StoreError) {
            let value = try await call(parts.store)
            note(nil)
            return value
        } catch {
            let isAnothers = error.code == .fenced || error.code == .forbidden
            if !isAnothers, !Task.isCancelled { note(StoreFailure(error)) }
            return nil
        }
    }

    func noteSkipped(_ rows: Int) {
        if rows > 0 { state.withLock { $0.skippedRows += rows } }
    }

    private func note(_ failure: StoreFailure?) {
        let isNews = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNews { parts.onFailure(failure) }
    }
}
