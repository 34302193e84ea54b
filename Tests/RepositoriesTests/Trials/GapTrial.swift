import DataSourceContracts
import Domain
import TestSupport

@testable import Repositories

/// More than five minutes of one market at an exchange, followed by a board with or without a loss
/// of the stream: pure values in virtual time.
struct GapTrial {
    static let market: MarketID = "BTC_KRW"
    static let intervals: [CandleInterval] = [.minute1, .minutes3, .hour1]
    /// When REST is read last; trades go on.
    private static let lastReading: Duration = .seconds(305)
    private static let length: Duration = .seconds(330)
    private static let latency: Duration = .milliseconds(20)

    /// How the exchange serves trades.
    enum Service: CaseIterable {
        /// API 2.x: a page begins behind the cursor.
        case pages
        /// API 2.x: a page begins with the trade at the cursor.
        case inclusivePages
        /// API 2.x with stream times one millisecond later than those of REST.
        case shiftedPages
        /// API 1.x: one page in whole seconds.
        case onePage

        /// The distance of the stream's times from those of REST.
        var shift: Duration { self == .shiftedPages ? .milliseconds(1) : .zero }

        /// Whether the stream's trades tell which ones REST's row of a running bucket has.
        ///
        /// Whole seconds tell no single trade, and times of another clock no trade at the edge.
        var tellsRunningTrades: Bool { self == .pages || self == .inclusivePages }
    }

    /// The order of the answers to one reading.
    enum Order: CaseIterable {
        case candlesFirst, tradesFirst
        /// The exchange refuses to answer for candles, and answers the next time.
        case tradesAlone
    }

    let service: Service
    /// The span in which the stream is lost.
    let loss: Range<Timestamp>
    /// All trades by exchange time; many have equal figures, and some the same millisecond.
    private(set) var trades: [Trade]
    /// The order of the exchange's answers after the loss.
    let repairOrder: Order
    /// From the subscription to the requests, and from a request to its answer.
    private let requestDelays: (wait: Duration, answer: Duration)

    init(seed: UInt64, service: Service) {
        var random = SeededGenerator(seed: seed)
        self.service = service
        let start = Duration.milliseconds(Int.random(in: 61_000...200_000, using: &random))
        loss = .noon(plus: start)..<(.noon(plus: start + .seconds(30)))
        repairOrder = Order.allCases.randomElement(using: &random) ?? .tradesFirst
        trades = []
        requestDelays = (
            .milliseconds(Int.random(in: 0...3_000, using: &random)),
            .milliseconds(Int.random(in: 0...300, using: &random))
        )
        // Around the loss from a trade in three seconds to a hundred trades a second.
        let step = [8_000, 2_000, 800, 200, 800, 25].randomElement(using: &random) ?? 800
        var at: Timestamp = .noon()
        var trades: [Trade] = []
        while at < .noon(plus: Self.length) {
            let trade = Trade(
                market: Self.market,
                price: FixedDecimal(Int64.random(in: 100...109, using: &random)),
                quantity: FixedDecimal(Int64.random(in: 1...3, using: &random)),
                side: Bool.random(using: &random) ? .buy : .sell,
                executedAt: at
            )
            if !isUnclear(at) { trades.append(trade) }
            let isSameMoment = Int.random(in: 0..<4, using: &random) == 0
            // A burst lasts from some seconds before the loss to some seconds after it.
            let isNear =
                at >= loss.lowerBound.advanced(by: .seconds(-10))
                && at < loss.upperBound.advanced(by: .seconds(10))
            let longest = isNear ? step : max(step, 1_600)
            let pause = isSameMoment ? 0 : Int.random(in: 1...longest, using: &random)
            at = at.advanced(by: .milliseconds(pause))
        }
        self.trades = trades
    }

    /// Whether nothing tells which candle of REST has a trade, so that the exchange has none then.
    ///
    /// - At the end of a minute, and around the last request of running candles, if the stream's
    ///   trades do not tell.
    /// - Around the request during the loss, if REST answers for candles no more before the repair
    ///   is compared.
    private func isUnclear(_ time: Timestamp) -> Bool {
        func isNear(_ reading: Timestamp) -> Bool {
            abs(time.microseconds - reading.microseconds) <= 1_000_000
        }
        if repairOrder == .tradesAlone, isNear(lostReading) { return true }
        guard !service.tellsRunningTrades else { return false }
        let next = time.advanced(by: .milliseconds(1))
        return CandleInterval.minute1.bucketStart(of: next) == next
            || isNear(.noon(plus: Self.lastReading))
    }

    /// When REST is read during the loss.
    private var lostReading: Timestamp { loss.lowerBound.advanced(by: .seconds(14)) }

