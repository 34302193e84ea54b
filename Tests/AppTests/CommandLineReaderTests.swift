import Testing

@testable import App

@Suite("The command line is read as the help texts say")
struct CommandLineReaderTests {
    @Test(
        "No argument, help and version",
        arguments: [
            ([], Invocation.help(nil)), (["--help"], .help(nil)), (["-h"], .help(nil)),
            (["help"], .help(nil)), (["--version"], .version),
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
            #expect(help.contains(setting.flag + " " + setting.valueName))
            #expect(help.contains(setting.environmentName))
            for spelling in [[setting.flag, "x"], [setting.flag + "=x"]] {
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

    @Test(
        "What is wrong is named, and the program would end with 64",
        arguments: [
            (["dance"], "\"dance\" is no command"),
            (["exchange"], "\"exchange\" is no command"),
            (["watch", "--listen", "x:1"], "--listen: `hoga watch` has no such flag"),
            (["watch", "--rest-url"], "--rest-url: a value must follow"),
            (["watch", "--or-simulated=yes"], "--or-simulated: takes no value"),
            (["watch", "--lang", "ko", "--lang=en"], "--lang: stands more than once"),
            (["serve", "now"], "`hoga serve` takes flags only, not 1 operands"),
            (["snapshot"], "`hoga snapshot` takes one DOCUMENT"),
            (["exchange", "replay", "a", "b"], "`hoga exchange replay` takes one PATH"),
            (["favorites"], "\"favorites\" is no command"),
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

    @Test("The overview names every command")
    func overview() {
        for command in Command.allCases {
            #expect(HelpText.overview.contains(command.rawValue))
            #expect(HelpText.overview.contains(command.summary))
        }
    }
}
