import Domain
import ViewStates

/// Figures that are told more shortly where they have no room, and never cut in the middle.
enum CompactQuantity {
    /// In fewer columns not every quantity can be told.
    static let columnsMin = 6
    private static let fractionDigitsMax = 7

    /// A quantity in at most so many columns: whole, else with fewer decimals, else compact, else
    /// as less than the smallest one that has room.
    ///
    /// - Parameters:
    ///   - quantity: the quantity, not negative.
    ///   - text: the quantity in full.
    ///   - columns: the room, at least `columnsMin`.
    /// - Returns: the text; decimals are cut, not rounded.
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
        // Of as many digits as its neighbours can have, or it would look like the largest of them.
        let hasZero = columns >= fractionDigitsMax + 3
        let digits = min(columns - (hasZero ? 3 : 2), fractionDigitsMax)
        return (hasZero ? "<0." : "<.") + String(repeating: "0", count: max(digits - 1, 0)) + "1"
    }
}
