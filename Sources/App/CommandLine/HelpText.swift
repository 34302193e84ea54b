/// Help texts, generated from the rows of commands, options and settings.
enum HelpText {
    /// Help on all commands.
    static var overview: String {
        var lines = [
            "hoga (호가): a market terminal and snapshot service for the Bithumb exchange.",
            "Public market data only; it never trades.",
            "",
            "Usage: hoga                       opens the market list (on a terminal)",
            "       hoga MARKET [FLAGS]        opens a market: " + MarketArgument.examples,
            "       hoga COMMAND [FLAGS]",
            "       hoga --version | --help",
            "",
        ]
        lines += table(of: Command.allCases)
        lines += [
            "",
            "`hoga COMMAND --help` lists the flags of a command. Precedence of settings: flag,",
            "environment variable, $XDG_CONFIG_HOME/hoga/config.json, default.",
            "",
            "Exit codes: 0 success, 64 usage, 69 unavailable, 70 internal, 78 configuration.",
        ]
        return lines.joined(separator: "\n")
    }

    /// Help on the commands of a group.
    static func text(of group: CommandGroup) -> String {
        var lines = ["Usage: hoga \(group.words.joined(separator: " ")) … [FLAGS]", ""]
        lines += table(of: group.commands)
        lines += ["", "`hoga COMMAND --help` lists the flags of a command."]
        return lines.joined(separator: "\n")
    }

    /// Help on one command.
    static func text(of command: Command) -> String {
        var lines = ["Usage: hoga \(command.spelling) [FLAGS]", "", command.summary, ""]
        if !command.operands.isEmpty {
            lines += table(command.operands.map { ("  " + $0.spelling, $0.summary) }) + [""]
        }
        let options = command.options.map { ("  " + $0.spelling, $0.summary) }
        let settings = command.settings.map { setting in
            let standard = setting.defaultText.isEmpty ? "" : " (\(setting.defaultText))"
            return (
                "  \(setting.flagSpelling)",
                setting.summary + standard + "; \(setting.environmentName)"
            )
        }
        let secrets = command.secrets.map { setting in
            (
                "  \(setting.environmentName)",
                setting.summary + "; \(setting.environmentName)_FILE reads it from a file"
            )
        }
        lines += table(options + settings)
        if !secrets.isEmpty { lines += ["", "Variables without a flag:"] + table(secrets) }
        return lines.joined(separator: "\n")
    }

    private static func table(of commands: [Command]) -> [String] {
        table(commands.map { ("  " + $0.spelling, $0.summary) })
    }

    private static func table(_ rows: [(left: String, right: String)]) -> [String] {
        let width = rows.map(\.left.count).max() ?? 0
        return rows.map { left, right in
            left + String(repeating: " ", count: width - left.count + 2) + right
        }
    }
}
