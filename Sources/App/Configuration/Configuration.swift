import DataSourceContracts
import Domain
import NetworkAddresses
import ViewStates
import PresentationHTTP
import PresentationTerminal

/// The source of market data.
enum ExchangeChoice: Sendable, Equatable {
    /// The exchange at the configured addresses.
    case bithumb
    /// A simulated exchange inside this process.
    case simulated
    /// A recording, replayed inside this process.
    case replay(path: String)
}

/// The speed of a replay.
enum ReplaySpeed: Sendable, Equatable {
    /// Chosen by the command: recorded speed on a screen, maximum for a single document.
    case automatic
    /// A multiple of the recorded speed.
    case times(Double)
    /// As fast as possible.
    case maximum
}

/// The format of log lines.
enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: one JSON object per line.
    case json
}

/// The configuration in force: every value, validated, and its origin.
struct Configuration: Sendable {
    /// The origin of a value.
    enum Origin: Sendable, Equatable {
        case flag, environment, file, standard
        /// The locale in this variable.
        case locale(variable: String)
        /// A file named by a variable, read by ``SecretFiles``.
        case secretFile(path: String)
    }

    /// One value as text.
    struct Entry: Sendable, Equatable {
        var text: String
        var origin: Origin
    }

    /// All values as text, for `hoga config show`.
    let entries: [Setting: Entry]
    /// The source of market data.
    let exchange: ExchangeChoice
    /// The REST address.
    let restURL: String
    /// The stream address of API 1.x.
    let wsURL: String
    /// The stream address of API 2.x.
    let ws2URL: String
    /// The generations of the API that are read.
    let api: Set<APIGeneration>
    /// The PEM file of an additional certificate authority; nil without one.
    let caFile: String?
    /// The proxy of outgoing connections.
    let proxy: ProxyChoice
    /// The speed of a replay.
    let replaySpeed: ReplaySpeed
    /// The simulator's seed.
    let simulatorSeed: UInt64
    /// Simulated won markets.
    let simulatorMarketsKRW: Int
    /// Simulated bitcoin markets.
    let simulatorMarketsBTC: Int
    /// Simulated frames a second.
    let simulatorRate: Int
    /// Simulated order book frames a second; nil for the exchange's rate.
    let simulatorBookRate: Int?
    /// The public listener.
    let listen: ListenAddress
    /// The admin listener.
    let adminListen: ListenAddress
    /// The minimum time between two snapshots.
    let snapshotInterval: Duration
    /// Server threads; nil for one per processor.
    let serverThreads: Int?
    /// The limits and rules of the service.
    let service: ServiceConfiguration
    /// The format of log lines.
    let logFormat: LogFormat
    /// The store.
    let store: StoreChoice
    /// The address of a hoga server to show; nil to use the exchange.
    let server: String?
    /// The access token of a database or server; nil if none was given.
    let token: AccessToken?
    /// The change period of the first screen.
    let period: ChangePeriod
    /// The interface language.
    let language: Language
    /// The color theme of the first screen.
    let theme: UserSettings.Theme
    /// The colors of rising and falling prices.
    let colors: UserSettings.Colors
    /// The terminal's capabilities that the configuration overrides.
    let terminal: TerminalOptions
    /// The command that screens run for each alert; nil for none.
    let alertCommand: AlertCommand?
    /// The keys for the secrets of webhooks; nil if there are no webhooks.
    let webhookKeys: WebhookKeys?
    /// The addresses that webhooks may reach although they are not public.
    let webhookAllow: [AddressRange]
    /// Whether mouse input is enabled.
    let usesMouse: Bool
    /// The key bindings of the terminal.
    let keys: KeyTable

    /// Validates every value.
    ///
    /// - Parameters:
    ///   - entries: the settings.
    ///   - keys: key names by the name of their action.
    /// - Throws: ``ProgramError``: `usage` for a flag, else `configuration`, naming the setting
    ///   and the accepted values.
    init(
        _ entries: [Setting: Entry],
        keys: [String: [String]] = [:]
    ) throws(ProgramError) {
        let reader = SettingReader(entries: entries)
        self.entries = entries
        exchange = try reader.exchange()
        restURL = try reader.url(.restURL, schemes: ["https", "http"])
        wsURL = try reader.url(.wsURL, schemes: ["wss", "ws"])
        ws2URL = try reader.url(.ws2URL, schemes: ["wss", "ws"])
        api = try reader.api()
        let file = reader.text(.caFile)
        caFile = file.isEmpty ? nil : file
        proxy = try reader.proxy()
        replaySpeed = try reader.replaySpeed()
        simulatorSeed = UInt64(try reader.integer(.simulatorSeed))
        simulatorMarketsKRW = try reader.integer(.simulatorMarketsKRW)
        simulatorMarketsBTC = try reader.integer(.simulatorMarketsBTC)
        simulatorRate = try reader.integer(.simulatorRate)
        simulatorBookRate = try reader.optionalInteger(.simulatorBookRate)
        listen = try reader.address(.listen)
        adminListen = try reader.address(.adminListen)
        snapshotInterval = try reader.duration(.snapshotInterval)
        serverThreads = try reader.optionalInteger(.serverThreads)
        service = try reader.service()
        logFormat = try reader.choice(.logFormat)
        store = try reader.store()
        server = try reader.server()
        token = try reader.token()
        period = try reader.choice(.period)
        language = try reader.choice(.language)
        theme = try reader.choice(.theme)
        colors = try reader.choice(.colors)
        terminal = try reader.terminal()
        alertCommand = try reader.alertCommand()
        webhookKeys = try reader.webhookKeys()
        webhookAllow = try reader.addressRanges(.webhookAllow)
        usesMouse = try reader.choice(.mouse) { $0 == "on" }
        do throws(KeyRebindingError) {
            self.keys = try KeyTable(rebinding: keys)
        } catch {
            throw ProgramError(.configuration, "\"keys\" in config.json: \(error)")
        }
    }
}

extension Configuration {
    /// Screen settings from flag, environment or file, which override the user's saved settings.
    var givenSettings: SettingsPatch {
        var given = SettingsPatch()
        if isGiven(.period) { given.changePeriod = period }
        if isGiven(.language) { given.language = language }
        if isGiven(.theme) { given.theme = theme }
        if isGiven(.colors) { given.colors = colors }
        return given
    }

    /// The locale's language, for users without saved settings; nil if the locale has none, or a
    /// language was given.
    var localeLanguage: Language? {
        guard case .locale = entries[.language]?.origin else { return nil }
        return language
    }

    /// The language of printed output: English in ASCII mode, which cannot show Hangul.
    var printedLanguage: Language { terminal.characters == .ascii ? .english : language }

    /// Whether a setting was given by its flag.
    func isFlag(_ setting: Setting) -> Bool { entries[setting]?.origin == .flag }

    /// Whether a setting was given by flag, environment or file.
    func isGiven(_ setting: Setting) -> Bool {
        switch entries[setting]?.origin {
        case .flag, .environment, .file, .secretFile: true
        case .standard, .locale, nil: false
        }
    }
}

/// An address to listen on.
struct ListenAddress: Sendable, Equatable {
    /// A host name or address of this machine.
    var host: String
    /// The port; 0 for any free port.
    var port: UInt16
}
