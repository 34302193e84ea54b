/// What the command line asks for.
enum Invocation: Sendable, Equatable {
    case version
    /// Help on one command, or on all.
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
}

/// Reads the command line.
enum CommandLineReader {
    /// Reads the arguments behind the program's name.
    ///
    /// - Throws: ``ProgramError`` `usage`, naming the argument and what would do.
    static func read(_ arguments: [String]) throws(ProgramError) -> Invocation {
        guard let first = arguments.first else { return .help(nil) }
        switch first {
        case "--version": return .version
        case "--help", "-h": return .help(nil)
        case "help": return try help(Array(arguments.dropFirst()))
        default: break
        }
        guard let command = command(of: arguments) else {
            guard let group = CommandGroup(leading: arguments) else {
                throw ProgramError(
                    .usage,
                    "\"\(first)\" is no command; `hoga --help` names them all"
                )
            }
            if arguments.contains("--help") || arguments.contains("-h") {
                return .helpOnGroup(group)
            }
            throw ProgramError(
                .usage,
                "\"\(group.words.joined(separator: " "))\" is no command by itself; there are "
                    + group.commands.map { "`hoga \($0.rawValue)`" }.joined(separator: ", ")
            )
        }
        let rest = arguments.dropFirst(command.words.count)
        if rest.contains("--help") || rest.contains("-h") { return .help(command) }
        return .run(try read(Array(rest), of: command))
    }

    /// Help on what the words name: everything, a command, or those that begin with them.
    private static func help(_ words: [String]) throws(ProgramError) -> Invocation {
        let words = Array(words.prefix { !$0.hasPrefix("-") })
        if words.isEmpty { return .help(nil) }
        if let command = Command.allCases.first(where: { $0.words == words }) {
            return .help(command)
        }
        guard let group = CommandGroup(leading: words), group.words == words else {
            var names: [String] = []
            for name in Command.allCases.compactMap(\.words.first) where names.last != name {
                names.append(name)
            }
            throw ProgramError(
                .usage,
                "\"\(words.joined(separator: " "))\" is no command; there is help on "
                    + names.joined(separator: ", ")
            )
        }
        return .helpOnGroup(group)
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
            if let option = command.options.first(where: { $0.rawValue == flag }) {
                let value =
                    option.valueName == nil
                    ? try noValue(flag, attached) : try value(flag, attached, &rest)
                try once(flag, invocation.options.updateValue(value, forKey: option))
            } else if let setting = command.settings.first(where: { $0.flag == flag }) {
                let bare = attached == nil ? setting.bareValue : nil
                let value = if let bare { bare } else { try value(flag, attached, &rest) }
                try once(flag, invocation.settings.updateValue(value, forKey: setting))
            } else if let secret = Setting.allCases.first(where: { $0.flag == flag && $0.isSecret })
            {
                throw ProgramError(
                    .usage,
                    "\(flag): everybody on the machine sees arguments: set "
                        + "\(secret.environmentName), or name a file with it in "
                        + "\(secret.environmentName)_FILE"
                )
            } else {
                throw ProgramError(
                    .usage,
                    "\(flag): `hoga \(command.rawValue)` has no such flag; "
                        + "`hoga \(command.rawValue) --help` names them"
                )
            }
        }
        try checkOperands(invocation)
        return invocation
    }

    /// Whether an argument is a flag, and no operand: a negative number is one, so that the command
    /// can say what is wrong with it.
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
            throw ProgramError(.usage, "\(flag): a value must follow")
        }
        return next
    }

    private static func noValue(
        _ flag: String,
        _ attached: String?
    ) throws(ProgramError) -> String {
        guard attached == nil else { throw ProgramError(.usage, "\(flag): takes no value") }
        return ""
    }

    private static func once(_ flag: String, _ earlier: String?) throws(ProgramError) {
        guard earlier == nil else { throw ProgramError(.usage, "\(flag): stands more than once") }
    }

    private static func checkOperands(
        _ invocation: CommandInvocation
    ) throws(ProgramError) {
        let operands = invocation.command.operands
        let (least, found) = (operands.count { !$0.isOptional }, invocation.operands.count)
        guard !(least...operands.count).contains(found) else { return }
        let command = "`hoga \(invocation.command.rawValue)`"
        guard let last = operands.last else {
            throw ProgramError(.usage, "\(command) takes flags only, not \(found) operands")
        }
        if operands.count == 1, !last.isOptional {
            throw ProgramError(
                .usage,
                "\(command) takes one \(last.name) (\(last.summary)), not \(found)"
            )
        }
        throw ProgramError(
            .usage,
            "\(command) takes \(operands.map(\.spelling).joined(separator: " ")), not \(found) "
                + "operands"
        )
    }
}
