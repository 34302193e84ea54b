import Domain
import Synchronization

/// The reader at the end of a trial: a real board beside the reference receiver.
final class TrialObserver: Sendable {
    /// A snapshot of the exchange: its time and its source.
    struct Moment: Hashable, Sendable {
        var at: Timestamp
        var origin: OrderBookSnapshot.Origin
    }

    fileprivate struct State {
        var report: TrialReport
        var board = MarketBoard(kind: .live)
        var receiver = ReferenceReceiver()
        var isCrossed = false
        var truths: [Moment: TrialExchange.Book] = [:]
    }

    private let market: MarketID
    private let state: Mutex<State>

    init(market: MarketID, seed: UInt64) {
        self.market = market
        state = Mutex(State(report: TrialReport(seed: seed)))
    }

    /// The report so far.
    var report: TrialReport { state.withLock { $0.report } }

    /// Records a fact about the channel.
    func note(_ change: (inout TrialReport) -> Void) { state.withLock { change(&$0.report) } }

    /// Records the exchange's book at the time of a snapshot.
    func note(_ book: TrialExchange.Book, at moment: Moment) {
        state.withLock { $0.truths[moment] = book }
    }

    /// Applies a batch of the feed.
    func take(_ batch: DetailEventBatch) -> DetailNeeds {
        state.withLock { state in
            for event in batch.events {
                switch event {
                case .depth(let delta):
                    state.receiver.take(delta)
                    state.apply(event, batch.receivedAt)
                case .orderBook(let book): state.apply(book, batch.receivedAt, market)
                case .tradeHistory, .candles, .pastCandles, .feed, .skipped:
                    state.apply(event, batch.receivedAt)
                }
            }
            state.checkSides(market)
            return state.board.detailNeeds
        }
    }

    /// Checks that the shown book equals the exchange's after the last snapshot.
    func checkEnd(_ truth: TrialExchange.Book) {
        state.withLock { state in
            state.check(truth, market, "at the end")
            let status = state.board.detailStatus
            if status.corrections != state.report.corrections
                || status.comparisons != state.report.comparisons
            {
                state.report.fail(
                    "the board has \(status.corrections) corrections of "
                        + "\(status.comparisons) comparisons, the trial "
                        + "\(state.report.corrections) of \(state.report.comparisons)"
                )
            }
        }
    }
}

extension TrialObserver.State {
    fileprivate mutating func apply(_ event: DetailEvent, _ receivedAt: Timestamp) {
        _ = board.apply(DetailEventBatch(events: [event], receivedAt: receivedAt))
    }

    /// Applies a snapshot and compares the board's book with the reference receiver.
    fileprivate mutating func apply(
        _ book: OrderBookSnapshot,
        _ receivedAt: Timestamp,
        _ market: MarketID
    ) {
        let before = board.details[market]?.book
        apply(.orderBook(book), receivedAt)
        guard let before, let after = board.details[market]?.book else { return }
        let isTaken = after.comparisons > before.comparisons || after.isReady != before.isReady
        guard isTaken else { return }
        let moment = TrialObserver.Moment(at: book.at, origin: book.origin)
        let settledAt = book.at.microseconds - (book.origin == .rest ? 1 : 0)
        let name = "\(book.origin) book of \(book.at.microseconds)"
        // Changes that REST tells before the stream does are not lost. It truncates its time.
        let isEarly =
            book.origin == .rest && !before.needsReload
            && book.at.microseconds + 999 > receiver.newestAt
        if let wrong = receiver.take(book, settledAt: settledAt) {
            report.comparisons += 1
            let expected = wrong.isEmpty || isEarly ? 0 : 1
            report.corrections += expected
            let counted = after.corrections - before.corrections
            if counted != expected {
                report.fail("\(name): \(counted) corrections; what was known was wrong at \(wrong)")
            }
        }
        guard receiver.changedAt <= settledAt else { return }
        guard let truth = truths[moment] else {
            report.fail("\(name): the exchange never sent it")
            return
        }
        check(truth, market, name)
    }

    fileprivate mutating func check(
        _ truth: TrialExchange.Book,
        _ market: MarketID,
        _ name: String
    ) {
        report.checks += 1
        guard let book = board.details[market]?.book, book.isReady else {
            report.fail("\(name): there is no book")
            return
        }
        for side in BookSide.allCases
        where book.book.levels(side, limit: TrialExchange.levelsShown) != truth.levels(side) {
            report.fail("\(name): the \(side) side is not the exchange's own")
        }
    }

    /// No loss makes the board show a bid as high as an ask.
    fileprivate mutating func checkSides(_ market: MarketID) {
        let book = board.details[market]?.book.book ?? OrderBook()
        if book.isCrossed, !isCrossed { report.crossings += 1 }
        isCrossed = book.isCrossed
        guard let ask = book.best(.ask),
            let bid = book.best(.bid), bid.price >= ask.price
        else { return }
        report.fail("a bid of \(bid.price) beside an ask of \(ask.price)")
    }
}
