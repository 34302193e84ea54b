import PresentationTerminal

extension Command {
    static let configShow = Command(
        "config show",
        "Print every setting, its value and its origin",
        settings: Setting.allCases,
        action: .run { _, program throws(ProgramError) in
            try Console.line(ConfigCommand(configuration: program.configuration).text)
        }
    )

    static let keys = Command(
        "keys",
        "List the terminal's keys and the names that rebind them in config.json",
        settings: [.language],
        action: .run { _, program throws(ProgramError) in
            let configuration = program.configuration
            try Console.line(
                KeyListing.text(of: configuration.keys, language: configuration.language)
            )
        }
    )
}

/// `hoga config show`: every setting, its value and its origin.
struct ConfigCommand: Sendable {
    /// Replaces every secret, whatever its length.
    static let mask = "********"

    let configuration: Configuration

    /// The table as text.
    var text: String {
        let rows = settings + rebound
        let keyWidth = rows.map(\.0.count).max() ?? 0
        let valueWidth = rows.map(\.1.count).max() ?? 0
        return rows.map { key, value, origin in
            Self.padded(key, keyWidth) + "  " + Self.padded(value, valueWidth) + "  " + origin
        }.joined(separator: "\n")
    }

    private typealias Row = (key: String, value: String, origin: String)

    private var settings: [Row] {
        Setting.allCases.map { setting in
            let entry = configuration.entries[setting]
            let value = entry?.text ?? ""
            let shown = setting.isSecret ? Self.mask : value
            return (setting.key, value.isEmpty ? "-" : shown, Self.text(of: entry?.origin))
        }
    }

    /// The key bindings of the configuration file.
    private var rebound: [Row] {
        configuration.keys.rebound.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { command, keys in
                let names = keys.map(\.name).joined(separator: " ")
                let key = ConfigurationFile.keysKey + "." + command.rawValue
                return (key, names.isEmpty ? "-" : names, Self.text(of: .file))
            }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func text(of origin: Configuration.Origin?) -> String {
        switch origin {
        case .flag: "flag"
        case .environment: "environment"
        case .secretFile(let path): "secret file " + SecretFiles.shown(path)
        case .file: "config.json"
        case .locale(let variable): "locale in " + variable
        case .standard, .none: "default"
        }
    }
}
