import Domain
import ViewStates

/// One market a line in few columns: symbol or name, price and rate.
extension MarketListCanvas {
    /// The columns of a usual rate, which prices keep free.
    private static let rateColumns = 7
    /// The selection marker and the favorite mark.
    private static let markerColumns = 2
    private static let gap = 1

    /// Draws the markets, or why there are none.
    mutating func drawCompactRows() {
        let rows = document.state.rows
        if rows.isEmpty {
            drawEmpty()
            return
        }
        let selected = state.selected?.name
        for (row, line) in zip(rows, listRows) {
            drawCompactRow(row, line: line, isSelected: row.market == selected)
        }
    }

    /// Draws one market.
    ///
    /// Each row decides on its own whether its rate fits beside its price, so that one expensive
    /// coin hides no rate of the others. Figures are whole or left out.
    private mutating func drawCompactRow(
        _ row: MarketRowViewState,
        line: Int,
        isSelected: Bool
    ) {
        if let market = MarketID(name: row.market) {
            frame.mark(.market(market), rows: line..<(line + 1), columns: 0..<width)
        }
        let base = beginRow(line, isSelected: isSelected)
        if isFavorite(row) {
            let style = starStyle(base)
            frame.draw(MarketListStrings.star, row: line, column: 1, width: width - 1, style: style)
        }
        let change = changeStyle(row, base)
        let isSuspended = row.marks.state == .suspended
        let rate =
            isSuspended ? MarketListStrings.suspended[language] : row.changeRateText ?? "-"
        let price = row.priceText ?? "-"
        let priceColumns = TextWidth.columns(price)
        let rateColumns = max(TextWidth.columns(rate), Self.rateColumns)
        let symbolEnd = Self.markerColumns + TextWidth.columns(row.symbol) + Self.gap
        var end = width
        if symbolEnd + priceColumns + Self.gap + rateColumns <= width {
            let style = isSuspended ? base.adding(.bold) : change
            drawTrailing(rate, before: end, line: line, style: style)
            end -= rateColumns + Self.gap
        }
        // A price that does not fit beside its symbol takes the symbol's place.
        if Self.markerColumns + priceColumns <= end {
            var style = CellStyle(change.role, emphasis: base.emphasis)
            if flashing.contains(row.market) { style = style.reversed }
            drawTrailing(price, before: end, line: line, style: style)
            end -= priceColumns + Self.gap
        }
        guard end > Self.markerColumns else { return }
        drawName(row, in: Self.markerColumns..<end, line: line, base: base)
    }

    private mutating func drawTrailing(
        _ text: String,
        before end: Int,
        line: Int,
        style: CellStyle
    ) {
        frame.draw(text, row: line, column: end - TextWidth.columns(text), style: style)
    }
}
