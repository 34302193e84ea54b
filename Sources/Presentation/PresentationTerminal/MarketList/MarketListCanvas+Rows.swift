import Domain
import ViewStates

extension MarketListCanvas {
    /// The headings and the markets, or why there are none.
    mutating func drawList() {
        if isNarrow {
            drawCompactRows()
            return
        }
        let rows = document.state.rows
        let headings = ColumnHeadings(
            state: state,
            periods: wide?.query.periods ?? [],
            language: language,
            width: width
        )
        let columns = columns(headings)
        if layout.rowHeight > 1 {
            drawFoldedHeadings(headings)
        } else {
            drawHeadings(headings, columns)
        }
        drawPinned(columns)
        if rows.isEmpty {
            drawEmpty()
            return
        }
        let selected = state.selected?.name
        let lines = listRows
        var places = state.window
        for (row, line) in zip(
            rows,
            stride(from: lines.lowerBound, to: lines.upperBound, by: height)
        ) {
            let place = state.order[places].firstIndex { $0.name == row.market }
            if let place { places = (place + 1)..<places.upperBound }
            drawRow(
                row,
                line: line,
                columns: columns,
                rank: state.tab == .popular ? row.rank : place.map { $0 + 1 },
                isSelected: row.market == selected
            )
        }
    }

    private func columns(_ headings: ColumnHeadings) -> MarketListColumns {
        let rows = pinned + document.state.rows
        var widths = FigureWidths(width: width)
        widths.include(headings: headings, places: state.order.count)
        for row in rows {
            widths.include(row, wonPriceText: wonPriceText(row))
            if let facts = wide?[row] { widths.include(facts) }
        }
        return MarketListColumns(
            width: width,
            widths: widths,
            tab: state.tab,
            rowHeight: layout.rowHeight,
            hasOtherNames: document.state.rows.isEmpty || rows.contains { otherName($0) != nil }
        )
    }

    /// Whether the compact list has room for name, price and rate only.
    private var isNarrow: Bool { layout.isCompact && width < MarketListColumns.fullWidth }

    /// Lines per row.
    private var height: Int { layout.rowHeight }

    /// The lines that the block of favorites leaves.
    var listRows: Range<Int> {
        let start = layout.rows.lowerBound + blockLines
        return min(start, layout.rows.upperBound)..<layout.rows.upperBound
    }

    /// The lines of the block of favorites with its heading.
    private var blockLines: Int {
        let count = layout.header == nil ? 0 : state.pinned.count
        return count == 0 ? 0 : count * height + 1
    }

    /// The line with the names of the columns: above the list, below the block of favorites.
    var headingLine: Int? {
        layout.header.map { min($0 + blockLines, layout.rows.upperBound - 1) }
    }

    /// Draws the favorites above the list, and above them a rule with their count.
    private mutating func drawPinned(_ columns: MarketListColumns) {
        let count = state.pinned.count
        guard blockLines > 0, let rule = layout.header else { return }
        let lines = layout.rows.prefix(count * height)
        for (row, line) in zip(
            pinned,
            stride(from: lines.startIndex, to: lines.endIndex, by: height)
        ) {
            // In other tabs these rows are above the order.
            drawRow(
                row,
                line: line,
                columns: columns,
                rank: state.tab == .popular ? row.rank : nil,
                isSelected: false
            )
        }
        for column in 0..<width { frame.put("─", row: rule, column: column, style: .dim) }
        let all = state.favorites.count
        let seen = count < all ? "\(count)/\(all)" : "\(all)"
        let title =
            " \(MarketListStrings.star) \(MarketListStrings.tab(.favorites)[language]) \(seen) "
        frame.draw(title, row: rule, column: 2, width: width - 2, style: .dim)
    }

    private mutating func drawHeadings(_ headings: ColumnHeadings, _ columns: MarketListColumns) {
        guard let line = headingLine else { return }
        func draw(
            _ text: String,
            _ columns: Range<Int>?,
            _ alignment: Frame.Alignment = .trailing,
            isSorted: Bool = false,
            by key: MarketSortKey? = nil
        ) {
            guard let columns else { return }
            if let key { frame.mark(.sort(key), row: line, columns: columns) }
            frame.draw(
                text,
                row: line,
                column: columns.lowerBound,
                width: columns.count,
                alignment: alignment,
                style: isSorted ? CellStyle(emphasis: [.bold, .underline]) : .dim
            )
        }
        let sort = state.sortInForce
        let isByPopularity = sort == .popularity
        if state.tab == .popular {
            draw(headings.rank, columns.rank, isSorted: isByPopularity, by: .popularity)
        } else {
            draw(headings.place, columns.rank)
        }
        draw(headings.name, columns.name, .leading, isSorted: sort == .name, by: .name)
        draw(headings.otherName, columns.otherName, .leading)
        draw(headings.price, columns.price, isSorted: sort == .price, by: .price)
        draw(headings.wonPrice, columns.wonPrice)
        let rate = columns.otherRates.isEmpty ? headings.rate : headings.rateOfPeriod
        draw(rate, columns.rate, isSorted: sort == .changeRate, by: .changeRate)
        draw(headings.amount, columns.amount)
        for (text, place) in zip(headings.otherRates, columns.otherRates) { draw(text, place) }
        draw(headings.high, columns.high)
        draw(headings.low, columns.low)
        draw(headings.line, columns.line, .leading)
        let hasRank = state.tab == .popular && columns.rank != nil
        let isByValue = sort == .tradeValue || (isByPopularity && !hasRank)
        draw(headings.tradeValue, columns.tradeValue, isSorted: isByValue, by: .tradeValue)
    }

