public import Domain
public import ViewStates

/// One market as text for pipes and files: facts, book and trades in columns.
public enum PlainTextDetail: Sendable {
    /// Writes header, book and trades.
    ///
    /// Unknown values are `-`. The last line has no line end.
    public static func text(of document: MarketDetailDocument, language: Language) -> String {
        let page = SpokenPage(document, language)
        let words = SpokenDetail(state: document.state, language: language)
        let told = page.sentences.filter { !words.book.contains($0) && !words.trades.contains($0) }
        let parts = [
            [page.heading] + told, book(document.state.orderBook, language),
            trades(document.state.trades, language),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    /// The levels as on the screen: highest price first.
    private static func book(_ book: OrderBookViewState, _ language: Language) -> [String] {
        guard !book.asks.isEmpty || !book.bids.isEmpty else {
            return [DetailStrings.noBook[language]]
        }
        func cells(_ level: OrderBookViewState.Level, _ side: LocalizedText) -> [String] {
            [
                side[language], level.priceText,
                level.changeRatePercent.map(NumberText.rate) ?? "-", level.quantityText,
                NumberText.quantity(level.cumulative),
            ]
        }
        let headings = [
            DetailStrings.pane(.book), DetailStrings.price, DetailStrings.rate,
            DetailStrings.levelQuantity,
            LocalizedText(ko: "누적", en: "sum"),
        ].map { $0[language] }
        return PlainTable.lines(
            [headings] + book.asks.reversed().map { cells($0, DetailStrings.ask) }
                + book.bids.map { cells($0, DetailStrings.bid) },
            leading: 0...0
        )
    }

    private static func trades(_ trades: TradesViewState, _ language: Language) -> [String] {
        guard !trades.rows.isEmpty else { return [DetailStrings.noTrades[language]] }
        let headings = [
            DetailStrings.time, DetailStrings.side, DetailStrings.price, DetailStrings.quantity,
            DetailStrings.amount,
        ].map { $0[language] }
        let rows = trades.rows.map { row in
            [
                row.timeText,
                (row.side == .buy ? DetailStrings.buy : DetailStrings.sell)[language],
                row.priceText, row.quantityText, row.amountText,
            ]
        }
        return PlainTable.lines([headings] + rows, leading: 0...1)
    }
}
