import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

/// The lines of a block in one state, as `12|text`.
///
/// For states other than live, only the rows that differ from the live frame.
struct StatePicture: CustomTestStringConvertible {
    let block: StateSamples.Block
    let state: StateSamples.State
    let korean: String
    let english: String

    init(
        _ block: StateSamples.Block,
        _ state: StateSamples.State,
        korean: String,
        english: String
    ) {
        self.block = block
        self.state = state
        self.korean = korean
        self.english = english
    }

    var testDescription: String { "\(block.rawValue), \(state.rawValue)" }

    /// Compares the pictures in both languages with what is written.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        for (language, literal) in [(Language.korean, korean), (.english, english)] {
            guard let live = rows(.live, language), let present = rows(state, language) else {
                Issue.record("\(block) has no such state", sourceLocation: sourceLocation)
                continue
            }
            var expected = state == .live ? [:] : live
            for (row, text) in Self.parse(literal) { expected[row] = text.isEmpty ? nil : text }
            for row in Set(expected.keys).union(present.keys).sorted() {
                #expect(
                    present[row] == expected[row],
                    "\(testDescription), \(language), row \(row)",
                    sourceLocation: sourceLocation
                )
            }
        }
    }

    private func rows(_ state: StateSamples.State, _ language: Language) -> [Int: String]? {
        StateSamples.frame(block, state, language).map { frame in
            Dictionary(
                uniqueKeysWithValues: StateSamples.telling(frame, block, state)
                    .map { ($0.row, $0.text) }
            )
        }
    }

    private static func parse(_ literal: String) -> [(row: Int, text: String)] {
        literal.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let row = Int(parts[0]) else { return nil }
            return (row, String(parts[1]))
        }
    }
}
