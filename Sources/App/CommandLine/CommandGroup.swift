/// Commands that begin with the same words, such as `user token`.
struct CommandGroup: Sendable, Equatable {
    /// The words that they share.
    let words: [String]

    /// The group of the most words with which arguments begin; nil if there is none.
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