    private mutating func drawRow(
        _ row: MarketRowViewState,
        line: Int,
        columns: MarketListColumns,
        rank: Int?,
        isSelected: Bool
    ) {
        if let market = MarketID(name: row.market) {
            let end = min(line + height, layout.rows.upperBound)
            frame.mark(.market(market), rows: line..<max(end, line), columns: 0..<width)
        }
        let base = beginRow(line, isSelected: isSelected)
        // The second line of a folded row, if it fits.
        let second = line + height - 1
        let hasSecond = second < layout.rows.upperBound
        func draw(
            _ text: String?,
            _ columns: Range<Int>?,
            _ style: CellStyle,
            _ alignment: Frame.Alignment = .trailing,
            row: Int? = nil
        ) {
            guard let columns else { return }
            frame.draw(
                text ?? "-",
                row: row ?? line,
                column: columns.lowerBound,
                width: columns.count,
                alignment: alignment,
                style: text == nil ? base.adding(.dim) : style
            )
        }
        if isBesideDetail, !isSelected, row.market == screen.detail?.market.name {
            // Marks the market that is open beside the list.
            let style = CellStyle(.accent, emphasis: base.emphasis)
            frame.draw("▸", row: line, column: 0, style: style)
        }
        if isFavorite(row) {
            let style = base.with(.accent)
            frame.draw(MarketListStrings.star, row: line, column: 1, width: width - 1, style: style)
        }
        let change = changeStyle(row, base)
        let weak = base.adding(.dim)
        let isFlashing = flashing.contains(row.market)
        let priceStyle = base.with(change.role)
        if state.tab == .popular || rank != nil {
            draw(rank.map { String($0) }, columns.rank, state.tab == .popular ? base : weak)
        }
        drawName(row, in: columns.name, line: line, base: base)
        if let other = otherName(row) {
            draw(other, columns.otherName, weak, .leading)
        }
        draw(row.priceText, columns.price, isFlashing ? priceStyle.reversed : priceStyle)
        if columns.wonPrice != nil, row.quote != Quote.krw.rawValue {
            draw(wonPriceText(row), columns.wonPrice, weak)
        }
        guard hasSecond else { return }
        drawRate(row, in: columns.rate, line: second, base: base, style: change)
        draw(row.changeAmountText, columns.amount, change, row: second)
        draw(row.tradeValueText, columns.tradeValue, base, row: second)
        drawFacts(of: row, line: line, columns: columns, base: base)
    }

    /// The style of a row; the selected row has its own background, or is bold without focus.
    mutating func beginRow(_ line: Int, isSelected: Bool) -> CellStyle {
        var base = CellStyle.plain
        if health.isOutdated { base = base.adding(.dim) }
        guard isSelected else { return base }
        if hasKeys { base.background = .selected } else { base = base.adding(.bold) }
        for row in line..<min(line + height, layout.rows.upperBound) where hasKeys {
            frame.fill(row: row, columns: 0..<width, style: base)
        }
        frame.draw("›", row: line, column: 0, style: base)
        return base
    }

    /// Draws the name and the pair, which distinguishes coins with equal names.
    mutating func drawName(
        _ row: MarketRowViewState,
        in columns: Range<Int>,
        line: Int,
        base: CellStyle
    ) {
        let name = row.name[language] ?? ""
        let marks = markText(row)
        let pair = row.symbol + "/" + row.quote
        let dim = base.adding(.dim)
        func columnsOf(_ text: String) -> Int { text.isEmpty ? 0 : TextWidth.columns(text) + 1 }
        // The symbol is essential; quote and warnings are added if they fit.
        let room = columns.count - columnsOf(marks)
        let isPairShown = columnsOf(name) + pair.utf8.count <= room
        let code = isPairShown ? pair : row.symbol
        let nameRoom = max(room - code.utf8.count - 1, 0)
        var column = columns.lowerBound
        if !name.isEmpty, nameRoom >= min(TextWidth.columns(name), 4) {
            column += frame.draw(name, row: line, column: column, width: nameRoom, style: base) + 1
        }
        let rest = columns.upperBound - column
        column += frame.draw(code, row: line, column: column, width: rest, style: dim) + 1
        guard !marks.isEmpty else { return }
        frame.draw(
            marks,
            row: line,
            column: column,
            width: columns.upperBound - column,
            style: base.adding(.bold)
        )
    }

    func isFavorite(_ row: MarketRowViewState) -> Bool {
        favorites.contains(row.market)
    }

    func starStyle(_ base: CellStyle) -> CellStyle {
        base.emphasis.contains(.reverse) ? base : CellStyle(.accent, emphasis: base.emphasis)
    }

    private func markText(_ row: MarketRowViewState) -> String {
        var words: [String] = []
        if row.marks.investmentWarning == true {
            words.append(MarketListStrings.warningMark[language])
        }
        if !row.marks.alerts.isEmpty { words.append(MarketListStrings.alertMark[language]) }
        return words.joined(separator: " ")
    }

    private func otherName(_ row: MarketRowViewState) -> String? {
        row.name[language.other]
    }

    /// The price of a bitcoin market in won, in the decimals of a price of its size.
    private func wonPriceText(_ row: MarketRowViewState) -> String? {
        guard row.quote != Quote.krw.rawValue, let price = row.priceKRW else { return nil }
        let decimals = NumberText.priceDecimals(price, quote: .krw)
        let rounded = try? price.rounded(toFractionDigits: decimals, .halfAwayFromZero)
        return NumberText.price(rounded ?? price, quote: .krw)
    }
}
