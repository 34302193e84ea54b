import Domain
import ViewStates

/// Draws the order book: asks above, bids below, best ones in the middle.
struct BookPane {
    let book: OrderBookViewState
    let header: DetailHeaderViewState
    let trades: TradesViewState
    let detail: MarketDetailScreenState
    let flashing: Set<String>
    /// Whether another pane shows the newest trades, so that the book need not.
    var areTradesElsewhere = false
    /// The time that relative trade times refer to.
    let asOf: Timestamp
    let now: Timestamp
    var keys = KeyTable.screens
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        guard !area.isEmpty else { return }
        guard !book.asks.isEmpty || !book.bids.isEmpty else {
            PaneNotice(
                health: book.health,
                empty: DetailStrings.noBook,
                context: .book,
                now: now,
                keys: keys,
                language: language
            ).draw(in: &frame, area: area)
            return
        }
        let layout = BookLayout(area)
        let columns = columns(area)
        // The row of the spread rule; outside the visible rows if scrolled away.
        let rule = layout.levels.lowerBound + detail.bookRowsAboveSpread - detail.book.offset
        for row in layout.levels {
            if row == rule {
                drawRule(row, columns, in: &frame)
            } else if row < rule, rule - row <= book.asks.count {
                drawLevel(book.asks[rule - row - 1], .ask, row, columns, in: &frame)
            } else if row > rule, row - rule <= book.bids.count {
                drawLevel(book.bids[row - rule - 1], .bid, row, columns, in: &frame)
            }
        }
        let above = layout.levels.clamped(to: .min..<max(rule, .min + 1))
        let below = layout.levels.clamped(to: (rule + 1)..<(.max))
        drawFacts(rows: above, columns: columns.figures, in: &frame)
        drawCorner(rows: below, columns: columns.newest, in: &frame)
        drawStickyBest(layout.levels, rule: rule, columns, in: &frame)
        if let row = layout.totals {
            drawTotals(row, area.columns, change: columns.change, in: &frame)
        }
    }

    /// Weak where the levels are those of an earlier moment.
    var base: CellStyle.Emphasis { book.health.isOutdated ? .dim : [] }

    private func columns(_ area: FrameArea) -> BookColumns {
        let levels = book.asks + book.bids
        let sums = [book.asks.last, book.bids.last].compactMap { $0?.cumulative }
        return BookColumns(
            columns: area.columns,
            price: levels.map { TextWidth.columns($0.priceText) }.max() ?? 0,
            quantity: levels.map { TextWidth.columns($0.quantityText) }.max() ?? 0,
            cumulative: sums.map { NumberText.quantity($0).utf8.count }.max() ?? 0
        )
    }

    /// Draws a text with figures in the middle of a row, or nothing instead of a part of it.
    func drawCentered(
        _ text: String,
        _ row: Int,
        _ columns: Range<Int>,
        style: CellStyle,
        in frame: inout Frame
    ) {
        let free = columns.count - TextWidth.columns(text)
        guard free >= 0 else { return }
        frame.draw(text, row: row, column: columns.lowerBound + free / 2, style: style)
    }

    /// Shows the best price of a side that is scrolled out of view, at the edge nearest to it.
    private func drawStickyBest(
        _ rows: Range<Int>,
        rule: Int,
        _ columns: BookColumns,
        in frame: inout Frame
    ) {
        let whole = columns.left.lowerBound..<columns.right.upperBound
        func draw(
            _ words: LocalizedText,
            _ quote: OrderBookViewState.Best.Quote,
            _ background: CellStyle.Background,
            _ row: Int
        ) {
            let price = NumberText.price(quote.price, quote: detail.market.quote)
            let parts = [words[language], price, NumberText.quantity(quote.quantity)]
            let variants = [parts[...], parts.prefix(2), [price]].map { $0.joined(separator: " ") }
            let text = variants.first { TextWidth.columns($0) <= whole.count } ?? ""
            let style = CellStyle(on: background, emphasis: base.union(.bold))
            frame.fill(row: row, columns: whole, style: style)
            drawCentered(text, row, whole, style: style, in: &frame)
        }
        // A single row cannot show both sides.
        guard rows.count > 2 else { return }
        if rule <= rows.lowerBound, let ask = book.best.ask {
            draw(DetailStrings.bestAsk, ask, .ask, rows.lowerBound)
        }
        if rule >= rows.upperBound - 1, let bid = book.best.bid {
            draw(DetailStrings.bestBid, bid, .bid, rows.upperBound - 1)
        }
    }
}

