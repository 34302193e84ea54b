import Concurrency
public import Domain
import Synchronization

/// Delivers the alerts of all users to their webhooks, while this process stores the alerts.
///
/// Each alert is delivered at least once: an attempt whose outcome was not recorded is repeated,
/// also by the next leader. A user has one request in flight. Receivers that are new, slow or that
/// failed have lanes of their own: however many they are, those that work do not wait for them.
public final class WebhookDispatcher: Sendable {
    /// The most requests in flight of a lane.
    public static let laneMax = 64
    /// A receiver that takes longer is slow.
    static let quickMax: Duration = .seconds(1)
    /// The wait after a failure of this process.
    static let ownWait: Duration = .seconds(5)
    /// The most users of one look-up.
    static let lookupMax = 500
    /// How often work goes on without a signal: backoffs end, and a failed store is tried again.
    static let interval: Duration = .seconds(1)

    /// A period in which this process stores the alerts of a feed.
    public struct Term: Sendable, Hashable {
        /// The feed.
        public var feed: FeedKind
        /// Increases with each period.
        public var number: Int64

        /// Makes a term.
        public init(feed: FeedKind, number: Int64) {
            self.feed = feed
            self.number = number
        }
    }

    /// Counts, for administrators.
    public struct Status: Sendable, Hashable {
        /// Alerts that receivers accepted, since the start.
        public var accepted = 0
        /// Attempts that failed, since the start.
        public var failed = 0
        /// Alerts that are not tried again, since the start.
        public var deadLetters = 0
        /// Requests in flight.
        public var inFlight = 0
        /// Users in backoff after a failure, or waiting for a free slot.
        public var waiting = 0

        /// The initial status.
        public init() {}
    }

    /// Everything that the dispatcher works with.
    public struct Parts: Sendable {
        /// The alerts that wait.
        public var repository: any WebhookDeliveryRepository
        /// Sends one.
        public var sender: any WebhookSender
        /// The period in which this process stores alerts; nil while it does not.
        public var term: @Sendable () -> Term?
        /// Measures waits.
        public var clock: any Clock<Duration>
        /// The local wall clock.
        public var now: @Sendable () -> Timestamp
        /// Uniformly random bits.
        public var random: @Sendable () -> UInt64
        /// Is called when the store begins to fail or fails differently, and with nil when it works
        /// again; it must return at once.
        public var onFailure: @Sendable (StoreFailure?) -> Void

        /// Makes the parts.
        public init(
            repository: any WebhookDeliveryRepository,
            sender: any WebhookSender,
            term: @escaping @Sendable () -> Term?,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            random: @escaping @Sendable () -> UInt64,
            onFailure: @escaping @Sendable (StoreFailure?) -> Void
        ) {
            self.repository = repository
            self.sender = sender
            self.term = term
            self.clock = clock
            self.now = now
            self.random = random
            self.onFailure = onFailure
        }
    }

    private struct State {
        var term: Term?
        var schedule = WebhookSchedule()
        /// Ended attempts that the store does not know yet; their users stay in flight.
        var outcomes: [(outcome: WebhookOutcome, feed: FeedKind)] = []
        var status = Status()
        var failure: StoreFailure?
    }

    private let parts: Parts
    private let state = Mutex(State())
    private let wake = AsyncEvent()
    private let stopwatch: Stopwatch

    /// Makes a dispatcher that is not running yet.
    public init(_ parts: Parts) {
        self.parts = parts
        stopwatch = Stopwatch(parts.clock)
    }

    /// The counts.
    public var status: Status {
        state.withLock { state in
            var status = state.status
            status.inFlight = state.schedule.inFlightCount
            status.waiting = state.schedule.waitingCount
            return status
        }
    }

    /// Looks for deliveries to users whose alerts were stored or whose records changed; returns at
    /// once.
    public func lookUp(_ users: [UserID]) {
        state.withLock { state in
            // A new term looks everybody up.
            if state.term != nil { state.schedule.lookUp(users) }
        }
        wake.signal()
    }

    /// Records the attempts that have ended, at the end of the program.
    public func flush() async {
        do throws(StoreFailure) {
            try await recordOutcomes()
        } catch {
            note(error)
        }
    }

