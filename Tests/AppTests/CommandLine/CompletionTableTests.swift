import Testing

@testable import App

@Suite("Shell completions match the command line")
struct CompletionTableTests {
    @Test(
        "the form of a value decides its spelling and completions",
        arguments: [
            (.words(["ko", "en"]), "ko|en", .words(["ko", "en"])),
            (.path(or: ["none"]), "PATH|none", .filesOr(["none"])),
            (.path("FILE"), "FILE", .files), (.text("URL"), "URL", .none),
            (.text("URL", or: ["none"]), "URL|none", .words(["none"])),
            (.number(1...9, or: "auto"), "N|auto", .words(["auto"])),
            (.number(1...9), "N", .none), (.duration(.zero...(.seconds(1))), "DURATION", .none),
            (.words(["a", "b:PATH"]), "a|b:PATH", .words(["a", "b:"])),
            (.list(["a", "b"]), "a,b", .list(["a", "b"])),
        ] as [(ValueForm, String, CompletionValues)]
    )
    func forms(form: ValueForm, spelling: String, completions: CompletionValues) {
        #expect(form.spelling == spelling)
        #expect(form.completions == completions)
    }

    @Test("every prefix leads to commands, and every command has a prefix")
    func beginnings() {
        let table = CompletionTable.prefixes
        #expect(table.first?.words == [])
        let commands = Set(Command.allCases.map(\.name))
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
        "every flag of a command is completed and accepted",
        arguments: Command.allCases
    )
    func flags(command: Command) throws {
        let flags = CompletionTable.flags(of: command)
        let own = command.options.map(\.flag) + command.settings.map(\.flag)
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

    @Test("scripts contain every command and flag", arguments: Shell.allCases)
    func scripts(shell: Shell) {
        let script = shell.completions
        for command in Command.allCases {
            #expect(script.contains("'\(command.name)'"), "\(command.name)")
            for flag in CompletionTable.flags(of: command) {
                let name = shell == .fish ? String(flag.text.dropFirst(2)) : flag.text
                #expect(script.contains(name))
            }
        }
        #expect(script.split(separator: "\n").allSatisfy { !$0.contains("\t") })
    }

    @Test("a flag with other values in one command has a row for it, before that of all others")
    func valuedFlags() {
        let rows = CompletionTable.valuedFlags.filter { $0.flag.text == "--format" }
        #expect(rows.map(\.command) == [.status, nil])
        #expect(rows.first?.flag.values == CompletionValues.none)
        #expect(rows.last?.flag.values == .words(["csv", "json"]))
        #expect(BashCompletions.script.contains("'status --format') echo 'none' ;;"))
        #expect(BashCompletions.script.contains("*' --format') echo 'words csv json' ;;"))
    }
}
