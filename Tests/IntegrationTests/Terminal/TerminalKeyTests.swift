import Domain
import ExchangeSimulator
import PresentationTerminal
import Testing

@testable import App

@Suite("Key bindings of the screens", .timeLimit(.minutes(4)))
struct TerminalKeyTests {
    /// The keys of a form that is being saved; TerminalRemoteTests.saving() presses them.
    private static let saving: [Key] = [.escape, .control("c")]

    private static let holdings = ["BTC 0.5", "ETH 3", "XRP 100", "SOL 4", "ADA 50"]

    /// A key and its context, to be read in a list.
    private static func name(_ key: Key, _ context: KeyContext) -> String {
        "\(context) \(key.name)"
    }

    @Test("the walks press exactly the keys of the key table")
    func complete() {
        var pressed = KeyWalk.all.flatMap { walk in
            walk.keys.map { Self.name($0, walk.context) }
        }
        pressed += KeyWalk.exits.flatMap { exit in exit.keys.map { Self.name($0, exit.context) } }
        pressed += Self.saving.map { Self.name($0, .saving) }
        let table = KeyTable.screens.bindings.flatMap { binding in
            binding.contexts.flatMap { context in binding.keys.map { Self.name($0, context) } }
        }
        #expect(Set(table).subtracting(pressed).sorted() == [], "keys that no walk presses")
        #expect(Set(pressed).subtracting(table).sorted() == [], "keys that the table lacks")
    }

    @Test("each bound key shows what its binding promises", arguments: KeyWalk.all)
    func walks(walk: KeyWalk) async throws {
        try await MovingExchange.run { exchange in
            try await InProcessTerminal.watch(
                exchange.arguments,
                holdings: Self.holdings
            ) { terminal in
                try await terminal.list()
                try await walk.run(in: terminal, exchange.simulator)
            }
        }
    }

    @Test("the keys of the list work in tmux")
    func listInTmux() async throws {
        try await MovingExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            try await KeyWalk.list.run(in: window, exchange.simulator)
            try await window.quit()
        }
    }

    @Test("a bound key of every context ends hoga", arguments: KeyWalk.exits)
    func exits(exit: KeyWalk.Exit) async throws {
        try await MovingExchange.run { exchange in
            for key in exit.keys {
                try await InProcessTerminal.watch(
                    exchange.arguments,
                    holdings: ["BTC 0.5"]
                ) { terminal in
                    try await terminal.list()
                    for step in exit.way {
                        let before = terminal.screen()
                        terminal.press(step)
                        try await terminal.screen("a change by \(step)") { $0 != before }
                    }
                    try await terminal.screen("\(exit.context)") { $0.contains(exit.seen) }
                    terminal.press(key)
                    #expect(try await terminal.ended() == "exit status 0", "\(key)")
                }
            }
        }
    }
}
