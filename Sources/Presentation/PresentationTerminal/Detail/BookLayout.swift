import Domain
import ViewStates

/// Which row of the book's area holds what.
struct BookLayout {
    /// On a lower area the totals are left out.
    private static let totalsRowsMin = 6

    /// The levels of both sides, and the rule between them.
    let levels: Range<Int>
    /// The sums of both sides.
    let totals: Int?

    init(_ area: FrameArea) {
        let hasTotals = area.rows.count >= Self.totalsRowsMin
        totals = hasTotals ? area.rows.upperBound - 1 : nil
        levels = area.rows.lowerBound..<(area.rows.upperBound - (hasTotals ? 1 : 0))
    }
}

/// Which row of the free space beside the bids holds what.
///
/// Trades that another pane shows need no rows. Else the newest ones come first, and what lies
/// below them shares the rows beyond ``tradesEnough`` evenly with them: a higher book never shows
/// fewer trades.
struct BookCorner {
    /// As many trades as a book of nine levels a side has room for, and one.
    private static let tradesEnough = 9

    /// 체결강도.
    let strength: Int?
    /// The newest trades.
    let trades: Range<Int>
    /// The last hour of the spread.
    let spread: Int?
    /// The depth curve.
    let curve: Range<Int>

    init(rows: Range<Int>, areTradesElsewhere: Bool) {
        strength = rows.first
        let free = rows.dropFirst(1)
        let count = areTradesElsewhere ? 0 : min(max(Self.tradesEnough, free.count / 2), free.count)
        trades = free.prefix(count)
        let rest = free.dropFirst(count)
        spread = rest.first
        curve = rest.dropFirst(1)
    }
}

/// Assigns the columns of the book's area.
///
/// The price with its markers and the change are in the middle, ask quantities on the left, bid
/// quantities on the right. Figures are never truncated: cumulative quantities are dropped first,
/// then the change except its sign and the figures beside the levels, then the bars. Without room
/// for two quantities beside the price those of both sides are at its right, or none.
struct BookColumns {
    /// Shorter bars say too little.
    private static let barMin = 4
    private static let barMax = 28
    private static let changeColumns = 7

    /// Whether quantities of both sides are at the right of the price.
    let isOneSided: Bool
    /// Ask quantities and bars; free space below them; empty if one-sided.
    let left: Range<Int>
    /// Price, marks and change.
    let middle: Range<Int>
    /// Free space; bid quantities and bars below it.
    let right: Range<Int>
    /// The price between its marks.
    let price: Range<Int>
    /// The change; nil if it does not fit.
    let change: Range<Int>?
    /// The column of the direction sign that replaces the change; nil if the change is shown.
    let sign: Int?
    /// How wide a quantity is, shortened if necessary; 0 if even that does not fit.
    let quantity: Int
    /// The maximum bar width; 0 if bars do not fit.
    let bar: Int
    /// The width of cumulative quantities; nil if they do not fit.
    let cumulative: Int?
    /// The free space beside the asks, for key figures; empty while the change does not fit.
    let figures: Range<Int>
    /// The free space beside the bids, for the newest trades; empty while the change does not fit.
    let newest: Range<Int>

    init(columns: Range<Int>, price priceColumns: Int, quantity: Int, cumulative: Int) {
        func side(_ middle: Int) -> Int { max((columns.count - middle) / 2, 0) }
        let marked = priceColumns + 2
        let full = marked + 1 + Self.changeColumns
        let hasChange = side(full) >= quantity + 2 + Self.barMin
        let middleColumns = min(hasChange ? full : marked + 1, columns.count)
        isOneSided = side(middleColumns) < quantity + 1
        let sideColumns = isOneSided ? 0 : side(middleColumns)
        left = columns.lowerBound..<(columns.lowerBound + sideColumns)
        middle = left.upperBound..<(left.upperBound + middleColumns)
        right = middle.upperBound..<columns.upperBound
        sign = hasChange ? nil : middle.lowerBound
        let start = middle.lowerBound + (hasChange ? 1 : 2)
        price = start..<(start + priceColumns)
        change = hasChange ? (price.upperBound + 1)..<middle.upperBound : nil
        let isShortFitting = right.count >= CompactQuantity.columnsMin
        self.quantity =
            isOneSided ? (isShortFitting ? min(quantity, right.count) : 0) : quantity
        // A blank between the price and the quantity, and one between the quantity and the bar.
        let rest = sideColumns - quantity - 2
        let hasSums = rest >= cumulative + 1 + Self.barMin
        self.cumulative = hasSums ? cumulative : nil
        let bar = min(rest - (hasSums ? cumulative + 1 : 0), Self.barMax)
        self.bar = bar >= Self.barMin ? bar : 0
        figures = change == nil ? 0..<0 : right.dropFirst(2)
        newest = change == nil ? 0..<0 : left.dropLast(1)
    }
}
