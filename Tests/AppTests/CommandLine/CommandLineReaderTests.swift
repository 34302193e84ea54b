import Testing

@testable import App

@Suite("The command line reader accepts what help lists")
struct CommandLineReaderTests {
    @Test(
        "help and version need no command",
        arguments: [
            (["--help"], Invocation.help(nil)), (["-h"], .help(nil)),
            (["help"], .help(nil)), (["help", "--help"], .help(nil)),
            (["help", "watch"], .help(.watch)),
            (["help", "exchange", "simulate"], .help(.exchangeSimulate)),
            (["--version"], .version),
            (["serve", "--help"], .help(.serve)), (["BTC", "--help"], .help(.watch)),
            (["exchange", "simulate", "-h"], .help(.exchangeSimulate)),
        ]
    )
    func special(arguments: [String], expected: Invocation) throws {
        #expect(try CommandLineReader.read(arguments) == expected)
    }

    @Test("every command is found by its words", arguments: Command.allCases)
    func commands(command: Command) throws {
        let operands = command.operands.map(\.name)
        let expected = CommandInvocation(command: command, operands: operands)
        #expect(try CommandLineReader.read(command.words + operands) == .run(expected))
    }

    @Test("a command accepts every flag in its help", arguments: Command.allCases)
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
        for option in command.options { #expect(help.contains(option.flag)) }
        for operand in command.operands { #expect(help.contains(operand.spelling)) }
    }

    @Test("no arguments open the market list")
    func alone() throws {
        #expect(
            try CommandLineReader.read([]) == .run(CommandInvocation(command: .watch))
        )
    }

    @Test("no arguments without a terminal are refused with exit code 64")
    func aloneOnAPipe() throws {
        try HogaProgram.check([], isTerminal: true)
        try HogaProgram.check(["man"], isTerminal: false)
        let error = #expect(throws: ProgramError.self) {
            try HogaProgram.check([], isTerminal: false)
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description == "missing COMMAND, e.g. 'hoga watch --once'")
    }

    @Test(
        "a market in place of a command opens it, with the flags of watch",
        arguments: [["BTC"], ["btc_krw"], ["KRW-BTC"], ["ETH/BTC", "--once", "--depth", "3"]]
    )
    func market(arguments: [String]) throws {
        let behind = try CommandLineReader.read(["watch"] + arguments)
        #expect(try CommandLineReader.read(arguments) == behind)
    }

    @Test("a command wins over a market of the same name")
    func commandWins() throws {
        for command in Command.allCases where command.words.count == 1 {
            guard
                case .run(let invocation) = try CommandLineReader.read(
                    command.words + command.operands.filter { !$0.isOptional }.map(\.name)
                )
            else {
                Issue.record("\(command) was not read as a command")
                continue
            }
            #expect(invocation.command == command)
        }
    }

    @Test("a flag with a bare value may stand alone")
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
        "a wrong command line is refused by name with exit code 64",
        arguments: [
            (["dance"], "unknown command 'dance'; see 'hoga --help'"),
            (["wath"], "unknown command 'wath'. Did you mean 'watch'?"),
            (
                ["--lang", "ko", "--help"],
                "flag '--lang' must follow a command, e.g. 'hoga watch --lang ko'"
            ),
            (
                ["--plain", "watch"],
                "flag '--plain' must follow a command, e.g. 'hoga watch --plain'"
            ),
            (["wacth"], "unknown command 'wacth'. Did you mean 'watch'?"),
            (["BTCC"], "unknown command or market 'BTCC'. Did you mean BTC"),
            (["favorites", "ad", "x"], "unknown command 'favorites ad'. Did you mean 'hoga fav"),
            (["user", "tokn", "new"], "unknown command 'user tokn'. Did you mean 'hoga user tok"),
            (["--nonsense"], "unknown command '--nonsense'"),
            (["exchange"], "'exchange' needs a subcommand: 'hoga exchange sim"),
            (["user"], "'user' needs a subcommand: 'hoga user list', 'hoga"),
            (["user", "addd", "x"], "unknown command 'user addd'. Did you mean 'hoga user add'?"),
            (["user", "token"], "'user token' needs a subcommand: 'hoga user to"),
            (["store"], "'store' needs a subcommand: 'hoga store path', "),
            (["migrate", "down"], "'migrate' needs a subcommand: 'hoga migr"),
            (["watch", "--listen", "x:1"], "unknown flag '--listen' for 'hoga watch'"),
            (["watch", "--rest-url"], "--rest-url needs a value"),
            (["watch", "--or-simulated=yes"], "--or-simulated takes no value"),
            (["watch", "--lang", "ko", "--lang=en"], "--lang is given more than once"),
            (["serve", "now"], "unexpected argument 'now'; usage: hoga serve"),
            (["snapshot"], "missing DOCUMENT, e.g. market-list"),
            (
                ["exchange", "replay", "a", "b"],
                "unexpected argument 'b'; usage: hoga exchange replay PATH"
            ),
            (["favorites"], "'favorites' needs a subcommand"),
            (["favorites", "move", "a"], "missing POSITION, e.g. 1"),
            (["cash", "1", "2"], "unexpected argument '2'; usage: hoga cash [AMOUNT]"),
            (["holdings", "put", "BTC"], "missing QUANTITY, e.g. 0.5"),
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
        "negative numbers and arguments after -- are operands",
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

    @Test("help before a command equals --help after it", arguments: ["user", "user token"])
    func helpInFront(words: String) throws {
        let words = words.split(separator: " ").map(String.init)
        let behind = try CommandLineReader.read(words + ["--help"])
        #expect(try CommandLineReader.read(["help"] + words) == behind)
        #expect(behind != .help(nil))
    }

    @Test(
        "help on an unknown command is refused",
        arguments: [["nonsense"], ["user", "nonsense"], ["watch", "serve"]]
    )
    func helpOnNothing(words: [String]) {
        let error = #expect(throws: ProgramError.self) {
            try CommandLineReader.read(["help"] + words)
        }
        #expect(error?.exitCode == .usage)
        let shown = error?.description ?? ""
        #expect(shown.hasPrefix("unknown command '\(words.joined(separator: " "))'"), "\(shown)")
    }

    @Test(
        "help on a group lists its commands and no others",
        arguments: [
            (["user", "--help"], "user", 12), (["user", "token", "-h"], "user token", 4),
            (["user", "addd", "--help"], "user", 12), (["store", "--help"], "store", 3),
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
            let isAvailable = lines.contains { $0.hasPrefix("  \(command.name) ") }
            #expect(isAvailable == command.name.hasPrefix(words + " "), "\(command.name)")
        }
        let error = #expect(throws: ProgramError.self) {
            try CommandLineReader.read(group.words)
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.contains("hoga \(group.commands[0].name)'") == true)
        #expect(error?.description.contains("hoga watch") == false)
    }

    @Test("the overview lists every command")
    func overview() {
        for command in Command.allCases {
            #expect(HelpText.overview.contains(command.name))
            #expect(HelpText.overview.contains(command.summary))
        }
    }
}
