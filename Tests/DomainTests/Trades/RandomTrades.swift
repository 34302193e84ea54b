import Domain
import TestSupport

/// Random trades of one market in the order of time.
struct RandomTrades {
    static let market: MarketID = "BTC_KRW"

    var generator: SeededGenerator
    private var at: Timestamp
    private var number: Int64 = 0

    init(seed: UInt64, from start: Timestamp = .noon()) {
        generator = SeededGenerator(seed: seed)
        at = start
    }

    /// The next trade at most `step` after the last one.
    ///
    /// - Parameters:
    ///   - step: the longest time between two trades.
    ///   - kinds: how many prices there are, and how many quantities; few make many twins, and
    ///     without a number no two trades are alike.
    /// - Returns: a trade no older than the last one.
    mutating func next(within step: Duration, kinds: Int64? = nil) -> Trade {
        let way = Int64.random(in: 0...step.wholeMicroseconds, using: &generator)
        at = at.advanced(by: .microseconds(way))
        number += 1
        let price = kinds.map { Int64.random(in: 1...$0, using: &generator) } ?? 1_000 + number
        let quantity = kinds.map { Int64.random(in: 1...$0, using: &generator) } ?? number
        return Trade(
            market: Self.market,
            price: FixedDecimal(price),
            quantity: FixedDecimal(units: FixedDecimal(quantity).units / 1_000),
            side: Bool.random(using: &generator) ? .buy : .sell,
            executedAt: at
        )
    }

    /// So many trades.
    mutating func list(_ count: Int, within step: Duration, kinds: Int64? = nil) -> [Trade] {
        (0..<count).map { _ in next(within: step, kinds: kinds) }
    }
}

extension TradeHistory.Row {
    /// A trade as REST tells it.
    init(_ trade: Trade) {
        self.init(
            second: trade.executedAt.second,
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }

    init(_ trade: TapedTrade) {
        self.init(
            second: trade.id.at.second,
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }
}

extension TradeHistory {
    /// What REST tells of these trades.
    init(_ trades: some Sequence<Trade>, isComplete: Bool = false) {
        self.init(
            market: RandomTrades.market,
            rows: trades.map(Row.init),
            isComplete: isComplete
        )
    }
}

extension TradeTape {
    /// A tape that the stream wrote.
    init(_ trades: some Sequence<Trade>) {
        self.init()
        for trade in trades { append(trade) }
    }

    /// The trades as REST would tell them, oldest first.
    var rows: [TradeHistory.Row] { reversed().map(TradeHistory.Row.init) }
}
