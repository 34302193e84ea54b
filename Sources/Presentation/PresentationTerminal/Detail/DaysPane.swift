import Domain
import ViewStates

/// Draws the days, newest first.
struct DaysPane {
    let days: DayList
    let detail: MarketDetailScreenState
    let now: Timestamp
    var keys = KeyTable.screens
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        guard !area.isEmpty else { return }
        guard !days.rows.isEmpty else {
            PaneNotice(
                health: days.health,
                empty: DetailStrings.noDays,
                context: .trades,
                now: now,
                keys: keys,
                language: language
            ).draw(in: &frame, area: area)
            return
        }
        let layout = TradeTableLayout(area)
        let rows = days.rows.dropFirst(detail.trades.dayOffset).prefix(layout.rows.count)
        let cells = rows.map(cells)
        let headings = [
            DetailStrings.date, DetailStrings.close, DetailStrings.change, DetailStrings.rate,
            DetailStrings.dayVolume,
        ].map { $0[language] }
        var widths = headings.map { TextWidth.columns($0) }
        for cells in cells {
            widths = zip(widths, cells).map { max($0, TextWidth.columns($1.text)) }
        }
        let columns = TableColumns(
            widths: widths,
            wordCount: 1,
            leavingOut: [2, 4, 3, 0],
            room: area.columns
        )
        if let row = layout.heading {
            columns.draw(headings.map { Span($0, .dim) }, row: row, in: &frame)
        }
        for (cells, row) in zip(cells, layout.rows) { columns.draw(cells, row: row, in: &frame) }
    }

    private func cells(_ day: DayList.Row) -> [Span] {
        let emphasis: CellStyle.Emphasis = days.health.isOutdated ? .dim : []
        let plain = CellStyle(emphasis: emphasis)
        let change = CellStyle(CellStyle.Role(day.direction), emphasis: emphasis)
        let rate = [day.direction.sign, day.changeRateText].compactMap { $0 }
        return [
            Span(day.dateText, plain.adding(.dim)), Span(day.closeText, change),
            Span(day.changeAmountText ?? "-", change),
            Span(rate.isEmpty ? "-" : rate.joined(separator: " "), change),
            Span(day.volumeText, plain),
        ]
    }
}
