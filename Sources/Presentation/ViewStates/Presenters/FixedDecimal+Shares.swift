import Domain

extension FixedDecimal {
    /// A part of a whole, rounded half away from zero to two decimals; nil for a whole of zero.
    static func share(of part: FixedDecimal, in whole: FixedDecimal) -> FixedDecimal? {
        // Truncates before the one rounding: rounding twice could lift a value just below a half.
        guard let share = try? part.divided(by: whole, rounding: .truncate) else { return nil }
        return try? share.rounded(toFractionDigits: 2, .halfAwayFromZero)
    }

    /// A part in percent of a whole, rounded half away from zero to two decimals; nil for a whole
    /// of zero.
    static func percentage(of part: FixedDecimal, in whole: FixedDecimal) -> FixedDecimal? {
        guard let hundredfold = try? part.multiplied(by: FixedDecimal(100), rounding: .truncate)
        else { return nil }
        return share(of: hundredfold, in: whole)
    }

    /// The change from a base in percent, rounded half away from zero to two decimals.
    func changePercent(from base: FixedDecimal) -> FixedDecimal? {
        guard let change = try? self - base else { return nil }
        return Self.percentage(of: change, in: base)
    }

    /// The sum, clamped to the range of the type.
    ///
    /// A book whose quantities sum to more than 10²⁰ is invalid but must not stop the presenter.
    func addedSaturating(_ other: FixedDecimal) -> FixedDecimal {
        if let sum = try? self + other { return sum }
        return FixedDecimal(units: other.sign > 0 ? .max : .min)
    }

    /// 체결금액 of a quantity at this price, truncated to whole won or 8 decimals of bitcoin and
    /// clamped to the range of the type.
    func amount(of quantity: FixedDecimal, quote: Quote) -> FixedDecimal {
        let digits = NumberText.amountDecimals(quote)
        guard let product = try? multiplied(by: quantity, rounding: .truncate),
            let cut = try? product.rounded(toFractionDigits: digits, .truncate)
        else { return FixedDecimal(units: .max) }
        return cut
    }
}
