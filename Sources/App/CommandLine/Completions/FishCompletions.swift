/// What fish completes: a line for each word, flag and operand.
enum FishCompletions {
    /// The script, as a file of the name `hoga.fish` in a folder of `$fish_complete_path`.
    static var script: String {
        let commands = Command.allCases.map { quoted($0.rawValue) }.joined(separator: " \\\n    ")
        let valued = CompletionTable.valuedFlags.map(\.text).joined(separator: " \\\n    ")
        return [
            heading, "set -g __hoga_commands \(commands)", "set -g __hoga_valued \(valued)",
            engine, lines.joined(separator: "\n"),
        ].joined(separator: "\n")
    }

    private static let heading = """
        # fish completion for hoga, made by `hoga completions fish`: put it as hoga.fish into a
        # folder of $fish_complete_path, ~/.config/fish/completions for example.
        """

    private static var lines: [String] {
        ["complete -c hoga -f"] + words + Command.allCases.flatMap(lines)
    }

    /// The words of commands.
    private static var words: [String] {
        CompletionTable.beginnings.flatMap { words, next in
            let beginning = quoted(words.joined(separator: " "))
            let general = words.isEmpty ? CompletionTable.general : []
            return next.map { word in
                line("__hoga_begins \(beginning)", "-a \(quoted(word.text))", word.summary)
            }
                + general.map { flag in
                    line("__hoga_begins \(beginning)", "-l \(name(flag.text))", flag.summary)
                }
        }
    }

    /// The flags and operands of a command.
    private static func lines(of command: Command) -> [String] {
        let operands = zip(1..., command.operands).compactMap { place, operand in
            offer(operand.values, isFlag: false).map { values in
                line(
                    "__hoga_operand \(quoted(command.rawValue)) \(place)",
                    values,
                    operand.name
                )
            }
        }
        let flags = CompletionTable.flags(of: command).map { flag in
            let values = flag.values.map { " " + (offer($0, isFlag: true) ?? "-x") } ?? ""
            return line(
                "__hoga_is \(quoted(command.rawValue))",
                "-l \(name(flag.text))" + values,
                flag.summary
            )
        }
        return operands + flags
    }

    private static func line(_ condition: String, _ what: String, _ summary: String) -> String {
        "complete -c hoga -n \(quoted(condition)) \(what) -d \(quoted(summary))"
    }

    /// The words of `complete` for a value; nil where there is nothing to offer.
    private static func offer(_ values: CompletionValues, isFlag: Bool) -> String? {
        switch values {
        case .none: nil
        case .words(let words):
            (isFlag ? "-x " : "") + "-a \(quoted(words.joined(separator: " ")))"
        case .list(let words):
            (isFlag ? "-x " : "")
                + "-a \(quoted("(__fish_append , \(words.joined(separator: " ")))"))"
        case .files: isFlag ? "-r -F" : "-F"
        case .filesOr(let words):
            (isFlag ? "-r " : "") + "-F -a \(quoted(words.joined(separator: " ")))"
        }
    }

    private static func name(_ flag: String) -> String { String(flag.dropFirst(2)) }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#) + "'"
    }

    private static let engine = #"""

        # Prints the command that the words begin with, once it is whole.
        function __hoga_command
            set -l tokens (commandline -opc)
            set -e tokens[1]
            for count in 3 2 1
                test (count $tokens) -ge $count
                or continue
                set -l words (string join ' ' -- $tokens[1..$count])
                if contains -- $words $__hoga_commands
                    echo $words
                    return
                end
            end
            return 1
        end

        # Whether exactly these words of a command were given, and it is not whole.
        function __hoga_begins
            set -l tokens (commandline -opc)
            set -e tokens[1]
            set -l words (string join ' ' -- $tokens)
            test "$words" = "$argv[1]"
        end

        function __hoga_is
            set -l words (__hoga_command)
            test "$words" = "$argv[1]"
        end

        # Whether the operand of that number comes next in that command.
        function __hoga_operand
            __hoga_is $argv[1]
            or return 1
            set -l tokens (commandline -opc)
            set -e tokens[1..(math 1 + (count (string split ' ' -- $argv[1])))]
            set -l place 1
            set -l waiting 0
            for token in $tokens
                if test $waiting = 1
                    set waiting 0
                else if contains -- $token $__hoga_valued
                    set waiting 1
                else if not string match -q -- '-?*' $token
                    set place (math $place + 1)
                end
            end
            test $waiting = 0 -a $place = $argv[2]
        end

        """#
}
