import Concurrency
public import DataSourceContracts
public import Domain

/// Follows the exchange over REST and one stream connection, and reconnects after failures.
///
/// The board orders by exchange time, so listings and frames are delivered as they arrive. To start
/// without a gap the feed subscribes first and reads the listing second.
public final class LiveMarketFeed: MarketFeedRepository {
    /// The dependencies of a feed.
    public struct Parts: Sendable {
        let listings: ListingReader
        let streams: any MarketStreamSource
        let onAnswer: @Sendable (GenerationChannel, DataSourceError?) -> Void
        let clock: any Clock<Duration>
        let now: @Sendable () -> Timestamp
        let random: @Sendable () -> UInt64

        /// Makes the dependencies.
        ///
        /// - Parameters:
        ///   - listings: REST.
        ///   - streams: the stream; of the same API generation.
        ///   - clock: measures waits and silence.
        ///   - now: the local wall clock, for receive times and the Seoul calendar.
        ///   - random: uniformly random bits for backoff.
        ///   - onAnswer: receives the outcome of each listing and connection, nil for success; must
        ///     return at once.
        public init(
            listings: ListingReader,
            streams: any MarketStreamSource,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            random: @escaping @Sendable () -> UInt64,
            onAnswer: @escaping @Sendable (GenerationChannel, DataSourceError?) -> Void = { _, _ in
            }
        ) {
            self.onAnswer = onAnswer
            self.listings = listings
            self.streams = streams
            self.clock = clock
            self.now = now
            self.random = random
        }
    }

    typealias Deliver = @Sendable (MarketEventBatch) async -> FeedStatus

    let parts: Parts
    /// The configured kind of feed; the source may name another.
    let configuredKind: FeedKind
    /// The kind of feed that the source names.
    let kind: AsyncValue<FeedKind>
    /// The known facts about the source, for the other feeds.
    public let identity: FeedIdentity
    /// The markets and types that the stream is subscribed for.
    let scope = AsyncValue(StreamScope())
    /// The number of requests for a listing, and the numbers of the last request that succeeded and
    /// of the last one that was attempted.
    let listingsRequested = AsyncValue(1)
    let listingsRead = AsyncValue(0)
    let listingsAttempted = AsyncValue(0)
    /// How far the exchange's clock is ahead of the local one.
    let clockLead = AsyncValue(ExchangeClockLead())
    /// Whether the recording has been played to its end.
    let hasEnded = AsyncValue(false)
    /// The number of user requests to retry at once.
    let retries = AsyncValue(0)
    private let stopwatch: Stopwatch

    /// Makes a feed that is not running yet.
    ///
    /// - Parameters:
    ///   - kind: the kind of a source that does not name itself.
    ///   - expected: the kind to assume until the source answers, if it differs: that of the last
    ///     run.
    ///   - identity: the known facts, if another feed of the same source shares them.
    ///   - parts: the sources and clocks.
    public init(
        kind: FeedKind,
        expecting expected: FeedKind? = nil,
        identity: FeedIdentity? = nil,
        parts: Parts
    ) {
        self.parts = parts
        configuredKind = kind
        self.kind = AsyncValue(expected ?? kind)
        self.identity = identity ?? FeedIdentity(expecting: expected ?? kind)
        stopwatch = Stopwatch(parts.clock)
    }

    /// Follows the exchange until the task is cancelled; see ``MarketFeedRepository``.
    public func run(
        deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus
    ) async {
        await withTaskGroup { group in
            group.addTask { await self.followListings(deliver) }
            group.addTask { await self.followStream(deliver) }
            group.addTask { await self.followCalendar(deliver) }
            await group.waitForAll()
        }
    }

    /// Sets whether prices and trades come from this feed, or only what no other one has: the
    /// frames of the rolling periods.
    func setPrimary(_ isPrimary: Bool) {
        scope.update { scope in
            if isPrimary, !scope.isPrimary { scope.promotions += 1 }
            scope.isPrimary = isPrimary
        }
    }

    /// Requests a listing now; a stream that waits for its next attempt retries at once.
    public func reload() {
        listingsRequested.update { $0 += 1 }
        retries.update { $0 += 1 }
    }

    /// How far the exchange's clock is ahead of the local one.
    ///
    /// Zero if it is behind, which looks the same as a slow response; nil for a recording, whose
    /// times may be of any year.
    public var exchangeClockLead: Duration? {
        guard kind.value != .replay else { return nil }
        return clockLead.value.value(at: parts.now(), uptime: elapsed)
    }

    /// Makes a batch with the lead of the exchange's clock.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - receivedAt: when they were received, on the local wall clock; nil for now.
    ///   - frameCount: the number of stream frames they came in.
    /// - Returns: the batch.
    func batch(
        _ events: [MarketEvent],
        receivedAt: Timestamp? = nil,
        frameCount: Int = 0
    ) -> MarketEventBatch {
        MarketEventBatch(
            events: events,
            receivedAt: receivedAt ?? parts.now(),
            frameCount: frameCount,
            clockLead: exchangeClockLead
        )
    }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { stopwatch.elapsed }

    /// Delivers one event of the feed itself.
    @discardableResult
    func report(_ event: FeedEvent, _ deliver: Deliver) async -> FeedStatus {
        await deliver(batch([.feed(event)]))
    }

    /// Sleeps until the time is up or the value meets the condition, but at least for `pause`.
    func sleep<Value: Sendable>(
        _ duration: Duration,
        atLeast pause: Duration = .zero,
        until value: AsyncValue<Value>,
        meets isMet: @escaping @Sendable (Value) -> Bool
    ) async {
        if pause > .zero { try? await parts.clock.sleep(for: pause) }
        _ = await value.first(within: duration - pause, clock: parts.clock, where: isMet)
    }
}

/// The markets and types that a stream is subscribed for.
struct StreamScope: Sendable, Equatable {
    /// The markets; only grow.
    var markets = MarketDirectory()
    /// Whether prices and trades are subscribed, too.
    var isPrimary = true
    /// How often this feed became primary; a reader may miss that it was not for a moment.
    var promotions = 0

    /// The subscriptions.
    var subscriptions: [StreamSubscriptionDTO] {
        let tickTypes = ChangePeriod.allCases.filter { isPrimary || $0.window != nil }
        let tickers = StreamSubscriptionDTO(
            type: "ticker",
            symbols: markets.names,
            tickTypes: tickTypes.map(\.rawValue)
        )
        guard isPrimary else { return [tickers] }
        return [tickers, StreamSubscriptionDTO(type: "transaction", symbols: markets.names)]
    }
}

/// The markets that the exchange lists, as many as a board holds.
struct MarketDirectory: Sendable, Equatable {
    /// All names in order of first appearance.
    private(set) var names: [String] = []
    private var known: Set<String> = []

    /// Adds the new names of a listing.
    mutating func add(_ listing: Listing) {
        for market in listing.subscribable
        where names.count < MarketBoard.marketsMax && known.insert(market.name).inserted {
            names.append(market.name)
        }
    }
}
