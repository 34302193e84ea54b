import Domain

/// A reference model of a portfolio with integers of any size.
struct NaivePortfolio {
    struct Line {
        let asset: Asset
        /// In units of 10⁻¹⁸; nil where there is no price or no room.
        let value: NaiveInteger?
        let cost: NaiveInteger?
        var share = NaiveInteger(0)

        /// Nil where one of both is not known, or the difference has no room.
        var profit: NaiveInteger? {
            guard let value, let cost else { return nil }
            return (value - cost).fitting
        }
    }

    private static let one = NaiveInteger(FixedDecimal.unitsPerOne)
    private static let whole = NaiveInteger(10_000)

    var lines: [Line]
    let cash: NaiveInteger?
    var cashShare = NaiveInteger(0)

    /// The prices are in won, in units; a coin without one is not among them.
    init(_ holdings: [Holding], cash: FixedDecimal?, prices: [Asset: NaiveInteger]) {
        self.cash = cash?.naive
        lines = holdings.map { holding in
            let quantity = holding.quantity.naive
            return Line(
                asset: holding.asset,
                value: prices[holding.asset].flatMap { Self.product(quantity, $0) },
                cost: holding.averagePrice.flatMap { Self.product(quantity, $0.naive) }
            )
        }
        takeShares()
    }

    static func product(_ left: NaiveInteger, _ right: NaiveInteger) -> NaiveInteger? {
        (left * right).divided(by: one, rounding: .halfEven).fitting
    }

    /// A part in hundredths of a percent of a whole that is not zero, a half away from zero.
    static func rate(_ part: NaiveInteger, of whole: NaiveInteger) -> NaiveInteger {
        (part * self.whole).divided(by: whole, rounding: .halfAwayFromZero)
    }

    /// The exact sum of everything, however large.
    var total: NaiveInteger {
        lines.compactMap(\.value).reduce(cash ?? NaiveInteger(0)) { $0 + $1 }
    }

    private struct Claim {
        /// Nil is the cash.
        let line: Int?
        let part: NaiveInteger
        let rest: NaiveInteger
        var share: NaiveInteger
    }

    private mutating func takeShares() {
        let total = total
        guard !total.isZero else { return }
        let parts =
            lines.enumerated().compactMap { index, line in
                line.value.map { (line: index as Int?, part: $0) }
            } + [(line: nil, part: cash ?? NaiveInteger(0))]
        var claims = parts.map { line, part in
            let share = (part * Self.whole).divided(by: total, rounding: .truncate)
            return Claim(
                line: line,
                part: part,
                rest: part * Self.whole - share * total,
                share: share
            )
        }
        var left = Self.whole - claims.reduce(NaiveInteger(0)) { $0 + $1.share }
        while !left.isZero {
            let best = claims.indices.reduce(0) { best, index in
                precedes(claims[index], claims[best]) ? index : best
            }
            claims[best] = Claim(
                line: claims[best].line,
                part: claims[best].part,
                rest: NaiveInteger(-1),
                share: claims[best].share + NaiveInteger(1)
            )
            left = left - NaiveInteger(1)
        }
        for claim in claims {
            if let line = claim.line {
                lines[line].share = claim.share
            } else {
                cashShare = claim.share
            }
        }
    }

    /// Larger rests, then larger values, then the alphabet, then the cash.
    private func precedes(_ left: Claim, _ right: Claim) -> Bool {
        if left.rest != right.rest { return left.rest.isMore(than: right.rest) }
        if left.part != right.part { return left.part.isMore(than: right.part) }
        guard let leftLine = left.line else { return false }
        guard let rightLine = right.line else { return true }
        return lines[leftLine].asset < lines[rightLine].asset
    }
}

extension NaiveInteger {
    func isMore(than other: NaiveInteger) -> Bool { (other - self).isNegative }

    /// The same, if it fits a decimal.
    var fitting: NaiveInteger? { int128 == nil ? nil : self }
}
