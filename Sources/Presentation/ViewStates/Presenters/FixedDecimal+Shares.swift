import Domain

extension FixedDecimal {
    /// A part of a whole to two decimals, a half away from zero; nil where the whole is zero.
    static func share(of part: FixedDecimal, in whole: FixedDecimal) -> FixedDecimal? {
        // Cut first and rounded once: two roundings in a row could make a half of a little less.
        guard let share = try? part.divided(by: whole, rounding: .truncate) else { return nil }
        return try? share.rounded(toFractionDigits: 2, .halfAwayFromZero)
    }

    /// A part in per cent of a whole to two decimals, a half away from zero; nil where the whole
    /// is zero.
    static func percentage(of part: FixedDecimal, in whole: FixedDecimal) -> FixedDecimal? {
        guard let hundredfold = try? part.multiplied(by: FixedDecimal(100), rounding: .truncate)
        else { return nil }
        return share(of: hundredfold, in: whole)
    }

    /// The change from a base to this value in per cent, two decimals, a half away from zero.
    func changePercent(from base: FixedDecimal) -> FixedDecimal? {
        guard let change = try? self - base else { return nil }
        return Self.percentage(of: change, in: base)
    }

    /// The sum, or the end of the range where it would lie beyond.
    ///
    /// A book whose quantities add up to more than 10²⁰ is nonsense that must not stop a reader.
    func addedSaturating(_ other: FixedDecimal) -> FixedDecimal {
        if let sum = try? self + other { return sum }
        return FixedDecimal(units: other.sign > 0 ? .max : .min)
    }

    /// 체결금액 of a quantity at this price: cut to whole won or to 8 decimals of bitcoin; the end
    /// of the range where it would lie beyond.
    func amount(of quantity: FixedDecimal, quote: Quote) -> FixedDecimal {
        let digits = NumberText.amountDecimals(quote)
        guard let product = try? multiplied(by: quantity, rounding: .truncate),
            let cut = try? product.rounded(toFractionDigits: digits, .truncate)
        else { return FixedDecimal(units: .max) }
        return cut
    }
}
