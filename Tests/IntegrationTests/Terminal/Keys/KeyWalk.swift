import Domain
import ExchangeSimulator
import Foundation
import PresentationTerminal
import Testing

/// The keys of one context, pressed one after another in a terminal, and what each must show.
struct KeyWalk: Sendable, CustomTestStringConvertible {
    /// The screens that a condition compares.
    struct Views: Sendable {
        /// The last remembered screen.
        let start: ScreenText
        /// The screen before the step.
        let before: ScreenText
        /// The present screen.
        let now: ScreenText
    }

    typealias Condition = @Sendable (Views) -> Bool

    /// One step of the walk, which waits until its condition is met.
    struct Step: Sendable {
        enum Action: Sendable {
            case key(Key)
            case text(String)
            case resize(columns: Int, rows: Int)
            case change(@Sendable (ExchangeSimulator) throws -> Void)
            case none
        }

        let action: Action
        let expected: String
        /// Whether the key is bound in the context, and the condition is what the binding promises.
        let isBinding: Bool
        /// Whether the screen becomes ``Views/start`` of the following steps.
        let isRemembered: Bool
        let isMet: Condition
    }

    /// The context in which the keys are bound.
    let context: KeyContext
    private(set) var steps: [Step] = []

    init(_ context: KeyContext) { self.context = context }

    var testDescription: String { "\(context)" }

    /// The bound keys that the walk presses.
    var keys: [Key] {
        steps.compactMap { step in
            if step.isBinding, case .key(let key) = step.action { key } else { nil }
        }
    }

    // MARK: Steps

    /// Presses a key that is bound in the context.
    mutating func press(_ key: Key, _ expected: String, _ isMet: @escaping Condition) {
        add(.key(key), expected, isBinding: true, isMet)
    }

    /// Presses keys that are bound to the same action.
    mutating func press(_ keys: [Key], _ expected: String, _ isMet: @escaping Condition) {
        for key in keys { press(key, expected, isMet) }
    }

    /// Presses a key to reach the next step.
    mutating func go(_ key: Key, _ expected: String, _ isMet: @escaping Condition) {
        add(.key(key), expected, isMet)
    }

    /// Types a text.
    mutating func type(_ text: String, _ isMet: @escaping Condition) {
        add(.text(text), text, isMet)
    }

    /// Changes the size of the terminal.
    mutating func resize(_ columns: Int, _ rows: Int, _ isMet: @escaping Condition) {
        add(.resize(columns: columns, rows: rows), "\(columns) × \(rows)", isMet)
    }

    /// Changes the exchange; the screen shows that only after it asks the exchange again.
    mutating func change(_ change: @escaping @Sendable (ExchangeSimulator) throws -> Void) {
        add(.change(change), "the exchange's change") { _ in true }
    }

    /// Waits for a screen and remembers it as the start of the following steps.
    mutating func remember(_ expected: String, _ isMet: @escaping Condition) {
        add(.none, expected, isRemembered: true, isMet)
    }

    /// Presses a key that opens something, then Esc to close it.
    mutating func opens(_ key: Key, _ title: String) {
        press(key, title) { $0.now.contains(title) }
        go(.escape, "\(title) closed") { !$0.now.contains(title) }
    }

    /// Presses the keys that open the palette; closing it leads back to what is below.
    mutating func opensPalette(_ keys: [Key] = [.character(":"), .control("p")]) {
        for key in keys { opens(key, "─ 바로가기 ─") }
    }

    /// Presses the keys that copy; the bottom line says whether the terminal takes the text.
    mutating func copies() {
        for key in [Key.character("y"), .character("Y")] {
            press(key, "a word about copying") { $0.now.bottom.hasPrefix("복사") }
            // Any other key takes the word away.
            go(.character("?"), "the help") { $0.now.showsHelp }
            go(.escape, "the help closed") { !$0.now.showsHelp }
        }
    }

    private mutating func add(
        _ action: Step.Action,
        _ expected: String,
        isBinding: Bool = false,
        isRemembered: Bool = false,
        _ isMet: @escaping Condition
    ) {
        steps.append(
            Step(
                action: action,
                expected: expected,
                isBinding: isBinding,
                isRemembered: isRemembered,
                isMet: isMet
            )
        )
    }

    // MARK: Running

    /// Performs the steps in a terminal that shows the list.
    func run(in terminal: some TestTerminal, _ exchange: ExchangeSimulator) async throws {
        var start = try terminal.screen()
        var before = start
        for (number, step) in steps.enumerated() {
            switch step.action {
            case .key(let key): try terminal.press(key)
            case .text(let text): try terminal.type(text)
            case .resize(let columns, let rows):
                try terminal.resize(columns: columns, rows: rows)
            case .change(let change): try change(exchange)
            case .none: break
            }
            let expected =
                "\(context) \(number) \(step.action): \(step.expected), after\n\(before)\n"
            before = try await terminal.screen(expected) {
                step.isMet(Views(start: start, before: before, now: $0))
            }
            if step.isRemembered { start = before }
        }
    }
}
