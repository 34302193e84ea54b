import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization

/// Acquires and renews the lease of the process that writes what all share: candles, see
/// ``CandleWriter``, and alerts, see ``StoredAlertRepository``.
///
/// At most one process holds the lease. A leader that cannot renew it in time stops leading before
/// the lease expires.
public final class LeaderElection: Sendable {
    /// A change of the leadership.
    public enum Event: Sendable, Hashable {
        /// The lease was acquired: this process writes.
        case leading(epoch: Int64)
        /// The lease was lost: another process may write.
        case following
    }

    /// A kind of call of the store, by what its failure means for others.
    enum Operation: CaseIterable, Sendable {
        /// Acquiring and renewing the lease.
        case lease
        /// Writing minutes.
        case write
        /// Building longer candles.
        case rollUp
        /// Reading and writing missing minutes.
        case backfill
        /// Creating partitions.
        case prepare
    }

    /// The state of the leadership.
    struct Status: Sendable {
        /// The epoch, while this process leads.
        var epoch: Int64?
        /// Whether this process or another is known to write.
        var isLed: Bool
        /// Why an operation of the store failed last; nil if each one's last call succeeded.
        var failure: StoreFailure?
    }

    private struct State {
        var plan = LeaseStateMachine()
        var failures = OperationFailures<Operation>()
        var announced: Int64?
    }

    /// The dependencies of an election.
    public struct Parts: Sendable {
        let store: any LeaseSource
        let holder: String
        let identity: FeedIdentity
        let clock: any Clock<Duration>
        let stopwatch: Stopwatch
        let onEvent: @Sendable (Event) -> Void
        let onFailure: @Sendable (StoreFailure?) -> Void
        /// Whether the lease of a recording is requested too.
        let leadsRecordings: Bool

        /// Collects the dependencies.
        ///
        /// - Parameters:
        ///   - store: gives leases.
        ///   - holder: a unique name of this process.
        ///   - identity: tells which feed it is.
        ///   - clock: measures delays.
        ///   - leadsRecordings: whether the lease of a recording is requested too.
        ///   - onEvent: called when this process begins or ceases to lead; must return at once.
        ///   - onFailure: called with the failure when the store begins to fail or fails
        ///     differently, and with nil when it works again; must return at once.
        public init(
            store: any LeaseSource,
            holder: String,
            identity: FeedIdentity,
            clock: any Clock<Duration>,
            leadsRecordings: Bool,
            onEvent: @escaping @Sendable (Event) -> Void,
            onFailure: @escaping @Sendable (StoreFailure?) -> Void
        ) {
            self.store = store
            self.holder = holder
            self.identity = identity
            self.clock = clock
            stopwatch = Stopwatch(clock)
            self.onEvent = onEvent
            self.onFailure = onFailure
            self.leadsRecordings = leadsRecordings
        }
    }

    private let parts: Parts
    private let state = Mutex(State())
    private let onAcquired: @Sendable () -> Void
    /// Whether the lease was requested, and an answer arrived or failed.
    private let isAsked = AsyncValue(false)
    /// Whether there is anything to write; without, others may have the lease.
    private let isWanted = Mutex(true)
    /// The newest epoch in which this process led.
    private let terms = AsyncValue(Int64.zero)

    /// Makes an election that is not running yet.
    ///
    /// - Parameters:
    ///   - parts: the dependencies.
    ///   - onAcquired: is called when the lease was acquired; it must return at once.
    public init(_ parts: Parts, onAcquired: @escaping @Sendable () -> Void = {}) {
        self.parts = parts
        self.onAcquired = onAcquired
    }

    /// The current state of the leadership.
    var status: Status {
        let now = parts.stopwatch.elapsed
        return state.withLock { state in
            let epoch = state.plan.lease(at: now)?.epoch
            let isLedByAnother = state.plan.isLedByAnother && !state.plan.isAbstaining
            return Status(
                epoch: epoch,
                isLed: epoch != nil || isLedByAnother,
                failure: state.failures.first
            )
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

    /// Releases the lease, so that another process can acquire it at once.
    func release(_ lease: LeaseDTO) async {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.lose(lease, at: now) }
        let store = parts.store
        // If this fails, the lease expires.
        try? await limited { () throws(StoreError) in try await store.releaseLease(lease) }
        announce()
    }

    /// Says whether this process has anything to write: without, it lets go of the lease.
    func want(_ isWanted: Bool) { self.isWanted.withLock { $0 = isWanted } }

    /// Releases the lease at the end of the program, after ``run()``.
    public func resign() async {
        if let lease { await release(lease) }
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

    /// Whether another process holds the lease according to the store, which this one asks for.
    var isFollowing: Bool {
        state.withLock { $0.plan.isLedByAnother && !$0.plan.isAbstaining }
    }

    /// Whether another process holds the lease according to the store.
    var isLedByAnother: Bool { state.withLock { $0.plan.isLedByAnother } }

    /// The feed whose lease is requested; nil while the exchange has not identified itself, and for
    /// a recording, unless it is asked for.
    var feed: String? {
        let known = parts.identity.state.value
        let isLed = known.kind != .replay || parts.leadsRecordings
        return known.isCertain && isLed ? known.kind.rawValue : nil
    }

    /// Ends leading: the store refused a write of this lease.
    func noteFenced(_ lease: LeaseDTO) {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.lose(lease, at: now) }
        announce()
    }

    /// Records why the store refused a leader's call.
    ///
    /// A call that fails after its term is no failure: nobody repeats it.
    func noteRefusal(_ error: StoreError, _ lease: LeaseDTO, of operation: Operation) {
        if error.code == .fenced {
            noteFenced(lease)
        } else if !Task.isCancelled {
            let first = state.withLock { state -> StoreFailure?? in
                guard state.announced == lease.epoch else { return nil }
                return state.failures.note(StoreFailure(error), of: operation)
            }
            if let first { parts.onFailure(first) }
        }
    }

    /// Records the outcome of an operation; nil for a success.
    func note(_ failure: StoreFailure?, of operation: Operation) {
        let first = state.withLock { $0.failures.note(failure, of: operation) }
        if let first { parts.onFailure(first) }
    }
}

// MARK: The lease

extension LeaderElection {
    /// Holds the lease until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            let now = parts.stopwatch.elapsed
            guard let feed, isWanted.withLock(\.self) else {
                // A leader with nothing to write would keep others from writing.
                if let lease { await release(lease) }
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
            case .renew(let lease) where lease.feed != feed: await release(lease)
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
            state.withLock { $0.plan.took(lease, askedAt: askedAt, at: now) }
            note(nil, of: .lease)
            announce()
            onAcquired()
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
            note(nil, of: .lease)
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: StoreError) {
        let now = parts.stopwatch.elapsed
        state.withLock { $0.plan.failed(at: now) }
        if !Task.isCancelled { note(StoreFailure(error), of: .lease) }
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
        let (event, first) = state.withLock { state -> (Event?, StoreFailure??) in
            let epoch = state.plan.lease(at: now)?.epoch
            guard epoch != state.announced else { return (nil, nil) }
            state.announced = epoch
            guard epoch == nil else { return (epoch.map(Event.leading), nil) }
            // This process does not repeat what only a leader does.
            let first = state.failures.note(nil, of: .write, .rollUp, .backfill, .prepare)
            return (.following, first)
        }
        if let first { parts.onFailure(first) }
        guard let event else { return }
        if case .leading(let epoch) = event { terms.update { $0 = epoch } }
        parts.onEvent(event)
    }
}
