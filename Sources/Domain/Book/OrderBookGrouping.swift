/// 호가 모아보기: order book levels aggregated into coarser price steps.
///
/// Asks round up and bids round down, so groups do not cross unless the levels do.
public enum OrderBookGrouping: Sendable {
    /// Multiples of the market's own step, ascending.
    ///
    /// The first one aggregates nothing.
    public static let factors: [Int64] = [1, 2, 5, 10, 50, 100]

    /// The steps a user may choose from, ascending.
    ///
    /// - Parameters:
    ///   - price: price of the market.
    ///   - quote: quote currency of the market.
    ///   - finestStep: the step shown by the market's book, see ``OrderBook/finestStep(quote:)``;
    ///     nil if unknown.
    /// - Returns: the finer step of the book and of ``TickTable``, times ``factors``.
    public static func steps(
        for price: FixedDecimal,
        quote: Quote,
        finestStep: FixedDecimal? = nil
    ) -> [FixedDecimal] {
        let table = TickTable.step(for: price, quote: quote)
        let shown = finestStep.flatMap { $0.sign > 0 ? $0 : nil }
        let tick = min(table, shown ?? table)
        // The table's steps are at most 1,000, so a hundred times the finer one fits.
        return factors.map { FixedDecimal(units: tick.units * Int128($0)) }
    }

    /// Aggregates the levels of a side.
    ///
    /// - Parameters:
    ///   - levels: best first.
    ///   - side: the side.
    ///   - step: price step; aggregates nothing unless above zero.
    /// - Returns: one level per group, best first, at the group's price, with the exact sum of the
    ///   quantities; the largest number on overflow. Bids below the step would round to zero: their
    ///   group has the price of its lowest bid.
    public static func group(
        _ levels: [BookLevel],
        _ side: BookSide,
        step: FixedDecimal
    ) -> [BookLevel] {
        if step.sign <= 0 { return levels }
        var groups: [BookLevel] = []
        var groupPrice: FixedDecimal?
        for level in levels {
            let price = rounded(level.price, side, step: step)
            if price == groupPrice {
                let last = groups.count - 1
                groups[last].quantity = sum(groups[last].quantity, level.quantity)
                if price.isZero { groups[last].price = level.price }
            } else {
                groupPrice = price
                let shown = price.isZero ? level.price : price
                groups.append(BookLevel(price: shown, quantity: level.quantity))
            }
        }
        return groups
    }

    /// Whether two prices of a side belong to one group, such as the last trade and a group from
    /// ``group(_:_:step:)``.
    public static func areTogether(
        _ price: FixedDecimal,
        _ other: FixedDecimal,
        _ side: BookSide,
        step: FixedDecimal
    ) -> Bool {
        if step.sign <= 0 { return price == other }
        return rounded(price, side, step: step) == rounded(other, side, step: step)
    }

    /// A price on the grid of the step: up for asks, down for bids.
    ///
    /// A price whose upper neighbor overflows is returned unchanged.
    private static func rounded(
        _ price: FixedDecimal,
        _ side: BookSide,
        step: FixedDecimal
    ) -> FixedDecimal {
        let rest = price.units % step.units
        if rest == 0 { return price }
        switch side {
        case .bid: return FixedDecimal(units: price.units - rest)
        case .ask:
            let (up, overflow) = price.units.addingReportingOverflow(step.units - rest)
            return overflow ? price : FixedDecimal(units: up)
        }
    }

    private static func sum(_ left: FixedDecimal, _ right: FixedDecimal) -> FixedDecimal {
        (try? left + right) ?? FixedDecimal(units: .max)
    }
}
