import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Below 40 × 12 a notice names the required size")
struct SmallScreenTests {
    private let clock = ScriptedClock()

    private func frame(_ columns: Int, _ rows: Int, _ language: Language) -> Frame {
        ScreenRenderer.render(
            .list(Samples.document(), pinned: []),
            state: ScreenState(list: Samples.state()),
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: columns, rows: rows),
            theme: Theme(colors: .trueColor),
            language: language
        )
    }

    @Test("39 × 11, Korean")
    func korean() {
        expectLines(
            frame(39, 11, .korean),
            """




                      창이 너무 작습니다
                  40x12 이상 필요, 현재 39x11
                            q 종료
            """
        )
    }

    @Test("39 × 11, English")
    func english() {
        expectLines(
            frame(39, 11, .english),
            """




                    The window is too small
                    needs 40x12, has 39x11
                            q quit
            """
        )
    }

    @Test("A single line shows the size", arguments: [Language.korean, .english])
    func oneLine(language: Language) {
        #expect(frame(80, 1, language).lines[0].contains("40x12"))
    }

    @Test("The limit is 40 × 12", arguments: [(40, 12, false), (39, 12, true), (40, 11, true)])
    func limit(columns: Int, rows: Int, isSmall: Bool) {
        let lines = frame(columns, rows, .korean).lines
        #expect(lines.contains { $0.contains("40x12") } == isSmall)
        #expect(lines[0].contains("21:03:11") != isSmall)
    }

    @Test("Only quit works on a screen that is too small")
    func keys() {
        func run(_ keys: [Key]) -> (state: ScreenState, ending: TerminalEnding) {
            let screen = ScriptedScreen(columns: 30, rows: 9, clock: clock, [.keys(keys)])
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
