import Domain
import ViewStates
import TestSupport

@testable import PresentationTerminal

/// Screens driven by random keys.
enum AppearanceSamples {
    /// The table's keys except those that quit or leave the terminal.
    static let keys: [Key] = {
        let all = KeyTable.screens.bindings.filter { $0.action != .list(.quit) }.flatMap(\.keys)
        return Array(Set(all)).sorted { $0.label < $1.label }
    }()

    /// Rows with names of every kind, which is what the network may bring.
    static func rows(_ generator: inout SeededGenerator) -> [MarketRowViewState] {
        (0..<30).map { index in
            var row = Samples.row(
                "C\(index)",
                RandomText.make(length: Int.random(in: 0...14, using: &generator), &generator),
                Bool.random(using: &generator)
                    ? "Coin \(index)" : RandomText.make(length: 9, &generator),
                price: "\(1_000 + index)",
                rate: ["+1.20%", "-3.04%", "0.00%"].randomElement(using: &generator),
                amount: "+12"
            )
            row.marks.investmentWarning = Bool.random(using: &generator)
            row.marks.state = Bool.random(using: &generator) ? .trading : .suspended
            return row
        }
    }

    /// The same with names in two languages; the Korean name only on request.
    static func named(isKorean: Bool) -> [MarketRowViewState] {
        (0..<30).map { index in
            Samples.row(
                "C\(index)",
                isKorean ? "코인\(index)" : nil,
                "Coin \(index)",
                price: "\(1_000 + index)",
                rate: ["+1.20%", "-3.04%", "0.00%"][index % 3],
                amount: "+12"
            )
        }
    }

    /// All pictures of a run with random keys and sizes.
    static func walk(
        seed: UInt64,
        rows: [MarketRowViewState],
        characters: TerminalCharacters = .unicode,
        look: ScreenAppearance = ScreenAppearance(),
        without keysLeftOut: Set<Key> = [],
        prepare: (ScriptedModel) -> Void = { _ in }
    ) -> [Frame] {
        var generator = SeededGenerator(seed: seed)
        let clock = ScriptedClock()
        let model = ScriptedModel(clock: clock, rows: rows)
        prepare(model)
        let keys = keys.filter { !keysLeftOut.contains($0) }
        var steps: [ScriptedScreen.Step] = []
        for _ in 0..<24 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                steps.append(
                    .resize(
                        TerminalSize(
                            columns: Int.random(in: 40...200, using: &generator),
                            rows: Int.random(in: 12...60, using: &generator)
                        )
                    )
                )
                // The next size is drawn when the last one was for long enough.
                steps.append(.pass(.milliseconds(100)))
            case 1:
                let scalar = "1234\n".unicodeScalars.randomElement(using: &generator)
                steps.append(.keys([Key(scalar)]))
            default:
                let key = keys.randomElement(using: &generator) ?? .escape
                steps.append(.keys([key], after: .milliseconds(120)))
            }
        }
        let screen = ScriptedScreen(
            columns: Int.random(in: 40...200, using: &generator),
            rows: Int.random(in: 12...60, using: &generator),
            characters: characters,
            clock: clock,
            steps
        )
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState(look: look))
        _ = loop.run()
        return screen.drawings.map(\.frame)
    }
}

extension Key {
    /// The key of a character; Enter for the end of a line.
    fileprivate init(_ scalar: Unicode.Scalar?) {
        self = scalar.map { $0 == "\n" ? .enter : .character($0) } ?? .escape
    }
}
