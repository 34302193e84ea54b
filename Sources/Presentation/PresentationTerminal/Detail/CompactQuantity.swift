import Domain
import ViewStates

/// Shortens quantities to fit a width instead of truncating them.
enum CompactQuantity {
    /// The minimum width in which every quantity has a form.
    static let columnsMin = 6
    private static let fractionDigitsMax = 7

    /// Formats a quantity in at most `columns` columns: in full, else with fewer decimals, else
    /// compact, else as less than the smallest quantity that fits.
    ///
    /// - Parameters:
    ///   - quantity: the quantity, not negative.
    ///   - text: the quantity in full.
    ///   - columns: the width, at least `columnsMin`.
    /// - Returns: the text; decimals are truncated, not rounded.
    static func quantity(_ quantity: FixedDecimal, text: String, columns: Int) -> String {
        if text.utf8.count <= columns { return text }
        for digits in stride(from: fractionDigitsMax, through: 1, by: -1) {
            guard let cut = try? quantity.rounded(toFractionDigits: digits, .truncate),
                cut != .zero
            else { break }
            let short = NumberText.grouped(cut, fractionDigitsMin: digits)
            if short.utf8.count <= columns { return short }
        }
        if quantity >= .one { return AxisText.compact(quantity) }
        // As many digits as adjacent rows show; fewer would make it look like the largest of them.
        let hasZero = columns >= fractionDigitsMax + 3
        let digits = min(columns - (hasZero ? 3 : 2), fractionDigitsMax)
        return (hasZero ? "<0." : "<.") + String(repeating: "0", count: max(digits - 1, 0)) + "1"
    }
}
