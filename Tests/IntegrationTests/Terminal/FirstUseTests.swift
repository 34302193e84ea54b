import Domain
import Foundation
import Testing

@testable import App

@Suite("First use of the screens", .tags(.threads), .timeLimit(.minutes(4)))
struct FirstUseTests {
    /// A language and the size of the terminal.
    struct Trial: Sendable, CustomTestStringConvertible {
        let language: Language
        let columns: Int
        let rows: Int
        var testDescription: String { "\(language.rawValue), \(columns) × \(rows)" }
    }

    static let trials = [Language.korean, .english].flatMap { language in
        [(80, 24), (40, 12)].map { Trial(language: language, columns: $0, rows: $1) }
    }

    /// Finds and opens a market, makes it a favorite, sorts, searches and quits.
    ///
    /// - Returns: the keys, one a line, and their number.
    static func reachGoals(
        in terminal: some TestTerminal,
        _ language: Language
    ) async throws -> [String] {
        let words = FirstTimeUser.words(language)
        var user = FirstTimeUser(terminal, words)
        try await terminal.screen("the list") {
            $0.mark != nil && $0.bottom.contains(words.search)
        }
        // Find a coin in the list, by its name.
        let down = try await user.readHowToMove()
        while true {
            let screen = try terminal.screen()
            if screen.marked.contains("SOL") { break }
            // Names tell the rows apart: the price in a row may move before the mark does.
            try await user.press(label: down, "find: the help says “\(words.move)”") {
                $0.mark != nil && $0.markedMarket != screen.markedMarket
            }
        }
        try await user.press(words.open, "open") { $0.title.contains("SOL") && $0.mark == nil }
        try await user.press(words.star, "favorite") { $0.title.hasPrefix("★") }
        let list = try await user.press(words.list, "back") {
            $0.marked.contains("★") && $0.marked.contains("SOL")
        }
        // On a narrow screen only the headings show the order.
        try await user.press(words.sort, "sort") {
            $0.lines[1...2] != list.lines[1...2] && $0.mark != nil
        }
        try await user.press(words.search, "search") {
            $0.tabs.contains("/") && !$0.bottom.contains(words.quit)
        }
        try await user.type(words.text) {
            $0.tabs.contains("/" + words.text) && $0.contains(words.found)
        }
        try await user.press(words.done, "search") { $0.bottom.contains(words.quit) }
        try await user.press(words.quit, "quit") { !$0.usesAlternateScreen }
        return user.transcript + ["\(user.count) keys"]
    }

    @Test("the keys on the screen lead to every goal in 25 keys or fewer", arguments: trials)
    func goals(trial: Trial) async throws {
        try await MovingExchange.run { exchange in
            let transcript = try await InProcessTerminal.watch(
                "\(exchange.arguments) --lang \(trial.language.rawValue)",
                size: (trial.columns, trial.rows)
            ) { try await Self.reachGoals(in: $0, trial.language) }
            Self.expectFew(transcript, "\(trial.testDescription)")
        }
    }

    @Test("the same goals are reached in tmux")
    func goalsInTmux() async throws {
        try await MovingExchange.run { exchange in
            let window = try await TmuxTerminal()
            try window.run("$HOGA watch \(exchange.arguments) --lang ko")
            Self.expectFew(try await Self.reachGoals(in: window, .korean), "ko, tmux")
        }
    }

    /// Attaches a transcript and expects at most 25 keys in it.
    static func expectFew(_ transcript: [String], _ name: String) {
        let text = ([name] + transcript).joined(separator: "\n")
        Attachment.record(text, named: "goals \(name).txt")
        let count = transcript.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? .max
        #expect(count <= 25, "\(text)")
    }
}
