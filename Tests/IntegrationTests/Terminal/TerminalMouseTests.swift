import Foundation
import Testing

@testable import App

@Suite("Mouse in a terminal", .timeLimit(.minutes(4)))
struct TerminalMouseTests {
    @Test("clicks select, open, sort and press keys of the bottom line; the wheel scrolls rows")
    func mouse() async throws {
        try await MovingExchange.run(rate: 2) { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments + " --mouse on")
            try await Self.list(in: window)
            try await Self.detail(in: window)
        }
    }

    /// Clicks rows, headings and tabs of the list.
    private static func list(in window: TmuxTerminal) async throws {
        let first = try window.screen()
        #expect(first.followsMouse && first.mark == 3)
        try window.click(row: 7, column: 10)
        try await window.screen("the clicked row marked") { $0.mark == 7 }
        try window.wheel(isUp: false, row: 10, column: 10)
        try await window.screen("three rows further") { $0.row(3) == first.row(6) }
        try window.wheel(isUp: true, row: 10, column: 10)
        let back = try await window.screen("three rows back") {
            $0.row(4) == first.row(4) && $0.row(7).dropFirst() == first.row(7).dropFirst()
        }
        try window.click(on: "현재가", row: 2, in: back)
        let sorted = try await window.screen("sorted by price") { $0.lines[2].contains("현재가▼") }
        try window.click(on: "현재가", row: 2, in: sorted)
        try await window.screen("the other way round") { $0.lines[2].contains("현재가▲") }
        try window.click(on: "BTC", row: 1, in: sorted)
        try await window.screen("another tab") { $0.tabs.contains("[BTC]") }
    }

    /// Opens a row, then a pane, and leaves both through the bottom line.
    private static func detail(in window: TmuxTerminal) async throws {
        try window.click(row: 4, column: 10)
        let list = try await window.screen("a row marked") { $0.mark == 4 }
        try window.click(row: 4, column: 10)
        let detail = try await window.screen("what was marked is open") {
            $0.pane.contains("[호가]")
        }
        let name = String(list.marked.dropFirst().prefix { $0 != " " })
        #expect(detail.title.contains(name))
        try window.click(on: "차트", row: 2, in: detail)
        let chart = try await window.screen("another pane") {
            $0.pane.contains("[차트]") && $0.bottom.contains("m 지표")
        }
        try window.click(on: "목록", row: 23, in: chart)
        try await window.screen("the list") { $0.isList }
        try window.click(on: "종료", row: 23, in: list)
        let shell = try await window.screen("the shell") { !$0.usesAlternateScreen }
        #expect(!shell.followsMouse)
    }

    @Test("without --mouse no report is requested, and a report is not taken for keys")
    func off() async throws {
        try await MovingExchange.run(rate: 2) { exchange in
            let window = try await TmuxTerminal()
            let first = try await window.watch(exchange.arguments)
            #expect(!first.followsMouse)
            try window.click(row: 7, column: 10)
            try window.press("Down")
            let next = try await window.screen("a row down") { $0.mark == 4 }
            #expect(next.isList)
        }
    }
}
