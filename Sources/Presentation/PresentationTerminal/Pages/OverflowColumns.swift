import Domain
import ViewStates

/// The columns that do not fit, shown for the selected row below the list.
struct OverflowColumns {
    /// Lines with as many columns as fit.
    let lines: [[LineSegment]]

    init(_ cells: PortfolioCells, _ columns: PortfolioColumns, width: Int, _ language: Language) {
        var lines: [[LineSegment]] = []
        var used = 0
        for column in columns.leftOut {
            let text = cells.texts[column] ?? "-"
            guard !text.isEmpty else { continue }
            let figure = LineSegment(
                [[Span(column.heading[language] + " ", .dim), Span(text)]],
                rank: 0
            )
            let room = figure.variants.first?.columns ?? 0
            if lines.isEmpty || used + FittedLine.gap + room > width {
                lines.append([])
                used = -FittedLine.gap
            }
            used += FittedLine.gap + room
            lines[lines.count - 1].append(figure)
        }
        self.lines = lines
    }

    /// The maximum lines for any row, in any language.
    static func linesMax(_ document: PortfolioDocument, width: Int, isFolded: Bool) -> Int {
        Language.allCases.map { language in
            // Assumes that no coin is tradable, which leaves the figures the least room.
            let note = MarketListStrings.suspended[language]
            let rows = document.state.rows.compactMap { PortfolioCells($0, note: note) }
            let cash = PortfolioCells(document.state.cash, language: language)
            let columns = PortfolioColumns(
                rows + [cash],
                width: width,
                isFolded: isFolded,
                language: language
            )
            return rows.map {
                OverflowColumns($0, columns, width: width - indent, language).lines.count
            }
            .max() ?? 0
        }.max() ?? 0
    }

    /// The indent of the second line, that of names.
    static let indent = 2
}
