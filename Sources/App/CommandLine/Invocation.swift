import Domain

/// A command line as it was read.
enum Invocation: Sendable, Equatable {
    case version
    /// Help on one command; nil for the overview.
    case help(Command?)
    /// Help on the commands that begin with the same words.
    case helpOnGroup(CommandGroup)
    case run(CommandInvocation)
}

/// One command with its flags and operands.
struct CommandInvocation: Sendable, Equatable {
    var command: Command
    var settings: [Setting: String] = [:]
    var options: [CommandOption: String] = [:]
    var operands: [String] = []

    /// Whether a flag was given.
    func has(_ option: CommandOption) -> Bool { options[option] != nil }

    /// An operand by its place, from 0; nil if it was left out.
    func operand(_ place: Int) -> String? {
        operands.indices.contains(place) ? operands[place] : nil
    }

    /// A required operand by its place, from 0.
    func required(_ place: Int) -> String {
        guard let operand = operand(place) else {
            preconditionFailure("The reader checks the number of operands.")
        }
        return operand
    }

    /// Options as parameters of a document, by their names in the HTTP contract.
    var parameters: [(name: String, value: String)] {
        options.map { $0.key.parameter($0.value) }
    }
}

/// Reads the command line.
enum CommandLineReader {
    /// Reads the arguments behind the program's name.
    ///
    /// No arguments open the market list. A market in place of a command opens that market;
    /// commands win over markets.
    ///
    /// - Throws: ``ProgramError`` `usage`, naming the argument and a remedy.
    static func read(_ arguments: [String]) throws(ProgramError) -> Invocation {
        guard let first = arguments.first else {
            return .run(CommandInvocation(command: .watch))
        }
        switch first {
        case "--version": return .version
        case "--help", "-h": return .help(nil)
        case "help": return try help(Array(arguments.dropFirst()))
        default: break
        }
        guard let command = command(of: arguments) else {
            guard let group = CommandGroup(leading: arguments) else {
                if MarketArgument.known(first) != nil {
                    return try read(arguments[...], after: .watch)
                }
                throw misplacedFlag(arguments) ?? unknownCommand(first)
            }
            if arguments.contains("--help") || arguments.contains("-h") {
                return .helpOnGroup(group)
            }
            if let error = misspelt(arguments, in: group) { throw error }
            throw ProgramError(
                .usage,
                "'\(group.words.joined(separator: " "))' needs a subcommand: "
                    + group.commands.map { "'hoga \($0.name)'" }.joined(separator: ", ")
            )
        }
        return try read(arguments.dropFirst(command.words.count), after: command)
    }

    private static func read(
        _ rest: ArraySlice<String>,
        after command: Command
    ) throws(ProgramError) -> Invocation {
        if rest.contains("--help") || rest.contains("-h") { return .help(command) }
        return .run(try read(Array(rest), of: command))
    }

    /// The error for a misspelt word after those of a group; nil if no command is near.
    private static func misspelt(_ arguments: [String], in group: CommandGroup) -> ProgramError? {
        guard let next = arguments.dropFirst(group.words.count).first, !isFlag(next) else {
            return nil
        }
        let words = (group.words + [next]).joined(separator: " ")
        let names = Set(group.commands.map { $0.words[group.words.count] })
        guard let nearest = SpellingSuggestions.of(next, among: Array(names)).first else {
            return nil
        }
        let command = (["hoga"] + group.words + [nearest]).joined(separator: " ")
        return ProgramError(.usage, "unknown command '\(words)'. Did you mean '\(command)'?")
    }

    /// Help on the words behind `help`: nothing, a command, or a group.
    private static func help(_ words: [String]) throws(ProgramError) -> Invocation {
        let words = Array(words.prefix { !$0.hasPrefix("-") })
        if words.isEmpty { return .help(nil) }
        if let command = Command.allCases.first(where: { $0.words == words }) {
            return .help(command)
        }
        guard let group = CommandGroup(leading: words), group.words == words else {
            throw unknownCommand(words.joined(separator: " "))
        }
        return .helpOnGroup(group)
    }

    /// The error for a flag in place of the command; nil unless a command has that flag.
    private static func misplacedFlag(_ arguments: [String]) -> ProgramError? {
        guard let first = arguments.first, isFlag(first) else { return nil }
        let flag = String(first.prefix { $0 != "=" })
        var value = arguments.dropFirst().prefix(flag == first ? 1 : 0).filter { !isFlag($0) }
        for command in [Command.watch] + Command.allCases {
            let option = command.options.first { $0.flag == flag }
            guard option != nil || command.settings.contains(where: { $0.flag == flag }) else {
                continue
            }
            if let option, option.form == nil { value = [] }
            let example = (["hoga", command.name, first] + value).joined(separator: " ")
            return ProgramError(.usage, "flag '\(flag)' must follow a command, e.g. '\(example)'")
        }
        return nil
    }

