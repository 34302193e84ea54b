import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Below 20 × 4 a notice names the required size")
struct SmallScreenTests {
    private let clock = ScriptedClock()

    private func frame(
        _ columns: Int,
        _ rows: Int,
        _ language: Language,
        page: ScreenPage = .assets
    ) -> Frame {
        var state = ScreenState(list: Samples.state())
        state.page = page
        return ScreenRenderer.render(
            .list(Samples.document(), pinned: []),
            state: state,
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: columns, rows: rows),
            theme: Theme(colors: .trueColor),
            language: language
        )
    }

    @Test("19 × 11, Korean")
    func korean() {
        expectLines(
            frame(19, 11, .korean),
            """



            창이 너무 작습니다
              20x4 이상 필요,
                현재 19x11
                  q 종료




            """
        )
    }

    @Test("19 × 11, English")
    func english() {
        expectLines(
            frame(19, 11, .english),
            """



             The window is too
                   small
              needs 20x4, has
                   19x11
                  q quit



            """
        )
    }

    @Test("A single line shows the size", arguments: [Language.korean, .english])
    func oneLine(language: Language) {
        #expect(frame(80, 1, language).lines[0].contains("20x4"))
    }

    @Test("The limit is 20 × 4", arguments: [(20, 4, false), (19, 4, true), (20, 3, true)])
    func limit(columns: Int, rows: Int, isSmall: Bool) {
        let lines = frame(columns, rows, .korean).lines
        #expect(lines.contains { $0.contains("20x4") } == isSmall)
        #expect(lines[0].contains("창이") == isSmall)
    }

    @Test(
        "The limit of the list is 20 × 4",
        arguments: [(20, 4, false), (19, 4, true), (20, 3, true)]
    )
    func listLimit(columns: Int, rows: Int, isSmall: Bool) {
        let lines = frame(columns, rows, .korean, page: .market).lines
        #expect(lines.contains { $0.contains("20x4") } == isSmall)
        #expect(lines.contains { $0.contains("143,210,000") } != isSmall)
    }

    @Test("Only quit works on a screen that is too small")
    func keys() {
        func run(_ keys: [Key]) -> (state: ScreenState, ending: TerminalEnding) {
            let screen = ScriptedScreen(columns: 19, rows: 9, clock: clock, [.keys(keys)])
            var loop = TerminalLoop(
                model: ScriptedModel(clock: clock),
                screen: screen,
                state: ScreenState()
            )
            let ending = loop.run()
            return (loop.state, ending)
        }
        let blind = run([.enter, .character("/"), .character("f"), .character("2"), .down])
        let idle = run([])
        #expect(blind.state == idle.state)
        #expect(run([.character("q")]).ending == .quit)
        #expect(run([.control("c")]).ending == .quit)
    }
}
