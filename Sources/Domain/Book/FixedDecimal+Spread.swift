extension FixedDecimal {
    /// The spread of a book in basis points of the midpoint: (ask − bid) ÷ mid × 10,000.
    ///
    /// The midpoint is exact, and the quotient is rounded once, to 18 fraction digits, half away
    /// from zero. Prices that cross have a negative spread.
    ///
    /// - Returns: nil unless both prices are positive.
    public static func spreadBasisPoints(ask: FixedDecimal, bid: FixedDecimal) -> FixedDecimal? {
        guard ask.sign > 0, bid.sign > 0, let sum = try? ask + bid,
            let spread = try? ask - bid, let doubled = try? spread + spread
        else { return nil }
        // Twice the spread over the sum: half the sum may need a nineteenth digit.
        return try? doubled.basisPoints(of: sum)
    }
}
