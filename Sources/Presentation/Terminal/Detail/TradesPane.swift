import Domain
import Presentation

/// Which row of a table's area holds what.
struct TradeTableLayout {
    /// On a lower area the names of the columns are left out.
    private static let headingRowsMin = 4

    /// The names of the columns.
    let heading: Int?
    /// The trades or days.
    let rows: Range<Int>

    init(_ area: FrameArea) {
        let hasHeading = area.rows.count >= Self.headingRowsMin
        heading = hasHeading ? area.rows.lowerBound : nil
        rows = (area.rows.lowerBound + (hasHeading ? 1 : 0))..<area.rows.upperBound
    }
}

/// Where the columns of a table stand: as wide as their figures, as many as have room.
struct TableColumns {
    private static let gapMax = 4

    /// The columns by their place in what was asked for; nil where one was left out.
    let columns: [Range<Int>?]

    /// Places columns from the left.
    ///
    /// - Parameters:
    ///   - widths: of the figures.
    ///   - leavingOut: places of the columns that can be missed, the least important first.
    ///   - room: where they go.
    init(widths: [Int], leavingOut: [Int], room: Range<Int>) {
        var shown = Set(widths.indices)
        func used() -> Int { shown.reduce(0) { $0 + widths[$1] } }
        for place in leavingOut where used() + shown.count - 1 > room.count {
            shown.remove(place)
        }
        let gaps = max(shown.count - 1, 1)
        let gap = min(max((room.count - used()) / gaps, 1), Self.gapMax)
        var columns: [Range<Int>?] = Array(repeating: nil, count: widths.count)
        var start = room.lowerBound
        for place in widths.indices where shown.contains(place) {
            columns[place] = (start..<(start + widths[place])).clamped(to: room)
            start += widths[place] + gap
        }
        self.columns = columns
    }
}

/// Draws the trades, newest first.
struct TradesPane {
    let trades: TradesViewState
    let detail: MarketDetailScreenState
    /// The moment that the rows are told as of.
    let asOf: Timestamp
    let now: Timestamp
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        guard !area.isEmpty else { return }
        guard !trades.rows.isEmpty else {
            PaneNotice(
                health: trades.health,
                empty: DetailWords.noTrades,
                context: .trades,
                now: now,
                language: language
            ).draw(in: &frame, area: area)
            return
        }
        let layout = TradeTableLayout(area)
        let first = detail.firstTrade(of: trades.rows)
        let rows = trades.rows[first...].prefix(layout.rows.count)
        let columns = columns(rows, area).columns
        if let row = layout.heading { drawHeading(row, columns, in: &frame) }
        for (trade, row) in zip(rows, layout.rows) {
            drawRow(trade, row, columns, in: &frame)
        }
    }

    private var headings: [LocalizedText] {
        [
            DetailWords.time, DetailWords.side, DetailWords.price, DetailWords.quantity,
            DetailWords.amount,
        ]
    }

    private func columns(
        _ rows: ArraySlice<TradesViewState.Row>,
        _ area: FrameArea
    ) -> TableColumns {
        var widths = headings.map { TextWidth.columns($0[language]) }
        for row in rows {
            // A blank and the tick's sign stand before the price.
            let figures = [
                row.moment(asOf: asOf).utf8.count, 4, row.priceText.utf8.count + 2,
                row.quantityText.utf8.count, row.amountText.utf8.count,
            ]
            widths = zip(widths, figures).map { max($0, $1) }
        }
        return TableColumns(widths: widths, leavingOut: [4, 0], room: area.columns)
    }

    private func drawHeading(_ row: Int, _ columns: [Range<Int>?], in frame: inout Frame) {
        for (place, (words, columns)) in zip(headings, columns).enumerated() {
            guard let columns else { continue }
            frame.draw(
                words[language],
                row: row,
                column: columns.lowerBound,
                width: columns.count,
                alignment: place < 2 ? .leading : .trailing,
                style: .dim
            )
        }
    }

    private func drawRow(
        _ trade: TradesViewState.Row,
        _ row: Int,
        _ columns: [Range<Int>?],
        in frame: inout Frame
    ) {
        let emphasis: CellStyle.Emphasis = trades.health.isOutdated ? .dim : []
        let isBuy = trade.side == .buy
        let side = CellStyle(isBuy ? .up : .down, emphasis: emphasis)
        let plain = CellStyle(emphasis: emphasis)
        let word = (isBuy ? DetailWords.buy : DetailWords.sell)[language]
        let cells: [(text: String, style: CellStyle)] = [
            (trade.moment(asOf: asOf), CellStyle(emphasis: emphasis.union(.dim))), (word, side),
            (trade.priceText, side), (trade.quantityText, side), (trade.amountText, plain),
        ]
        for (place, (cell, columns)) in zip(cells, columns).enumerated() {
            guard let columns else { continue }
            frame.draw(
                cell.text,
                row: row,
                column: columns.lowerBound,
                width: columns.count,
                alignment: place < 2 ? .leading : .trailing,
                style: cell.style
            )
        }
        guard let sign = trade.tickDirection.sign, let price = columns[2] else { return }
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

extension DetailWords {
    /// Buying and selling in one letter, for where no word has room.
    static func letter(_ side: TradesViewState.Row.Side) -> String {
        switch side {
        case .buy: "B"
        case .sell: "S"
        }
    }
}
