import Domain
import ViewStates

extension BookPane {
    /// One price: the tone of its side from the outer edge to the middle, and the other side free.
    func drawLevel(
        _ level: OrderBookViewState.Level,
        _ ground: CellStyle.Ground,
        _ row: Int,
        _ columns: BookColumns,
        in frame: inout Frame
    ) {
        let isAsk = ground == .ask
        let plain = CellStyle(on: ground, emphasis: base)
        let tone =
            isAsk
            ? columns.left.lowerBound..<columns.middle.upperBound
            : columns.middle.lowerBound..<columns.right.upperBound
        frame.fill(row: row, columns: tone, style: plain)
        drawPrice(level, row, columns, on: ground, in: &frame)

        let name = isAsk ? FigureName.ask(level) : FigureName.bid(level)
        let isFlashing = flashing.contains(name)
        let side = isAsk ? columns.left : columns.right
        let quantity =
            isAsk
            ? (side.upperBound - 1 - columns.quantity)..<(side.upperBound - 1)
            : (side.lowerBound + 1)..<(side.lowerBound + 1 + columns.quantity)
        drawQuantity(
            level.quantityText,
            row,
            quantity.clamped(to: side),
            style: isFlashing ? plain.reversed : plain,
            in: &frame
        )
        guard columns.bar > 0 else { return }
        let bar =
            isAsk
            ? (quantity.lowerBound - 1 - columns.bar)..<(quantity.lowerBound - 1)
            : (quantity.upperBound + 1)..<(quantity.upperBound + 1 + columns.bar)
        QuantityBar.draw(
            level.ratioBoth,
            row: row,
            columns: bar,
            alignment: isAsk ? .trailing : .leading,
            style: CellStyle(.bar, on: ground, emphasis: base),
            in: &frame
        )
        guard let width = columns.cumulative else { return }
        frame.draw(
            NumberText.quantity(level.cumulative),
            row: row,
            column: isAsk ? side.lowerBound : side.upperBound - width,
            width: width,
            alignment: .trailing,
            style: plain
        )
    }

    /// The price between marks if the last trade was there, and its change from the day before.
    private func drawPrice(
        _ level: OrderBookViewState.Level,
        _ row: Int,
        _ columns: BookColumns,
        on ground: CellStyle.Ground,
        in frame: inout Frame
    ) {
        // Weak colours on a tone could not be read: what is old is told by weak text alone.
        let role: CellStyle.Role = base.isEmpty ? CellStyle.Role(level.priceDirection) : .plain
        var style = CellStyle(role, on: ground, emphasis: base)
        if level.isLastTrade { style = style.adding(.bold) }
        frame.draw(
            level.priceText,
            row: row,
            column: columns.price.lowerBound,
            width: columns.price.count,
            alignment: .trailing,
            style: style
        )
        if level.isLastTrade {
            frame.put("▶", row: row, column: columns.price.lowerBound - 1, style: style)
            frame.put("◀", row: row, column: columns.price.upperBound, style: style)
        }
        if let column = columns.sign, let sign = level.priceDirection.sign?.unicodeScalars.first {
            frame.put(sign, row: row, column: column, style: style)
        }
        guard let change = columns.change, let rate = level.changeRatePercent else { return }
        frame.draw(
            NumberText.rate(rate),
            row: row,
            column: change.lowerBound,
            width: change.count,
            alignment: .trailing,
            style: CellStyle(role, on: ground, emphasis: base)
        )
    }

    /// A quantity whose last zeros are weak, so that sizes are seen at a glance.
    private func drawQuantity(
        _ text: String,
        _ row: Int,
        _ columns: Range<Int>,
        style: CellStyle,
        in frame: inout Frame
    ) {
        frame.draw(
            text,
            row: row,
            column: columns.lowerBound,
            width: columns.count,
            alignment: .trailing,
            style: style
        )
        guard text.utf8.count <= columns.count, text.utf8.contains(UInt8(ascii: ".")) else {
            return
        }
        let zeros = text.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let point = text.utf8.dropLast(zeros).last == UInt8(ascii: ".") ? 1 : 0
        let weak = String(text.suffix(zeros + point))
        frame.draw(
            weak,
            row: row,
            column: columns.upperBound - weak.utf8.count,
            style: style.adding(.dim)
        )
    }
}
