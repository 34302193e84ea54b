import Testing

@testable import App

@Suite("Shells complete what the command line takes")
struct CompletionTableTests {
    @Test(
        "What help texts show for a value says what can be offered",
        arguments: [
            ("ko|en", .words(["ko", "en"])), ("24H|MID", .words(["24H", "MID"])),
            ("PATH|none", .filesOr(["none"])), ("FILE", .files), ("PATH", .files),
            ("URL|none", .words(["none"])), ("N|max", .words(["max"])), ("N", .none),
            ("bithumb|simulated|replay:PATH", .words(["bithumb", "simulated", "replay:"])),
            ("DATE|TIME", .none), ("BTC_KRW", .none), ("A,B", .none), ("CIDR,…", .none),
            ("market-list,assets", .list(["market-list", "assets"])), ("HOST:PORT", .none),
        ] as [(String, CompletionValues)]
    )
    func values(valueName: String, expected: CompletionValues) {
        #expect(CompletionValues(valueName: valueName) == expected)
    }

    @Test("From every beginning, words lead to every command, and to nothing else")
    func beginnings() {
        let table = CompletionTable.beginnings
        #expect(table.first?.words == [])
        let commands = Set(Command.allCases.map(\.rawValue))
        var reached: Set<String> = []
        for (words, next) in table {
            #expect(!next.isEmpty && !commands.contains(words.joined(separator: " ")))
            for word in next {
                let text = (words + [word.text]).joined(separator: " ")
                let isBeginning = table.contains { $0.words == words + [word.text] }
                #expect(commands.contains(text) != isBeginning, "\(text)")
                #expect(!word.summary.isEmpty)
                if commands.contains(text) { reached.insert(text) }
            }
        }
        #expect(reached == commands)
    }

    @Test(
        "Every flag of a command is offered, and is taken with what is offered for it",
        arguments: Command.allCases
    )
    func flags(command: Command) throws {
        let flags = CompletionTable.flags(of: command)
        let own = command.options.map(\.rawValue) + command.settings.map(\.flag)
        #expect(flags.map(\.text) == own + ["--help"])
        let operands = command.operands.filter { !$0.isOptional }.map(\.name)
        for flag in flags where flag.text != "--help" {
            let value = flag.values == nil ? [] : ["x"]
            let read = try CommandLineReader.read(command.words + [flag.text] + value + operands)
            guard case .run = read else {
                Issue.record("\(flag.text) was not read")
                continue
            }
        }
    }

    @Test("Scripts name every command and flag", arguments: Shell.allCases)
    func scripts(shell: Shell) {
        let script = shell.completions
        for command in Command.allCases {
            #expect(script.contains("'\(command.rawValue)'"), "\(command.rawValue)")
            for flag in CompletionTable.flags(of: command) {
                let name = shell == .fish ? String(flag.text.dropFirst(2)) : flag.text
                #expect(script.contains(name))
            }
        }
        #expect(script.split(separator: "\n").allSatisfy { !$0.contains("\t") })
    }
}
