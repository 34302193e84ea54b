import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Every help line is readable, on small screens too")
struct HelpScreenTests {
    private static let sizes = [
        TerminalSize(columns: 40, rows: 12), TerminalSize(columns: 80, rows: 24),
        TerminalSize(columns: 200, rows: 60),
    ]

    /// The ways to the screens that have a help of their own.
    private static let ways: [(KeyContext, [Key])] = [
        (.list, []), (.book, [.enter]), (.chart, [.enter, .tab]),
        (.trades, [.enter, .backTab]), (.assets, [.character("2")]),
        (.portfolio, [.character("3")]), (.more, [.character("4")]),
    ]

    @Test("Scrolling by lines and pages shows every line", arguments: sizes, Language.allCases)
    func reachable(size: TerminalSize, language: Language) throws {
        for (context, way) in Self.ways {
            for (step, count) in [(Key.down, 40), (.pageDown, 8)] {
                let keys = way + [.character("?")] + Array(repeating: step, count: count)
                // Most lines of a frame are those of the one before.
                let lines = Set(try Self.lines(size, language, keys))
                for entry in KeyTable.screens.helpEntries(for: context, isShort: true) {
                    let isShown = lines.contains { line in
                        line.contains("  " + entry.text[language])
                            && entry.labels.allSatisfy { line.contains($0) }
                    }
                    #expect(isShown, "\(entry.keys) \(entry.text[language]) in \(context)")
                }
            }
        }
    }

    @Test("Scrolling stops at the end and returns to the first line")
    func ends() throws {
        let size = TerminalSize(columns: 40, rows: 12)
        let opened = try Self.lines(size, .korean, [.character("?")], isLast: true)
        let end = try Self.lines(size, .korean, [.character("?"), .end], isLast: true)
        let back = try Self.lines(size, .korean, [.character("?"), .end, .home], isLast: true)
        #expect(opened == back && end != opened)
        let text = try #require(KeyTable.screens.helpEntries(for: .list, isShort: true).last?.text)
        #expect(end.contains { $0.contains(text.ko) })
        #expect(!(end.last ?? "").contains("더 보기") && (opened.last ?? "").contains("더 보기"))
    }

    /// The lines visible while keys are pressed, or those of the last frame.
    private static func lines(
        _ size: TerminalSize,
        _ language: Language,
        _ keys: [Key],
        isLast: Bool = false
    ) throws -> [String] {
        let clock = ScriptedClock()
        let screen = ScriptedScreen(
            columns: size.columns,
            rows: size.rows,
            clock: clock,
            keys.map { .keys([$0]) }
        )
        var loop = TerminalLoop(
            model: ScriptedModel(clock: clock, count: 20),
            screen: screen,
            state: ScreenState(look: ScreenAppearance(language: language))
        )
        _ = loop.run()
        if isLast { return try #require(screen.drawings.last?.frame.lines) }
        return screen.drawings.flatMap(\.frame.lines)
    }
}
