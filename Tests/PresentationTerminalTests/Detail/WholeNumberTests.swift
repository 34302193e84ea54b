import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("No figure of a market is cut", .tags(.manyCases))
struct WholeNumberTests {
    @Test("At every width figures are whole or left out", arguments: Cases.widths(20...200))
    func widths(columns: Int) {
        var state = DetailSamples.state()
        state.trades.rows[0].quantity = DetailSamples.decimal("12.34567891")
        state.trades.rows[0].quantityText = "12.34567891"
        for rows in [4, 5, 8, 12, 24, 36, 60] {
            for pane in DetailPane.allCases {
                for actions in Self.moves(pane) {
                    let frame = DetailSamples.frame(
                        state,
                        columns: columns,
                        rows: rows,
                        language: rows % 2 == 0 ? .korean : .english,
                        pane: pane,
                        actions: actions
                    )
                    for line in frame.lines {
                        let isCut = line.contains(#/[0-9][.,]?…/#)
                        #expect(!isCut, "\(columns) × \(rows), \(pane) \(actions): \(line)")
                    }
                }
            }
        }
    }

    private static func moves(_ pane: DetailPane) -> [[MarketDetailAction]] {
        switch pane {
        case .book: [[], [.scrollToLast], [.scrollToFirst]]
        case .chart: [[], [.toggleCrosshair]]
        case .trades: [[], [.toggleDays]]
        }
    }
}
