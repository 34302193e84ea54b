import Testing

@testable import App

@Suite("The command line is read as the help texts say")
struct CommandLineReaderTests {
    @Test(
        "No argument, help and version",
        arguments: [
            ([], Invocation.help(nil)), (["--help"], .help(nil)), (["-h"], .help(nil)),
            (["help"], .help(nil)), (["help", "--help"], .help(nil)),
            (["help", "watch"], .help(.watch)),
            (["help", "exchange", "simulate"], .help(.exchangeSimulate)),
            (["--version"], .version),
            (["serve", "--help"], .help(.serve)),
            (["exchange", "simulate", "-h"], .help(.exchangeSimulate)),
        ]
    )
    func special(arguments: [String], expected: Invocation) throws {
        #expect(try CommandLineReader.read(arguments) == expected)
    }

    @Test("Every command is found by its words", arguments: Command.allCases)
    func commands(command: Command) throws {
        let operands = command.operands.map(\.name)
        let expected = CommandInvocation(command: command, operands: operands)
        #expect(try CommandLineReader.read(command.words + operands) == .run(expected))
    }

    @Test("Every flag that the help of a command names is taken by it", arguments: Command.allCases)
    func flags(command: Command) throws {
        let help = HelpText.text(of: command)
        for setting in command.settings {
            #expect(help.contains(setting.flagSpelling))
            #expect(help.contains(setting.environmentName))
            // A flag that means something by itself takes no word behind it for its value.
            let apart = setting.bareValue == nil ? [[setting.flag, "x"]] : []
            for spelling in apart + [[setting.flag + "=x"]] {
                let operands = command.operands.filter { !$0.isOptional }.map(\.name)
                let read = try CommandLineReader.read(command.words + spelling + operands)
                guard case .run(let invocation) = read else {
                    Issue.record("\(spelling) was not read as a command")
                    continue
                }
                #expect(invocation.settings == [setting: "x"])
            }
        }
        for option in command.options { #expect(help.contains(option.rawValue)) }
        for operand in command.operands { #expect(help.contains(operand.spelling)) }
    }

    @Test("A flag that means something by itself may stand alone")
    func bare() throws {
        let read = try CommandLineReader.read(["watch", "--ascii", "--lang", "en"])
        #expect(
            read
                == .run(
                    CommandInvocation(
                        command: .watch,
                        settings: [.ascii: "true", .language: "en"]
                    )
                )
        )
        #expect(HelpText.text(of: .watch).contains("--ascii[=auto|true|false]"))
    }

    @Test(
        "What is wrong is named, and the program would end with 64",
        arguments: [
            (["dance"], "\"dance\" is no command"),
            (["exchange"], "\"exchange\" is no command by itself; there are `hoga exchange sim"),
            (["user"], "\"user\" is no command by itself; there are `hoga user list`, `hoga"),
            (["user", "addd", "x"], "\"user\" is no command by itself; there are `hoga user"),
            (["user", "token"], "\"user token\" is no command by itself; there are `hoga user to"),
            (["store"], "\"store\" is no command by itself; there are `hoga store path`, "),
            (["migrate", "down"], "\"migrate\" is no command by itself; there are `hoga migr"),
            (["watch", "--listen", "x:1"], "--listen: `hoga watch` has no such flag"),
            (["watch", "--rest-url"], "--rest-url: a value must follow"),
            (["watch", "--or-simulated=yes"], "--or-simulated: takes no value"),
            (["watch", "--lang", "ko", "--lang=en"], "--lang: stands more than once"),
            (["serve", "now"], "`hoga serve` takes flags only, not 1 operands"),
            (["snapshot"], "`hoga snapshot` takes one DOCUMENT"),
            (["exchange", "replay", "a", "b"], "`hoga exchange replay` takes one PATH"),
            (["favorites"], "\"favorites\" is no command by itself"),
            (["favorites", "move", "a"], "`hoga favorites move` takes MARKET POSITION, not 1"),
            (["cash", "1", "2"], "`hoga cash` takes [AMOUNT], not 2"),
            (["holdings", "put", "BTC"], "`hoga holdings put` takes ASSET QUANTITY [AVERAGE]"),
        ]
    )
    func mistakes(arguments: [String], message: String) {
        let error = #expect(throws: ProgramError.self) {
            try CommandLineReader.read(arguments)
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        "A negative number is an operand, and so is all that stands behind --",
        arguments: [
            (["cash", "-5"], ["-5"]), (["cash", "-.5"], ["-.5"]), (["cash", "--", "-x"], ["-x"]),
            (["holdings", "put", "BTC", "-1", "--", "--lang"], ["BTC", "-1", "--lang"]),
            (["favorites", "export", "-"], ["-"]),
        ]
    )
    func operands(arguments: [String], expected: [String]) throws {
        guard case .run(let invocation) = try CommandLineReader.read(arguments) else {
            Issue.record("\(arguments) was not read as a command")
            return
        }
        #expect(invocation.operands == expected)
    }

    @Test("The word help in front does what --help does behind", arguments: ["user", "user token"])
    func helpInFront(words: String) throws {
        let words = words.split(separator: " ").map(String.init)
        let behind = try CommandLineReader.read(words + ["--help"])
        #expect(try CommandLineReader.read(["help"] + words) == behind)
        #expect(behind != .help(nil))
    }

    @Test(
        "Help on what is no command is refused with what there is",
        arguments: [["nonsense"], ["user", "nonsense"], ["watch", "serve"]]
    )
    func helpOnNothing(words: [String]) {
        let error = #expect(throws: ProgramError.self) {
            try CommandLineReader.read(["help"] + words)
        }
        #expect(error?.exitCode == .usage)
        let told = error?.description ?? ""
        #expect(told.hasPrefix("\"\(words.joined(separator: " "))\" is no command"), "\(told)")
        for command in Command.allCases { #expect(told.contains(command.words[0])) }
    }

    @Test(
        "Help on words that several commands begin with names those and no others",
        arguments: [
            (["user", "--help"], "user", 9), (["user", "token", "-h"], "user token", 3),
            (["user", "addd", "--help"], "user", 9), (["store", "--help"], "store", 3),
            (["migrate", "--help"], "migrate", 3), (["favorites", "--help"], "favorites", 6),
        ]
    )
    func groups(arguments: [String], words: String, count: Int) throws {
        guard case .helpOnGroup(let group) = try CommandLineReader.read(arguments) else {
            Issue.record("\(arguments) was not read as a call for help")
            return
        }
        #expect(group.words.joined(separator: " ") == words)
        #expect(group.commands.count == count)
        let lines = HelpText.text(of: group).split(separator: "\n")
        for command in Command.allCases {
            let isAvailable = lines.contains { $0.hasPrefix("  \(command.rawValue) ") }
            #expect(isAvailable == command.rawValue.hasPrefix(words + " "), "\(command.rawValue)")
        }
        let error = #expect(throws: ProgramError.self) {
            try CommandLineReader.read(Array(arguments.dropLast()))
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.contains("hoga \(group.commands[0].rawValue)`") == true)
        #expect(error?.description.contains("hoga watch") == false)
    }

    @Test("The overview names every command")
    func overview() {
        for command in Command.allCases {
            #expect(HelpText.overview.contains(command.rawValue))
            #expect(HelpText.overview.contains(command.summary))
        }
    }
}
