import Domain
import ViewStates

/// The column of texts at the right of a plot of prices, and the lines that start from it.
struct ChartAxisColumn {
    let axis: PriceAxis
    let plot: Plot
    /// The columns of the texts, the free one before them included; empty without an axis.
    let columns: Range<Int>

    /// As many columns as the largest volume needs beside its bars.
    private static let textColumnsMin = 6

    /// The columns that an axis wants for its labels and for some more texts.
    static func width(of axis: PriceAxis, texts: [String]) -> Int {
        let all = axis.labels.map(\.text) + texts
        return max(all.map(\.utf8.count).max() ?? 0, textColumnsMin) + 1
    }

    func drawLabels(_ context: ChartContext, in frame: inout Frame) {
        for label in axis.labels {
            draw(label.text, row: label.row, mark: " ", style: context.style(), in: &frame)
        }
    }

    /// The plot row of a price; nil if the price is outside the scale.
    func row(of price: FixedDecimal) -> Int? {
        guard plot.height > 0, axis.scale.contains(price) else { return nil }
        return axis.scale.position(of: price, steps: plot.height)
    }

    /// A line through the whole plot at a price.
    func drawLine(
        at price: FixedDecimal,
        glyph: Unicode.Scalar,
        style: CellStyle,
        in frame: inout Frame
    ) {
        guard let row = row(of: price) else { return }
        for column in 0..<plot.width {
            plot.put(glyph, row: row, column: column, style: style, in: &frame)
        }
    }

    /// A price set off on the axis.
    func drawTag(
        _ price: FixedDecimal,
        mark: String,
        style: CellStyle,
        in frame: inout Frame
    ) {
        guard let row = row(of: price) else { return }
        draw(axis.text(of: price), row: row, mark: mark, style: style, in: &frame)
    }

    /// A name in place of a price, if it fits.
    func drawName(
        _ name: String,
        at price: FixedDecimal,
        style: CellStyle,
        in frame: inout Frame
    ) {
        guard let row = row(of: price), name.utf8.count < columns.count else { return }
        draw(name, row: row, mark: " ", style: style, in: &frame)
    }

    private func draw(
        _ text: String,
        row: Int,
        mark: String,
        style: CellStyle,
        in frame: inout Frame
    ) {
        guard columns.count > 1 else { return }
        let line = plot.rows.lowerBound + row
        frame.fill(row: line, columns: columns)
        frame.draw(
            mark,
            row: line,
            column: columns.lowerBound,
            width: 1,
            style: CellStyle(style.role)
        )
        frame.draw(
            text,
            row: line,
            column: columns.lowerBound + 1,
            width: columns.count - 1,
            alignment: .trailing,
            style: style
        )
    }
}