    /// Delivers until the task is cancelled; requests in flight are cancelled then, and repeated by
    /// the next leader.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let started = await advance()
                for (lane, delivery, feed) in started {
                    group.addTask { await self.send(delivery, feed, on: lane) }
                }
                // More users may be looked up at once.
                if started.isEmpty {
                    await wake.wait(within: Self.interval, clock: parts.clock)
                }
            }
        }
    }

    /// Records what has ended, and takes the deliveries that may start.
    private func advance() async -> [(WebhookLane, WebhookDelivery, FeedKind)] {
        do throws(StoreFailure) {
            try await recordOutcomes()
            guard let term = parts.term() else {
                state.withLock { state in
                    state.term = nil
                    state.schedule.forgetWaiting()
                }
                return []
            }
            let started = try await begin(term)
            note(nil)
            return started
        } catch {
            note(error)
            return []
        }
    }

    private func recordOutcomes() async throws(StoreFailure) {
        while true {
            let (batch, feed) = state.withLock { state in
                let feed = state.outcomes.first?.feed
                let batch = state.outcomes.prefix(Self.lookupMax).prefix { $0.feed == feed }
                return (batch.map(\.outcome), feed)
            }
            guard let feed else { return }
            try await parts.repository.record(batch, feed: feed)
            state.withLock { state in
                state.outcomes.removeFirst(batch.count)
                for outcome in batch {
                    state.schedule.end(
                        outcome.user,
                        backoffUntil: outcome.failure?.receiverBackoffUntil
                    )
                }
            }
        }
    }

    private func begin(
        _ term: Term
    ) async throws(StoreFailure) -> [(WebhookLane, WebhookDelivery, FeedKind)] {
        let now = parts.now()
        // Nil in a new term: everybody who has a webhook may have waiting alerts.
        let users = state.withLock { state -> [UserID]? in
            if state.term != term {
                state.schedule.forgetWaiting()
                // From here on, look-ups that are asked for are kept.
                state.term = term
                return nil
            }
            let users = state.schedule.takeLookups(at: now, max: Self.lookupMax)
            if state.schedule.hasLookups { wake.signal() }
            return users
        }
        if let users, users.isEmpty { return [] }
        let deliveries: [WebhookDelivery]
        do throws(StoreFailure) {
            deliveries = try await parts.repository.next(of: users, feed: term.feed, at: now)
        } catch {
            state.withLock { state in
                if let users { state.schedule.lookUp(users) } else { state.term = nil }
            }
            throw error
        }
        // In the order of the look-ups, so that nobody is overtaken for ever.
        let byUser = Dictionary(deliveries.map { ($0.user, $0) }) { first, _ in first }
        return state.withLock { state in
            (users ?? deliveries.map(\.user)).compactMap { user in
                guard let delivery = byUser[user] else { return nil }
                return state.schedule.start(delivery, at: now, laneMax: Self.laneMax)
                    .map { ($0, delivery, term.feed) }
            }
        }
    }

    private func send(_ delivery: WebhookDelivery, _ feed: FeedKind, on lane: WebhookLane) async {
        let start = stopwatch.elapsed
        let result = await parts.sender.send(delivery, on: lane)
        let isQuick = stopwatch.elapsed - start <= Self.quickMax
        // The result of a cancelled request is unknown.
        guard !Task.isCancelled else { return }
        let now = parts.now()
        let outcome = WebhookOutcome(result, of: delivery, at: now, random: parts.random())
        state.withLock { state in
            state.schedule.free(lane, of: delivery.user, isQuick: isQuick)
            guard let outcome else {
                return state.schedule.end(
                    delivery.user,
                    backoffUntil: now.advanced(by: Self.ownWait)
                )
            }
            state.status.note(outcome)
            state.outcomes.append((outcome, feed))
        }
        wake.signal()
    }

    private func note(_ failure: StoreFailure?) {
        let isNew = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNew, !Task.isCancelled { parts.onFailure(failure) }
    }
}

extension WebhookDispatcher.Status {
    fileprivate mutating func note(_ outcome: WebhookOutcome) {
        switch outcome.failure {
        case nil: accepted += 1
        case let failure?:
            failed += 1
            if failure.retryAt == nil { deadLetters += 1 }
        }
    }
}
