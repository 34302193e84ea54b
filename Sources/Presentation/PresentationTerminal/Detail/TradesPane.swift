import Domain
import ViewStates

/// Draws the trades, newest first.
struct TradesPane {
    let trades: TradesViewState
    let detail: MarketDetailScreenState
    /// The time that relative trade times refer to.
    let asOf: Timestamp
    let now: Timestamp
    var keys = KeyTable.screens
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        guard !area.isEmpty else { return }
        guard !trades.rows.isEmpty else {
            PaneNotice(
                health: trades.health,
                empty: DetailStrings.noTrades,
                context: .trades,
                now: now,
                keys: keys,
                language: language
            ).draw(in: &frame, area: area)
            return
        }
        let layout = TradeTableLayout(area)
        let first = detail.firstTrade(of: trades.rows)
        let rows = trades.rows[first...].prefix(layout.rows.count)
        let columns = columns(rows, area)
        if let row = layout.heading {
            columns.draw(headings.map { Span($0[language], .dim) }, row: row, in: &frame)
        }
        for (trade, row) in zip(rows, layout.rows) {
            drawRow(trade, row, columns, in: &frame)
        }
    }

    /// The columns that narrow areas drop: amount, time, quantity, side.
    static let leavingOut = [4, 0, 3, 1]

    private var headings: [LocalizedText] {
        [
            DetailStrings.time, DetailStrings.side, DetailStrings.price, DetailStrings.quantity,
            DetailStrings.amount,
        ]
    }

    private func columns(
        _ rows: ArraySlice<TradesViewState.Row>,
        _ area: FrameArea
    ) -> TableColumns {
        var widths = headings.map { TextWidth.columns($0[language]) }
        for row in rows {
            // The price column includes the tick sign and a space.
            let figures = [
                row.moment(asOf: asOf).utf8.count, 4, row.priceText.utf8.count + 2,
                row.quantityText.utf8.count, row.amountText.utf8.count,
            ]
            widths = zip(widths, figures).map { max($0, $1) }
        }
        return TableColumns(
            widths: widths,
            wordCount: 2,
            leavingOut: Self.leavingOut,
            room: area.columns
        )
    }

    private func drawRow(
        _ trade: TradesViewState.Row,
        _ row: Int,
        _ columns: TableColumns,
        in frame: inout Frame
    ) {
        let emphasis: CellStyle.Emphasis = trades.health.isOutdated ? .dim : []
        let isBuy = trade.side == .buy
        let side = CellStyle(isBuy ? .up : .down, emphasis: emphasis)
        let plain = CellStyle(emphasis: emphasis)
        let word = (isBuy ? DetailStrings.buy : DetailStrings.sell)[language]
        let cells = [
            Span(trade.moment(asOf: asOf), CellStyle(emphasis: emphasis.union(.dim))),
            Span(word, side), Span(trade.priceText, side), Span(trade.quantityText, side),
            Span(trade.amountText, plain),
        ]
        columns.draw(cells, row: row, in: &frame)
        guard let sign = trade.tickDirection.sign, let price = columns.columns[2] else {
            return
        }
        let column = price.upperBound - trade.priceText.utf8.count - 2
        frame.draw(sign, row: row, column: max(column, price.lowerBound), style: side)
    }
}

extension TradesViewState.Row {
    /// The time of day, or the day where that is another one in Seoul: a time alone would look
    /// like today's.
    func moment(asOf: Timestamp) -> String {
        let isSameDay = TimeText.date(at) == TimeText.date(asOf)
        return isSameDay ? timeText : AxisText.monthDay(at)
    }
}

extension DetailStrings {
    /// The side as one letter, for narrow columns.
    static func letter(_ side: TradesViewState.Row.Side) -> String {
        switch side {
        case .buy: "B"
        case .sell: "S"
        }
    }
}
