import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The palette goes to markets, screens and commands from anywhere")
struct PaletteLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() {
        model = ScriptedModel(
            clock: clock,
            rows: [
                Samples.row("BTC", "비트코인"), Samples.row("ETH", "이더리움"), Samples.row("XRP", "리플"),
            ]
        )
    }

    private func run(
        _ text: String,
        after keys: [Key] = [],
        opening: Key = .character(":"),
        columns: Int = 80,
        rows: Int = 24,
        language: Language = .korean,
        last: [Key] = [.enter]
    ) throws -> (state: ScreenState, frame: Frame) {
        let typed = text.unicodeScalars.map { Key.character($0) }
        let screen = ScriptedScreen(
            columns: columns,
            rows: rows,
            clock: clock,
            [.keys(keys), .keys([opening] + typed + last)]
        )
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState(look: ScreenAppearance(language: language))
        )
        _ = loop.run()
        return (loop.state, try #require(screen.drawings.last?.frame))
    }

    @Test(
        "a market opens from each screen, with keys pressed faster than frames",
        arguments: [
            [], [.character("2")], [.character("3")], [.character("4")], [.enter],
            [.character("?")], [.character("p")], [.character("i")],
        ] as [[Key]],
        ["eth", "이더", "ㅇㄷㄹㅇ"]
    )
    func opensMarket(way: [Key], text: String) throws {
        let state = try run(text, after: way).state
        #expect(state.focusedDetail?.market == "ETH_KRW")
        #expect(state.list.overlay == nil)
    }

    @Test("in a search field Ctrl+P opens it and a colon is text")
    func search() throws {
        #expect(try run("eth", after: [.character("/")], last: []).state.list.searchText == ":eth")
        let way = [Key.character("/"), .character("B")]
        let state = try run("eth", after: way, opening: .control("p")).state
        #expect(state.focusedDetail?.market == "ETH_KRW")
        #expect(state.list.searchText == "B" && !state.list.isSearching)
    }

    @Test(
        "a screen opens from each screen",
        arguments: [[], [.character("3")], [.enter]] as [[Key]],
        [120, 200]
    )
    func screens(way: [Key], columns: Int) throws {
        let state = try run("입출금", after: way, columns: columns, rows: 40).state
        #expect(state.page == .assets && state.focusedDetail == nil && state.list.overlay == nil)
    }

    @Test("a command does what its key does on the screen below")
    func commands() throws {
        #expect(try run("reverse").state.list.direction == .ascending)
        #expect(
            try run("십자선", after: [.enter, .tab]).state.detail?.chart.crosshair != nil
        )
        #expect(try run("도움말").state.list.overlay == .help)
    }

    @Test("arrows choose, stop at the ends, and a new text starts at the best hit")
    func arrows() throws {
        let all = try run("", last: [.up]).state
        guard case .palette(let palette) = all.list.overlay else {
            Issue.record("The palette is closed.")
            return
        }
        #expect(palette.selectedIndex == 0)
        #expect(try run("", last: [.down, .enter]).state.page == .assets)
        let end = Array(repeating: Key.down, count: 200)
        #expect(try run("", last: end + [.enter]).state.detail?.market == "XRP_KRW")
        let typed = end + [.character("b"), .character("t"), .enter]
        #expect(try run("", last: typed).state.detail?.market == "BTC_KRW")
    }

    @Test("Esc closes it, and Enter without a hit leaves it open")
    func closes() throws {
        let closed = try run("eth", last: [.escape]).state
        #expect(closed.list.overlay == nil && closed.detail == nil)
        let none = try run("zzzz")
        #expect(none.state.list.overlay != nil)
        #expect(none.frame.lines.contains { $0.contains("일치하는 자산이 없습니다") })
    }

    @Test("the open market keeps its position")
    func openMarket() throws {
        let way: [Key] = [.enter, .backTab, .character("d")]
        let state = try run("btc", after: way).state
        #expect(state.detail?.focus == .trades && state.detail?.trades.showsDays == true)
    }

    @Test(
        "text, cursor and selected entry are visible at every size",
        arguments: [(20, 4), (24, 7), (40, 12), (80, 24), (200, 60)]
    )
    func sizes(columns: Int, rows: Int) throws {
        var palette = PaletteState()
        palette.text = "b"
        palette.entries = (0..<40).map {
            PaletteEntry(
                id: "C\($0)",
                pair: "C\($0)/KRW",
                name: "코인",
                key: "",
                action: .focusDetail
            )
        }
        palette.isSearched = true
        for selected in [0, 20, 39] {
            palette.selected = "C\(selected)"
            let area = 1..<(rows - 1)
            let size = TerminalSize(columns: columns, rows: rows)
            var frame = Frame(size: size)
            Panel.palette(palette, rows: area, width: columns, language: .korean)
                .draw(in: &frame, rows: area)
            let cursor = try #require(frame.cursor)
            #expect(frame.lines[cursor.row].contains(": b"))
            #expect(frame.lines.contains { $0.contains("› C\(selected)/KRW") })
            #expect(frame.lines.allSatisfy { TextWidth.columns($0) == columns })
            let row = try #require(frame.lines.firstIndex { $0.contains("› ") })
            #expect(frame.target(row: row, column: columns / 2) == .entry("C\(selected)"))
        }
    }

    @Test("the palette over the list: literal lines")
    func picture() throws {
        let lines = try run("정렬", columns: 40, rows: 12, last: []).frame.lines
        #expect(
            Array(lines[1..<11]) == [
                "┌─ 바로가기 ───────────────────────────┐",
                "│ : 정렬                               │",
                "│ › 정렬 방향 전환                   S │",
                "│   다음 정렬 기준                   s │",
                "│                                      │",
                "│                                      │",
                "│                                      │",
                "│                                      │",
                "│                                      │",
                "└──────────────────────────────────────┘",
            ]
        )
        let english = try run("bt", columns: 80, language: .english, last: []).frame.lines
        let start = Array(english[4..<8]).map { String($0.prefix(70)) }
        #expect(
            start == [
                "  ETH/KRW ┌─ Go to ──────────────────────────────────────────────────┐",
                "  XRP/KRW │ : bt                                                     │",
                "          │ › BTC/KRW  Bitcoin                                       │",
                "          │                                                          │",
            ]
        )
    }
}
