import Domain
import ViewStates

extension MarketDetailCanvas {
    /// Draws the visible panes with their titles.
    mutating func drawPanes() {
        drawTabs()
        for pane in layout.visible { drawTitle(of: pane) }
        drawDivider()
        for pane in layout.visible { draw(pane) }
    }

    /// Errors, or the keys of the pane that has them.
    mutating func drawBottom() {
        guard let row = layout.bottom else { return }
        let line = BottomLine.line(
            of: screen,
            error: error,
            now: now,
            width: width,
            keys: keys,
            language: language
        )
        line.draw(in: &frame, row: row)
    }

    /// Draws the panel or form over the panes, if any.
    mutating func drawOverlay() {
        // Title and bottom line stay visible, so the data source is always named.
        let start = layout.title + 1
        let rows = start..<max(layout.bottom ?? frame.size.rows, start)
        let panel = Panel(
            over: screen,
            rows: rows,
            width: width,
            keys: keys,
            language: language
        )
        panel?.draw(in: &frame, rows: rows)
        FormPane(of: screen, keys: keys, language: language)?
            .draw(in: &frame, above: rows)
    }

    /// The error of the header, else of the focused pane, else of another visible pane.
    var error: ErrorViewState? {
        let panes = [detail.focus] + layout.visible
        return state.header.health.error ?? panes.lazy.compactMap { health($0).error }.first
    }

    private mutating func draw(_ pane: DetailPane) {
        let area = layout.area(pane)
        frame.mark(.pane(pane), rows: area.rows, columns: area.columns)
        switch pane {
        case .book:
            let book = BookPane(
                book: state.orderBook,
                header: state.header,
                trades: state.trades,
                detail: detail,
                flashing: flashing,
                areTradesElsewhere: layout.visible.contains(.trades) && days == nil,
                asOf: document.asOf,
                now: now,
                keys: keys,
                language: language
            )
            book.draw(in: &frame, area: area)
        case .chart: drawChart(area)
        case .trades:
            if let days {
                DaysPane(days: days, detail: detail, now: now, keys: keys, language: language)
                    .draw(in: &frame, area: area)
            } else {
                TradesPane(
                    trades: state.trades,
                    detail: detail,
                    asOf: document.asOf,
                    now: now,
                    keys: keys,
                    language: language
                ).draw(in: &frame, area: area)
            }
        }
    }

    private mutating func drawChart(_ area: FrameArea) {
        ChartPane.draw(
            chart: state.chart,
            trades: state.trades,
            options: detail.chartOptions(now: now),
            quote: detail.market.quote,
            theme: theme,
            language: language,
            into: &frame,
            area: area
        )
        if health(.chart).isOutdated { frame.weaken(area) }
    }

    private mutating func drawDivider() {
        guard let divider = layout.divider else { return }
        for row in divider.rows {
            frame.put("│", row: row, column: divider.column, style: .dim)
        }
    }

    /// Draws all pane names, the visible one in brackets.
    private mutating func drawTabs() {
        guard let row = layout.tabs else { return }
        func tabs(isLong: Bool) -> [Span] {
            DetailPane.allCases.flatMap { pane in
                let isOpen = pane == detail.focus
                let name = name(of: pane)
                guard isLong || isOpen else { return [Span]() }
                return [.tab(name, isOpen: isOpen, target: .pane(pane))]
            }
        }
        // Remarks are dropped before tab names, which are the only hint at hidden panes.
        let all = tabs(isLong: true)
        let left = LineSegment(
            all.columns <= width ? [all] : [all, tabs(isLong: false)],
            rank: 0
        )
        FittedLine(left: [left], right: remarks(on: detail.focus), width: width)
            .draw(in: &frame, row: row)
    }

    /// Draws a pane's title; the focused pane differs in more than color.
    private mutating func drawTitle(of pane: DetailPane) {
        guard let row = layout.titles[pane] else { return }
        let columns = layout.area(pane).columns
        frame.mark(.pane(pane), row: row, columns: columns)
        let isFocused = pane == screen.focusedDetail?.focus
        for column in columns {
            frame.put(
                isFocused ? "━" : "─",
                row: row,
                column: column,
                style: isFocused ? CellStyle(.accent) : .dim
            )
        }
        let name = name(of: pane)
        let left = LineSegment(
            [isFocused ? " ▸ \(name) " : " \(name) "],
            style: isFocused ? CellStyle(.accent, emphasis: [.bold, .underline]) : .plain,
            rank: 0
        )
        let room = columns.dropFirst(1).dropLast(1)
        let right = remarks(on: pane).map { remark in
            LineSegment(remark.variants.map { [Span(" ")] + $0 + [Span(" ")] }, rank: remark.rank)
        }
        let hidden = pane == layout.visible.last ? layout.hidden.map(hiddenTitle) : []
        FittedLine(left: [left] + hidden, right: right, width: room.count)
            .draw(in: &frame, row: row, column: room.lowerBound)
    }

