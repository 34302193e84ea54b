public import DataSourceContracts
public import Domain
import Synchronization
public import UseCases

/// Follows the books, past trades and candles that somebody looks at, over a stream connection of
/// their own and over REST.
///
/// Two plans decide, ``BookStreamStateMachine`` and ``ReadingPlan``; this shell does what they say. Parts
/// are opened and closed by one task in the order of events: `opened` comes before the data of a
/// part. What comes after `closed`, because it was on its way, is what nobody looks at: boards
/// leave it out.
public final class LiveDetailFeed<C: Clock>: MarketDetailFeedRepository
where C.Duration == Duration {
    /// What a feed is made of.
    public struct Parts: Sendable {
        let interests: DetailInterests
        let streams: any MarketStreamSource
        let books: any OrderBookSource
        let trades: any TradeHistorySource
        let candles: any CandleSource
        let clock: C
        let now: @Sendable () -> Timestamp
        let exchangeClockLead: @Sendable () -> Duration?
        let random: @Sendable () -> UInt64
        let archive: MarketArchive?

        /// Gathers the parts.
        ///
        /// - Parameters:
        ///   - interests: what somebody looks at; this feed listens to its changes.
        ///   - streams: the stream; its connections are apart from those of the list.
        ///   - books: order books over REST.
        ///   - trades: past trades over REST.
        ///   - candles: candles over REST.
        ///   - clock: measures waits and silence.
        ///   - now: the local wall clock, for receive times.
        ///   - exchangeClockLead: how far the exchange's clock is ahead of the local one, such as
        ///     ``LiveMarketFeed/exchangeClockLead``; nil for a recording, whose times may be of any
        ///     year.
        ///   - random: spreads waits and corrections.
        ///   - archive: what keeps candles over restarts; nil keeps none.
        public init(
            interests: DetailInterests,
            streams: any MarketStreamSource,
            books: any OrderBookSource,
            trades: any TradeHistorySource,
            candles: any CandleSource,
            clock: C,
            now: @escaping @Sendable () -> Timestamp,
            exchangeClockLead: @escaping @Sendable () -> Duration?,
            random: @escaping @Sendable () -> UInt64,
            archive: MarketArchive? = nil
        ) {
            self.interests = interests
            self.streams = streams
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

    typealias Deliver = @Sendable (MarketEventBatch) async -> DetailNeeds

    let parts: Parts
    let readings = Mutex(ReadingPlan())
    let stream = Mutex(BookStreamStateMachine())
    /// The board's newest exchange time, for recordings.
    private let recordedTime = Mutex<Timestamp?>(nil)
    /// Counts what the plan of readings should look at.
    let requestsChanged = Signal(UInt64.zero)
    /// Counts what the plan of the stream should look at.
    let streamChanged = Signal(UInt64.zero)
    private let start: C.Instant

    /// Makes a feed that is not running yet.
    public init(parts: Parts) {
        self.parts = parts
        start = parts.clock.now
        let news = requestsChanged
        parts.interests.onChange { news.update { $0 &+= 1 } }
    }

    /// Follows what is wanted until the task is cancelled; the protocol says how.
    public func run(
        deliver: @escaping @Sendable (MarketEventBatch) async -> DetailNeeds
    ) async {
        await withTaskGroup { group in
            group.addTask { await self.followReadings(deliver) }
            group.addTask { await self.followStream(deliver) }
            await group.waitForAll()
        }
    }

    /// Reads everything anew that is looked at; a stream that waits for its next attempt tries at
    /// once.
    public func reload() {
        let now = elapsed
        readings.withLock { $0.askAll() }
        stream.withLock { $0.retry(at: now) }
        requestsChanged.update { $0 &+= 1 }
        streamChanged.update { $0 &+= 1 }
    }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { start.duration(to: parts.clock.now) }

    /// What the exchange's clock shows, as far as anybody knows.
    ///
    /// Only a lead of the exchange is known, not a lag: see ``LiveMarketFeed/exchangeClockLead``. On a
    /// local clock that is ahead by some time, a page of candles claims to hold the trades of as
    /// much time more than it does; the correction after the close of each bucket mends that.
    ///
    /// A recording has a clock of its own: the newest time that it told of.
    var exchangeTime: Timestamp {
        guard let lead = parts.exchangeClockLead() else {
            return recordedTime.withLock { $0 } ?? parts.now()
        }
        return parts.now().advanced(by: lead)
    }

    /// The latest time that something received now can have happened at; nil for a recording.
    func latestTime(at receivedAt: Timestamp) -> Timestamp? {
        guard let lead = parts.exchangeClockLead() else { return nil }
        return receivedAt.advanced(by: lead + FrameTime.tolerance)
    }

    /// Delivers a batch and hears what the board lacks.
    func put(_ batch: MarketEventBatch, _ deliver: Deliver) async {
        let needs = await deliver(batch)
        recordedTime.withLock { $0 = needs.streamedUntil }
        if readings.withLock({ $0.take(needs.readings) }) { requestsChanged.update { $0 &+= 1 } }
    }

    /// Delivers events that no frame brought.
    func put(_ events: [MarketEvent], _ deliver: Deliver) async {
        await put(MarketEventBatch(events: events, receivedAt: parts.now()), deliver)
    }
}

/// What a frame's time may be.
enum FrameTime {
    /// How far the time of a frame may lie ahead of what the exchange's clock should show.
    ///
    /// A minute is far more than clocks of one exchange differ, and far less than a price may stand
    /// still unnoticed.
    static let tolerance: Duration = .seconds(60)
}
