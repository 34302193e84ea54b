import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Every figure of a holding is reachable on every screen")
struct OverflowColumnsTests {
    private static let holding = PageSamples.holdings[0]
    private static let figures = [
        "0.0500", "120,000,000", "143,210,000", "7,160,500", "+1,160,500", "+19.34%", "73.21%",
        "●●",
    ]

    private func frame(columns: Int, rows: Int, _ language: Language) -> Frame {
        PageSamples.frame(
            PageSamples.screen(.portfolio, columns: columns, rows: rows),
            portfolio: PageSamples.portfolio([Self.holding]),
            columns: columns,
            rows: rows,
            language: language
        )
    }

    @Test("The selected coin is complete in its row or below the list", arguments: 40...200)
    func reachable(columns: Int) {
        for language in Language.allCases {
            for rows in [14, 24, 40] {
                let text = frame(columns: columns, rows: rows, language).lines.joined(
                    separator: "\n"
                )
                let missing = Self.figures.filter { !text.contains($0) }
                #expect(missing.isEmpty, "\(columns) × \(rows) \(language): \(missing)\n\(text)")
            }
        }
    }

    @Test("80 × 24: overflow columns are above the hints")
    func standard() throws {
        let frame = frame(columns: 80, rows: 24, .korean)
        let row = try #require(frame.row(of: "매수평균가 120,000,000"))
        #expect(row >= 20 && frame.row(of: "! 평가 불가") == row + 1)
        #expect(frame.row(of: "현금") != nil)
    }

    @Test("On wide screens nothing is repeated")
    func wide() {
        let text = frame(columns: 160, rows: 24, .korean).lines.joined(separator: "\n")
        #expect(text.components(separatedBy: "120,000,000") == 2)
    }
}

extension String {
    /// In how many parts it falls.
    fileprivate func components(separatedBy text: String) -> Int {
        ranges(of: text).count + 1
    }
}
