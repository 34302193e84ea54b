import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Input after a submitted form waits, in order, for the store")
struct SavingLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel
    private let failure = StoreFailure(.full, "the disk is full")

    init() { model = ScriptedModel(clock: clock) }

    private func run(
        columns: Int = 80,
        language: Language = .korean,
        _ steps: [ScriptedScreen.Step]
    ) throws -> (last: Frame, state: ScreenState, ending: TerminalEnding, waits: Int) {
        let screen = ScriptedScreen(columns: columns, rows: 24, clock: clock, steps)
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState(look: ScreenAppearance(language: language))
        )
        let ending = loop.run()
        let last = try #require(screen.drawings.last?.frame)
        return (last, loop.state, ending, screen.waits)
    }

    private func keys(_ text: String) -> ScriptedScreen.Step {
        .keys(
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "\n": .enter
                case "\u{1B}": .escape
                default: .character(scalar)
                }
            }
        )
    }

    private var answer: ScriptedScreen.Step {
        .wake(after: .milliseconds(20)) { [model] in model.answer() }
    }

    private func held(_ symbol: String, _ quantity: Int64, _ price: Int64?) -> UserChange {
        .putHolding(
            Holding(
                asset: PageSamples.asset(symbol),
                quantity: FixedDecimal(quantity),
                averagePrice: price.map { FixedDecimal($0) }
            )
        )
    }

    @Test(
        "Two coins typed without a pause are both saved, even by a slow store",
        arguments: [
            ["3aSOL\n1\n100000\naSUI\n7\n5000\n"],
            ["3", "aSOL\n1\n100000\n", "aSUI\n7", "\n5000", "\n"],
        ]
    )
    func typedFast(parts: [String]) throws {
        let changes = [held("SOL", 1, 100_000), held("SUI", 7, 5_000)]
        #expect(try run(parts.map(keys)).state.form == nil)
        #expect(model.performed == changes)

        let slow = ScriptedModel(clock: clock)
        slow.beSlow()
        let screen = ScriptedScreen(
            clock: clock,
            parts.map(keys) + [
                .wake(after: .milliseconds(20)) { #expect(slow.performed == [changes[0]]) },
                .wake(after: .milliseconds(20)) { slow.answer() },
                .wake(after: .milliseconds(20)) { #expect(slow.performed == changes) },
                .wake(after: .milliseconds(20)) { slow.answer() }, .pass(.milliseconds(200)),
            ]
        )
        var loop = TerminalLoop(
            model: slow,
            screen: screen,
            state: ScreenState()
        )
        _ = loop.run()
        #expect(loop.state.form == nil)
        #expect(slow.personal.record.holdings.value.map(\.asset.symbol) == ["SOL", "SUI"])
    }

    @Test("A key after the form applies to the row it selects", arguments: [true, false])
    func rows(isSlow: Bool) throws {
        if isSlow { model.beSlow() }
        let result = try run([keys("3axrp\n1\n\nx"), answer, .pass(.milliseconds(200))])
        #expect(result.state.form?.purpose == .removeHolding(PageSamples.asset("XRP")))
    }

    @Test("A refused form discards waiting input and keeps its fields")
    func refused() throws {
        model.beSlow()
        model.refuse(failure)
        let late = try run([
            keys("3aSOL\n1\n100\n"), keys("aSUI\n7\n"), answer, .pass(.milliseconds(200)),
        ])
        #expect(late.state.form?.fields.map(\.text) == ["SOL", "1", "100"])
        #expect(late.state.form?.failure == failure)
        #expect(late.last.lines.contains { $0.contains("저장 안 됨: 디스크 공간 부족") })
        #expect(model.performed == [held("SOL", 1, 100)])
    }

    @Test("Input read together with the form is discarded too")
    func refusedAtOnce() throws {
        model.refuse(failure)
        let result = try run([keys("3aSOL\n1\n100\naSUI\n7\n")])
        #expect(result.state.form?.fields.map(\.text) == ["SOL", "1", "100"])
        #expect(model.performed == [held("SOL", 1, 100)])
        // Input after the refusal goes to the fields again.
        let again = try run([keys("3aSOL\n1\n100\nq"), .pass(.milliseconds(100)), keys("5")])
        #expect(again.state.form?.fields.map(\.text) == ["SOL", "1", "1005"])
    }

    @Test("Esc closes the form while it is saved; a refusal appears in the bottom line")
    func escape() throws {
        model.beSlow()
        let saving = try run([keys("3aSOL\n1\n100\n")])
        #expect(saving.last.lines[22].hasPrefix("  저장하는 중 … 닫아도 저장됩니다"))
        #expect(saving.last.lines[23].trimmed == "Esc 닫기")
        #expect(saving.last.cursor == nil)
        let closed = try run([keys("3aSUI\n1\n100\n"), keys("\u{1B}")])
        #expect(closed.state.form == nil)
        #expect(closed.state.page == .portfolio)
        model.refuse(failure)
        let told = try run([answer, .pass(.milliseconds(200))])
        #expect(told.last.lines[23].hasPrefix("저장 안 됨: 디스크 공간 부족"))
    }

    @Test("Esc after waiting keys runs after them")
    func escapeBehindKeys() throws {
        model.beSlow()
        let result = try run([keys("3aSOL\n1\n\n"), keys("aSUI"), keys("\u{1B}j2")])
        #expect(result.state.form == nil)
        #expect(result.state.page == .assets)
        #expect(model.performed == [held("SOL", 1, nil)])
    }

    @Test("Quitting does not wait for the store")
    func quit() throws {
        model.beSlow()
        let result = try run([
            keys("3aSOL\n1\n\nq"), .keys([.control("c")]), .pass(.seconds(9)),
        ])
        #expect(result.ending == .quit)
    }

    @Test("The loop sleeps while input waits for a silent store")
    func sleeping() throws {
        model.beSlow()
        let idle = try run([keys("3aSOL\n1\n\n"), .pass(.seconds(5))]).waits
        let waiting = try run([keys("3aSOL\n1\n\naSUI"), .pass(.seconds(5))]).waits
        #expect(waiting == idle)
    }

    @Test("The saving text fits the narrowest screen", arguments: Language.allCases)
    func narrow(language: Language) throws {
        model.beSlow()
        let result = try run(columns: 40, language: language, [keys("3aSOL\n1\n\n")])
        #expect(result.last.lines[22].trimmed.hasSuffix(StoreStrings.saving[language]))
    }
}

@Suite("Waiting input is bounded and has no gap")
struct WaitingInputTests {
    @Test("When full, new input is dropped until the queue is empty")
    func full() {
        var waiting = PendingInput()
        for _ in 0..<PendingInput.countMax { waiting.append(.key(.down)) }
        waiting.append(.key(.up))
        #expect(waiting.takeFirst() == .key(.down))
        waiting.append(.key(.up))
        var taken: [InputEvent] = []
        while let event = waiting.takeFirst() { taken.append(event) }
        #expect(taken == Array(repeating: .key(.down), count: PendingInput.countMax - 1))
        waiting.append(.key(.up))
        #expect(waiting.takeFirst() == .key(.up))
    }
}

extension String {
    /// Without the blanks at its end.
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
