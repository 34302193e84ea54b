import Domain
import TestSupport
import UseCases
import ViewStates

/// Compares the data that one instance shows with those of the exchange.
struct InstanceObserver {
    private var lease: DetailLease?
    private var seen: UInt64 = 0
    private var looks = 0

    /// Data are stale after five seconds without newer ones; a slow way delays both.
    private static let ageMax: Duration = .seconds(10)
    /// A book is stale ten seconds after the newest one arrived, which the exchange's latency
    /// and a slow way delay by up to 6.4 s.
    private static let bookAgeMax: Duration = .seconds(17)

    /// Follows the watched market on an instance that has just started.
    mutating func begin(_ instance: TrialInstance) {
        let market = ProgramSchedule.watched
        lease = instance.interests.details.enter([
            DetailInterest(market: market, facet: .book),
            DetailInterest(market: market, facet: .trades),
            DetailInterest(market: market, facet: .candles(.minute1)),
        ])
        seen = 0
    }

    /// Forgets an instance that ends.
    mutating func end() {
        lease = nil
    }

    /// Compares the newest snapshot, if it is a new one.
    mutating func look(
        at instance: TrialInstance,
        _ now: Duration,
        _ truth: ExchangeTruth,
        _ effects: FaultEffects,
        into report: inout ProgramReport
    ) {
        let snapshot = instance.latest.value
        guard snapshot.sequence != seen else { return }
        seen = snapshot.sequence
        let isFresh =
            snapshot.board.feed.isFresh(at: snapshot.capturedAt) && snapshot.board.feed.isComplete
        for market in snapshot.board.markets
        where market.isTrading && !snapshot.board.isUnlistedStored(market) {
            // The stream may tell of a market that no listing has.
            guard let price = market.price, truth.hasListed(market.id) else { continue }
            report.digest(price.canonicalText.utf8)
            report.check("price was true")
            guard truth.had(price, market.id) else {
                report.fail("\(now): \(market.id.name) never had the price \(price)")
                continue
            }
            guard isFresh, !effects.isLossShown(at: now) else { continue }
            report.check("fresh price is new")
            let isNew = truth.had(price, market.id, since: now - Self.ageMax)
            // A listing's price needs a later second than the last trade's.
            if !isNew, !(effects.hasSilentLoss && truth.hadInLastSecond(price, market.id)) {
                report.fail("\(now): \(market.id.name) shows \(price) as fresh, which is old")
            }
        }
        checkSides(snapshot, now, truth, into: &report)
        looks += 1
        guard looks % Self.looksPerTape == 0 else { return }
        let tape = snapshot.board.tape(of: truth.watched)
        TradesObserver.check(tape, now, truth, effects, into: &report)
        checkShownBook(instance, now, truth, effects, into: &report)
    }

    /// Tapes are compared each five seconds.
    private static let looksPerTape = 50

    /// Compares the book that a document shows as fresh with those of the last seconds.
    private func checkShownBook(
        _ instance: TrialInstance,
        _ now: Duration,
        _ truth: ExchangeTruth,
        _ effects: FaultEffects,
        into report: inout ProgramReport
    ) {
        guard !effects.hasSilentLoss else { return }
        let document = instance.documents.orderBook
            .document(MarketDetailQuery(market: truth.watched))
        // A book that is not complete says so: levels may be missing.
        guard document.state.block.health.phase == .ready,
            document.state.block.health.complete,
            let book = instance.latest.value.board.details[truth.watched]?.book.book
        else { return }
        let shown = ExchangeTruth.Book(asks: Self.best(book, .ask), bids: Self.best(book, .bid))
        guard let isNew = truth.had(shown, since: now - Self.bookAgeMax) else { return }
        report.check("fresh book is new")
        if !isNew {
            report.fail(
                "\(now): the book is shown as fresh, but was never so: \(shown.text), not "
                    + truth.books.suffix(3).map(\.value.text).joined(separator: " or ")
            )
        }
    }

    private static func best(
        _ book: OrderBook,
        _ side: BookSide
    ) -> [ExchangeTruth.OrderLevel] {
        book.levels(side, limit: ExchangeTruth.levels).map {
            ExchangeTruth.OrderLevel(price: $0.price, quantity: $0.quantity)
        }
    }

    private func checkSides(
        _ snapshot: BoardSnapshot,
        _ now: Duration,
        _ truth: ExchangeTruth,
        into report: inout ProgramReport
    ) {
        guard let local = snapshot.board.details[truth.watched]?.book, local.isReady else { return }
        report.check("book is uncrossed")
        if let ask = local.book.best(.ask), let bid = local.book.best(.bid), bid.price >= ask.price
        {
            report.fail("\(now): a bid of \(bid.price) beside an ask of \(ask.price)")
        }
    }

    /// Compares everything after the last fault and the time to heal.
    func checkEnd(
        _ instance: TrialInstance,
        _ now: Duration,
        _ truth: ExchangeTruth,
        _ effects: FaultEffects,
        into report: inout ProgramReport
    ) {
        let snapshot = instance.latest.value
        let board = snapshot.board
        report.check("end")
        if board.feed.connection != .live || !board.feed.isFresh(at: snapshot.capturedAt) {
            report.fail("at the end the feed is \(board.feed.connection), not live")
        }
        if let failure = board.feed.streamFailure ?? board.feed.listingFailure {
            report.fail("at the end there is the failure \(failure)")
        }
        let listed = truth.listings.last?.value ?? [:]
        // A market that was delisted while no instance ran is kept, but not shown.
        let markets = board.markets.filter { !board.isUnlistedStored($0) }
        let shown = Dictionary(
            markets.map { ($0.id, $0.isTrading) },
            uniquingKeysWith: { first, _ in first }
        )
        // API 2.x tells of a suspension with the next frame of the market, which does not come.
        for (market, isActive) in listed where isActive && shown[market] != true {
            // An instance that began while the exchange refused it has never read it.
            if shown[market] == nil, effects.isLeftOut(market, at: now) { continue }
            report.fail("at the end \(market.name) is shown \(String(describing: shown[market]))")
        }
        for (market, isTrading) in shown
        where isTrading && listed[market] == nil && truth.hasListed(market) {
            report.fail("at the end \(market.name) is shown, but not listed")
        }
        if let candles = board.details[truth.watched]?.candles[.minute1], !effects.hasSilentLoss {
            TradesObserver.checkMinutes(candles, truth, into: &report)
        }
        for market in markets where market.isTrading && truth.hasListed(market.id) {
            if market.price == nil, effects.isLeftOut(market.id, at: now) {
                report.check("refused market has no price")
                continue
            }
            report.check("price at the end")
            guard let price = market.price,
                truth.had(price, market.id, since: now - .seconds(1))
                    || listed[market.id] != true
                    || (effects.hasSilentLoss && truth.hadInLastSecond(price, market.id))
            else {
                report.fail(
                    "at the end \(market.id.name) is \(String(describing: market.price)), not "
                        + "\(String(describing: truth.prices[market.id]?.last))"
                )
                continue
            }
        }
    }
}
