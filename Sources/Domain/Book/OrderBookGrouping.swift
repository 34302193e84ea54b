/// 호가 모아보기: the levels of an order book joined in coarser price steps.
///
/// Asks are rounded up and bids down, so groups of two sides that do not cross never cross.
public enum OrderBookGrouping: Sendable {
    /// By what the market's own step is multiplied, ascending; the first does not join anything.
    public static let factors: [Int64] = [1, 2, 5, 10, 50, 100]

    /// The steps that a reader may choose from, ascending.
    ///
    /// - Parameters:
    ///   - price: the price of the market.
    ///   - quote: its currency.
    ///   - finestStep: the finest step that the market's book shows, as
    ///     ``OrderBook/finestStep(quote:)`` tells it; nil if unknown.
    /// - Returns: the market's own step, which is the finer one of the book's and of
    ///   ``TickTable``, times ``factors``.
    public static func steps(
        for price: FixedDecimal,
        quote: Quote,
        finestStep: FixedDecimal? = nil
    ) -> [FixedDecimal] {
        let table = TickTable.step(for: price, quote: quote)
        let shown = finestStep.flatMap { $0.sign > 0 ? $0 : nil }
        let tick = min(table, shown ?? table)
        // The table's steps are at most 1,000, so a hundred times the finer one always fits.
        return factors.map { FixedDecimal(units: tick.units * Int128($0)) }
    }

    /// Joins the levels of a side.
    ///
    /// - Parameters:
    ///   - levels: best first.
    ///   - side: the side.
    ///   - step: a price step; one that is not above zero joins nothing.
    /// - Returns: one level per group, best first, at the group's price with the exact sum of the
    ///   quantities; a sum out of range is the largest number. Bids below the step would be at
    ///   zero, where nobody bids: their group is at the price of the lowest of them.
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

    /// Whether two prices of a side fall into one group, such as that of the last trade and that
    /// of a group which ``group(_:_:step:)`` made with the same step.
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
    /// One so large that its upper neighbour on the grid is out of range stays as it is.
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
