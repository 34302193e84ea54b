extension OrderBook {
    /// How many levels a side, from the best, are looked at for ``finestStep(quote:)``.
    private static let stepLevelsMax = 30

    /// The step of the market's prices as the book shows it: the step of ``TickTable`` at the
    /// best prices, or the coarsest finer one on which all prices lie, of the form 1, 2 or 5 times
    /// a power of ten.
    ///
    /// Only levels whose own band has a step at least as coarse as that of the best prices count: a
    /// bid far below, in a band of finer steps, says nothing about the steps here.
    ///
    /// - Returns: nil while the book is empty.
    public func finestStep(quote: Quote) -> FixedDecimal? {
        let best = BookSide.allCases.compactMap { self.best($0)?.price }
        guard let lowest = best.min() else { return nil }
        let tick = TickTable.step(for: lowest, quote: quote)
        var divisor = tick.units
        for side in BookSide.allCases {
            for level in levels(side, limit: Self.stepLevelsMax)
            where TickTable.step(for: level.price, quote: quote) >= tick {
                divisor = Self.greatestCommonDivisor(divisor, level.price.units)
            }
        }
        return FixedDecimal(units: Self.roundStep(dividing: divisor))
    }

    /// The largest number of 1, 2 or 5 times a power of ten that divides `number`, which is above
    /// zero.
    private static func roundStep(dividing number: Int128) -> Int128 {
        var (rest, power) = (number, Int128(1))
        while rest % 10 == 0 {
            rest /= 10
            power *= 10
        }
        if rest % 5 == 0 { return 5 * power }
        return rest % 2 == 0 ? 2 * power : power
    }

    private static func greatestCommonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
        var (left, right) = (left, right)
        // Most prices are multiples of the step, so this is one division.
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
