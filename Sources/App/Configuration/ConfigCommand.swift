import PresentationTerminal

/// `hoga config show`: every setting, its value and where that came from.
struct ConfigCommand: Sendable {
    /// What stands for a secret, whatever its length.
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
            return (setting.key, value.isEmpty ? "-" : shown, Self.words(entry?.origin))
        }
    }

    /// The keys that the configuration file gives to something else.
    private var rebound: [Row] {
        configuration.keys.rebound.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { command, keys in
                let names = keys.map(\.name).joined(separator: " ")
                let key = ConfigurationFile.keysKey + "." + command.rawValue
                return (key, names.isEmpty ? "-" : names, Self.words(.file))
            }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func words(_ origin: Configuration.Origin?) -> String {
        switch origin {
        case .flag: "flag"
        case .environment: "environment"
        case .secretFile(let path): "file of a secret " + SecretFiles.shown(path)
        case .file: "config.json"
        case .locale(let variable): "locale in " + variable
        case .standard, .none: "default"
        }
    }
}