    private static func unknownCommand(_ words: String) -> ProgramError {
        let groups = Command.allCases.compactMap(\.words.first)
        let names = Set(groups + Command.allCases.map(\.name)).sorted()
        let markets = MarketArgument.suggestions(for: words)
        guard SpellingSuggestions.of(words, among: names).isEmpty, !markets.isEmpty else {
            return ProgramError(
                .usage,
                "unknown command '\(words)'" + remedy(words, among: names, else: "hoga --help")
            )
        }
        return ProgramError(
            .usage,
            "unknown command or market '\(words)'. Did you mean "
                + markets.joined(separator: ", ") + "?"
        )
    }

    /// The nearest name as a question, else the help page that lists all names.
    private static func remedy(
        _ text: String,
        among names: [String],
        else help: String
    ) -> String {
        if let nearest = SpellingSuggestions.of(text, among: names).first {
            return ". Did you mean '\(nearest)'?"
        }
        return "; see '\(help)'"
    }

    private static func command(of arguments: [String]) -> Command? {
        Command.allCases.first { arguments.starts(with: $0.words) }
    }

    private static func read(
        _ arguments: [String],
        of command: Command
    ) throws(ProgramError) -> CommandInvocation {
        var invocation = CommandInvocation(command: command)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                invocation.operands += rest
                break
            }
            guard isFlag(argument) else {
                invocation.operands.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let flag = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            if let option = command.options.first(where: { $0.flag == flag }) {
                let value =
                    option.form == nil
                    ? try noValue(flag, attached) : try value(flag, attached, &rest)
                try once(flag, invocation.options.updateValue(value, forKey: option))
            } else if let setting = command.settings.first(where: { $0.flag == flag }) {
                let bare = attached == nil ? setting.bareValue : nil
                let value = if let bare { bare } else { try value(flag, attached, &rest) }
                try once(flag, invocation.settings.updateValue(value, forKey: setting))
            } else {
                throw unknownFlag(flag, of: command)
            }
        }
        try checkOperands(invocation)
        return invocation
    }

    private static func unknownFlag(_ flag: String, of command: Command) -> ProgramError {
        if let secret = Setting.allCases.first(where: { $0.flag == flag && $0.isSecret }) {
            return ProgramError(
                .usage,
                "\(flag): arguments are visible to everyone on this machine; set "
                    + "\(secret.environmentName), or \(secret.environmentName)_FILE to read it "
                    + "from a file"
            )
        }
        let names = command.options.map(\.flag) + command.settings.map(\.flag)
        return ProgramError(
            .usage,
            "unknown flag '\(flag)' for 'hoga \(command.name)'"
                + remedy(flag, among: names, else: "hoga \(command.name) --help")
        )
    }

    /// Whether an argument is a flag.
    ///
    /// Negative numbers are operands, so that the command itself can refuse them with its own
    /// message.
    private static func isFlag(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), let next = argument.dropFirst().utf8.first else {
            return false
        }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) && next != UInt8(ascii: ".")
    }

    private static func value(
        _ flag: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(ProgramError) -> String {
        if let attached { return attached }
        guard let next = rest.popFirst() else {
            throw ProgramError(.usage, "\(flag) needs a value")
        }
        return next
    }

    private static func noValue(
        _ flag: String,
        _ attached: String?
    ) throws(ProgramError) -> String {
        guard attached == nil else { throw ProgramError(.usage, "\(flag) takes no value") }
        return ""
    }

    private static func once(_ flag: String, _ earlier: String?) throws(ProgramError) {
        guard earlier == nil else {
            throw ProgramError(.usage, "\(flag) is given more than once")
        }
    }

    private static func checkOperands(
        _ invocation: CommandInvocation
    ) throws(ProgramError) {
        let operands = invocation.command.operands
        let given = invocation.operands.count
        if given > operands.count, operands.last?.isRepeated != true {
            throw ProgramError(
                .usage,
                "unexpected argument '\(invocation.operands[operands.count])'; usage: hoga "
                    + invocation.command.spelling
            )
        }
        guard let missing = operands.dropFirst(given).first, !missing.isOptional else { return }
        throw ProgramError(
            .usage,
            "missing \(missing.name)"
                + (missing.example.map { ", e.g. \($0)" } ?? ": \(missing.summary)")
        )
    }
}
