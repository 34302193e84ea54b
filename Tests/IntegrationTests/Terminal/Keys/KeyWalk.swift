import Domain
import ExchangeSimulator
import Foundation
import PresentationTerminal
import Testing

/// The keys of one place, pressed one after another in a window, and what each promises to show.
struct KeyWalk: Sendable, CustomTestStringConvertible {
    /// What was seen when the walk began, before a key, and after it.
    struct Views: Sendable {
        let start: TmuxTerminal.Picture
        let before: TmuxTerminal.Picture
        let now: TmuxTerminal.Picture
    }

    typealias Promise = @Sendable (Views) -> Bool

    /// One step of the walk; each but the changes of the exchange waits for what it promises.
    struct Step: Sendable {
        enum Deed: Sendable {
            case key(Key)
            case text(String)
            case size(columns: Int, rows: Int)
            case exchange(@Sendable (ExchangeSimulator) throws -> Void)
            case look
        }

        let deed: Deed
        let words: String
        /// Whether the key is one of the place, and this what it promises there.
        let isRow: Bool
        /// Whether the picture before it is what ``Views/start`` shows from then on.
        let isStart: Bool
        let isKept: Promise
    }

    /// Where the keys go.
    let place: KeyContext
    private(set) var steps: [Step] = []

    init(_ place: KeyContext) { self.place = place }

    var testDescription: String { "\(place)" }

    /// The keys that the walk presses in its place.
    var keys: [Key] {
        steps.compactMap { step in
            if step.isRow, case .key(let key) = step.deed { key } else { nil }
        }
    }

    // MARK: Steps

    /// A key of the place, and what it promises.
    mutating func row(_ key: Key, _ words: String, _ isKept: @escaping Promise) {
        add(.key(key), words, isRow: true, isKept)
    }

    /// Keys of the place that promise the same.
    mutating func rows(_ keys: [Key], _ words: String, _ isKept: @escaping Promise) {
        for key in keys { row(key, words, isKept) }
    }

    /// A key on the way.
    mutating func way(_ key: Key, _ words: String, _ isKept: @escaping Promise) {
        add(.key(key), words, isKept)
    }

    /// A text that is typed on the way.
    mutating func type(_ text: String, _ isKept: @escaping Promise) {
        add(.text(text), text, isKept)
    }

    /// Another size of the window.
    mutating func size(_ columns: Int, _ rows: Int, _ isKept: @escaping Promise) {
        add(.size(columns: columns, rows: rows), "\(columns) × \(rows)", isKept)
    }

    /// A change of the exchange, which is not seen before it is asked for.
    mutating func exchange(_ change: @escaping @Sendable (ExchangeSimulator) throws -> Void) {
        add(.exchange(change), "the exchange's change") { _ in true }
    }

    /// Waits for something, and takes it for the start.
    mutating func start(_ words: String, _ isKept: @escaping Promise) {
        steps.append(Step(deed: .look, words: words, isRow: false, isStart: true, isKept: isKept))
    }

    /// A key that opens something, and Esc that closes it again.
    mutating func opens(_ key: Key, _ title: String, isRow: Bool = true) {
        add(.key(key), title, isRow: isRow) { $0.now.contains(title) }
        way(.escape, "\(title) is closed") { !$0.now.contains(title) }
    }

    private mutating func add(
        _ deed: Step.Deed,
        _ words: String,
        isRow: Bool = false,
        _ isKept: @escaping Promise
    ) {
        steps.append(
            Step(deed: deed, words: words, isRow: isRow, isStart: false, isKept: isKept)
        )
    }

    // MARK: Walking

    /// Goes through the steps in a window that shows the list.
    func walk(in window: TmuxTerminal, _ exchange: ExchangeSimulator) async throws {
        var start = try window.picture()
        var before = start
        for (number, step) in steps.enumerated() {
            switch step.deed {
            case .key(let key): try window.press(key)
            case .text(let text): try window.type(text)
            case .size(let columns, let rows): try window.resize(columns: columns, rows: rows)
            case .exchange(let change): try change(exchange)
            case .look: break
            }
            let what = "\(place) \(number) \(step.deed): \(step.words), after\n\(before)\n"
            before = try await window.picture(what) {
                step.isKept(Views(start: start, before: before, now: $0))
            }
            if step.isStart { start = before }
        }
    }
}

extension TmuxTerminal {
    /// Presses a key as a keyboard does.
    func press(_ key: Key) throws {
        switch key {
        case .character(" "): try press("Space")
        case .character(let scalar): try type(String(scalar))
        case .control(let scalar): try press("C-\(scalar)")
        case .backTab: try press("BTab")
        case .backspace: try press("BSpace")
        case .insert: try press("IC")
        case .delete: try press("DC")
        case .controlUp: try press("C-Up")
        case .controlDown: try press("C-Down")
        case .escape: try press("Escape")
        case .enter, .tab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .function:
            // These tmux calls as a configuration of hoga does.
            try press(key.name)
        }
    }
}
