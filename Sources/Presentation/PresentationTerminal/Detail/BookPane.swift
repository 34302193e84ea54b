import Domain
import ViewStates

/// Draws the order book: asks above, bids below, best ones in the middle.
struct BookPane {
    let book: OrderBookViewState
    let header: DetailHeaderViewState
    let trades: TradesViewState
    let detail: MarketDetailScreenState
    let flashing: Set<String>
    /// The moment that the newest trades are told as of.
    let asOf: Timestamp
    let now: Timestamp
    var keys = KeyTable.screens
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        guard !area.isEmpty else { return }
        guard !book.asks.isEmpty || !book.bids.isEmpty else {
            PaneNotice(
                health: book.health,
                empty: DetailWords.noBook,
                context: .book,
                now: now,
                keys: keys,
                language: language
            ).draw(in: &frame, area: area)
            return
        }
        let layout = BookLayout(area)
        let columns = columns(area)
        // Where the rule between the sides is; beyond the rows when it is scrolled out of them.
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
        drawFacts(rows: above, columns: columns.right, in: &frame)
        drawNewest(rows: below, columns: columns.left, in: &frame)
        drawStickyBest(layout.levels, rule: rule, columns, in: &frame)
        if let row = layout.totals { drawTotals(row, area.columns, in: &frame) }
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

    /// The line between the sides, with how far they are apart.
    private func drawRule(_ row: Int, _ columns: BookColumns, in frame: inout Frame) {
        let whole = columns.left.lowerBound..<columns.right.upperBound
        for column in whole { frame.put("─", row: row, column: column, style: .dim) }
        guard let spread = book.spreadText else { return }
        var text = " " + DetailWords.spread[language] + " " + spread + " "
        if let mid = book.mid {
            let price = NumberText.price(mid, quote: detail.market.quote)
            let longer = text + "· " + DetailWords.middle[language] + " " + price + " "
            if TextWidth.columns(longer) <= whole.count - 4 { text = longer }
        }
        let start = whole.lowerBound + max((whole.count - TextWidth.columns(text)) / 2, 0)
        let room = whole.upperBound - start
        frame.draw(
            text,
            row: row,
            column: start,
            width: room,
            style: CellStyle(emphasis: base.union(.bold))
        )
    }

    /// The best of a side that is scrolled out of sight, at the edge beyond which it lies.
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
            _ ground: CellStyle.Ground,
            _ row: Int
        ) {
            let price = NumberText.price(quote.price, quote: detail.market.quote)
            let text = [words[language], price, NumberText.quantity(quote.quantity)]
                .joined(separator: " ")
            let style = CellStyle(on: ground, emphasis: base.union(.bold))
            frame.fill(row: row, columns: whole, style: style)
            let start = whole.lowerBound + max((whole.count - TextWidth.columns(text)) / 2, 0)
            let room = whole.upperBound - start
            frame.draw(text, row: row, column: start, width: room, style: style)
        }
        // One row is no place for two sides.
        guard rows.count > 2 else { return }
        if rule <= rows.lowerBound, let ask = book.best.ask {
            draw(DetailWords.bestAsk, ask, .ask, rows.lowerBound)
        }
        if rule >= rows.upperBound - 1, let bid = book.best.bid {
            draw(DetailWords.bestBid, bid, .bid, rows.upperBound - 1)
        }
    }
}
