public import Domain
public import ViewStates

/// Draws 보유자산: a pure function of the document, the screen's state, the time and a size.
public enum PortfolioRenderer: Sendable {
    /// Draws the holdings.
    ///
    /// - Parameters:
    ///   - document: the holdings at current prices.
    ///   - halted: coins that cannot be traded now.
    ///   - state: the user's screen state and open form.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: coins whose price just changed.
    ///   - size: any size; small ones drop parts.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
    public static func render(
        document: PortfolioDocument,
        halted: Set<Asset>,
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        var canvas = PortfolioCanvas(
            document: document,
            halted: halted,
            flashing: flashing,
            page: PageCanvas(screen: state, now: now, size: size, keys: keys, language: language)
        )
        canvas.page.drawTitle(source: document.source, health: document.state.health)
        canvas.drawTotals()
        canvas.drawList()
        let isRead = document.state.isRead
        canvas.page.drawBottom(error: isRead ? document.state.health.error : nil)
        canvas.page.drawOverlays()
        return canvas.page.frame
    }

    /// How many rows a screen of this size shows at once.
    public static func visibleRows(
        in size: TerminalSize,
        _ state: ScreenState,
        _ document: PortfolioDocument
    ) -> Int {
        let layout = MarketListLayout(size)
        let area = PortfolioArea(
            PageCanvas.rows(layout, state),
            document,
            layout,
            width: size.columns
        )
        return area.rows.count / layout.rowHeight
    }

    /// The rows of a document, the cash last.
    public static func order(of document: PortfolioDocument) -> [PortfolioScreenState.RowID] {
        document.state.rows.compactMap { Asset(symbol: $0.asset) }.map { .asset($0) }
            + (document.state.isRead ? [.cash] : [])
    }
}

/// A frame of the holdings in progress.
private struct PortfolioCanvas {
    let document: PortfolioDocument
    let halted: Set<Asset>
    let flashing: Set<String>
    var page: PageCanvas

    private var language: Language { page.language }
    private var width: Int { page.width }

    /// Draws the display name and the totals.
    mutating func drawTotals() {
        guard let row = page.layout.tabs else { return }
        let state = document.state
        guard state.isRead else { return }
        let isOld = state.health.isOutdated
        func style(_ sign: Int) -> CellStyle {
            CellStyle(Self.role(sign), emphasis: isOld ? [.bold, .dim] : .bold)
        }
        let unit = LocalizedText(ko: "원", en: " KRW")[language]
        let total = state.totals.valueText.map { $0 + unit } ?? "-"
        var left: [LineSegment] = []
        if let name = state.user.displayName {
            left.append(LineSegment([name], style: .bold, rank: 3))
        }
        left.append(
            LineSegment(
                [PageStrings.total[language] + " " + total, total],
                style: style(0),
                rank: 0
            )
        )
        if let profit = state.totals.profit {
            let text = NumberText.wonChange(profit)
            left.append(
                LineSegment(
                    [PageStrings.profit[language] + " " + text, text],
                    style: style(profit.sign),
                    rank: 2
                )
            )
        }
        if let rate = state.totals.profitRatePercent {
            left.append(
                LineSegment([NumberText.rate(rate)], style: style(rate.sign), rank: 1)
            )
        }
        FittedLine(left: left, right: [], width: width).draw(in: &page.frame, row: row)
    }

    /// Draws the coins in their current order, the cash and the coins without a value.
    mutating func drawList() {
        guard document.state.isRead else { return drawUnread() }
        let note = MarketListStrings.suspended[language]
        var rows = document.state.rows.compactMap { row in
            let isHalted = Asset(symbol: row.asset).map { halted.contains($0) } ?? false
            return PortfolioCells(row, note: isHalted ? note : nil)
        }
        rows.append(PortfolioCells(document.state.cash, language: language))
        let columns = PortfolioColumns(
            rows,
            width: width,
            isFolded: page.layout.rowHeight > 1,
            language: language
        )
        drawHeadings(columns)
        let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let marks = page.screen.portfolio.rows
        let area = PortfolioArea(page.rows, document, page.layout, width: width)
        if let line = area.note { drawUnvalued(line: line) }
        for (id, line) in zip(marks.order[marks.window], page.firstLines(of: area.rows)) {
            guard let cells = byID[id] else { continue }
            page.markRow(.holding(id), line: line)
            draw(cells, columns, line: line, isSelected: id == marks.selected)
        }
        if let lines = area.rest, let cells = marks.selected.flatMap({ byID[$0] }) {
            drawRest(of: cells, columns, lines: lines)
        }
        drawEmpty(area.rows)
    }

