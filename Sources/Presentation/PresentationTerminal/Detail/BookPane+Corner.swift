import Domain
import ViewStates

extension BookPane {
    /// The minimum columns of the corner.
    static let cornerColumnsMin = 15

    /// Draws the free space beside the bids: 체결강도, the newest trades, the last hour of the
    /// spread, and the depth curve.
    func drawCorner(rows: Range<Int>, columns room: Range<Int>, in frame: inout Frame) {
        guard room.count >= Self.cornerColumnsMin else { return }
        let corner = BookCorner(rows: rows, areTradesElsewhere: areTradesElsewhere)
        if let row = corner.strength { drawStrength(row, room, in: &frame) }
        drawNewest(rows: corner.trades, columns: room, in: &frame)
        if let row = corner.spread { drawSpreadHour(row, room, in: &frame) }
        guard !corner.curve.isEmpty else { return }
        DepthCurve(book: book, emphasis: base, language: language)
            .draw(rows: corner.curve, columns: room, in: &frame)
    }

    /// The trades that were just made.
    private func drawNewest(rows: Range<Int>, columns room: Range<Int>, in frame: inout Frame) {
        let emphasis: CellStyle.Emphasis = trades.health.isOutdated ? .dim : []
        let shown = trades.rows.prefix(rows.count)
        let priceColumns = shown.map { $0.priceText.utf8.count }.max() ?? 0
        let quantityColumns = shown.map { $0.quantityText.utf8.count }.max() ?? 0
        let needed = 2 + priceColumns + 1 + quantityColumns
        let shortest = 2 + priceColumns + 1 + min(quantityColumns, CompactQuantity.columnsMin)
        guard room.count >= shortest else { return }
        let timeColumns = 8
        let hasTime = room.count >= needed + timeColumns + 1
        for (trade, row) in zip(shown, rows) {
            let style = CellStyle(trade.side == .buy ? .up : .down, emphasis: emphasis)
            var column = room.lowerBound
            if hasTime {
                frame.draw(trade.moment(asOf: asOf), row: row, column: column, style: .dim)
                column += timeColumns + 1
            }
            let letter = DetailStrings.letter(trade.side)
            frame.draw(letter, row: row, column: column, style: style)
            column += 2
            frame.draw(
                trade.priceText,
                row: row,
                column: column,
                width: priceColumns,
                alignment: .trailing,
                style: CellStyle(emphasis: emphasis)
            )
            column += priceColumns + 1
            let quantityRoom = room.upperBound - column
            frame.draw(
                CompactQuantity.quantity(
                    trade.quantity,
                    text: trade.quantityText,
                    columns: quantityRoom
                ),
                row: row,
                column: column,
                width: quantityRoom,
                alignment: .trailing,
                style: style
            )
        }
    }

    private func drawStrength(_ row: Int, _ columns: Range<Int>, in frame: inout Frame) {
        let hundred = FixedDecimal(100)
        let strength = header.tradeStrengthPercent
        let text = strength.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" } ?? "-"
        let role: CellStyle.Role =
            switch strength {
            case .some(let value) where value > hundred: .up
            case .some(let value) where value < hundred: .down
            default: .plain
            }
        let used = frame.draw(
            DetailStrings.strength[language] + " ",
            row: row,
            column: columns.lowerBound,
            width: columns.count,
            style: .dim
        )
        frame.draw(
            text,
            row: row,
            column: columns.lowerBound + used,
            width: columns.count - used,
            style: CellStyle(role, emphasis: header.health.isOutdated ? .dim : .bold)
        )
    }
}