extension BookPane {
    /// One price: the tone of its side from the outer edge to the middle, and the other side free.
    func drawLevel(
        _ level: OrderBookViewState.Level,
        _ background: CellStyle.Background,
        _ row: Int,
        _ columns: BookColumns,
        in frame: inout Frame
    ) {
        let isAsk = background == .ask
        let plain = CellStyle(on: background, emphasis: base)
        let tone =
            isAsk && !columns.isOneSided
            ? columns.left.lowerBound..<columns.middle.upperBound
            : columns.middle.lowerBound..<columns.right.upperBound
        frame.fill(row: row, columns: tone, style: plain)
        drawPrice(level, row, columns, on: background, in: &frame)

        let name = isAsk ? FigureName.ask(level) : FigureName.bid(level)
        let isFlashing = flashing.contains(name)
        guard !columns.isOneSided else {
            guard columns.quantity > 0 else { return }
            let end = columns.right.upperBound
            let quantity = (end - columns.quantity)..<end
            let text = CompactQuantity.quantity(
                level.quantity,
                text: level.quantityText,
                columns: quantity.count
            )
            let style = isFlashing ? plain.reversed : plain
            drawQuantity(text, row, quantity, style: style, in: &frame)
            return
        }
        let side = isAsk ? columns.left : columns.right
        let quantity =
            isAsk
            ? (side.upperBound - 1 - columns.quantity)..<(side.upperBound - 1)
            : (side.lowerBound + 1)..<(side.lowerBound + 1 + columns.quantity)
        drawQuantity(
            level.quantityText,
            row,
            quantity,
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
            style: CellStyle(.bar, on: background, emphasis: base),
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
        on background: CellStyle.Background,
        in frame: inout Frame
    ) {
        // Dimmed colors on a tinted background are unreadable, so old data uses dimmed plain text.
        let role: CellStyle.Role = base.isEmpty ? CellStyle.Role(level.priceDirection) : .plain
        var style = CellStyle(role, on: background, emphasis: base)
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
            style: CellStyle(role, on: background, emphasis: base)
        )
    }

    /// Draws a quantity with its trailing zeros dimmed, so magnitudes stand out.
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

extension BookPane {
    /// How detailed the totals are, from the most detailed to the shortest.
    private enum TotalsForm: CaseIterable {
        case whole
        case withoutShares
        case shortNames
        case compact
    }

    /// Draws the total quantity of each side and its share of both.
    ///
    /// Both sides use the same form so that they compare. Nothing is drawn if the shortest form
    /// does not fit.
    ///
    /// Between complete totals stands the base of the percentages above, which is not that of the
    /// header. Shortened totals leave its place free: it would go again in a wider book.
    func drawTotals(
        _ row: Int,
        _ columns: Range<Int>,
        change: Range<Int>?,
        in frame: inout Frame
    ) {
        let forms = TotalsForm.allCases.lazy
            .map { (form: $0, ask: askTotal($0), bid: bidTotal($0)) }
        let fitting = forms.first { sides in
            let used = TextWidth.columns(sides.ask) + TextWidth.columns(sides.bid)
            return used + FittedLine.gap <= columns.count
        }
        guard let sides = fitting else { return }
        let style = CellStyle(emphasis: base)
        FittedLine(
            left: [LineSegment([sides.ask], style: style, rank: 0)],
            right: [LineSegment([sides.bid], style: style, rank: 0)],
            width: columns.count
        ).draw(in: &frame, row: row, column: columns.lowerBound)
        guard sides.form == .whole, let change else { return }
        let start = columns.lowerBound + TextWidth.columns(sides.ask) + FittedLine.gap
        let end = columns.upperBound - TextWidth.columns(sides.bid) - FittedLine.gap
        let names = DetailStrings.levelBase.map { $0[language] }
        guard let name = names.first(where: { TextWidth.columns($0) <= end - start }) else {
            return
        }
        // Below the percentages, as far as the totals leave room.
        let width = TextWidth.columns(name)
        let column = min(max(change.upperBound - width, start), end - width)
        frame.draw(name, row: row, column: column, style: style.adding(.dim))
    }

    private func askTotal(_ form: TotalsForm) -> String {
        let share = book.totals.bidSharePercent.flatMap { try? FixedDecimal(100) - $0 }
        return total(DetailStrings.ask, book.totals.askQuantity, share, form)
    }

    private func bidTotal(_ form: TotalsForm) -> String {
        let totals = book.totals
        return total(DetailStrings.bid, totals.bidQuantity, totals.bidSharePercent, form)
    }

    private func total(
        _ words: LocalizedText,
        _ quantity: FixedDecimal,
        _ share: FixedDecimal?,
        _ form: TotalsForm
    ) -> String {
        let short = words[language]
        let name = short + DetailStrings.totalSuffix[language]
        let figure = NumberText.quantity(quantity)
        let percent = share.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" }
        switch form {
        case .whole:
            return [name, figure, percent].compactMap { $0 }.joined(separator: " ")
        case .withoutShares: return name + " " + figure
        case .shortNames: return short + " " + figure
        case .compact: return short + " " + AxisText.compact(quantity)
        }
    }
}
