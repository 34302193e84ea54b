import BuildInfo
import Domain
import PresentationTerminal
import ViewStates

extension Command {
    static let man = Command(
        "man",
        "Print the manual page hoga(1)",
        action: .text { _ in ManualPage.text }
    )
}

/// The manual page hoga(1), generated from the rows of commands, options, settings and keys.
enum ManualPage {
    /// The last change of the text in this file.
    private static let date = "2026-11-23"

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
            "hoga COMMAND --help describes one command; hoga config show prints every setting, its "
                + "value and its origin."
        )
        return page.text
    }

    private static func synopsis(_ page: inout RoffText) {
        page.section("SYNOPSIS")
        page.line("hoga [MARKET [FLAGS]]")
        page.lineBreak()
        page.line("hoga COMMAND [FLAGS]")
        page.lineBreak()
        page.line("hoga --version | --help")
    }

    private static func description(_ page: inout RoffText) {
        page.section("DESCRIPTION")
        page.paragraph(
            "hoga shows the markets of the Bithumb exchange in a terminal and serves the same data "
                + "as JSON. It reads public market data only and never places an order. Prices "
                + "and quantities are exact decimals."
        )
        page.paragraph(
            "On a terminal, hoga alone opens the market list, and hoga MARKET opens a market, as "
                + "hoga watch MARKET does. A market is written \(MarketArgument.examples); "
                + "commands win over markets. Elsewhere, hoga alone prints help and exits with 64."
        )
        page.paragraph(
            "Without a terminal, hoga watch prints the same data once as aligned text. --plain "
                + "prints sentences for screen readers, which say directions in words."
        )
    }

    private static func commands(_ page: inout RoffText) {
        page.section("COMMANDS")
        for command in Command.allCases {
            page.item("hoga \(command.spelling)", asFirst: command.summary)
            for operand in command.operands {
                page.line("\(operand.name): \(operand.summary).")
            }
            guard !command.options.isEmpty || !command.settings.isEmpty else { continue }
            page.indented { page in
                for option in command.options {
                    page.item(option.spelling, asFirst: option.summary)
                }
            }
            if !command.settings.isEmpty {
                page.paragraphIndented(
                    "Also accepts (see ENVIRONMENT): "
                        + command.settings.map(\.flag).joined(separator: ", ") + "."
                )
            }
        }
    }

    private static func settings(_ page: inout RoffText) {
        page.section("ENVIRONMENT")
        page.paragraph(
            "Precedence of a setting: flag, environment variable, key in the configuration file, "
                + "default. An unknown name or value is an error."
        )
        for setting in Setting.allCases {
            let heading =
                setting.isSecret
                ? setting.environmentName
                : "\(setting.environmentName), \(setting.flag) \(setting.form.spelling)"
            page.item(heading, asFirst: setting.summary)
            if !setting.defaultText.isEmpty { page.line("Default: \(setting.defaultText).") }
            if let file = setting.fileVariable {
                page.line(
                    "Set \(file) to read it from a file. There is no flag and no configuration key."
                )
            } else {
                page.line("Key: \(setting.key).")
            }
        }
        page.item("NO_COLOR, LANG, LC_ALL, TERM", asFirst: "standard terminal variables")
    }

    private static func keys(_ page: inout RoffText) {
        page.section("KEYS")
        page.paragraph(
            "The keys of hoga watch; ? shows them in the program. The object keys in config.json "
                + "rebinds them; hoga keys lists the names."
        )
        let places: [(String, KeyContext)] = [
            ("Markets", .list), ("Order book", .book), ("Chart", .chart),
            ("Trades", .trades), ("Deposits and withdrawals", .assets),
            ("Portfolio", .portfolio), ("More", .more),
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
            asFirst: "the configuration; default: below ~/.config"
        )
        page.item(
            "$XDG_DATA_HOME/hoga/hoga.sqlite",
            asFirst: "the store; default: below ~/.local/share; --store names another file"
        )
        page.item(
            "$XDG_STATE_HOME/hoga",
            asFirst: "the log of hoga watch, at most 2 MiB; default: below ~/.local/state"
        )
    }

    private static func exitStatus(_ page: inout RoffText) {
        page.section("EXIT STATUS")
        for code in ExitCode.allCases {
            page.item("\(code.rawValue)", asFirst: code.summary)
        }
        page.item(ExitCode.signaled, asFirst: ExitCode.signaledSummary)
        page.paragraph(ExitCode.gracefulShutdown)
    }

    private static func examples(_ page: inout RoffText) {
        page.section("EXAMPLES")
        page.item("hoga watch", asFirst: "the list of markets, live")
        page.item(
            "hoga watch --plain --quote KRW --limit 10 --every 30s",
            asFirst: "the ten most traded KRW markets as sentences, then changes"
        )
        page.item(
            "hoga export candles BTC_KRW --interval 1h --from 2026-11-01 --output btc.csv",
            asFirst: "hourly candles since 1 November 2026, as a file"
        )
        page.item("hoga snapshot market-list --limit 5", asFirst: "five markets as JSON")
        page.item(
            "hoga watch --exchange simulated --seed 7",
            asFirst: "a simulated exchange without a network"
        )
    }
}
