import Domain
import ViewStates

extension MarketListCanvas {
    /// The facts of a row that only wide lists show: changes over other periods, high, low and
    /// prices of the day.
    mutating func drawFacts(
        of row: MarketRowViewState,
        line: Int,
        columns: MarketListColumns,
        base: CellStyle
    ) {
        let facts = wide?[row]
        for (index, columns) in columns.otherRates.enumerated() {
            let change = facts.flatMap {
                $0.changes.indices.contains(index) ? $0.changes[index] : nil
            }
            let style = change.map {
                changeStyle($0.direction, noTrade: $0.noTrade, at: $0.at, over: $0.period, base)
            }
            drawRate(
                change?.rateText,
                change?.direction,
                in: columns,
                line: line,
                base: base,
                style: style ?? base
            )
        }
        for (text, columns) in [(facts?.highText, columns.high), (facts?.lowText, columns.low)] {
            guard let columns else { continue }
            frame.draw(
                text ?? "-",
                row: line,
                column: columns.lowerBound,
                width: columns.count,
                alignment: .trailing,
                style: base.adding(.dim)
            )
        }
        if let columns = columns.line, let prices = facts?.line {
            Sparkline.draw(prices, row: line, columns: columns, style: base, into: &frame)
        }
    }

    /// The rate of a row, or that the market does not trade.
    mutating func drawRate(
        _ row: MarketRowViewState,
        in columns: Range<Int>?,
        line: Int,
        base: CellStyle,
        style: CellStyle
    ) {
        guard let columns else { return }
        let isSuspended = row.marks.state == .suspended
        drawRate(
            isSuspended ? MarketListStrings.suspended[language] : row.changeRateText,
            isSuspended ? nil : row.priceDirection,
            in: columns,
            line: line,
            base: base,
            style: isSuspended ? base.adding(.bold) : style
        )
    }

    /// A rate with its sign.
    private mutating func drawRate(
        _ text: String?,
        _ direction: DirectionViewState?,
        in columns: Range<Int>,
        line: Int,
        base: CellStyle,
        style: CellStyle
    ) {
        frame.draw(
            text ?? "-",
            row: line,
            column: columns.lowerBound,
            width: columns.count,
            alignment: .trailing,
            style: text == nil ? base.adding(.dim) : style
        )
        guard let text, let sign = direction.sign else { return }
        let start = columns.upperBound - TextWidth.columns(text) - FigureWidths.signColumns
        frame.draw(sign, row: line, column: max(start, columns.lowerBound), style: style)
    }

    /// Red above zero, blue below; dimmed if the figure is outdated.
    func changeStyle(_ row: MarketRowViewState, _ base: CellStyle) -> CellStyle {
        changeStyle(
            row.priceDirection,
            noTrade: row.noTrade,
            at: row.changeAt,
            over: ChangePeriod(rawValue: row.changePeriod),
            base
        )
    }

    private func changeStyle(
        _ direction: DirectionViewState?,
        noTrade: Bool,
        at: Timestamp?,
        over period: ChangePeriod?,
        _ base: CellStyle
    ) -> CellStyle {
        let style = base.with(CellStyle.Role(direction))
        return noTrade || isOld(at, over: period) ? style.adding(.dim) : style
    }

    /// Whether a rolling change is older than a tenth of its window.
    private func isOld(_ at: Timestamp?, over period: ChangePeriod?) -> Bool {
        guard let at, let window = period?.window else { return false }
        return now.duration(since: at) > window / 10
    }
}
