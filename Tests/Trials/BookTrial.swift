import DataSourceContracts
import Domain
import Repositories
import Synchronization
import TestSupport
import UseCases

/// Ten virtual minutes of one order book over a channel that loses, duplicates and reorders frames.
///
/// The exchange is a small model. The real detail feed runs between it and the board, on a clock
/// that the trial advances. Equal seeds give equal trials.
public struct BookTrial: Sendable {
    /// The duration of a trial.
    public static let duration: Duration = .seconds(600)
    /// Lost frames per thousand.
    public static let lossesPerMille = 30
    /// Duplicated frames per thousand.
    public static let duplicatesPerMille = 20
    /// Frames per thousand that arrive up to ``lateness`` late, behind later ones.
    public static let latePerMille = 50
    /// The longest delay of a late frame.
    public static let lateness: Duration = .milliseconds(900)

    /// The seed.
    public let seed: UInt64

    /// Creates a trial.
    public init(seed: UInt64) { self.seed = seed }

    /// Runs the trial.
    public func run() async -> TrialReport {
        let run = TrialRun(seed: seed)
        await run.run()
        return run.judge.report
    }
}

/// A running trial.
private struct TrialRun {
    let judge: TrialObserver
    private let tasks = SteppedTasks()
    private let interests = DetailInterests()
    private let streams: ScriptedStreamSource
    private let exchange: TrialBooks
    private let feed: LiveDetailFeed
    private let seed: UInt64
    private let market: MarketID

    init(seed: UInt64) {
        self.seed = seed
        let clock = tasks.clock
        let log = AccessLog(clock: clock)
        market = "BTC_KRW"
        judge = TrialObserver(market: market, seed: seed)
        streams = ScriptedStreamSource(log: log, clock: clock)
        exchange = TrialBooks(seed: seed, clock: clock, judge: judge)
        // A generator of its own, so that the feed does not change the exchange's sequence.
        let random = Mutex(SeededGenerator(seed: seed ^ .max))
        let source = TrialRandom(random)
        feed = LiveDetailFeed(
            parts: .init(
                interests: interests,
                books: SelectedBooks(
                    streams: [.v1: streams],
                    books: [.v1: exchange],
                    selector: GenerationSelector([.v1], clock: clock) { _ in nil }
                ),
                trades: InMemoryTradeHistorySource(log: log),
                candles: InMemoryCandleSource(log: log),
                clock: clock,
                now: { .noon(plus: clock.now.offset) },
                exchangeClockLead: { .zero },
                random: { source.next() }
            )
        )
    }

    func run() async {
        let (feed, judge) = (feed, judge)
        // Nothing here throws.
        try? await tasks.running(
            { await feed.run { batch in judge.take(batch) } },
            drive: drive
        )
    }

    private func drive() {
        let lease = interests.enter([DetailInterest(market: market, facet: .book)])
        tasks.settle()
        var channel = TrialChannel(seed: seed)
        var nextChange: Duration = .milliseconds(100)
        var nextBook: Duration = .milliseconds(150)
        while let moment = [nextChange, nextBook, channel.nextArrival].compactMap(\.self).min(),
            moment <= BookTrial.duration || channel.nextArrival != nil
        {
            tasks.advance(by: moment - tasks.clock.now.offset)
            let isOver = moment > BookTrial.duration
            if moment == nextChange {
                if !isOver, let frame = exchange.change() { channel.send(frame, at: moment) }
                nextChange = moment + channel.pause(of: 250, spread: 50)
            } else if moment == nextBook {
                if !isOver { channel.send(exchange.snapshotMessage(), at: moment) }
                nextBook = moment + channel.pause(of: 230, spread: 25)
            } else {
                for message in channel.arrivals(at: moment) { streams.streams.last?.send(message) }
                tasks.settle()
            }
        }
        // No more changes, then one more snapshot.
        tasks.advance(by: .seconds(1))
        streams.streams.last?.send(exchange.snapshotMessage())
        tasks.settle()
        judge.checkEnd(exchange.shown)
        judge.note { report in
            report.frames = channel.sent
            report.losses = channel.lost
            report.duplicates = channel.doubled
            report.overtaken = channel.overtaken
            report.readings = exchange.readings
        }
        lease?.release()
    }
}

/// The exchange of a trial, as stream and as REST.
private final class TrialBooks: OrderBookSource {
    /// The latency of a request, and of its response.
    private static let way: Duration = .milliseconds(40)

    private struct State {
        var random: SeededGenerator
        var exchange: TrialExchange
        var readings = 0
    }

    private let clock: ManualClock
    private let judge: TrialObserver
    private let state: Mutex<State>

    init(seed: UInt64, clock: ManualClock, judge: TrialObserver) {
        self.clock = clock
        self.judge = judge
        var random = SeededGenerator(seed: seed)
        let exchange = TrialExchange(random: &random)
        state = Mutex(State(random: random, exchange: exchange))
    }

    var readings: Int { state.withLock { $0.readings } }
    var shown: TrialExchange.Book { state.withLock { $0.exchange.shown } }
    private var now: Timestamp { .noon(plus: clock.now.offset) }

    /// Changes the book once.
    func change() -> StreamMessageDTO? {
        let now = now
        return state.withLock { state in
            state.exchange.change(at: now, random: &state.random).map { .depth($0) }
        }
    }

    /// The present snapshot as a stream message.
    func snapshotMessage() -> StreamMessageDTO {
        let (book, now) = (shown, now)
        judge.note(book, at: TrialObserver.Moment(at: now, origin: .stream))
        return .orderBook(book.dto(atMicroseconds: now.microseconds))
    }

    /// The present snapshot over REST, in whole milliseconds.
    func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        try? await clock.sleep(for: Self.way)
        let (book, now) = (shown, now)
        state.withLock { $0.readings += 1 }
        let at = now.microseconds - now.microseconds % 1_000
        judge.note(book, at: .init(at: Timestamp(microseconds: at), origin: .rest))
        try? await clock.sleep(for: Self.way)
        if Task.isCancelled { throw DataSourceError(.cancelled, "the trial is over") }
        return book.dto(atMicroseconds: at)
    }
}

/// Random bits for the feeds of a trial.
final class TrialRandom: Sendable {
    private let generator: Mutex<SeededGenerator>
    init(_ generator: consuming Mutex<SeededGenerator>) { self.generator = generator }
    func next() -> UInt64 { generator.withLock { $0.next() } }
}
