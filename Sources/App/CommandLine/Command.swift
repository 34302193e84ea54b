/// A command of hoga: one row declares it, in the folder of its feature.
///
/// The command line's reader, help, completions and manual follow from the rows.
struct Command: Sendable, Hashable {
    /// The work of a command.
    enum Action: Sendable {
        /// Prints text about the program itself. It works beside a broken configuration.
        case text(@Sendable (CommandInvocation) throws(ProgramError) -> String)
        /// Runs with the configuration in force.
        case run(@Sendable (CommandInvocation, Program) async throws(ProgramError) -> Void)
    }

    /// The destination of log lines.
    enum LogDestination: Sendable {
        case standardError
        /// A bounded file: the command uses the terminal or its output for something else.
        case file
    }

    /// The words on the command line, such as `favorites add`.
    let name: String
    /// The description in help texts, one line.
    let summary: String
    /// The arguments that follow the words, in order.
    let operands: [CommandOperand]
    /// Flags that are not settings.
    let options: [CommandOption]
    /// Settings with a flag here.
    let settings: [Setting]
    /// Settings without a flag, because arguments are visible to everyone on the machine: they
    /// come from variables and from files that variables name.
    let secrets: [Setting]
    /// The destination of log lines.
    let log: LogDestination
    /// The work itself.
    let action: Action

    init(
        _ name: String,
        _ summary: String,
        operands: [CommandOperand] = [],
        options: [CommandOption] = [],
        settings: [Setting] = [],
        log: LogDestination = .standardError,
        action: Action
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.settings = settings.filter { !$0.isSecret }
        secrets = settings.filter(\.isSecret)
        self.log = log
        self.action = action
    }

    /// The words, one by one.
    var words: [String] { name.split(separator: " ").map(String.init) }

    /// The words and operands as help texts show them.
    var spelling: String { ([name] + operands.map(\.spelling)).joined(separator: " ") }

    static func == (left: Command, right: Command) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Command: CaseIterable {
    /// All commands, in the order of the overview.
    static let allCases: [Command] = [
        .watch, .status, .serve, .health, .doctor, .snapshot,
        .exportCandles, .exportTrades, .exportFavorites,
        .exchangeSimulate, .exchangeReplay, .exchangeRecord,
        .configShow, .keys,
        .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesImport,
        .favoritesExport,
        .alertList, .alertAdd, .alertRemove, .alertTest, .alertLog,
        .holdingsList, .holdingsPut, .holdingsRemove, .cash,
        .storePath, .storeBackup, .storeCheck,
        .migrateUp, .migrateStatus, .migrateVerify,
        .userList, .userAdd, .userImport, .userDisable, .userEnable, .userRemove, .userExport,
        .userTokenNew, .userTokenList, .userTokenRotate, .userTokenRevoke, .userAudit,
        .completions, .man,
    ]
}

extension Command: CustomStringConvertible {
    var description: String { name }
}

/// The commands that begin with the same words, such as `user token`.
struct CommandGroup: Sendable, Equatable {
    /// The shared words.
    let words: [String]

    /// The group with the most words at the start of `arguments`; nil if there is none.
    init?(leading arguments: [String]) {
        let longest = Command.allCases.map { command in
            zip(command.words, arguments).prefix { $0 == $1 }.count
        }.max()
        guard let longest, longest > 0 else { return nil }
        words = Array(arguments.prefix(longest))
    }

    /// The commands, in the order of the overview.
    var commands: [Command] { Command.allCases.filter { $0.words.starts(with: words) } }
}
