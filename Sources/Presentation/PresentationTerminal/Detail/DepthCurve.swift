import Domain
import ViewStates

/// The cumulative quantities of both sides by price: bids fall from the left to the middle, asks
/// rise from there to the right.
///
/// Prices and quantities are linear and both sides share their scales. The curve covers the levels
/// of the book, so that its ends are the totals.
struct DepthCurve {
    let book: OrderBookViewState
    let emphasis: CellStyle.Emphasis
    let language: Language

    /// What one column shows: a side and its quantity.
    private typealias Column = (background: CellStyle.Background, quantity: FixedDecimal)

    /// Draws the curve; the first row has the quantities of both ends, the last one their prices.
    ///
    /// On less than three rows the quantities are left out, on a single one the prices too, and
    /// prices that do not fit as well.
    func draw(rows: Range<Int>, columns: Range<Int>, in frame: inout Frame) {
        let prices = ends(of: columns.count, rows: rows.count)
        let hasQuantities = rows.count > 2
        let inner = rows.dropFirst(hasQuantities ? 1 : 0).dropLast(prices == nil ? 0 : 1)
        drawPlot(Plot(rows: inner, columns: columns), in: &frame)
        if hasQuantities { drawQuantities(rows.lowerBound, columns, in: &frame) }
        guard let prices else { return }
        let style = CellStyle(emphasis: emphasis.union(.dim))
        FittedLine(
            left: [LineSegment([prices.low], style: style, rank: 0)],
            right: [LineSegment([prices.high], style: style, rank: 0)],
            width: columns.count,
            gap: 1
        ).draw(in: &frame, row: rows.upperBound - 1, column: columns.lowerBound)
    }

    /// The lowest and the highest price; nil if they do not fit.
    private func ends(of columns: Int, rows: Int) -> (low: String, high: String)? {
        guard rows > 1 else { return nil }
        let low = book.bids.last?.priceText ?? book.asks.first?.priceText ?? ""
        let high = book.asks.last?.priceText ?? book.bids.first?.priceText ?? ""
        return TextWidth.columns(low) + 1 + TextWidth.columns(high) <= columns ? (low, high) : nil
    }

    private func drawQuantities(_ row: Int, _ columns: Range<Int>, in frame: inout Frame) {
        let totals = book.totals
        let forms = [NumberText.quantity, AxisText.compact].map {
            (bid: $0(totals.bidQuantity), ask: $0(totals.askQuantity))
        }
        let fitting = forms.first {
            TextWidth.columns($0.bid) + 1 + TextWidth.columns($0.ask) <= columns.count
        }
        guard let fitting else { return }
        let style = CellStyle(emphasis: emphasis)
        let line = FittedLine(
            left: [LineSegment([fitting.bid], style: style, rank: 0)],
            right: [LineSegment([fitting.ask], style: style, rank: 0)],
            width: columns.count,
            gap: 1
        )
        line.draw(in: &frame, row: row, column: columns.lowerBound)
        let name = DetailStrings.cumulative[language]
        let used = (TextWidth.columns(fitting.bid), TextWidth.columns(fitting.ask))
        let free = columns.count - used.0 - used.1
        guard free >= TextWidth.columns(name) + 2 else { return }
        let column = columns.lowerBound + used.0 + (free - TextWidth.columns(name)) / 2
        frame.draw(name, row: row, column: column, style: style.adding(.dim))
    }

    private func drawPlot(_ plot: Plot, in frame: inout Frame) {
        let steps = ChartGlyphs.eighths.count
        let highest = max(
            book.asks.last?.cumulative ?? .zero,
            book.bids.last?.cumulative ?? .zero
        )
        let scale = ValueScale(bottom: .zero, top: highest)
        for (column, value) in curve(columns: plot.width).enumerated() {
            guard let value else { continue }
            let style = CellStyle(.bar, on: value.background, emphasis: emphasis)
            let height = scale.height(of: value.quantity, steps: plot.height * steps)
            for row in 0..<plot.height {
                let part = min(max(height - (plot.height - 1 - row) * steps, 0), steps)
                let glyph = part > 0 ? ChartGlyphs.eighths[part - 1] : " "
                plot.put(glyph, row: row, column: column, style: style, in: &frame)
            }
        }
    }

    /// The side and the quantity of each column: all bids from its left edge up, or all asks down
    /// from its right edge; nil between the sides, and where both are in one column.
    private func curve(columns: Int) -> [Column?] {
        guard columns > 0, let low = book.bids.last?.price ?? book.asks.first?.price,
            let high = book.asks.last?.price ?? book.bids.first?.price
        else { return [] }
        let scale = ValueScale(bottom: low, top: high)
        func place(_ level: OrderBookViewState.Level) -> Int {
            columns - 1 - scale.position(of: level.price, steps: columns)
        }
        var curve = [Column?](repeating: nil, count: columns)
        let best = (bid: book.bids.first.map(place), ask: book.asks.first.map(place))
        // From the best level on, so that the deepest one of a column remains.
        for level in book.bids {
            for column in 0...place(level) { curve[column] = (.bid, level.cumulative) }
        }
        for level in book.asks {
            for column in place(level)..<columns { curve[column] = (.ask, level.cumulative) }
        }
        if let bid = best.bid, let ask = best.ask, bid >= ask {
            for column in ask...bid { curve[column] = nil }
        }
        return curve
    }
}