    /// The times at which REST is read after the loss: while disconnected, after it, and after the
    /// closes of minutes.
    private var readings: [Timestamp] {
        let repaired = loss.upperBound.advanced(by: requestDelays.wait)
        let closed = CandleInterval.minute1.nextBucket(
            after: CandleInterval.minute1.bucketStart(of: repaired)
        )
        return [
            lostReading, repaired,
            closed.advanced(by: .seconds(5)), .noon(plus: Self.lastReading),
        ]
    }

    /// A board, and the time of its stream.
    struct Stage {
        let board: MarketBoard
        let at: Timestamp
    }

    /// What a board shows after the loss.
    struct Stages {
        /// When the stream has sent what the repair knew already, and before candles that were
        /// requested after the close of that minute: what trades alone made of it.
        var repaired: [Stage] = []
        /// Some time after REST was read last.
        var last: Stage
    }

    /// Follows all trades.
    ///
    /// - Parameter isLost: whether the stream loses its frames in ``loss``.
    /// - Returns: the stages of the board.
    func run(isLost: Bool) -> Stages {
        var run = Run(trial: self, isLost: isLost)
        run.hear(until: .noon(plus: .seconds(1)))
        run.read(at: .noon(plus: .seconds(1)))
        run.hear(until: loss.lowerBound)
        if isLost {
            let failure = FeedFailure(code: .silent, detail: "lost", isRetryable: true)
            run.skip(until: loss.lowerBound.advanced(by: .seconds(10)))
            run.tell(.reconnecting(attempt: 1, nextRetryAt: loss.upperBound, failure: failure))
        }
        var stages: [Stage] = []
        for (index, time) in readings.enumerated() {
            if isLost, index == 1 {
                run.skip(until: loss.upperBound)
                run.tell(.subscribed)
            }
            if isLost, index == 0 { run.skip(until: time) } else { run.hear(until: time) }
            if index == 2 { stages.append(run.stage) }
            let isAsked = index == 1 || repairOrder != .tradesAlone
            run.read(at: time, isAsked ? repairOrder : .tradesFirst)
            if index == 1 {
                run.hear(until: time.advanced(by: .seconds(2)))
                stages.append(run.stage)
            }
        }
        run.hear(until: .noon(plus: Self.length))
        return Stages(repaired: stages, last: run.stage)
    }

    /// The candles of the minutes since the loss, as trades alone should have made them.
    ///
    /// Buckets that need more trades than a tape holds are left out, and with shifted clocks a
    /// moment at whose edge the millisecond decides.
    func expected(_ interval: CandleInterval, at stage: Stage) -> [Candle] {
        let heard = stage.at.advanced(by: .zero - Self.latency)
        let buckets = candles(interval, until: heard)
        return buckets.filter { candle in
            let end = interval.nextBucket(after: candle.openTime)
            let isClear =
                service != .shiftedPages || !trades.contains { $0.executedAt == heard }
            let since = trades.count {
                $0.executedAt >= candle.openTime && $0.executedAt <= heard
            }
            return end > loss.lowerBound && candle.openTime > .noon() && isClear
                && since < TradeTape.capacity
        }
    }

    /// The running hour when trades were read alone: REST's row of the request during the loss, and
    /// the trades since.
    func expectedHour(at stage: Stage) -> Candle? {
        candles(.hour1, until: stage.at.advanced(by: .zero - Self.latency)).last
    }

    /// One board that follows a stream.
    private struct Run {
        let trial: GapTrial
        let isLost: Bool
        var board = MarketBoard(kind: .live)
        private var next = 0
        private var now: Timestamp = .noon()

        init(trial: GapTrial, isLost: Bool) {
            self.trial = trial
            self.isLost = isLost
            let listing = Listing(
                quote: .krw,
                at: now,
                entries: [ListingEntry(GapTrial.market, price: "100")],
                suspended: []
            )
            apply([.listing(listing), .feed(.subscribed), .feed(.live)])
            let facets = [DetailFacet.trades] + GapTrial.intervals.map(DetailFacet.candles)
            for facet in facets {
                let interest = DetailInterest(market: GapTrial.market, facet: facet)
                deliver(.feed(.opened(interest)))
            }
        }

        var stage: Stage { Stage(board: board, at: now) }

        mutating func hear(until time: Timestamp) {
            while next < trial.trades.count {
                var trade = trial.trades[next]
                guard trade.executedAt.advanced(by: GapTrial.latency) <= time else { break }
                trade.executedAt = trade.executedAt.advanced(by: trial.service.shift)
                apply([.trade(trade)])
                next += 1
            }
            now = max(now, time)
        }

        mutating func skip(until time: Timestamp) {
            while next < trial.trades.count,
                trial.trades[next].executedAt.advanced(by: GapTrial.latency) <= time
            {
                next += 1
            }
            now = max(now, time)
        }

