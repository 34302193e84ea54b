import Concurrency
import DataSourceContracts
public import Domain
import Synchronization
public import UseCases

/// Reads the closes that changes over the periods in use lack.
///
/// ``CloseFetchScheduler`` decides; this shell acts. For a recording nothing is read: its exchange
/// is not the one of its time.
public final class LivePeriodFeed: PeriodFeedRepository {
    /// The dependencies of a feed.
    public struct Parts: Sendable {
        let closes: @Sendable () -> CloseReader
        let interests: PeriodInterests
        let identity: FeedIdentity
        let clock: any Clock<Duration>
        let now: @Sendable () -> Timestamp
        let exchangeClockLead: @Sendable () -> Duration?
        let random: @Sendable () -> UInt64

        /// Makes the dependencies.
        ///
        /// - Parameters:
        ///   - closes: returns the reader of the generation in use.
        ///   - interests: the periods in use; this feed listens to changes.
        ///   - identity: the kind of source, from ``LiveMarketFeed/identity``.
        ///   - clock: measures waits.
        ///   - now: the local wall clock.
        ///   - exchangeClockLead: how far the exchange's clock is ahead of the local one, from
        ///     ``LiveMarketFeed/exchangeClockLead``.
        ///   - random: uniformly random bits for backoff.
        public init(
            closes: @escaping @Sendable () -> CloseReader,
            interests: PeriodInterests,
            identity: FeedIdentity,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            exchangeClockLead: @escaping @Sendable () -> Duration?,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.closes = closes
            self.interests = interests
            self.identity = identity
            self.clock = clock
            self.now = now
            self.exchangeClockLead = exchangeClockLead
            self.random = random
        }
    }

    /// How often the board is asked for its needs.
    static let checkInterval: Duration = .seconds(1)
    /// The same before the markets are known, so that the first bases are requested at once.
    static let startInterval: Duration = .milliseconds(100)

    private let parts: Parts
    private let scheduler: Mutex<CloseFetchScheduler>
    private let changed = AsyncEvent()
    private let isChangeOfInterests = Mutex(true)
    /// The most candles in a response of API 1.x.
    private let longestPage = Mutex(1)
    private let stopwatch: Stopwatch

    /// Makes a feed that is not running yet.
    public init(parts: Parts) {
        self.parts = parts
        scheduler = Mutex(CloseFetchScheduler())
        stopwatch = Stopwatch(parts.clock)
        parts.interests.onChange { [weak self] in self?.interestsChanged() }
    }

    /// Reads until the task is cancelled; see ``PeriodFeedRepository``.
    public func run(
        needs: @escaping @Sendable (Set<ShownPeriod>) async -> [CloseNeed]?,
        deliver: @escaping @Sendable (MarketEventBatch) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            var checkAt = elapsed
            while !Task.isCancelled {
                if takeChangeOfInterests() || elapsed >= checkAt {
                    parts.interests.expire(now: parts.now())
                    let new = isReading ? await needs(parts.interests.wanted) : []
                    let now = elapsed
                    checkAt = now + (new == nil ? Self.startInterval : Self.checkInterval)
                    let isWhole = parts.closes().isWhole
                    scheduler.withLock { $0.apply(new ?? [], isWhole: isWhole, at: now) }
                }
                let now = elapsed
                let (fetches, wakeAt) = scheduler.withLock { $0.next(at: now) }
                for fetch in fetches { group.addTask { await self.perform(fetch, deliver) } }
                let wait = min(checkAt, wakeAt ?? checkAt) - elapsed
                await changed.wait(within: wait.atLeastTick, clock: parts.clock)
            }
            group.cancelAll()
        }
    }

    private var elapsed: Duration { stopwatch.elapsed }

    private var isReading: Bool { parts.identity.kind != .replay }

    private func interestsChanged() {
        isChangeOfInterests.withLock { $0 = true }
        changed.signal()
    }

    private func takeChangeOfInterests() -> Bool {
        isChangeOfInterests.withLock { isChanged in
            defer { isChanged = false }
            return isChanged
        }
    }

    /// Sends one request and delivers its answer.
    private func perform(
        _ fetch: CloseFetchScheduler.Fetch,
        _ deliver: @Sendable (MarketEventBatch) async -> Void
    ) async {
        let lead = parts.exchangeClockLead() ?? .zero
        let requestedAt = parts.now().advanced(by: lead)
        do throws(DataSourceError) {
            let page = try await parts.closes().page(
                fetch,
                requestedAt: requestedAt,
                longest: { count in
                    longestPage.withLock { longest in
                        longest = max(longest, count)
                        return longest
                    }
                },
                notAfter: requestedAt.advanced(by: ClockSkewLimit.ahead)
            )
            await deliver(MarketEventBatch(events: [.closes(page)], receivedAt: parts.now()))
            let now = elapsed
            scheduler.withLock { $0.succeeded(fetch, at: now) }
        } catch {
            let (now, random) = (elapsed, parts.random())
            scheduler.withLock { scheduler in
                if error.code == .cancelled { return scheduler.cancelled(fetch) }
                scheduler.failed(
                    fetch,
                    isOutage: error.isOutage,
                    pause: error.pause,
                    at: now,
                    random: random
                )
            }
        }
        changed.signal()
    }
}

extension DataSourceError {
    /// Whether the failure concerns all markets, not the requested one.
    fileprivate var isOutage: Bool {
        switch code {
        case .refused, .unserved, .malformed, .ended: false
        case .httpStatus(let status):
            // Of 4xx these alone concern the client, the others the request.
            !(400..<500).contains(status) || [401, 403, 408, 429].contains(status)
        case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected,
            .rateLimited, .cancelled:
            true
        }
    }
}
