import Domain
import Foundation
import Testing

@testable import App

@Suite("Somebody new reaches the goals with keys that the screen names", .timeLimit(.minutes(15)))
struct FirstUseTests {
    /// Who, and how much the window shows.
    struct Trial: Sendable, CustomTestStringConvertible {
        let language: Language
        let columns: Int
        let rows: Int
        var testDescription: String { "\(language.rawValue), \(columns) × \(rows)" }
    }

    static let trials = [Language.korean, .english].flatMap { language in
        [(80, 24), (40, 12)].map { Trial(language: language, columns: $0, rows: $1) }
    }

    /// Find, open, favourite, sort, search, quit; the transcript.
    static func reachGoals(
        in window: TmuxTerminal,
        _ language: Language
    ) async throws -> [String] {
        let words = FirstTimeUser.words(language)
        var person = FirstTimeUser(window, words)
        let first = try await window.picture("the first questions or the list") {
            $0.bottom.contains(words.cancel) || $0.mark != nil && $0.bottom.contains(words.search)
        }
        if first.bottom.contains(words.cancel) {
            try await person.press(words.cancel, "away with the first questions") {
                $0.mark != nil && $0.bottom.contains(words.search)
            }
        }
        // Find a coin in the list, by its name.
        let down = try await person.readHowToMove()
        while true {
            let picture = try window.picture()
            if picture.marked.contains("SOL") { break }
            try await person.press(label: down, "find: the help says “\(words.move)”") {
                $0.mark != nil && $0.marked != picture.marked
            }
        }
        try await person.press(words.open, "open") { $0.title.contains("SOL") && $0.mark == nil }
        try await person.press(words.star, "favourite") { $0.title.hasPrefix("★") }
        let list = try await person.press(words.list, "back") {
            $0.marked.contains("★") && $0.marked.contains("SOL")
        }
        // Where there is no room for the order's name, the headings tell it.
        try await person.press(words.sort, "sort") {
            $0.lines[1...2] != list.lines[1...2] && $0.mark != nil
        }
        try await person.press(words.search, "search") {
            $0.tabs.contains("/") && !$0.bottom.contains(words.quit)
        }
        try await person.type(words.text) {
            $0.tabs.contains("/" + words.text) && $0.contains(words.found)
        }
        try await person.press(words.done, "search") { $0.bottom.contains(words.quit) }
        try await person.press(words.quit, "quit") { !$0.usesAlternateScreen }
        return person.transcript + ["\(person.count) keys"]
    }

    @Test("Find, open, favourite, sort, search and quit, with 25 keys or fewer", arguments: trials)
    func goals(trial: Trial) async throws {
        try await MovingExchange.run { watched in
            let window = try await TmuxTerminal(columns: trial.columns, rows: trial.rows)
            try window.run("$HOGA watch \(watched.arguments) --lang \(trial.language.rawValue)")
            let transcript = try await Self.reachGoals(in: window, trial.language)
            Self.tell(transcript, "\(trial.testDescription)")
        }
    }

    /// Attaches a transcript and asserts its length.
    static func tell(_ transcript: [String], _ name: String) {
        let text = ([name] + transcript).joined(separator: "\n")
        Attachment.record(text, named: "goals \(name).txt")
        print(text)
        let count = transcript.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? .max
        #expect(count <= 25, "\(text)")
    }
}
