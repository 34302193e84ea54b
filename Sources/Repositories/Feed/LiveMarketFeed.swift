public import DataSourceContracts
public import Domain
import Synchronization

/// Follows the exchange over REST and one stream connection, and mends what breaks.
///
/// The board's rules order by exchange time, so listings and frames may be delivered as they
/// come: subscribing first and reading the listing second is all that a start without a gap needs.
public final class LiveMarketFeed<C: Clock>: MarketFeedRepository
where C.Duration == Duration {
    /// What a feed is made of.
    public struct Parts: Sendable {
        let tickers: any TickerSource
        let streams: any MarketStreamSource
        let clock: C
        let now: @Sendable () -> Timestamp
        let random: @Sendable () -> UInt64

        /// Gathers the parts.
        ///
        /// - Parameters:
        ///   - tickers: REST.
        ///   - streams: the stream.
        ///   - clock: measures waits and silence.
        ///   - now: the local wall clock, for receive times and the Seoul calendar.
        ///   - random: spreads the waits between attempts.
        public init(
            tickers: any TickerSource,
            streams: any MarketStreamSource,
            clock: C,
            now: @escaping @Sendable () -> Timestamp,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.tickers = tickers
            self.streams = streams
            self.clock = clock
            self.now = now
            self.random = random
        }
    }

    typealias Deliver = @Sendable (MarketEventBatch) async -> FeedStatus

    let parts: Parts
    /// The kind of feed that was asked for; a source may say that it is another.
    let configuredKind: FeedKind
    /// The kind of feed as the source names itself.
    let kind: Signal<FeedKind>
    /// What was found out about the source, for feeds beside this one.
    public let identity: FeedIdentity
    /// The markets to subscribe; only grows.
    let directory = Signal(MarketDirectory())
    /// How often a listing was asked for, and the numbers of the last request that was answered
    /// and of the last one that was tried, whatever came of it.
    let listingsRequested = Signal(1)
    let listingsRead = Signal(0)
    let listingsAttempted = Signal(0)
    /// How far the exchange's clock is ahead of the local one, as the last listing showed; zero if
    /// it is behind.
    let lead = Signal(Duration.zero)
    /// Whether the recording has been played to its end.
    let hasEnded = Signal(false)
    /// Counts the user's wishes to retry at once.
    let retries = Signal(0)
    private let start: C.Instant

    /// Makes a feed that is not running yet.
    ///
    /// - Parameters:
    ///   - kind: what the source is if it does not name itself; its own word goes first.
    ///   - expected: what to take it for until it answers, if that is something else: what it was
    ///     when it was last followed.
    ///   - parts: the sources and clocks.
    public init(kind: FeedKind, expecting expected: FeedKind? = nil, parts: Parts) {
        self.parts = parts
        configuredKind = kind
        self.kind = Signal(expected ?? kind)
        identity = FeedIdentity(expecting: expected ?? kind)
        start = parts.clock.now
    }

    /// Follows the exchange until the task is cancelled; the protocol says how.
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

    /// Asks for a listing now; a stream that waits for its next attempt tries at once.
    public func reload() {
        listingsRequested.update { $0 += 1 }
        retries.update { $0 += 1 }
    }

    /// How far the exchange's clock is ahead of the local one, as the last listing showed: zero if
    /// it is behind, which cannot be told from the way of the answer; nil for a recording, whose
    /// times may be of any year.
    public var exchangeClockLead: Duration? { kind.value == .replay ? nil : lead.value }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { start.duration(to: parts.clock.now) }

    /// Delivers one event of the feed itself.
    @discardableResult
    func tell(_ event: FeedEvent, _ deliver: Deliver) async -> FeedStatus {
        await deliver(MarketEventBatch(events: [.feed(event)], receivedAt: parts.now()))
    }

    /// Sleeps, but not longer than until the signal meets the condition, nor shorter than `pause`.
    func sleep<Value: Sendable>(
        _ duration: Duration,
        atLeast pause: Duration = .zero,
        until signal: Signal<Value>,
        meets isMet: @escaping @Sendable (Value) -> Bool
    ) async {
        if pause > .zero { try? await parts.clock.sleep(for: pause) }
        await signal.first(within: duration - pause, by: parts.clock, where: isMet)
    }
}

/// The markets that the exchange lists, as many as a board holds.
struct MarketDirectory: Sendable, Equatable {
    /// All names, in the order in which they were first seen.
    private(set) var names: [String] = []
    private var known: Set<String> = []

    /// Adds the names that are new.
    mutating func add(_ listing: Listing) {
        for entry in listing.entries where names.count < MarketBoard.marketsMax {
            let name = entry.market.name
            if known.insert(name).inserted { names.append(name) }
        }
    }
}
