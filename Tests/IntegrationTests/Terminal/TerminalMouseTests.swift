import Foundation
import Testing

@testable import App

@Suite("The mouse in a real terminal", .timeLimit(.minutes(15)))
struct TerminalMouseTests {
    @Test("Clicks mark, open, sort and press what the bottom line offers; the wheel moves the rows")
    func mouse() async throws {
        try await MovingExchange.run { watched in
            let window = try await TmuxTerminal()
            try await window.watch(watched.arguments + " --mouse on")
            try await Self.list(in: window)
            try await Self.detail(in: window)
        }
    }

    /// Rows, headings and tabs of the list.
    private static func list(in window: TmuxTerminal) async throws {
        let first = try window.picture()
        #expect(first.followsMouse && first.mark == 3)
        try window.click(row: 7, column: 10)
        try await window.picture("the clicked row marked") { $0.mark == 7 }
        try window.wheel(isUp: false, row: 10, column: 10)
        try await window.picture("three rows further") { $0.row(3) == first.row(6) }
        try window.wheel(isUp: true, row: 10, column: 10)
        let back = try await window.picture("three rows back") {
            $0.row(4) == first.row(4) && $0.row(7).dropFirst() == first.row(7).dropFirst()
        }
        try window.click(on: "현재가", row: 2, in: back)
        let sorted = try await window.picture("sorted by price") { $0.lines[2].contains("현재가▼") }
        try window.click(on: "현재가", row: 2, in: sorted)
        try await window.picture("the other way round") { $0.lines[2].contains("현재가▲") }
        try window.click(on: "BTC", row: 1, in: sorted)
        try await window.picture("another tab") { $0.tabs.contains("[BTC]") }
    }

    /// A row is opened, then a pane, and what the bottom line offers leads out.
    private static func detail(in window: TmuxTerminal) async throws {
        try window.click(row: 4, column: 10)
        let list = try await window.picture("a row marked") { $0.mark == 4 }
        try window.click(row: 4, column: 10)
        let detail = try await window.picture("what was marked is open") {
            $0.pane.contains("[1 호가]")
        }
        let name = String(list.marked.dropFirst().prefix { $0 != " " })
        #expect(detail.title.contains(name))
        try window.click(on: "2 차트", row: 2, in: detail)
        let chart = try await window.picture("another pane") { $0.pane.contains("[2 차트]") }
        try window.click(on: "목록", row: 23, in: chart)
        try await window.picture("the list") { $0.isList }
        try window.click(on: "종료", row: 23, in: list)
        let shell = try await window.picture("the shell") { !$0.usesAlternateScreen }
        #expect(!shell.followsMouse)
    }

    @Test("Without --mouse the terminal keeps the mouse, and its reports are no keys")
    func off() async throws {
        try await MovingExchange.run { watched in
            let window = try await TmuxTerminal()
            let first = try await window.watch(watched.arguments)
            #expect(!first.followsMouse)
            try window.click(row: 7, column: 10)
            try window.press("Down")
            let next = try await window.picture("a row down") { $0.mark != first.mark }
            #expect(next.mark == 4 && next.isList)
        }
    }
}

extension TmuxTerminal {
    /// Presses and lets go the left button over a cell, from 0.
    func click(row: Int, column: Int) throws {
        try report("\u{1B}[<0;\(column + 1);\(row + 1)M")
        try report("\u{1B}[<0;\(column + 1);\(row + 1)m")
    }

    /// Clicks on the first letter of a text in a row.
    func click(on text: String, row: Int, in picture: Picture) throws {
        let line = picture.lines[row]
        let range = try #require(line.range(of: text), "“\(text)” in “\(line)”")
        try click(row: row, column: Self.columns(line[..<range.lowerBound]))
    }

    /// Turns the wheel by one step over a cell, from 0.
    func wheel(isUp: Bool, row: Int, column: Int) throws {
        try report("\u{1B}[<\(isUp ? 64 : 65);\(column + 1);\(row + 1)M")
    }

    private func report(_ text: String) throws { try send(bytes: Array(text.utf8)) }

    /// How many columns a text takes: two for Hangul, which is all that is wide here.
    private static func columns(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ((0xAC00...0xD7A3).contains($1.value) ? 2 : 1) }
    }
}
