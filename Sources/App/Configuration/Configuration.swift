import DataSourceContracts
import Domain
import ViewStates
import PresentationHTTP
import PresentationTerminal

/// Where market data come from.
enum ExchangeChoice: Sendable, Equatable {
    /// The exchange at the configured addresses.
    case bithumb
    /// A simulated exchange inside this process.
    case simulated
    /// A recording, replayed inside this process.
    case replay(path: String)
}

/// How fast a recording is played.
enum ReplaySpeed: Sendable, Equatable {
    /// As the command finds fit: as recorded on a screen, at once for a single document.
    case automatic
    /// So many times as fast as recorded.
    case times(Double)
    /// As fast as it can be read.
    case maximum
}

/// How log lines are written.
enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
}

/// The configuration in force: every value, checked, and where it came from.
struct Configuration: Sendable {
    /// Where a value came from.
    enum Origin: Sendable, Equatable {
        case flag, environment, file, standard
        /// The locale, which this variable names.
        case locale(variable: String)
        /// A file that a variable names, as ``SecretFiles`` reads it.
        case secretFile(path: String)
    }

    /// One value as text.
    struct Entry: Sendable, Equatable {
        var text: String
        var origin: Origin
    }

    /// All values as text, for `hoga config show`.
    let entries: [Setting: Entry]
    /// Where market data come from.
    let exchange: ExchangeChoice
    /// The REST address.
    let restURL: String
    /// The stream address.
    let wsURL: String
    /// The private authority's file; nil without one.
    let caFile: String?
    /// The way to the exchange.
    let proxy: ProxyChoice
    /// The speed of a recording.
    let replaySpeed: ReplaySpeed
    /// The simulator's seed.
    let simulatorSeed: UInt64
    /// Simulated won markets.
    let simulatorMarketsKRW: Int
    /// Simulated bitcoin markets.
    let simulatorMarketsBTC: Int
    /// Simulated frames a second.
    let simulatorRate: Int
    /// Simulated frames of changes of books a second; nil for what the exchange would send.
    let simulatorBookRate: Int?
    /// The public listener.
    let listen: ListenAddress
    /// The admin listener.
    let adminListen: ListenAddress
    /// The shortest time between two cuts.
    let cutInterval: Duration
    /// Threads that answer requests; nil for as many as there are processors.
    let serverThreads: Int?
    /// What the service lets its clients do.
    let service: ServiceConfiguration
    /// How log lines are written.
    let logFormat: LogFormat
    /// Where everything is kept.
    let store: StoreChoice
    /// A service that is looked at instead of the exchange; nil without one.
    let server: String?
    /// Opens what a database or a service keeps for its user; nil where none was given.
    let token: AccessToken?
    /// The change period of the first screen.
    let period: ChangePeriod
    /// The language of texts.
    let language: Language
    /// The colours of the first screen.
    let theme: UserSettings.Theme
    /// Which colours mean up and down.
    let colors: UserSettings.Colors
    /// What is decided for the terminal, and not left to it.
    let terminal: TerminalChoices
    /// Whether the terminal's mouse is taken.
    let usesMouse: Bool
    /// Which key of the terminal does what.
    let keys: KeyTable

    /// Checks every value.
    ///
    /// - Parameters:
    ///   - entries: the settings.
    ///   - keys: names of keys by the names of what they are to do.
    /// - Throws: ``ProgramError``: `usage` for a flag, `configuration` for anything else, naming
    ///   the setting and what it may be.
    init(
        _ entries: [Setting: Entry],
        keys: [String: [String]] = [:]
    ) throws(ProgramError) {
        let reader = SettingReader(entries: entries)
        self.entries = entries
        exchange = try reader.exchange()
        restURL = try reader.url(.restURL, schemes: ["https", "http"])
        wsURL = try reader.url(.wsURL, schemes: ["wss", "ws"])
        let file = reader.text(.caFile)
        caFile = file.isEmpty ? nil : file
        proxy = try reader.proxy()
        replaySpeed = try reader.replaySpeed()
        simulatorSeed = UInt64(try reader.integer(.simulatorSeed, in: 0...(.max)))
        simulatorMarketsKRW = try reader.integer(.simulatorMarketsKRW, in: 1...2_000)
        simulatorMarketsBTC = try reader.integer(.simulatorMarketsBTC, in: 0...500)
        simulatorRate = try reader.integer(.simulatorRate, in: 1...1_000_000)
        simulatorBookRate =
            reader.text(.simulatorBookRate) == "auto"
            ? nil : try reader.integer(.simulatorBookRate, in: 1...1_000_000)
        listen = try reader.address(.listen)
        adminListen = try reader.address(.adminListen)
        cutInterval = try reader.duration(
            .cutInterval,
            in: .milliseconds(100)...(.seconds(10))
        )
        serverThreads =
            reader.text(.serverThreads) == "auto"
            ? nil : try reader.integer(.serverThreads, in: 1...64)
        service = try reader.service()
        logFormat = try reader.choice(.logFormat, of: LogFormat.allCases.map { ($0.rawValue, $0) })
        store = try reader.store()
        server = try reader.server()
        token = try reader.token()
        period = try reader.choice(.period, of: ChangePeriod.allCases.map { ($0.rawValue, $0) })
        language = try reader.choice(.language, of: Language.allCases.map { ($0.rawValue, $0) })
        theme = try reader.choice(
            .theme,
            of: UserSettings.Theme.allCases.map { ($0.rawValue, $0) }
        )
        colors = try reader.choice(
            .colors,
            of: UserSettings.Colors.allCases.map { ($0.rawValue, $0) }
        )
        terminal = try reader.terminal()
        usesMouse = try reader.choice(.mouse, of: [("on", true), ("off", false)])
        do throws(KeyRebindingError) {
            self.keys = try KeyTable(rebinding: keys)
        } catch {
            throw ProgramError(.configuration, "\"keys\" in config.json: \(error)")
        }
    }
}

extension Configuration {
    /// What was given for this run by flag, environment or file: it wins over what a user has kept.
    var givenSettings: SettingsPatch {
        var given = SettingsPatch()
        if isGiven(.period) { given.changePeriod = period }
        if isGiven(.language) { given.language = language }
        if isGiven(.theme) { given.theme = theme }
        if isGiven(.colors) { given.colors = colors }
        return given
    }

    /// The language of whoever has kept no settings yet, as the locale has it; nil where that says
    /// nothing, or another was given.
    var localeLanguage: Language? {
        guard case .locale = entries[.language]?.origin else { return nil }
        return language
    }

    /// The language of what is printed: Hangul has no form where ASCII alone was chosen.
    var printedLanguage: Language { terminal.characters == .ascii ? .english : language }

    /// Whether somebody gave a setting, wherever: what is left is the standard, or the locale's.
    func isGiven(_ setting: Setting) -> Bool {
        switch entries[setting]?.origin {
        case .flag, .environment, .file, .secretFile: true
        case .standard, .locale, nil: false
        }
    }
}

/// An address to listen on.
struct ListenAddress: Sendable, Equatable {
    /// A name or address of this machine.
    var host: String
    /// The port; 0 takes any free one.
    var port: UInt16
}
