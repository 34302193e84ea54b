import BuildInfo
import Domain
import PresentationTerminal

/// The manual page hoga(1), made from the same tables as the command line, its help and the keys.
enum ManualPage {
    /// When the words that stand only here were last changed.
    private static let date = "2026-11-21"

    /// The page, for man(7).
    static var text: String {
        var page = RoffText()
        page.title("HOGA", section: 1, date: date, source: "hoga \(BuildInfo.version)")
        page.section("NAME")
        page.paragraph("hoga - market terminal and snapshot service for the Bithumb exchange")
        synopsis(&page)
        description(&page)
        commands(&page)
        settings(&page)
        keys(&page)
        files(&page)
        exitStatus(&page)
        examples(&page)
        page.section("SEE ALSO")
        page.paragraph(
            "hoga COMMAND --help tells the same of one command; hoga config show tells every "
                + "setting, its value and where that came from."
        )
        return page.text
    }

    private static func synopsis(_ page: inout RoffText) {
        page.section("SYNOPSIS")
        page.line("hoga COMMAND [FLAGS]")
        page.lineBreak()
        page.line("hoga --version | --help")
    }

    private static func description(_ page: inout RoffText) {
        page.section("DESCRIPTION")
        page.paragraph(
            "hoga shows the markets of the Bithumb exchange in a terminal, and serves the same as "
                + "JSON. It reads public market data, exact to the last digit, and never places "
                + "an order."
        )
        page.paragraph(
            "Without a terminal, hoga watch prints once what it would show, as aligned text; "
                + "--plain prints sentences for screen readers, in which no direction is told by "
                + "colour or drawing."
        )
    }

    private static func commands(_ page: inout RoffText) {
        page.section("COMMANDS")
        for command in Command.allCases {
            let operands = command.operands.map { " " + $0.spelling }.joined()
            page.item("hoga \(command.rawValue)\(operands)", asFirst: command.summary)
            for operand in command.operands {
                page.line("\(operand.name): \(operand.summary).")
            }
            guard !command.options.isEmpty || !command.settings.isEmpty else { continue }
            page.indented { page in
                for option in command.options {
                    let value = option.valueName.map { " " + $0 } ?? ""
                    page.item(option.rawValue + value, asFirst: option.summary)
                }
            }
            if !command.settings.isEmpty {
                page.paragraphIndented(
                    "Settings with a flag: "
                        + command.settings.map(\.flag).joined(separator: ", ") + "."
                )
            }
        }
    }

    private static func settings(_ page: inout RoffText) {
        page.section("ENVIRONMENT")
        page.paragraph(
            "A setting is taken from its flag, else its environment variable, else its key in "
                + "the configuration file, else its default. An unknown name or value is refused."
        )
        for setting in Setting.allCases {
            let heading =
                setting.isSecret
                ? setting.environmentName
                : "\(setting.environmentName), \(setting.flag) \(setting.valueName)"
            page.item(heading, asFirst: setting.summary)
            let standard = ConfigurationSources.standard[setting] ?? ""
            if !standard.isEmpty { page.line("Default: \(standard).") }
            if let file = setting.fileVariable {
                page.line("\(file) names a file with it; there is no flag and no key.")
            } else {
                page.line("Key: \(setting.key).")
            }
        }
        page.item("NO_COLOR, LANG, LC_ALL, TERM", asFirst: "as everywhere in the terminal")
    }

    private static func keys(_ page: inout RoffText) {
        page.section("KEYS")
        page.paragraph(
            "The keys of hoga watch, which tells them itself under ? as well. The object keys of "
                + "config.json gives actions others; hoga keys lists all of them."
        )
        let places: [(String, KeyContext)] = [
            ("List of markets", .list), ("Order book", .book), ("Chart", .chart),
            ("Trades", .trades), ("Deposits and withdrawals", .assets),
            ("Holdings", .portfolio), ("About", .more),
        ]
        for (title, context) in places {
            page.subsection(title)
            for entry in KeyTable.screens.helpEntries(for: context, isShort: false) {
                page.item(entry.keys, asFirst: entry.text[.english])
            }
        }
    }

    private static func files(_ page: inout RoffText) {
        page.section("FILES")
        page.item(
            "$XDG_CONFIG_HOME/hoga/config.json",
            asFirst: "the configuration; else below ~/.config"
        )
        page.item(
            "$XDG_DATA_HOME/hoga/hoga.sqlite",
            asFirst: "what is kept, else below ~/.local/share; --store names another file"
        )
        page.item(
            "$XDG_STATE_HOME/hoga",
            asFirst: "the log of hoga watch, bounded; else below ~/.local/state"
        )
    }

    private static func exitStatus(_ page: inout RoffText) {
        page.section("EXIT STATUS")
        for code in ExitCode.allCases {
            page.item("\(code.rawValue)", asFirst: code.summary)
        }
        page.item(ExitCode.signalled, asFirst: ExitCode.signalledSummary)
        page.paragraph(ExitCode.orderlyEnds)
    }

    private static func examples(_ page: inout RoffText) {
        page.section("EXAMPLES")
        page.item("hoga watch", asFirst: "the list of markets, live")
        page.item(
            "hoga watch --plain --quote KRW --limit 10 --every 30s",
            asFirst: "the ten most traded won markets as sentences, then what changes"
        )
        page.item(
            "hoga export candles BTC_KRW --interval 1h --from 2026-11-01 --output btc.csv",
            asFirst: "the hours of this month as a file"
        )
        page.item("hoga snapshot market-list --limit 5", asFirst: "five markets as JSON")
        page.item(
            "hoga watch --exchange simulated --seed 7",
            asFirst: "a simulated exchange, without a network"
        )
    }
}