    private mutating func drawHeadings(_ columns: PortfolioColumns) {
        guard let line = page.layout.header else { return }
        page.frame.draw(
            PageStrings.asset[language],
            row: line,
            column: columns.name.lowerBound,
            width: min(columns.name.count, max(width - columns.name.lowerBound, 0)),
            style: .dim
        )
        guard page.layout.rowHeight == 1 else { return drawFoldedHeadings(columns, line) }
        for place in columns.places {
            page.frame.draw(
                place.column.heading[language],
                row: line,
                column: place.range.lowerBound,
                width: place.range.count,
                alignment: .trailing,
                style: .dim
            )
        }
    }

    /// Draws the headings of folded rows after the name heading.
    private mutating func drawFoldedHeadings(_ columns: PortfolioColumns, _ line: Int) {
        let shown = Set(columns.places.map(\.column))
        func words(_ columns: [PortfolioColumn]) -> String {
            columns.filter { shown.contains($0) }.map { $0.heading[language] }
                .joined(separator: " ")
        }
        let name = TextWidth.columns(PageStrings.asset[language]) + 1
        FittedLine(
            left: [LineSegment([words([.quantity])], style: .dim, rank: 2)],
            right: [
                LineSegment(
                    [words([.profit, .rate, .value]), words([.value])],
                    style: .dim,
                    rank: 1
                )
            ],
            width: max(width - columns.name.lowerBound - name, 0)
        ).draw(in: &page.frame, row: line, column: columns.name.lowerBound + name)
    }

    /// Draws the columns of the selected row that do not fit.
    private mutating func drawRest(
        of cells: PortfolioCells,
        _ columns: PortfolioColumns,
        lines: Range<Int>
    ) {
        let indent = OverflowColumns.indent
        let rest = OverflowColumns(cells, columns, width: width - indent, language)
        for (figures, line) in zip(rest.lines, lines) {
            FittedLine(left: figures, right: [], width: max(width - indent, 0))
                .draw(in: &page.frame, row: line, column: indent)
        }
    }

    private mutating func draw(
        _ cells: PortfolioCells,
        _ columns: PortfolioColumns,
        line: Int,
        isSelected: Bool
    ) {
        let base = page.beginRow(
            line,
            isSelected: isSelected,
            isOutdated: document.state.health.isOutdated
        )
        page.drawName(
            cells.name,
            code: cells.code,
            note: cells.note,
            in: columns.name,
            line: line,
            base: base
        )
        for place in columns.places {
            let column = place.column
            let text = cells.texts[column]
            let role: CellStyle.Role =
                switch column {
                case .profit, .rate: Self.role(cells.profitSign)
                case .price: CellStyle.Role(cells.priceDirection)
                case .quantity, .averagePrice, .value, .share, .transfers: .plain
                }
            var style = base.with(role)
            if column == .price, flashing.contains(cells.code) { style = style.reversed }
            page.frame.draw(
                text ?? "-",
                row: line + place.line,
                column: place.range.lowerBound,
                width: place.range.count,
                alignment: .trailing,
                style: text == nil ? base.adding(.dim) : style
            )
        }
    }

    private mutating func drawUnvalued(line: Int) {
        let names = document.state.unvalued.joined(separator: ", ")
        page.frame.draw(
            TextWidth.truncated(
                "! " + PageStrings.unvalued[language] + ": " + names,
                to: max(width - 2, 0)
            ),
            row: line,
            column: 2,
            width: max(width - 2, 0),
            style: .bold
        )
    }

    /// Draws hints below the cash: no holdings yet, and the keys that enter what is missing.
    private mutating func drawEmpty(_ area: Range<Int>) {
        guard document.state.rows.isEmpty, area.count >= 5, page.screen.form == nil else { return }
        var missing: [(action: PortfolioAction, purpose: ScreenForm.Purpose)] = [
            (.add, .addHolding)
        ]
        if document.state.cash.amount == nil { missing.append((.editCash, .cash)) }
        if document.state.user.displayName == nil { missing.append((.editName, .displayName)) }
        let offers = missing.prefix(area.count - 4).map { action, purpose in
            page.keys.offer(
                .portfolio(action),
                in: .portfolio,
                FormStrings.title(purpose)[language]
            )
        }
        let lines = [[Span(PageStrings.noHoldings[language], .bold)]] + offers
        page.drawCentered(
            lines,
            in: area,
            top: area.lowerBound + max((area.count - lines.count) / 2, 2)
        )
    }

    /// Draws the reason why the holdings are not loaded.
    private mutating func drawUnread() {
        let visibility = page.screen.visibility
        let texts = StoreStrings.unloaded(
            .holdings,
            visibility == .shown ? .unread(nil) : visibility
        ).map { $0[language] }
        page.drawCentered(
            texts.enumerated().map { [Span($1, $0 == 0 ? .bold : .plain)] }
        )
    }

    private static func role(_ sign: Int) -> CellStyle.Role {
        sign > 0 ? .up : (sign < 0 ? .down : .plain)
    }
}
