public import Domain
public import ViewStates

/// The pages beside the list as text for pipes and files.
public enum PlainTextPages: Sendable {
    /// Writes deposits and withdrawals; the last line has no line end.
    public static func text(of document: AssetsDocument, language: Language) -> String {
        let rows = document.state.rows.map { row in
            [
                row.name[language] ?? row.asset, row.asset,
                row.depositText, row.withdrawalText,
            ]
        }
        let headings = [
            PageStrings.asset, MarketListStrings.pair, PageStrings.deposit, PageStrings.withdrawal,
        ].map { $0[language] }
        let spoken = Set(document.state.rows.map { TextWidth.drawn($0.spokenText) })
        return text(
            SpokenPage(document, language),
            without: spoken,
            rows.isEmpty ? [] : [headings] + rows
        )
    }

    /// Formats the holdings, cash last; the last line has no line break.
    public static func text(of document: PortfolioDocument, language: Language) -> String {
        let state = document.state
        let page = SpokenPage(document, language)
        guard state.isRead else { return text(page, without: [], []) }
        let columns = PortfolioColumn.allCases.filter { $0 != .transfers }
        let rows =
            state.rows.compactMap { PortfolioCells($0, note: nil) }
            + [PortfolioCells(state.cash, language: language)]
        let cells = rows.map { row in
            [row.name[language] ?? row.code, row.code]
                + columns.map { row.texts[$0] ?? "-" }
        }
        let headings =
            [PageStrings.asset[language], MarketListStrings.pair[language]]
            + columns.map { $0.heading[language] }
        // The coins and the cash are the last sentences, one each.
        let spoken = Set(page.sentences.suffix(rows.count))
        return text(page, without: spoken, [headings] + cells)
    }

    /// The facts of a page, then its rows in columns.
    private static func text(
        _ page: SpokenPage,
        without rows: Set<String>,
        _ cells: [[String]]
    ) -> String {
        let told = page.sentences.filter { !rows.contains($0) }
        let table = PlainTable.lines(cells.map { $0.map(TextWidth.drawn) }, leading: 0...1)
        return ([page.heading] + told + table).joined(separator: "\n")
    }
}
