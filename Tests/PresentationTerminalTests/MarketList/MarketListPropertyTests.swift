import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Random lists of random sizes fill the screen exactly", .tags(.manyCases))
struct MarketListPropertyTests {
    @Test("Every line has the width of the screen", arguments: Cases.seeds(120, of: 300))
    func linesFill(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = TerminalSize(
            columns: Int.random(in: 1...(seed % 4 == 0 ? 250 : 90), using: &generator),
            rows: Int.random(in: 1...(seed % 4 == 0 ? 70 : 26), using: &generator)
        )
        let document = Self.document(&generator)
        let frame = MarketListRenderer.render(
            document: document,
            pinned: Array(document.state.rows.prefix(3)),
            state: ScreenState(list: Self.state(document, size, &generator)),
            now: Samples.now.advanced(
                by: .seconds(Int64.random(in: -9_999...9, using: &generator))
            ),
            flashing: Set(document.state.rows.prefix(3).map(\.market)),
            size: size,
            language: Bool.random(using: &generator) ? .korean : .english
        )
        #expect(frame.size == size)
        #expect(frame.lines.count == size.rows)
        for line in frame.lines {
            #expect(TextWidth.columns(line) == size.columns)
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!line.unicodeScalars.contains("\u{202E}"))
        }
        if let cursor = frame.cursor {
            #expect((0..<size.rows).contains(cursor.row))
            #expect((0..<size.columns).contains(cursor.column))
        }
    }

    @Test("Figures are aligned for any names", arguments: 0..<60)
    func figuresAlign(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = (0..<8).map { index in
            Samples.row(
                "C\(index)",
                RandomText.make(length: Int.random(in: 0...12, using: &generator), &generator),
                price: "1,234",
                rate: "+0.25%",
                amount: "+3",
                value: "56백만"
            )
        }
        let columns = Int.random(in: 60...150, using: &generator)
        let frame = Samples.frame(Samples.document(rows), columns: columns, rows: 12)
        for text in ["1,234", "▲ +0.25%", "+3", "56백만"] {
            let ends = Set(
                frame.lines[3..<11].map { line in
                    line.ranges(of: text).last.map {
                        TextWidth.columns(String(line[..<$0.upperBound]))
                    }
                }
            )
            #expect(ends.count == 1 && ends != [nil], "\(text) ends at \(ends)")
        }
    }

    @Test("Figures are never truncated: a column fits or is dropped", arguments: 1...130)
    func figuresAreWhole(columns: Int) {
        let row = Samples.row(
            "MIND",
            "이름",
            price: "1,234,567,890.12345678",
            rate: "+777,777.78%",
            amount: "+8,888,888,888.1",
            value: "999,999,999,999백만"
        )
        let lines = Samples.frame(Samples.document([row]), columns: columns, rows: 12).lines
        let line = lines[columns < 40 ? 1 : 3]
        for text in ["+777,777.78%", "+8,888,888,888.1", "999,999,999,999백만"] {
            #expect(line.contains(text) || !line.contains(text.prefix(6)), "\(columns): \(line)")
        }
    }

    private static func document(_ generator: inout SeededGenerator) -> MarketListDocument {
        let phases: [HealthViewState.Phase] = [.loading, .ready, .stale, .failed, .ended]
        let error = ErrorViewState(
            code: "x",
            message: RandomText.make(length: 30, &generator),
            retryable: Bool.random(using: &generator),
            nextRetryAt: Bool.random(using: &generator) ? Samples.now : nil
        )
        let count = Int.random(in: 0...80, using: &generator)
        let rows = (0..<count).map { row($0, &generator) }
        return Samples.document(
            rows,
            feed: [.live, .simulated, .replay].randomElement(using: &generator) ?? .live,
            health: Samples.health(
                phases.randomElement(using: &generator) ?? .ready,
                ageSeconds: Bool.random(using: &generator) ? 12 : nil,
                error: Bool.random(using: &generator) ? error : nil
            ),
            total: Int.random(in: 0...100_000, using: &generator),
            period: ["24H", "MID", "30M", "?"].randomElement(using: &generator) ?? "24H",
            emptyReason: rows.isEmpty
                ? [.noMatch, .loading, .error].randomElement(using: &generator) : nil
        )
    }

    private static func row(_ index: Int, _ generator: inout SeededGenerator) -> MarketRowViewState
    {
        func text(_ length: Int, _ generator: inout SeededGenerator) -> String? {
            let count = Int.random(in: 0...length, using: &generator)
            return Bool.random(using: &generator) ? RandomText.make(length: count, &generator) : nil
        }
        func digits(_ generator: inout SeededGenerator) -> String? {
            let value = Int.random(in: -99_999_999...999_999_999, using: &generator)
            return Bool.random(using: &generator) ? "\(value)" : nil
        }
        var row = Samples.row(
            "C\(index)",
            text(20, &generator),
            text(20, &generator),
            quote: Bool.random(using: &generator) ? "KRW" : "BTC",
            rank: Bool.random(using: &generator) ? Int.random(in: 1...999, using: &generator) : nil,
            price: digits(&generator),
            rate: digits(&generator),
            amount: digits(&generator),
            value: text(12, &generator)
        )
        row.priceKRW = row.price
        row.marks.investmentWarning = Bool.random(using: &generator)
        row.marks.state = Bool.random(using: &generator) ? .trading : .suspended
        return row
    }

    private static func state(
        _ document: MarketListDocument,
        _ size: TerminalSize,
        _ generator: inout SeededGenerator
    ) -> MarketListScreenState {
        var state = Samples.state(document.state.rows, size: size)
        state.tab = MarketListTab.allCases.randomElement(using: &generator) ?? .krw
        state.sort = MarketSortKey.allCases.randomElement(using: &generator) ?? .name
        state.isSearching = Bool.random(using: &generator)
        state.searchText = RandomText.make(
            length: Int.random(in: 0...30, using: &generator),
            &generator
        )
        state.overlay =
            [nil, nil, .help, .popularityRule, .periods(.hour1)].randomElement(using: &generator)
            ?? nil
        return state
    }
}
