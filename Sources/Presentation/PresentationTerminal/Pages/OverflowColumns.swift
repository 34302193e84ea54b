import Domain
import ViewStates

/// What the rows of the holdings have no room for: told of the marked one, below the list.
struct OverflowColumns {
    /// In lines, as many in each as have room.
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

    /// How many lines any row takes at the most, in any language.
    static func linesMax(_ document: PortfolioDocument, width: Int, isFolded: Bool) -> Int {
        Language.allCases.map { language in
            // Whether a coin can be traded is not asked here: as if none could be, which leaves the
            // figures the least room.
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

    /// It begins where names do.
    static let indent = 2
}