        mutating func tell(_ event: FeedEvent) { apply([.feed(event)]) }

        private mutating func apply(_ events: [MarketEvent]) {
            _ = board.apply(MarketEventBatch(events: events, receivedAt: now))
        }

        private mutating func deliver(_ event: DetailEvent) {
            _ = board.apply(DetailEventBatch(events: [event], receivedAt: now))
        }

        /// Reads the trades that the board lacks, and all candles.
        mutating func read(at time: Timestamp, _ order: Order = .tradesFirst) {
            let needs = board.detailNeeds
            let answeredAt = time.advanced(by: trial.requestDelays.answer)
            let trades = DetailInterest(market: GapTrial.market, facet: .trades)
            let history =
                needs.readings.contains(trades)
                ? trial.history(at: time, after: needs.lastTrades[GapTrial.market]) : nil
            let isDisconnected = isLost && trial.loss.contains(time)
            if isDisconnected { skip(until: answeredAt) } else { hear(until: answeredAt) }
            if order != .candlesFirst, let history { deliver(.tradeHistory(history)) }
            if order != .tradesAlone {
                for interval in GapTrial.intervals {
                    let page = trial.page(interval, requestedAt: time, answeredAt: answeredAt)
                    deliver(.candles(page))
                }
            }
            if order == .candlesFirst, let history { deliver(.tradeHistory(history)) }
        }
    }

    /// REST's candles up to a request.
    private func page(
        _ interval: CandleInterval,
        requestedAt: Timestamp,
        answeredAt: Timestamp
    ) -> CandlePage {
        CandlePage(
            market: Self.market,
            interval: interval,
            candles: candles(interval, until: requestedAt),
            requestedAt: requestedAt,
            answeredAt: answeredAt
        )
    }

    /// The exchange's candles of the trades until a moment.
    private func candles(_ interval: CandleInterval, until end: Timestamp) -> [Candle] {
        var candles: [Candle] = []
        var bucketEnd = Timestamp(microseconds: .min)
        for trade in trades {
            if trade.executedAt > end { break }
            guard trade.executedAt < bucketEnd, let last = candles.indices.last else {
                let openTime = interval.bucketStart(of: trade.executedAt)
                bucketEnd = interval.nextBucket(after: openTime)
                let candle = Candle(
                    openTime: openTime,
                    open: trade.price,
                    high: trade.price,
                    low: trade.price,
                    close: trade.price,
                    volume: trade.quantity,
                    origin: .rest
                )
                candles.append(candle)
                continue
            }
            candles[last].high = max(candles[last].high, trade.price)
            candles[last].low = min(candles[last].low, trade.price)
            candles[last].close = trade.price
            let volume = candles[last].volume.units + trade.quantity.units
            candles[last].volume = FixedDecimal(units: volume)
        }
        return candles
    }

    /// The trades that hoga reads from the exchange at a time.
    private func history(at time: Timestamp, after lastTrade: Timestamp?) -> TradeHistory {
        let all = exchangeTrades(until: time)
        var pages = TradePaging(Self.market, after: lastTrade, today: SeoulTime(.noon()).day)
        while let page = pages.next {
            let isInclusive = service == .inclusivePages
            pages.apply(
                all.page(page.page, count: page.count, isInclusive: isInclusive),
                notAfter: nil
            )
        }
        return pages.history(requestedAt: time)
    }

    private func exchangeTrades(until end: Timestamp) -> TradeHistoryDTO {
        let idsPerMillisecond: Int64 = 10_000
        let isPaged = service != .onePage
        var rows: [HistoricTradeDTO] = []
        var counter: Int64 = 0
        for (index, trade) in trades.enumerated() where trade.executedAt <= end {
            let isSame = index > 0 && trades[index - 1].executedAt == trade.executedAt
            counter = isSame ? counter + 1 : 0
            let milliseconds = trade.executedAt.microseconds / 1_000
            rows.append(
                HistoricTradeDTO(
                    atMilliseconds: isPaged ? milliseconds : milliseconds / 1_000 * 1_000,
                    takerBought: trade.side == .buy,
                    quantity: WireDecimal(
                        mantissa: trade.quantity.units / FixedDecimal.unitsPerOne,
                        scale: 0
                    ),
                    price: WireDecimal(
                        mantissa: trade.price.units / FixedDecimal.unitsPerOne,
                        scale: 0
                    ),
                    sequentialID: isPaged ? milliseconds * idsPerMillisecond + counter : nil
                )
            )
        }
        return TradeHistoryDTO(trades: isPaged ? rows.reversed() : rows, isPaged: isPaged)
    }
}
