import Domain
import ExchangeSimulator

/// Every price of a market with the time of its trade, in order.
struct PriceTrail {
    /// A price from a moment on.
    struct Point: Sendable {
        var at: Timestamp
        var price: FixedDecimal
    }

    private let market: MarketID
    private(set) var points: [Point] = []
    private var newest: Trade?

    /// More than the trades of one market in a step.
    private static let tradesPerStepMax = 16

    init(_ market: MarketID) { self.market = market }

    /// Records the trades since the last call.
    mutating func record(_ exchange: SteppedSimulator) {
        let last = exchange.trades(of: market, newest: 1).last
        guard let last, last != newest else { return }
        var trades = exchange.trades(of: market, newest: Self.tradesPerStepMax)
        if let newest, !trades.contains(newest) { trades = exchange.trades(of: market) }
        let start = newest.flatMap { trades.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        for trade in trades[start...] {
            points.append(Point(at: trade.executedAt, price: trade.price))
        }
        newest = last
    }

    /// The place of the newest point at or before a time; nil before the first one.
    func last(notAfter time: Timestamp) -> Int? {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The first and the last place at which a price was valid about a time; nil if it was not.
    func places(
        of price: FixedDecimal,
        about time: Timestamp,
        within tolerance: Duration
    ) -> ClosedRange<Int>? {
        var place = last(notAfter: time.advanced(by: .zero - tolerance)) ?? 0
        let end = time.advanced(by: tolerance)
        var found: ClosedRange<Int>?
        while place < points.count, points[place].at <= end {
            if points[place].price == price { found = (found?.lowerBound ?? place)...place }
            place += 1
        }
        return found
    }

    /// The prices about some places, to read.
    func text(about places: ClosedRange<Int>) -> String {
        points[max(places.lowerBound - 3, 0)..<min(places.upperBound + 3, points.count)]
            .map { "\($0.price) at \($0.at.microseconds)" }.joined(separator: ", ")
    }
}
