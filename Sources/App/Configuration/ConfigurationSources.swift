import DataSourcesBithumb
import Domain

/// Gathers the configuration from flags, environment, file and defaults.
struct ConfigurationSources: Sendable {
    /// Variables with our prefix that are no settings: the build and the tests read them.
    static let otherVariables: Set<String> = [
        "HOGA_COMMIT", "HOGA_TEST_DATABASE_URL", "HOGA_TEST_POSTGRESQL_BIN",
    ]

    /// Flags of the command line.
    var flags: [Setting: String]
    /// The environment.
    var environment: [String: String]
    /// What ``SecretFiles`` read.
    var secrets: [Setting: SecretFiles.Secret] = [:]
    /// The text of the configuration file; nil if there is none.
    var file: [UInt8]?

    /// The defaults.
    static let standard: [Setting: String] = [
        .exchange: "bithumb",
        .restURL: BithumbAddresses.rest,
        .wsURL: BithumbAddresses.streamV1,
        .caFile: "",
        .proxy: "",
        .replaySpeed: "",
        .simulatorSeed: "1",
        .simulatorMarketsKRW: "480",
        .simulatorMarketsBTC: "13",
        .simulatorRate: "500",
        .simulatorBookRate: "auto",
        .listen: "127.0.0.1:8080",
        .adminListen: "127.0.0.1:8081",
        .cutInterval: "100ms",
        .serverThreads: "auto",
        .maxConnections: "20000",
        .connectionsPerClient: "64",
        .requestsPerClient: "1200",
        .requestsPerToken: "1200",
        .notModifiedPerClient: "6000",
        .streamsPerUser: "16",
        .topics: "4096",
        .requireToken: "false",
        .trustedProxies: "",
        .corsOrigins: "",
        .accessLog: "errors",
        .logFormat: "text",
        .store: "",
        .databaseURL: "",
        .databaseSessionURL: "",
        .databasePool: "8",
        .server: "",
        .token: "",
        .period: "24H",
        .language: "ko",
        .theme: "auto",
        .colors: "korean",
        .colorDepth: "auto",
        .ascii: "auto",
        .mouse: "off",
    ]

    /// Where the configuration file lies: `$XDG_CONFIG_HOME/hoga/config.json`.
    static func filePath(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], !folder.isEmpty {
            return folder + "/hoga/config.json"
        }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return home + "/.config/hoga/config.json"
    }

    /// Resolves every setting.
    ///
    /// - Throws: ``ProgramError`` naming the unknown key, the unknown variable or the wrong value.
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
                entries[setting] = .init(text: Self.standard[setting] ?? "", origin: .standard)
            }
        }
        return try Configuration(entries, keys: file.keys)
    }

    private func checkVariables() throws(ProgramError) {
        let known = Set(Setting.allCases.map(\.environmentName))
            .union(Setting.allCases.compactMap(\.fileVariable)).union(Self.otherVariables)
        let unknown = environment.keys.filter { $0.hasPrefix("HOGA_") && !known.contains($0) }
        if let name = unknown.min() {
            throw ProgramError(
                .configuration,
                "\(name): there is no such setting; `hoga config show` names them all"
            )
        }
        // A variable whose value got lost on its way would else pass for one that was never set.
        for setting in Setting.allCases where setting.isSecret {
            let name = setting.environmentName
            guard let text = environment[name], text.allSatisfy(\.isWhitespace) else { continue }
            throw ProgramError(
                .configuration,
                "\(name): it is set and empty: give it a value, or unset it"
            )
        }
    }
}
