import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization
public import UseCases

/// Follows the books, past trades and candles that have interests, over REST and stream
/// connections of its own: one for each API generation that books come from.
///
/// ``BookStreamStateMachine`` and ``DetailFetchScheduler`` decide; this shell acts. One task opens
/// and closes interests in order, so `opened` precedes the data of an interest. Boards ignore data
/// that arrives after `closed`.
public final class LiveDetailFeed: MarketDetailFeedRepository {
    /// The dependencies of a feed.
    public struct Parts: Sendable {
        let interests: DetailInterests
        let books: SelectedBooks
        let trades: any TradeHistorySource
        let candles: any CandleSource
        let clock: any Clock<Duration>
        let now: @Sendable () -> Timestamp
        let exchangeClockLead: @Sendable () -> Duration?
        let random: @Sendable () -> UInt64
        let archive: MarketArchive?

        /// Makes the dependencies.
        ///
        /// - Parameters:
        ///   - interests: the wanted details; this feed listens to changes.
        ///   - books: order books; the connections are separate from those of the list.
        ///   - trades: past trades over REST.
        ///   - candles: candles over REST.
        ///   - clock: measures waits and silence.
        ///   - now: the local wall clock, for receive times.
        ///   - exchangeClockLead: how far the exchange's clock is ahead of the local one, from
        ///     ``LiveMarketFeed/exchangeClockLead``; nil for a recording, whose times may be of any
        ///     year.
        ///   - random: uniformly random bits for backoff and corrections.
        ///   - archive: stores candles across restarts; nil stores none.
        public init(
            interests: DetailInterests,
            books: SelectedBooks,
            trades: any TradeHistorySource,
            candles: any CandleSource,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            exchangeClockLead: @escaping @Sendable () -> Duration?,
            random: @escaping @Sendable () -> UInt64,
            archive: MarketArchive? = nil
        ) {
            self.interests = interests
            self.books = books
            self.trades = trades
            self.candles = candles
            self.clock = clock
            self.now = now
            self.exchangeClockLead = exchangeClockLead
            self.random = random
            self.archive = archive
        }
    }

    typealias Deliver = @Sendable (DetailEventBatch) async -> DetailNeeds

    let parts: Parts
    let scheduler = Mutex(DetailFetchScheduler())
    /// One for each generation.
    let lanes: [BookLane]
    /// Past candles that were read before.
    let past = Mutex(PastCandleCache())
    /// The board's newest needs.
    private let needs = Mutex(DetailNeeds())
    /// Wakes ``followRequests(_:)``.
    let requestsChanged = AsyncEvent()
    private let stopwatch: Stopwatch

    /// Makes a feed that is not running yet.
    public init(parts: Parts) {
        self.parts = parts
        lanes = parts.books.generations.map(BookLane.init)
        stopwatch = Stopwatch(parts.clock)
        let event = requestsChanged
        parts.interests.onChange { event.signal() }
    }

    /// Follows the interests until the task is cancelled; see ``MarketDetailFeedRepository``.
    public func run(
        deliver: @escaping @Sendable (DetailEventBatch) async -> DetailNeeds
    ) async {
        await withTaskGroup { group in
            group.addTask { await self.followRequests(deliver) }
            group.addTask { await self.followUse() }
            for lane in lanes { group.addTask { await self.follow(lane, deliver) } }
            await group.waitForAll()
        }
    }

    /// Requests all open details; a stream that waits for its next attempt retries at once.
    public func reload() {
        let now = elapsed
        scheduler.withLock { $0.requestAll() }
        for lane in lanes {
            lane.state.withLock { $0.retry(at: now) }
            lane.changed.signal()
        }
        requestsChanged.signal()
    }

    /// Requests all open details whenever other generations are used: what failed before may
    /// succeed now.
    private func followUse() async {
        var known = parts.books.use.value
        while let use = await parts.books.use.first(where: { [known] in $0 != known }) {
            known = use
            reload()
        }
    }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { stopwatch.elapsed }

    /// The time of the exchange's clock, as far as known.
    ///
    /// With a local clock that is ahead of it, a page of candles claims to cover that much time too
    /// much. So ``SteadyClock`` is bounded, and when the clock is set back, all is read anew. For a
    /// clock that is behind see ``LiveMarketFeed/exchangeClockLead``.
    ///
    /// The clock of a recording is the newest time of its events.
    var exchangeTime: Timestamp {
        guard let lead = parts.exchangeClockLead() else {
            return needs.withLock { $0.streamedUntil } ?? parts.now()
        }
        return parts.now().advanced(by: lead)
    }

    /// The latest plausible time of an event received now; nil for a recording.
    func latestTime(at receivedAt: Timestamp) -> Timestamp? {
        guard let lead = parts.exchangeClockLead() else { return nil }
        return receivedAt.advanced(by: lead + ClockSkewLimit.ahead)
    }

    /// Delivers a batch and applies the needs of the board.
    func send(_ batch: DetailEventBatch, _ deliver: Deliver) async {
        let needs = await deliver(batch)
        keep(needs)
        if scheduler.withLock({ $0.apply(needs.readings) }) { requestsChanged.signal() }
    }

    /// Keeps the board's newest needs.
    func keep(_ needs: DetailNeeds) {
        self.needs.withLock { $0 = needs }
        if let feed = needs.feed { past.withLock { $0.follow(feed) } }
    }

    /// Exchange time of a market's last trade before the stream may have lost some; nil without a
    /// loss.
    func lastTrade(of market: MarketID) -> Timestamp? { needs.withLock { $0.lastTrades[market] } }

    /// Delivers events that came without a frame.
    func send(_ events: [DetailEvent], _ deliver: Deliver) async {
        await send(DetailEventBatch(events: events, receivedAt: parts.now()), deliver)
    }
}

/// How far times of the exchange may be ahead of its clock.
enum ClockSkewLimit {
    /// The limit: far more than the clocks of one exchange differ, and far less than a stalled
    /// price may stay unnoticed.
    static let ahead: Duration = .seconds(60)
}
