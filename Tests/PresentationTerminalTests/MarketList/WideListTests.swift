import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Wide lists")
struct WideListTests {
    private static let blocks = Set("▁▂▃▄▅▆▇█")

    @Test("from 120 columns more periods are read, from 140 the day; compact lists read none")
    func queries() {
        func query(_ columns: Int, _ rows: Int = 36, isCompact: Bool = false) -> WideRowQuery? {
            var state = MarketListScreenState(period: .hour1)
            state.wantsCompact = isCompact
            return MarketListRenderer.wideRows(
                of: state,
                in: TerminalSize(columns: columns, rows: rows)
            )
        }
        #expect(query(119) == nil)
        #expect(query(120) == WideRowQuery(beside: .hour1, hasDay: false))
        #expect(query(139)?.hasDay == false && query(140)?.hasDay == true)
        #expect(query(200, 11) == nil && query(200, isCompact: true) == nil)
    }

    @Test("Changes without headings are not shown", arguments: [5, 11])
    func compact(rows: Int) {
        let text = WideSamples.frame(columns: 200, rows: rows).lines.joined()
        #expect(!text.contains("+0.48%") && text.contains("-1.34%"))
    }

    @Test("A line of unknown prices is empty, and the selected row keeps its ground")
    func lines() throws {
        let frame = WideSamples.frame(columns: 200, rows: 12)
        let blocks = frame.lines.map { line in line.filter { Self.blocks.contains($0) } }
        #expect(blocks[3].count == 12 && blocks[4].count == 6)
        #expect(blocks[5].isEmpty && blocks[6].isEmpty)
        let place = try #require(frame.lines[3].firstIndex { Self.blocks.contains($0) })
        let column = TextWidth.columns(String(frame.lines[3][..<place]))
        #expect(frame.style(row: 3, column: column + 1).background == .selected)
        #expect(frame.style(row: 4, column: column + 11).background == .standard)
    }

    @Test("The place of a row is that in the current order, in every part of the list")
    func places() {
        let rows = (1...60).map { Samples.row("C\($0)", "코인", price: "\($0)") }
        var state = Samples.state(rows, size: TerminalSize(columns: 100, rows: 12))
        state.firstVisible = 17
        let shown = Array(rows[state.window])
        let frame = Samples.frame(Samples.document(shown), state: state, columns: 100, rows: 12)
        #expect(frame.lines[2].hasPrefix("   # 자산명"))
        #expect(frame.lines[3].hasPrefix("  18 코인 C18/KRW"))
        #expect(frame.lines[10].hasPrefix("  25 코인 C25/KRW"))
    }

    @Test("The other periods depend on the chosen one, and each heading says its own")
    func headings() {
        func heading(_ period: ChangePeriod, _ language: Language = .korean) -> String {
            WideSamples.frame(columns: 140, rows: 12, period: period, language: language).lines[2]
        }
        let words = heading(.minutes30).split(separator: " ")
        #expect(words.filter { $0 == "%" }.count == 3)
        #expect(words.contains("30분") && words.contains("24시간") && words.contains("1시간"))
        #expect(heading(.midnight, .english).contains("today %"))
        #expect(!Samples.frame(columns: 140, rows: 12).lines[2].contains("%"))
    }
}

@Suite("A wider list shows at least what a narrower one does", .tags(.manyCases))
struct WideListGrowthTests {
    private static let blocks = Set("▁▂▃▄▅▆▇█")
    private static let longest = "폴리곤 에코시스템 토큰 POL/KRW"
    /// The words of all names.
    private static let names = Set(
        (Samples.wonRows + Samples.bitcoinRows).flatMap { row in
            [row.symbol] + (row.name.ko ?? "").split(separator: " ").map(String.init)
        }
    )

    /// The words of the rows, whole ones only and pairs as symbols, and the cells of their lines.
    private static func content(
        _ columns: Int,
        _ tab: MarketListTab,
        isWide: Bool
    ) -> (words: Set<String>, cells: Int) {
        let frame =
            isWide
            ? WideSamples.frame(columns: columns, rows: 12, tab: tab)
            : Samples.frame(columns: columns, rows: 12)
        let rows = frame.lines[3..<11]
        let words = rows.flatMap { line in
            line.filter { !Self.blocks.contains($0) }.split(separator: " ")
                .map { $0.hasSuffix("/KRW") || $0.hasSuffix("/BTC") ? $0.dropLast(4) : $0 }
                .map(String.init)
        }
        return (
            Set(words.filter { !$0.contains("…") }),
            rows.reduce(0) { $0 + $1.count { Self.blocks.contains($0) } }
        )
    }

    @Test("One more column hides nothing", arguments: Cases.widths(60...300))
    func growth(columns: Int) {
        for (tab, isWide) in [
            (MarketListTab.krw, true), (.btc, true), (.popular, true), (.favorites, true),
            (.krw, false),
        ] {
            let narrow = Self.content(columns, tab, isWide: isWide)
            let wide = Self.content(columns + 1, tab, isWide: isWide)
            // In narrow lists wider gaps and won prices take room from names.
            let kept = columns < 100 ? narrow.words.subtracting(Self.names) : narrow.words
            #expect(kept.isSubset(of: wide.words), "\(columns), \(tab)")
            #expect(narrow.cells <= wide.cells, "\(columns), \(tab)")
        }
    }

    @Test("A column that is not essential takes no room from a name", arguments: 60...300)
    func names(columns: Int) {
        for tab in [MarketListTab.krw, .favorites] {
            let lines = WideSamples.frame(columns: columns, rows: 12, tab: tab).lines
            let heading = lines[2]
            guard heading.contains("#") || heading.contains("1시간 %") else { continue }
            #expect(lines.contains { $0.contains(Self.longest) }, "\(columns), \(tab)")
        }
    }

    @Test("At 120, 160 and 200 columns the new columns are there")
    func steps() {
        func has(_ text: String, _ columns: Int, _ tab: MarketListTab = .krw) -> Bool {
            WideSamples.frame(columns: columns, rows: 12, tab: tab).lines[2].contains(text)
        }
        #expect(has("#", 119) && !has("1시간 %", 119))
        #expect(has("어제대비 %", 120) && !has("당일 고가", 120))
        #expect(has("당일 저가", 140) && !has("24시간 추이", 140))
        for tab in MarketListTab.allCases {
            #expect(has("24시간 추이", 160, tab), "\(tab)")
            #expect(has("당일 고가", 160, tab), "\(tab)")
        }
        #expect(!has("영문명", 160) && has("영문명", 200))
    }
}
