import Domain
import TestSupport

/// An exchange with two markets: one whose price walks at random, and a busier one that trades at
/// one price and proves that the stream lives.
struct AlertTrialExchange {
    /// The market with rules.
    static let market: MarketID = "XRP_KRW"
    /// The market with the larger turnover.
    static let busiest: MarketID = "BTC_KRW"
    /// The close of the day before the first one.
    static let firstClose: FixedDecimal = "3500"

    private var generator: SeededGenerator
    /// All trades of the market with rules, oldest first.
    private(set) var trades: [Trade] = []
    private var price: Int64 = 3_500
    /// The day in Seoul, and the close before it.
    private(set) var day: (number: Int, previousClose: FixedDecimal)

    /// Trades before the start: more than one page of API 1.x has.
    private static let tradesBefore = 120

    init(at start: Timestamp, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        day = (SeoulTime(start).day, Self.firstClose)
        for number in 0..<Self.tradesBefore {
            let age = Duration.seconds(Self.tradesBefore - number)
            trade(at: start.advanced(by: .zero - age))
        }
    }

    /// Trades until a moment.
    ///
    /// - Returns: the new trades of both markets.
    mutating func advance(to now: Timestamp) -> [Trade] {
        let before = trades.count
        let today = SeoulTime(now).day
        if today > day.number {
            day = (today, trades.last?.price ?? day.previousClose)
        }
        if Int.random(in: 0..<100, using: &generator) < 14 {
            // Several trades of one order, as close as they are on the exchange.
            for number in 0..<Int.random(in: 1...4, using: &generator) {
                trade(at: now.advanced(by: .microseconds(Int64(number * 7))))
            }
        }
        var new = Array(trades[before...])
        if Bool.random(using: &generator) {
            new.append(
                Trade(
                    market: Self.busiest,
                    price: "150000000",
                    quantity: "0.01",
                    side: .buy,
                    executedAt: now
                )
            )
        }
        return new
    }

    private mutating func trade(at time: Timestamp) {
        price += Int64.random(in: -1...1, using: &generator)
        let isRepeat = Int.random(in: 0..<20, using: &generator) == 0
        let quantity = isRepeat ? trades.last?.quantity : nil
        trades.append(
            Trade(
                market: Self.market,
                price: FixedDecimal(price),
                quantity: quantity ?? FixedDecimal(Int64.random(in: 1...9_999, using: &generator)),
                side: Bool.random(using: &generator) ? .buy : .sell,
                executedAt: time
            )
        )
    }

    /// A trade as the stream tells it: API 2.x has milliseconds.
    func streamed(_ trade: Trade, by api: ExchangeAPI) -> Trade {
        guard api == .v2 else { return trade }
        var told = trade
        told.executedAt = TradeHistory.Resolution.millisecond.start(of: trade.executedAt)
        return told
    }

    /// The figures of the market with rules; API 2.x tells the time of its last trade.
    func entry(by api: ExchangeAPI) -> ListingEntry {
        var entry = ListingEntry(market: Self.market)
        entry.price = trades.last?.price
        entry.previousClose = day.previousClose
        entry.tradeValue24h = "1000000"
        entry.volume24h = "300"
        if api == .v2 { entry.tradedAt = trades.last.map { streamed($0, by: api).executedAt } }
        return entry
    }

    /// The listings of all quote currencies at a moment.
    func listings(at now: Timestamp, by api: ExchangeAPI) -> [MarketEvent] {
        var busiest = ListingEntry(market: Self.busiest)
        busiest.price = "150000000"
        busiest.previousClose = "150000000"
        busiest.tradeValue24h = "9000000000"
        busiest.volume24h = "60"
        return Quote.allCases.map { quote in
            let entries = quote == .krw ? [entry(by: api), busiest] : []
            return .listing(Listing(quote: quote, at: now, entries: entries, suspended: []))
        }
    }

    /// Past trades, as REST answers.
    ///
    /// - Parameters:
    ///   - lastTrade: the last trade before a loss; nil without one.
    ///   - requestedAt: when they were requested.
    ///   - api: tells them.
    /// - Returns: the trades.
    func history(
        after lastTrade: Timestamp?,
        requestedAt: Timestamp,
        by api: ExchangeAPI
    ) -> TradeHistory {
        let resolution: TradeHistory.Resolution = api == .v1 ? .second : .millisecond
        let counts = (newest: 100, loss: 500)
        var rows = trades.suffix(lastTrade == nil ? counts.newest : counts.loss).map {
            Self.row($0, in: resolution)
        }
        var beginning = TradeHistory.Beginning.asRequested
        if api == .v1 {
            if let lastTrade, let oldest = rows.first?.at,
                oldest >= resolution.start(of: lastTrade)
            {
                beginning = .short(.onePage)
            }
        } else if let lastTrade {
            // Pages of API 2.x are read back to a trade before the last one.
            rows = trades.map { Self.row($0, in: resolution) }
            let start = rows.lastIndex { TradeHistory.hasAll(after: lastTrade, from: $0.at) } ?? 0
            rows.removeFirst(start)
        }
        return TradeHistory(
            market: Self.market,
            resolution: resolution,
            rows: rows,
            beginning: beginning,
            requestedAt: requestedAt
        )
    }

    private static func row(
        _ trade: Trade,
        in resolution: TradeHistory.Resolution
    ) -> TradeHistory.Row {
        TradeHistory.Row(
            at: resolution.start(of: trade.executedAt),
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }
}
