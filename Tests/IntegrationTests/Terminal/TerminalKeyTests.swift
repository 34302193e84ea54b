import Domain
import ExchangeSimulator
import Foundation
import ViewStates
import PresentationTerminal
import Testing

@testable import App

@Suite(
    "Every key of the table does in a real terminal what the table says",
    .timeLimit(.minutes(15))
)
struct TerminalKeyTests {
    /// The keys while a form is being kept, which TerminalRemoteTests.saving() presses.
    private static let saving: [Key] = [.escape, .control("c")]

    /// A key in a place, to be read in a list.
    private static func name(_ key: Key, _ place: KeyContext) -> String { "\(place) \(key.name)" }

    @Test("There is a row for every key in every place where the table has it, and no other")
    func complete() {
        var rows = KeyWalk.all.flatMap { walk in walk.keys.map { Self.name($0, walk.place) } }
        rows += KeyWalk.exits.flatMap { exit in exit.keys.map { Self.name($0, exit.place) } }
        rows += Self.saving.map { Self.name($0, .saving) }
        let table = KeyTable.screens.bindings.flatMap { binding in
            binding.contexts.flatMap { place in binding.keys.map { Self.name($0, place) } }
        }
        #expect(Set(table).subtracting(rows).sorted() == [], "keys of the table without a row")
        #expect(Set(rows).subtracting(table).sorted() == [], "rows without a key in the table")
    }

    @Test("Each key shows what it promises", arguments: KeyWalk.all)
    func walks(walk: KeyWalk) async throws {
        try await MovingExchange.run { watched in
            let window = try await TmuxTerminal()
            try await window.hold(["BTC 0.5", "ETH 3", "XRP 100", "SOL 4", "ADA 50"])
            try await window.watch(watched.arguments)
            try await walk.walk(in: window, watched.simulator)
        }
    }

    @Test("Out of every place a key leads to the shell")
    func exits() async throws {
        try await MovingExchange.run { watched in
            let window = try await TmuxTerminal()
            try await window.hold(["BTC 0.5"])
            for exit in KeyWalk.exits {
                for key in exit.keys {
                    try await window.watch(watched.arguments)
                    for step in exit.way {
                        let before = try window.picture()
                        try window.press(step)
                        try await window.picture("a change by \(step)") { $0 != before }
                    }
                    try await window.picture("\(exit.place)") { $0.contains(exit.seen) }
                    try window.press(key)
                    try await window.picture("the shell, by \(key) from \(exit.place)") {
                        !$0.usesAlternateScreen && $0.lines.last { $0 != "" } == TmuxTerminal.prompt
                    }
                }
            }
        }
    }
}
