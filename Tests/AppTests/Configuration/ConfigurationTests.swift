import DataSourceContracts
import Domain
import NetworkAddresses
import ViewStates
import PresentationHTTP
import PresentationTerminal
import Testing

@testable import App

@Suite("Configuration takes a setting from flag, environment, file or default, in this order")
struct ConfigurationTests {
    private func resolve(
        flags: [Setting: String] = [:],
        environment: [String: String] = [:],
        file: String? = nil
    ) throws -> Configuration {
        try ConfigurationSources(
            flags: flags,
            environment: environment,
            file: file.map { Array($0.utf8) }
        ).resolve()
    }

    @Test("without any source, defaults apply")
    func defaults() throws {
        let configuration = try resolve()
        #expect(configuration.exchange == .bithumb)
        #expect(configuration.restURL == "https://api.bithumb.com")
        #expect(configuration.wsURL == "wss://pubwss.bithumb.com/pub/ws")
        #expect(configuration.ws2URL == "wss://ws-api.bithumb.com/websocket/v1")
        #expect(configuration.api == [.v1, .v2])
        #expect(configuration.caFile == nil)
        #expect(configuration.proxy == .environment)
        #expect(configuration.replaySpeed == .automatic)
        #expect(configuration.simulatorMarketsKRW == 480)
        #expect(configuration.simulatorMarketsBTC == 13)
        #expect(configuration.listen == ListenAddress(host: "127.0.0.1", port: 8_080))
        #expect(configuration.adminListen == ListenAddress(host: "127.0.0.1", port: 8_081))
        #expect(configuration.snapshotInterval == .milliseconds(100))
        #expect(configuration.serverThreads == nil)
        #expect(configuration.logFormat == .text)
        #expect(
            configuration.service
                == ServiceConfiguration(
                    requiresToken: false,
                    trustedProxies: [],
                    corsOrigins: [],
                    connectionsMax: 20_000,
                    connectionsPerClientMax: 64,
                    requestsPerClient: 1_200,
                    requestsPerToken: 1_200,
                    notModifiedPerClient: 6_000,
                    streamsPerUser: 16,
                    topicsMax: 4_096,
                    accessLog: .errors
                )
        )
        #expect(configuration.store == .automatic)
        #expect(configuration.period == .hours24)
        #expect(configuration.language == .korean)
        #expect(configuration.entries.values.allSatisfy { $0.origin == .standard })
    }

    @Test(
        "without a given language, the locale decides",
        arguments: [
            ([:], Language.korean, nil), (["LANG": "C.UTF-8"], .korean, nil),
            (["LANG": "ko_KR.UTF-8"], .korean, "LANG"), (["LANG": "en_US.UTF-8"], .english, "LANG"),
            (["LANG": "en_US", "LC_MESSAGES": "ko_KR"], .korean, "LC_MESSAGES"),
            (["LANG": "ko_KR", "LC_ALL": "de_DE@euro"], .english, "LC_ALL"),
            (["LANG": "ko_KR", "LC_ALL": "C"], .korean, nil),
            (["LANG": "en_US", "LC_ALL": ""], .english, "LANG"),
            (["LANG": "korean"], .korean, "LANG"), (["LANG": "POSIX"], .korean, nil),
        ] as [([String: String], Language, String?)]
    )
    func locale(environment: [String: String], language: Language, variable: String?) throws {
        let configuration = try resolve(environment: environment)
        #expect(configuration.language == language)
        #expect(configuration.localeLanguage == (variable == nil ? nil : language))
        #expect(configuration.givenSettings.isEmpty)
        let origin: Configuration.Origin = variable.map { .locale(variable: $0) } ?? .standard
        #expect(configuration.entries[.language]?.origin == origin)
        let given = try resolve(flags: [.language: "ko"], environment: environment)
        #expect(given.language == .korean && given.localeLanguage == nil)
        #expect(given.givenSettings.language == .korean)
    }

    @Test("screen settings are given for this run, or left to the user and the terminal")
    func looks() throws {
        let left = try resolve()
        #expect(left.givenSettings.isEmpty)
        #expect(left.terminal == TerminalOptions())
        let given = try resolve(
            flags: [.theme: "high-contrast", .ascii: "true", .clipboard: "osc52"],
            environment: ["HOGA_COLOR_DEPTH": "16"],
            file: #"{"colors":"western"}"#
        )
        #expect(given.givenSettings.theme == .highContrast)
        #expect(given.givenSettings.colors == .western)
        #expect(
            given.terminal == TerminalOptions(colors: .sixteen, characters: .ascii, copies: true)
        )
        #expect(left.alertCommand == nil)
        let alerting = try resolve(flags: [.alertNotice: "osc99", .alertCommand: "tell 'a b'"])
        #expect(alerting.terminal.notifies == .osc99)
        #expect(alerting.alertCommand?.words == ["tell", "a b"])
        let depths: [(String, ColorDepth?)] = [
            ("auto", nil), ("true", .trueColor), ("256", .indexed256), ("8", .eight),
            ("none", ColorDepth.none),
        ]
        for (word, depth) in depths {
            #expect(try resolve(flags: [.colorDepth: word]).terminal.colors == depth)
        }
        #expect(try resolve(flags: [.ascii: "false"]).terminal.characters == .unicode)
    }

    @Test("an earlier source wins, and the origin is recorded")
    func order() throws {
        let file = #"{"language":"en","period":"1H","simulatorRate":7,"cutInterval":"2s"}"#
        let environment = ["HOGA_PERIOD": "MID", "HOGA_SIMULATOR_RATE": "8", "HOME": "/x"]
        let configuration = try resolve(
            flags: [.simulatorRate: "9"],
            environment: environment,
            file: file
        )
        #expect(configuration.simulatorRate == 9)
        #expect(configuration.entries[.simulatorRate]?.origin == .flag)
        #expect(configuration.period == .midnight)
        #expect(configuration.entries[.period]?.origin == .environment)
        #expect(configuration.language == .english)
        #expect(configuration.entries[.language]?.origin == .file)
        #expect(configuration.snapshotInterval == .seconds(2))
        #expect(configuration.entries[.exchange]?.origin == .standard)
    }

    @Test(
        "the store is the given file, else a file in the data folder, or none",
        arguments: [
            ("", ["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/hoga/hoga.sqlite"),
            ("", ["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/hoga/hoga.sqlite"),
            ("", ["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/hoga/hoga.sqlite"),
            ("", [:], nil), ("none", ["HOME": "/h"], nil), ("./x", ["HOME": "/h"], "./x"),
        ] as [(String, [String: String], String?)]
    )
    func store(text: String, environment: [String: String], path: String?) throws {
        let configuration = try resolve(flags: [.store: text])
        #expect(configuration.store.path(environment) == path)
    }

    @Test("service limits are read from every source, lists in their order")
    func service() throws {
        let rules = try resolve(
            flags: [.requestsPerClient: "7", .accessLog: "off"],
            environment: ["HOGA_TRUSTED_PROXIES": "10.0.0.0/8,::1", "HOGA_STREAMS_PER_USER": "2"],
            file: #"{"requireToken":true,"corsOrigins":"https://a.example,http://b:81"}"#
        ).service
        #expect(rules.requestsPerClient == 7 && rules.streamsPerUser == 2)
        #expect(rules.requiresToken && rules.accessLog == .off)
        #expect(rules.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1"])
        #expect(rules.corsOrigins.map(\.description) == ["https://a.example", "http://b:81"])
        let many = Array(repeating: "10.0.0.0/8", count: 65).joined(separator: ",")
        let error = #expect(throws: ProgramError.self) {
            try resolve(flags: [.trustedProxies: many])
        }
        #expect(error?.description == "--trusted-proxies: must have at most 64 entries")
    }

    @Test("config show prints every setting with its value and origin")
    func show() throws {
        let text = ConfigCommand(configuration: try resolve(flags: [.language: "en"])).text
        let lines = text.split(separator: "\n")
        #expect(lines.count == Setting.allCases.count)
        for setting in Setting.allCases {
            let line = lines.first { $0.hasPrefix(setting.key + " ") }
            #expect(line?.hasSuffix(setting == .language ? "flag" : "default") == true)
        }
    }

    @Test(
        "an invalid value is refused with its flag or variable and the accepted values",
        arguments: [
            (Setting.exchange, ["", "upbit", "replay:"], "bithumb, simulated or replay:PATH"),
            (
                .restURL, ["api.bithumb.com", "ftp://x", "https://", "http://a b", "http://a?b"],
                "https"
            ),
            (.wsURL, ["https://x", "wss://"], "wss"), (.ws2URL, ["https://x", "wss://"], "wss"),
            (.api, ["", "3", "v2", "AUTO"], "auto, 1 or 2"),
            (
                .proxy,
                ["foo", "proxy:3128", "socks5://a:1", "http://a", "http://a:0", "http://a:x"],
                "must be none or an address like http://host:port"
            ),
            (.proxy, ["http://user:secret@a:3128"], "user name or password"),
            (.replaySpeed, ["0", "-1", "1001", "nan", "fast"], "or max"),
            (.simulatorSeed, ["-1", "x"], "0 or more"),
            (.store, ["/tmp/", "a\u{0}b", "postgres://h"], "a file path or none"),
            (.databasePool, ["0", "65", "x", ""], "1 to 64"),
            (.databaseURL, ["db", "https://h/d"], "postgresql://"),
            (.token, ["hoga_", "secret", "hoga_" + String(repeating: "x", count: 43)], "hoga_"),
            (.theme, ["", "Dark", "solarized"], "auto, light, dark, high-contrast"),
            (.colors, ["green", ""], "korean, western"),
            (.colorDepth, ["512", "yes", ""], "auto, true, 256, 16, 8, none"),
            (.ascii, ["yes", ""], "auto, true, false"),
            (.simulatorMarketsKRW, ["0", "2001"], "1 to 2000"),
            (.simulatorMarketsBTC, ["-1", "501"], "0 to 500"),
            (.simulatorRate, ["0", "1.5"], "1 to"),
            (.simulatorBookRate, ["0", "many", ""], "or auto"),
            (.listen, ["8080", ":8080", "host", "host:70000", "host:"], "HOST:PORT"),
            (.adminListen, ["x"], "HOST:PORT"),
            (.snapshotInterval, ["99ms", "11s", "100", "ms"], "like 250ms"),
            (.serverThreads, ["0", "65", "", "many"], "1 to 64, or auto"),
            (.maxConnections, ["0", "x", "1000001"], "1 to 1000000"),
            (.connectionsPerClient, ["0"], "1 to 1000000"),
            (.requestsPerClient, ["0", "-1", "1.5"], "1 to 1000000000"),
            (.requestsPerToken, ["0"], "1 to 1000000000"),
            (.notModifiedPerClient, ["0"], "1 to 1000000000"),
            (.streamsPerUser, ["0"], "1 to 1000000"),
            (.topics, ["0", "100001"], "1 to 100000"),
            (.requireToken, ["yes", "1", "TRUE", ""], "true, false"),
            (
                .trustedProxies,
                ["10.0.0.0/33", "proxy", "10.0.0.1,", ",", "::/129", "10.0.0.0/8/8"],
                "like 10.0.0.0/8,::1"
            ),
            (
                .webhookAllow, ["10.0.0.0/33", "localhost", "10.0.0.1,", "https://10.0.0.1"],
                "like 10.0.0.0/8,::1"
            ),
            (.webhookKey, ["a", "AAAA", "\n\n", "AAAA\nAAAA"], "openssl rand -base64 32"),
            (
                .corsOrigins,
                [
                    "*", "example.org", "https://", "https://a/", "https://a/b", "https://a?b",
                    "null",
                ],
                "like https://example.org"
            ),
            (.accessLog, ["none", "true"], "errors, all, off"),
            (.logFormat, ["JSON", "plain"], "text, json"),
            (.period, ["24h", "2H"], "24H, MID, 12H, 1H, 30M"),
            (.language, ["kr"], "ko, en"),
            (.mouse, ["yes", "true", ""], "on, off"),
            (.clipboard, ["on", "OSC52", ""], "auto, osc52, off"),
            (.alertNotice, ["on", "OSC9", ""], "auto, bell, osc9, osc777, osc99, off"),
            (.alertCommand, ["notify 'me", #"notify \"#, "'' x"], ""),
        ]
    )
    func wrongValues(setting: Setting, values: [String], remedy: String) {
        for value in values {
            let byFlag = #expect(throws: ProgramError.self) {
                try resolve(flags: [setting: value])
            }
            #expect(byFlag?.exitCode == .usage, "\(setting) \(value)")
            #expect(byFlag?.description.hasPrefix(setting.flag) == true)
            #expect(byFlag?.description.contains(remedy) == true, "\(byFlag?.description ?? "")")
            let byVariable = #expect(throws: ProgramError.self) {
                try resolve(environment: [setting.environmentName: value])
            }
            #expect(byVariable?.exitCode == .configuration)
            #expect(byVariable?.description.hasPrefix(setting.environmentName) == true)
        }
    }

    @Test("a password in an address is refused and not repeated")
    func password() {
        let error = #expect(throws: ProgramError.self) {
            try resolve(flags: [.restURL: "https://user:secret@host"])
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("password") == true)
    }

    @Test("an unknown key or variable is refused by name")
    func unknown() {
        let key = #expect(throws: ProgramError.self) { try resolve(file: #"{"colour":1}"#) }
        #expect(key?.exitCode == .configuration)
        #expect(key?.description.contains("\"colour\"") == true)
        let variable = #expect(throws: ProgramError.self) {
            try resolve(environment: ["HOGA_COLOUR": "1"])
        }
        #expect(variable?.exitCode == .configuration)
        #expect(variable?.description.contains(" HOGA_COLOUR. Did you mean HOGA_COLORS") == true)
    }

    @Test(
        "a file other than an object of scalar values is refused",
        arguments: ["", "[]", "{", #"{"exchange":[]}"#]
    )
    func brokenFile(text: String) {
        let error = #expect(throws: ProgramError.self) { try resolve(file: text) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.description.hasPrefix("config.json") == true)
    }

    @Test(
        "the file is below XDG_CONFIG_HOME, else below HOME",
        arguments: [
            (["XDG_CONFIG_HOME": "/c", "HOME": "/h"], "/c/hoga/config.json"),
            (["HOME": "/h"], "/h/.config/hoga/config.json"),
            (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/hoga/config.json"),
        ]
    )
    func filePath(environment: [String: String], expected: String) {
        #expect(ConfigurationSources.filePath(environment) == expected)
        #expect(ConfigurationSources.filePath([:]) == nil)
    }

    @Test("an IPv6 address has brackets; a trailing slash is dropped")
    func spellings() throws {
        let configuration = try resolve(
            flags: [.listen: "[::1]:0", .restURL: "http://127.0.0.1:9/"])
        #expect(configuration.listen == ListenAddress(host: "::1", port: 0))
        #expect(configuration.restURL == "http://127.0.0.1:9")
    }

    @Test("key bindings are one name or a list, and appear in config show")
    func keys() throws {
        let file = #"{"language":"en","keys":{"list.sort":"F5","quit":["Q","Ctrl+X"],"reload":[]}}"#
        let configuration = try resolve(file: file)
        #expect(
            configuration.keys.rebound
                == [
                    .listSort: [.function(5)], .quit: [.character("Q"), .control("x")], .reload: [],
                ]
        )
        let lines = ConfigCommand(configuration: configuration).text.split(separator: "\n")
        #expect(lines.count == Setting.allCases.count + 3)
        #expect(lines.last?.split(separator: " ") == ["keys.reload", "-", "config.json"])
        #expect(try resolve().keys.rebound.isEmpty)
    }

    @Test(
        "invalid key bindings are refused by name",
        arguments: [
            (#"{"keys":"x"}"#, "\"keys\" in config.json: must be an object like"),
            (#"{"keys":7}"#, "must be an object like"),
            (#"{"keys":{"list.sort":7}}"#, "config.json: must be a JSON object"),
            (#"{"keys":{"list.srot":"x"}}"#, "\"keys\" in config.json: unknown action \"list"),
            (#"{"keys":{"quit":[]}}"#, "\"quit\": this action needs a key"),
            (#"{"language":{"a":"b"}}"#, "\"language\" in config.json: must be a string"),
            (#"{"other":{"a":"b"}}"#, "\"other\" in config.json: unknown setting"),
            (
                #"{"perido":"1h"}"#,
                "\"perido\" in config.json: unknown setting. Did you mean period?"
            ),
        ]
    )
    func wrongKeys(file: String, words: String) {
        let error = #expect(throws: ProgramError.self) { try resolve(file: file) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
