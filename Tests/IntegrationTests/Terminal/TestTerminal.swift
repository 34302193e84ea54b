import Foundation
import PresentationTerminal
import Testing

/// A terminal that shows `hoga watch` and that a test types into: in this process, or tmux.
protocol TestTerminal: Sendable {
    /// Presses one key.
    func press(_ key: Key) throws
    /// Types a text as its UTF-8 bytes.
    func type(_ text: String) throws
    /// Sends bytes as they are.
    func send(bytes: [UInt8]) throws
    /// Pastes bytes; `isMarked` puts the marks of a bracketed paste around them.
    func paste(bytes: [UInt8], isMarked: Bool) throws
    /// Changes the size of the window.
    func resize(columns: Int, rows: Int) throws
    /// The current screen.
    func screen() throws -> ScreenText
    /// Returns the first screen that meets a condition.
    ///
    /// Waits without a deadline of its own: the suite's time limit cancels it.
    ///
    /// - Parameters:
    ///   - expected: named in the failure.
    ///   - isMet: the condition.
    /// - Returns: that screen.
    /// - Throws: ``TerminalFailure`` with the last screen if the test is cancelled or the program
    ///   ends first.
    @discardableResult
    func screen(
        _ expected: String,
        where isMet: (ScreenText) throws -> Bool
    ) async throws -> ScreenText
}

/// Why a terminal did not show what a test expected.
struct TerminalFailure: Error, CustomStringConvertible {
    let description: String

    /// The failure of a test that was cancelled before its terminal showed a screen.
    ///
    /// Records it: after a time limit the test's error is dropped.
    static func never(_ expected: String, but screen: ScreenText) -> TerminalFailure {
        let failure = TerminalFailure(description: "never showed \(expected), but:\n\(screen)")
        Issue.record(failure)
        return failure
    }
}

// MARK: Mouse

extension TestTerminal {
    /// Presses and releases the left button over a cell, counted from 0.
    func click(row: Int, column: Int) throws {
        try report("\u{1B}[<0;\(column + 1);\(row + 1)M")
        try report("\u{1B}[<0;\(column + 1);\(row + 1)m")
    }

    /// Clicks the first letter of a text in a row.
    func click(on text: String, row: Int, in screen: ScreenText) throws {
        let line = screen.lines[row]
        guard let range = line.range(of: text) else {
            throw TerminalFailure(description: "no “\(text)” in “\(line)”")
        }
        try click(row: row, column: Self.columns(line[..<range.lowerBound]))
    }

    /// Turns the wheel by one step over a cell, counted from 0.
    func wheel(isUp: Bool, row: Int, column: Int) throws {
        try report("\u{1B}[<\(isUp ? 64 : 65);\(column + 1);\(row + 1)M")
    }

    private func report(_ text: String) throws { try send(bytes: Array(text.utf8)) }

    /// The columns that a text takes: two for each Hangul syllable, the only wide characters here.
    private static func columns(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ((0xAC00...0xD7A3).contains($1.value) ? 2 : 1) }
    }
}
