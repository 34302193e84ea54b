import Domain
import ExchangeSimulator

/// The price of a market and its change since midnight in Seoul, as the exchange had them.
struct MarketTrails {
    private let market: MarketID
    private var prices = SignalTrail()
    private var changes = SignalTrail()
    private var newest: Trade?
    /// The day of the newest trade, and the close before it.
    private var day: (number: Int, base: FixedDecimal)?

    /// More than the trades of one market in a step.
    private static let tradesPerStepMax = 16

    init(_ market: MarketID, _ exchange: SteppedSimulator, at start: Timestamp) {
        self.market = market
        if let listed = exchange.markets().first(where: { $0.id == market }) {
            day = (SeoulTime(start).day, listed.previousClose)
        }
    }

    /// Trails of a market with this close of the day before.
    init(_ market: MarketID, previousClose: FixedDecimal, at start: Timestamp) {
        self.market = market
        day = (SeoulTime(start).day, previousClose)
    }

    /// The values of a signal; nil for one that trials do not follow.
    func trail(of signal: AlertSignal) -> SignalTrail? {
        switch signal {
        case .price: prices
        case .change(.midnight): changes
        default: nil
        }
    }

    /// Records the trades since the last call.
    ///
    /// - Returns: these trades, oldest first.
    mutating func record(_ exchange: SteppedSimulator) -> [Trade] {
        let last = exchange.trades(of: market, newest: 1).last
        guard let last, last != newest else { return [] }
        var trades = exchange.trades(of: market, newest: Self.tradesPerStepMax)
        if let newest, !trades.contains(newest) { trades = exchange.trades(of: market) }
        let start = newest.flatMap { trades.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        for trade in trades[start...] { record(trade) }
        newest = last
        return Array(trades[start...])
    }

    /// Records a trade.
    mutating func record(_ trade: Trade) {
        let today = SeoulTime(trade.executedAt).day
        if let before = day, before.number < today {
            day = (today, prices.points.last?.value ?? before.base)
            changes.append(.zero, at: SeoulTime.startOfDay(today))
        }
        prices.append(trade.price, at: trade.executedAt)
        if let base = day?.base, let rate = Self.percent(of: trade.price, from: base) {
            changes.append(rate, at: trade.executedAt)
        }
    }

    /// The change from a price to another one in percent, rounded half away from zero to two
    /// decimals.
    static func percent(of price: FixedDecimal, from base: FixedDecimal) -> FixedDecimal? {
        guard base.sign > 0 else { return nil }
        let numerator = (price.units - base.units) * 10_000
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: base.units)
        let isRoundedUp = rest.magnitude * 2 >= base.units.magnitude
        let hundredths = whole + (isRoundedUp ? numerator.signum() : 0)
        return FixedDecimal(units: hundredths * (FixedDecimal.unitsPerOne / 100))
    }
}