    /// The name of a pane without room, which its key shows.
    private func hiddenTitle(of pane: DetailPane) -> LineSegment {
        LineSegment([[Span(" \(name(of: pane)) ", .dim, target: .pane(pane))]], rank: 1)
    }

    /// A pane's name after its key.
    private func name(of pane: DetailPane) -> String {
        let key = keys.key(for: .detail(.focus(pane)), in: KeyContext(below: screen))
        return (key.map { keys.label(of: $0) + " " } ?? "") + DetailStrings.pane(pane)[language]
    }

    /// The remarks beside a pane's name, in order of importance.
    private func remarks(on pane: DetailPane) -> [LineSegment] {
        var remarks: [LineSegment] =
            switch pane {
            case .book: bookRemarks
            case .chart: chartRemarks
            case .trades: tradesRemarks
            }
        let health = health(pane)
        if health.phase != .ready || health.error != nil {
            let words = HealthLabel(
                health: health,
                feed: document.source.feed,
                now: now,
                language: language
            )
            remarks.append(LineSegment(words.texts, style: words.style, rank: 1))
        }
        if let repair = health.repair {
            let label = RepairLabel(repair: repair, now: now, language: language)
            let texts = label.texts
            let rank = repair.failure == nil ? 5 : 3
            if !texts.isEmpty {
                remarks.append(LineSegment(texts, style: label.style, rank: rank))
            }
        }
        return remarks
    }

    private var bookRemarks: [LineSegment] {
        let book = state.orderBook
        var remarks: [LineSegment] = []
        if book.crossed {
            let style = CellStyle(.error, emphasis: .bold)
            remarks.append(LineSegment([DetailStrings.crossed[language]], style: style, rank: 2))
        }
        if book.heals > 0 {
            let text = DetailStrings.corrections[language] + " \(book.heals)"
            remarks.append(LineSegment([text], style: .dim, rank: 5))
        }
        if let group = book.group {
            let step = NumberText.grouped(group, fractionDigitsMin: 0)
            let text = DetailStrings.group[language] + " " + step
            remarks.append(LineSegment([text, step], rank: 3))
        }
        let (asks, bids) = (book.asks.count, book.bids.count)
        guard asks + bids > 0 else { return remarks }
        if let deepAt = book.health.deepAt, max(asks, bids) > OrderBookSnapshot.bestLevelsMax {
            let text = DetailStrings.deepLevels(at: TimeText.clock(deepAt))[language]
            remarks.append(LineSegment([text], style: .dim, rank: 5))
        }
        let depth = DetailStrings.depth(asks: asks, bids: bids)[language]
        return remarks + [LineSegment([depth], style: .dim, rank: 4)]
    }

    private var chartRemarks: [LineSegment] {
        let chart = detail.chart
        let interval =
            chart.showsTicks
            ? DetailStrings.ticks[language] : ChartStrings.interval(chart.interval)[language]
        var remarks = [LineSegment([interval], style: .bold, rank: 2)]
        if chart.isPercent { remarks.append(LineSegment(["%"], rank: 3)) }
        if chart.crosshair != nil { remarks.append(LineSegment(["┼"], rank: 4)) }
        return remarks
    }

    private var tradesRemarks: [LineSegment] {
        let trades = state.trades
        var remarks: [LineSegment] = []
        let lost = trades.dropped + trades.gaps.count
        if days == nil, lost > 0 {
            let text = DetailStrings.lost[language] + " \(lost)"
            remarks.append(LineSegment([text], style: CellStyle(.error), rank: 3))
        }
        let count = days == nil ? detail.newTrades(of: trades.rows) : 0
        if count > 0 {
            let isCounted = count < trades.rows.count
            let text = DetailStrings.newTrades(count, isCounted: isCounted)[language]
            remarks.append(LineSegment([text], style: CellStyle(.accent, emphasis: .bold), rank: 2))
        }
        let (open, other) =
            days == nil
            ? (DetailStrings.trades, DetailStrings.days)
            : (DetailStrings.days, DetailStrings.trades)
        let key = keys.key(for: .tradesDays).map { " \(keys.label(of: $0)) " } ?? " "
        let list = [
            Span("[\(open[language])]", .bold), Span(key, CellStyle(.accent)),
            Span(other[language], .dim),
        ]
        return remarks + [LineSegment([list, [list[0]]], rank: 4)]
    }
}
