import Domain

/// Resolves the configuration from flags, environment, file and defaults.
struct ConfigurationSources: Sendable {
    /// `HOGA_` variables of the build and the tests, which are not settings.
    static let otherVariables: Set<String> = [
        "HOGA_COMMIT", "HOGA_TEST_DATABASE_URL", "HOGA_TEST_POSTGRESQL_BIN",
    ]

    /// The flags of the command line.
    var flags: [Setting: String]
    /// The environment.
    var environment: [String: String]
    /// The secrets that ``SecretFiles`` read.
    var secrets: [Setting: SecretFiles.Secret] = [:]
    /// The text of the configuration file; nil if there is none.
    var file: [UInt8]?

    /// The path of the configuration file, `$XDG_CONFIG_HOME/hoga/config.json`; nil without a home.
    static func filePath(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], !folder.isEmpty {
            return folder + "/hoga/config.json"
        }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return home + "/.config/hoga/config.json"
    }

    /// Resolves every setting.
    ///
    /// - Throws: ``ProgramError``, naming an unknown key, an unknown variable or an invalid value.
    func resolve() throws(ProgramError) -> Configuration {
        let file = try ConfigurationFile(file)
        try checkVariables()
        var entries: [Setting: Configuration.Entry] = [:]
        for setting in Setting.allCases {
            if let text = flags[setting] {
                entries[setting] = .init(text: text, origin: .flag)
            } else if let text = environment[setting.environmentName] {
                entries[setting] = .init(text: text, origin: .environment)
            } else if let secret = secrets[setting] {
                entries[setting] = .init(
                    text: secret.text,
                    origin: .secretFile(path: secret.path)
                )
            } else if let text = file.values[setting] {
                entries[setting] = .init(text: text, origin: .file)
            } else if setting == .language, let locale = LocaleLanguage(environment) {
                entries[setting] = .init(
                    text: locale.language.rawValue,
                    origin: .locale(variable: locale.variable)
                )
            } else {
                entries[setting] = .init(text: setting.defaultText, origin: .standard)
            }
        }
        return try Configuration(entries, keys: file.keys)
    }

    private func checkVariables() throws(ProgramError) {
        let known = Set(Setting.allCases.map(\.environmentName))
            .union(Setting.allCases.compactMap(\.fileVariable)).union(Self.otherVariables)
        let unknown = environment.keys.filter { $0.hasPrefix("HOGA_") && !known.contains($0) }
        if let name = unknown.min() {
            let near = SpellingSuggestions.of(name, among: known.sorted())
            throw ProgramError(
                .configuration,
                "unknown variable \(name)"
                    + (near.isEmpty
                        ? "; 'hoga --help' lists the settings"
                        : ". Did you mean " + near.joined(separator: ", ") + "?")
            )
        }
        // An empty secret is a mistake in a deployment; it must not count as unset.
        for setting in Setting.allCases where setting.isSecret {
            let name = setting.environmentName
            guard let text = environment[name], text.allSatisfy(\.isWhitespace) else { continue }
            throw ProgramError(
                .configuration,
                "\(name) is empty; give it a value or unset it"
            )
        }
    }
}
