import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Configured keys work and are shown")
struct KeyRebindingTests {
    @Test("Every command has a row, and its rows share their keys")
    func rows() {
        for command in KeyCommand.allCases {
            let keys = Set(KeyTable.screens.bindings.filter { $0.command == command }.map(\.keys))
            #expect(keys.count == 1, "\(command)")
            // Numbers choose screens; panes have a key of their own only by configuration.
            let isPane = [.paneBook, .paneChart, .paneTrades].contains(command)
            #expect(keys.first?.isEmpty == isPane, "\(command)")
            #expect(!command.summary.ko.isEmpty && KeyCommand.summaries[command] != nil)
        }
        let fixed = KeyTable.screens.bindings.filter { $0.command == nil }
        #expect(fixed.flatMap(\.keys) == [.control("c")])
    }

    @Test("No configuration gives the default table")
    func usual() throws {
        let table = try KeyTable(rebinding: [:])
        #expect(table.bindings == KeyTable.screens.bindings)
        #expect(table.rebound.isEmpty)
    }

    @Test("New keys replace the defaults in every context of the command")
    func replaced() throws {
        let table = try KeyTable(rebinding: ["list.sort": ["F5", "Ctrl+R"], "rows.down": ["n"]])
        let list = ScreenState(list: Samples.state())
        #expect(table.action(for: .key(.function(5)), in: list) == .list(.nextSort))
        #expect(table.action(for: .key(.control("r")), in: list) == .list(.nextSort))
        #expect(table.action(for: .key(.character("s")), in: list) == nil)
        #expect(table.action(for: .key(.down), in: list) == nil)
        #expect(table.action(for: .key(.character("n")), in: list) == .list(.move(1)))
        let coins = PageSamples.screen(.assets, columns: 80, rows: 24)
        #expect(table.action(for: .key(.function(5)), in: coins) == .assets(.nextSort))
        #expect(
            table.rebound == [
                .listSort: [.function(5), .control("r")], .rowsDown: [.character("n")],
            ]
        )
    }

    @Test("Two commands can swap their keys")
    func swapped() throws {
        let table = try KeyTable(rebinding: ["list.sort": ["f"], "favorite.toggle": ["s"]])
        let list = ScreenState(list: Samples.state())
        #expect(table.action(for: .key(.character("f")), in: list) == .list(.nextSort))
        #expect(table.action(for: .key(.character("s")), in: list) == .toggleFavorite)
    }

    @Test(
        "An invalid binding is refused by name with a remedy",
        arguments: [
            (["list.sotr": ["x"]], "unknown action \"list.sotr\". Did you mean list.sort"),
            (["SORT": ["x"]], "unknown action \"SORT\". Did you mean list.sort?"),
            (["": ["x"]], "unknown action \"\"; 'hoga keys' lists all"),
            (["quit\u{1B}[2J": ["x"]], "unknown action <name not shown>"),
            (["list.sort": ["Contrl+R"]], "\"list.sort\": \"Contrl+R\" is not a key. Did you mean"),
            (["list.sort": ["ㅋㅋ"]], "is not a key; 'hoga keys' lists all"),
            (["list.sort": ["Ctrl+I"]], "terminals send \"Tab\" for \"Ctrl+I\""),
            (["list.sort": ["Ctrl+Z"]], "\"Ctrl+Z\" is reserved; choose another key"),
            (["quit": ["Ctrl+C"]], "\"quit\": \"Ctrl+C\" is reserved"),
            (["reload": ["Ctrl+L"]], "\"Ctrl+L\" is reserved"),
            (["list.sort": ["x", "x"]], "\"list.sort\": \"x\" is listed twice; list it once"),
            (["quit": []], "\"quit\": this action needs a key; list at least one"),
            (["back": []], "needs a key"), (["help": []], "needs a key"),
            (
                ["search.leave": ["x"]],
                "\"search.leave\": \"x\" is text in the search field; choose a key"
            ),
            (["form.next": ["Space"]], "\"form.next\": \"Space\" is text in a form"),
            (
                ["list.sort": ["f"]],
                "\"list.sort\": \"f\" is already bound to \"favorite.toggle\" in the list"
            ),
            (["reload": ["x"]], "\"x\" is already bound to"),
            (["pane.next": ["F2"], "chart.line": ["F2"]], "\"F2\" is already bound to"),
        ] as [([String: [String]], String)]
    )
    func refused(names: [String: [String]], words: String) {
        let error = #expect(throws: KeyRebindingError.self) { try KeyTable(rebinding: names) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("An optional command may have no key and is then hidden")
    func without() throws {
        let table = try KeyTable(rebinding: ["list.sort": [], "list.direction": []])
        let list = ScreenState(list: Samples.state())
        #expect(!table.hints(in: list).contains { $0.command == .listSort })
        let entries = table.helpEntries(for: .list, isShort: false)
        #expect(!entries.contains { $0.text.en == "sort key, direction" })
        let text = KeyListing.text(of: table, language: .english)
        let line = text.split(separator: "\n").first { $0.hasPrefix("list.sort ") }
        #expect(line?.split(separator: " ").dropFirst().first == "-")
    }

    @Test("Accepted configurations have no dead or ambiguous key", arguments: 0..<100)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let characters = (0x21...0x7E).compactMap { Unicode.Scalar($0) }.map { Key.character($0) }
        let keys = Key.named + characters
        var names: [String: [String]] = [:]
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            guard let command = KeyCommand.allCases.randomElement(using: &generator) else { break }
            names[command.rawValue] = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                keys.randomElement(using: &generator)?.name ?? ""
            }
        }
        let table: KeyTable
        do { table = try KeyTable(rebinding: names) } catch {
            #expect(!error.description.isEmpty)
            return
        }
        #expect(Set(table.rebound.keys.map(\.rawValue)) == Set(names.keys))
        for binding in table.bindings {
            for context in binding.contexts {
                for key in binding.keys {
                    #expect(table.key(for: binding.action, in: context) != nil)
                    #expect(!(key.isText && context.isField))
                }
            }
        }
    }

    @Test("Bottom line, help and tabs show the new keys", arguments: Language.allCases)
    func shown(language: Language) throws {
        let table = try KeyTable(rebinding: [
            "list.sort": ["F6"], "quit": ["Q"], "page.market": ["F1"], "page.assets": ["F2"],
            "page.portfolio": ["F3"], "page.more": ["F4"], "page.alerts": ["F5"], "help": ["h"],
        ])
        var state = ScreenState(list: Samples.state())
        let size = TerminalSize(columns: 120, rows: 40)
        func draw() -> Frame {
            MarketListRenderer.render(
                document: Samples.document(),
                pinned: [],
                state: state,
                now: Samples.now,
                flashing: [],
                size: size,
                keys: table,
                language: language
            )
        }
        let bottom = try #require(draw().lines.last)
        let words =
            language == .korean
            ? ["F6 정렬", "F1-F5 화면", "h 도움말", "Q 종료"]
            : ["F6 sort", "F1-F5 screens", "h help", "Q quit"]
        for text in words { #expect(bottom.contains(text), "\(bottom)") }
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        let help = draw().lines
        for text in ["F6 S", "F1 F2 F3 F4 F5", "Q ^C"] {
            #expect(help.contains { $0.contains(text) }, "\(text)")
        }
    }

    @Test("Page keys out of sequence are listed individually")
    func pageHint() throws {
        let table = try KeyTable(rebinding: ["page.assets": ["b"], "page.more": []])
        let binding = try #require(table.bindings.first { $0.command == .pageMarket })
        #expect(table.hintLabel(of: binding) == "1 b 3 5")
    }

    @Test("The table of all keys is aligned in both languages", arguments: Language.allCases)
    func listing(language: Language) throws {
        let table = try KeyTable(rebinding: ["list.sort": ["ㄹ", "F5"]])
        let lines = KeyListing.text(of: table, language: language).split(separator: "\n")
        #expect(lines.count == 1 + KeyCommand.allCases.count + Key.reserved.count)
        let line = try #require(lines.first { $0.hasPrefix("list.sort ") })
        #expect(line.contains("  ㄹ F5  "))
        for command in KeyCommand.allCases {
            let row = lines.first { $0.hasPrefix(command.rawValue + " ") }
            #expect(row?.contains(command.summary[language]) == true)
        }
        let places = language == .korean ? "거래소, 입출금" : "list, deposits and withdrawals"
        #expect(line.hasSuffix(places), "\(line)")
    }
}
