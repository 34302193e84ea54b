import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("A narrow book shortens figures instead of truncating them")
struct BookPaneRoomTests {
    /// The area's lines of a pane alone.
    private func lines(
        _ state: MarketDetailViewState,
        columns: Int,
        rows: Int,
        language: Language = .korean
    ) -> [String] {
        let size = TerminalSize(columns: columns, rows: rows)
        var frame = Frame(size: size)
        let screen = DetailSamples.screen(state, columns: columns, rows: rows)
        guard let detail = screen.detail else { return [] }
        BookPane(
            book: state.orderBook,
            header: state.header,
            trades: state.trades,
            detail: detail,
            flashing: [],
            asOf: Samples.now,
            now: Samples.now,
            language: language
        ).draw(in: &frame, area: FrameArea(rows: 0..<rows, columns: 0..<columns))
        return frame.lines
    }

    private func trimmed(_ line: String?) -> String {
        let words = (line ?? "").split(separator: " ", omittingEmptySubsequences: false)
        let end = words.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        return words.prefix(end).joined(separator: " ")
    }

    @Test(
        "Both totals shorten together and keep their side's name",
        arguments: [
            (68, "매도잔량 1,234.5000 34.51%    % 전일대비  매수잔량 2,345.6789 65.49%"),
            (60, "매도잔량 1,234.5000 34.51%        매수잔량 2,345.6789 65.49%"),
            (48, "매도잔량 1,234.5000          매수잔량 2,345.6789"),
            (38, "매도 1,234.5000        매수 2,345.6789"), (24, "매도 1.2K      매수 2.3K"),
        ]
    )
    func totals(columns: Int, line: String) {
        var state = DetailSamples.state()
        state.orderBook.totals.askQuantity = DetailSamples.decimal("1234.5")
        state.orderBook.totals.bidQuantity = DetailSamples.decimal("2345.6789")
        #expect(trimmed(lines(state, columns: columns, rows: 10).last) == line)
    }

    @Test("At any width both totals are named or none is drawn")
    func names() {
        for columns in 1...120 {
            let korean = lines(DetailSamples.state(), columns: columns, rows: 10).last ?? ""
            #expect(korean.contains("매도") == korean.contains("매수"), "\(columns)")
            #expect(korean.contains("매도") || !korean.contains { $0.isNumber }, "\(columns)")
            let english = lines(
                DetailSamples.state(),
                columns: columns,
                rows: 10,
                language: .english
            ).last
            let shares = (english ?? "").matches(of: /[0-9]%/).count
            #expect(shares == 0 || shares == 2, "\(columns)")
        }
    }

    @Test(
        "A wider book never says less of the base of its percentages",
        arguments: [Language.korean, .english]
    )
    func percentBase(language: Language) {
        let names = DetailStrings.levelBase.map { $0[language] }
        var shown = 0
        for columns in 1...140 {
            let lines = lines(
                DetailSamples.state(),
                columns: columns,
                rows: 10,
                language: language
            )
            let line = lines.last ?? ""
            let columnsShown = names.filter { line.contains($0) }.map(\.count).max() ?? 0
            #expect(columnsShown >= shown, "\(columns)")
            shown = columnsShown
            let hasRates = lines.contains { $0.contains("-0.65%") }
            #expect(columnsShown == 0 || hasRates, "\(columns): no percentages above")
        }
        #expect(shown == names.first?.count)
    }

    @Test("A quantity below the smallest form that fits looks smaller than it", arguments: 6...9)
    func little(columns: Int) {
        let smallest = DetailSamples.decimal("0.00000001")
        let text = CompactQuantity.quantity(smallest, text: "0.00000001", columns: columns)
        #expect(text.utf8.count <= columns && text.hasPrefix("<"))
        for digits in 1...8 {
            let units = "0." + String(repeating: "0", count: digits - 1) + "1"
            let figure = DetailSamples.decimal(units)
            let shown = CompactQuantity.quantity(figure, text: units, columns: columns)
            guard !shown.hasPrefix("<") else { continue }
            // A figure beside it is not below the displayed bound.
            #expect(Double(shown) ?? 0 >= Double("0" + text.drop { $0 != "." }) ?? 1, "\(units)")
        }
    }

    @Test("Key figures of the book have distinct names", arguments: [30, 34, 40, 48, 60, 80, 120])
    func factNames(columns: Int) {
        for language in [Language.korean, .english] {
            let word = language == .korean ? "거래금액" : "value"
            for rows in 6...24 {
                let lines = lines(
                    DetailSamples.state(),
                    columns: columns,
                    rows: rows,
                    language: language
                )
                let facts = lines.filter { line in
                    line.contains(word) && !line.contains("24") && !line.contains("당일")
                        && !line.contains("today")
                }
                let hasHeadings = lines.contains { $0.hasSuffix("24시간") || $0.hasSuffix("24h") }
                #expect(facts.count <= (hasHeadings ? 2 : 1), "\(columns) \(rows) \(lines)")
            }
        }
    }

    @Test("Trades with many decimals fit the corner", arguments: [(64, 45), (64, 24)])
    func corner(columns: Int, rows: Int) throws {
        var state = DetailSamples.state()
        for (place, text) in ["0.00122345", "12.34567891", "0.00001234"].enumerated() {
            state.trades.rows[place].quantity = DetailSamples.decimal(text)
            state.trades.rows[place].quantityText = text
        }
        let frame = DetailSamples.frame(state, columns: columns, rows: rows)
        let row = try #require(frame.row(of: "체결강도"))
        #expect(frame.lines[row + 1].contains("B 143,210,000 0.0012 "))
        #expect(frame.lines[row + 2].contains("S 143,211,000 12.345 "))
        #expect(frame.lines[row + 3].contains("B 143,212,000 <.0001 "))
    }

    @Test("A shortened quantity fits and never exceeds the quantity")
    func short() throws {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<2_000 {
            let size = Int128(1) << Int128.random(in: 0...80, using: &generator)
            let quantity = FixedDecimal(units: Int128.random(in: 1...size, using: &generator))
            let columns = Int.random(in: CompactQuantity.columnsMin...12, using: &generator)
            let whole = NumberText.quantity(quantity)
            let text = CompactQuantity.quantity(quantity, text: whole, columns: columns)
            #expect(text.utf8.count <= columns, "\(whole) \(text)")
            if text == whole { continue }
            if text.first == "<" {
                let bound = try FixedDecimal(parsing: String(text.dropFirst()))
                #expect(quantity < bound)
            } else if let parsed = try? FixedDecimal(parsing: text.filter { $0 != "," }) {
                #expect(parsed <= quantity && parsed > .zero, "\(whole) \(text)")
            } else {
                #expect(text.last.map { "KMBT".contains($0) } == true, "\(whole) \(text)")
            }
        }
    }

    @Test("Key figures stay distinct and complete without their period")
    func facts() {
        let lines = lines(DetailSamples.state(), columns: 58, rows: 15)
        for text in ["고가  145,880,000", "저가  142,900,000", "시가  144,100,000"] {
            #expect(lines.contains { $0.contains(text) }, "\(text)")
        }
        var state = DetailSamples.state()
        state.header.rolling24h.changeAmount = DetailSamples.decimal("1234567890123")
        state.header.today.high = DetailSamples.decimal("123456789012345")
        let wide = self.lines(state, columns: 58, rows: 15)
        #expect(wide.contains { $0.hasSuffix("당일 고가  123.4T") })
        #expect(!wide.contains { $0.contains("…") })
    }
}
