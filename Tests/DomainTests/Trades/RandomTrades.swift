import Domain
import TestSupport

/// Random trades of one market in order of time.
struct RandomTrades {
    static let market: MarketID = "BTC_KRW"

    var generator: SeededGenerator
    private var at: Timestamp
    private var number: Int64 = 0

    init(seed: UInt64, from start: Timestamp = .noon()) {
        generator = SeededGenerator(seed: seed)
        at = start
    }

    /// The next trade, at most `step` after the last one.
    ///
    /// - Parameters:
    ///   - step: the longest time between two trades.
    ///   - kinds: number of different prices and of quantities; few of them make many equal trades,
    ///     and nil makes all trades different.
    /// - Returns: a trade that is not older than the last one.
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

    /// A number of trades.
    mutating func list(_ count: Int, within step: Duration, kinds: Int64? = nil) -> [Trade] {
        (0..<count).map { _ in next(within: step, kinds: kinds) }
    }
}

extension TradeHistory.Row {
    /// A trade as a REST row.
    init(_ trade: Trade, in resolution: TradeHistory.Resolution = .second) {
        self.init(
            at: resolution.start(of: trade.executedAt),
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }

    init(_ trade: TapedTrade, in resolution: TradeHistory.Resolution = .second) {
        self.init(
            at: resolution.start(of: trade.id.at),
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }
}

extension TradeHistory {
    /// These trades as REST history.
    init(_ trades: some Sequence<Trade>, isComplete: Bool = false) {
        self.init(
            market: RandomTrades.market,
            rows: trades.map { Row($0) },
            beginning: isComplete ? .firstTrade : .asRequested
        )
    }
}

extension TradeTape {
    /// A tape of live trades.
    init(_ trades: some Sequence<Trade>) {
        self.init()
        for trade in trades { append(trade) }
    }

    /// The trades as REST rows, oldest first.
    var rows: [TradeHistory.Row] { reversed().map { TradeHistory.Row($0) } }
}
