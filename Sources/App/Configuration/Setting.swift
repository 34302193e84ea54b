/// A setting: one row declares it.
///
/// Command line, variables, config.json, help, completions, manual and `hoga config show` follow
/// from the rows. To add a setting, add its row in Setting+Rows.swift, name it in a group below,
/// and read it in ``Configuration``. Precedence: flag, environment, configuration file, default.
struct Setting: Sendable, Hashable {
    /// The key in the configuration file.
    let key: String
    /// The flag of the command line; a secret's flag is known only to be refused.
    let flag: String
    /// The environment variable.
    let environmentName: String
    /// The accepted values.
    let form: ValueForm
    /// The value in force if nothing was given.
    let defaultText: String
    /// The description in help texts, one line.
    let summary: String
    /// Whether its value is never shown and never taken from a flag.
    let isSecret: Bool
    /// Whether its file may have several lines.
    let hasLines: Bool
    /// The meaning of the flag without an attached value; nil if a value must follow it.
    let bareValue: String?

    init(
        _ key: String,
        _ flag: String,
        _ environmentName: String,
        _ form: ValueForm,
        default defaultText: String = "",
        _ summary: String,
        isSecret: Bool = false,
        hasLines: Bool = false,
        bareValue: String? = nil
    ) {
        self.key = key
        self.flag = flag
        self.environmentName = environmentName
        self.form = form
        self.defaultText = defaultText
        self.summary = summary
        self.isSecret = isSecret
        self.hasLines = hasLines
        self.bareValue = bareValue
    }

    /// The variable that names a file with the value; nil unless the value is secret.
    var fileVariable: String? { isSecret ? environmentName + "_FILE" : nil }

    /// The flag and its value as help texts show them.
    var flagSpelling: String {
        bareValue == nil ? "\(flag) \(form.spelling)" : "\(flag)[=\(form.spelling)]"
    }

    static func == (left: Setting, right: Setting) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Setting: CaseIterable {
    /// All settings, in the order of `hoga config show`.
    static let allCases: [Setting] = source + serving + storing + [.server, .token] + watching

    /// Settings of the exchange connection and of the simulator.
    static let source: [Setting] = [
        .exchange, .api, .restURL, .wsURL, .ws2URL, .caFile, .proxy, .replaySpeed, .simulatorSeed,
        .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate,
    ]

    /// Settings of a service alone.
    static let serving: [Setting] = [
        .listen, .adminListen, .snapshotInterval, .serverThreads, .maxConnections,
        .connectionsPerClient, .requestsPerClient, .requestsPerToken, .notModifiedPerClient,
        .streamsPerUser, .topics, .cacheMegabytes, .streamMegabytes, .unsentMegabytes,
        .userMegabytes,
        .webPage, .requireToken, .trustedProxies, .corsOrigins, .accessLog, .logFormat, .webhookKey,
        .webhookAllow,
    ]

    /// Settings of the store.
    static let storing: [Setting] = [
        .store, .databaseURL, .databaseSessionURL, .databaseReadURL, .databaseReadAge,
        .databasePool, .administrator,
    ]

    /// Settings of the terminal's screens alone.
    static let watching: [Setting] = [
        .period, .language, .theme, .colors, .colorDepth, .ascii, .mouse, .clipboard,
        .alertNotice, .alertCommand,
    ]

    /// Settings that have no effect with `--server`: the server has its own exchange and store.
    static let ofOwnMarkets = source.filter { $0 != .caFile && $0 != .proxy } + storing

    /// The setting with a key; nil if there is none.
    static func named(_ key: String) -> Setting? { allCases.first { $0.key == key } }
}

extension Setting: CustomStringConvertible {
    var description: String { key }
}
