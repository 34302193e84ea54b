/// Everything that can be configured, in the order in which `hoga config show` prints it.
///
/// A value comes from the flag, else the environment, else the configuration file, else the
/// default.
enum Setting: String, Sendable, CaseIterable {
    case exchange
    case restURL
    case wsURL
    case caFile
    case proxy
    case replaySpeed
    case simulatorSeed
    case simulatorMarketsKRW
    case simulatorMarketsBTC
    case simulatorRate
    case simulatorBookRate
    case listen
    case adminListen
    case cutInterval
    case serverThreads
    case maxConnections
    case connectionsPerClient
    case requestsPerClient
    case requestsPerToken
    case notModifiedPerClient
    case streamsPerUser
    case topics
    case requireToken
    case trustedProxies
    case corsOrigins
    case accessLog
    case logFormat
    case store
    case databaseURL
    case databaseSessionURL
    case databasePool
    case server
    case token
    case period
    case language
    case theme
    case colors
    case colorDepth
    case ascii
    case mouse

    /// What only a service has.
    static let serving: [Setting] = [
        .listen, .adminListen, .cutInterval, .serverThreads, .maxConnections,
        .connectionsPerClient, .requestsPerClient, .requestsPerToken, .notModifiedPerClient,
        .streamsPerUser, .topics, .requireToken, .trustedProxies, .corsOrigins, .accessLog,
        .logFormat,
    ]

    /// What only screens have.
    static let watching: [Setting] = [
        .period, .language, .theme, .colors, .colorDepth, .ascii, .mouse,
    ]

    /// What a program has no use for that looks at a server: it asks no exchange, keeps nothing.
    static let ofOwnMarkets: [Setting] = [
        .exchange, .restURL, .wsURL, .replaySpeed, .simulatorSeed, .simulatorMarketsKRW,
        .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate, .store, .databaseURL,
        .databaseSessionURL, .databasePool,
    ]

    /// The key in the configuration file.
    var key: String { rawValue }

    /// Whether its value is shown to nobody, and taken neither from a flag nor shown by one.
    var isSecret: Bool {
        switch self {
        case .databaseURL, .databaseSessionURL, .token: true
        case .exchange, .restURL, .wsURL, .caFile, .replaySpeed, .simulatorSeed,
            .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate,
            .listen, .adminListen, .cutInterval, .serverThreads, .maxConnections,
            .connectionsPerClient, .requestsPerClient, .requestsPerToken, .notModifiedPerClient,
            .streamsPerUser, .topics, .requireToken, .trustedProxies, .corsOrigins, .accessLog,
            .logFormat, .store, .databasePool, .server, .proxy, .period, .language,
            .theme, .colors, .colorDepth, .ascii, .mouse:
            false
        }
    }

    /// The variable that names a file with the value; nil where the value is no secret.
    var fileVariable: String? { isSecret ? environmentName + "_FILE" : nil }

    /// The flag of the command line; that of a secret is known only to be refused.
    var flag: String {
        switch self {
        case .exchange: "--exchange"
        case .restURL: "--rest-url"
        case .wsURL: "--ws-url"
        case .caFile: "--ca-file"
        case .proxy: "--proxy"
        case .replaySpeed: "--replay-speed"
        case .simulatorSeed: "--seed"
        case .simulatorMarketsKRW: "--krw-markets"
        case .simulatorMarketsBTC: "--btc-markets"
        case .simulatorRate: "--rate"
        case .simulatorBookRate: "--book-rate"
        case .listen: "--listen"
        case .adminListen: "--admin-listen"
        case .cutInterval: "--cut-interval"
        case .serverThreads: "--server-threads"
        case .maxConnections: "--max-connections"
        case .connectionsPerClient: "--connections-per-client"
        case .requestsPerClient: "--requests-per-client"
        case .requestsPerToken: "--requests-per-token"
        case .notModifiedPerClient: "--not-modified-per-client"
        case .streamsPerUser: "--streams-per-user"
        case .topics: "--topics"
        case .requireToken: "--require-token"
        case .trustedProxies: "--trusted-proxies"
        case .corsOrigins: "--cors-origins"
        case .accessLog: "--access-log"
        case .logFormat: "--log-format"
        case .store: "--store"
        case .databaseURL: "--database-url"
        case .databaseSessionURL: "--database-session-url"
        case .databasePool: "--database-pool"
        case .server: "--server"
        case .token: "--token"
        case .period: "--period"
        case .language: "--lang"
        case .theme: "--theme"
        case .colors: "--colors"
        case .colorDepth: "--color-depth"
        case .ascii: "--ascii"
        case .mouse: "--mouse"
        }
    }

    /// What the flag means where no value is attached; nil where a value must follow it.
    var bareValue: String? {
        switch self {
        case .ascii: "true"
        case .exchange, .restURL, .wsURL, .caFile, .replaySpeed, .simulatorSeed,
            .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate,
            .listen, .adminListen, .cutInterval, .serverThreads, .maxConnections,
            .connectionsPerClient, .requestsPerClient, .requestsPerToken, .notModifiedPerClient,
            .streamsPerUser, .topics, .requireToken, .trustedProxies, .corsOrigins, .accessLog,
            .logFormat, .store, .databasePool, .proxy, .period, .language, .theme, .colors,
            .colorDepth, .mouse, .server, .databaseURL, .databaseSessionURL, .token:
            nil
        }
    }

    /// The flag with what stands for its value in help texts.
    var flagSpelling: String {
        bareValue == nil ? "\(flag) \(valueName)" : "\(flag)[=\(valueName)]"
    }

    /// The environment variable.
    var environmentName: String {
        switch self {
        case .exchange: "HOGA_EXCHANGE"
        case .restURL: "HOGA_BITHUMB_REST_URL"
        case .wsURL: "HOGA_BITHUMB_WS_URL"
        case .caFile: "HOGA_CA_FILE"
        case .proxy: "HOGA_PROXY"
        case .replaySpeed: "HOGA_REPLAY_SPEED"
        case .simulatorSeed: "HOGA_SIMULATOR_SEED"
        case .simulatorMarketsKRW: "HOGA_SIMULATOR_KRW_MARKETS"
        case .simulatorMarketsBTC: "HOGA_SIMULATOR_BTC_MARKETS"
        case .simulatorRate: "HOGA_SIMULATOR_RATE"
        case .simulatorBookRate: "HOGA_SIMULATOR_BOOK_RATE"
        case .listen: "HOGA_LISTEN"
        case .adminListen: "HOGA_ADMIN_LISTEN"
        case .cutInterval: "HOGA_CUT_INTERVAL"
        case .serverThreads: "HOGA_SERVER_THREADS"
        case .maxConnections: "HOGA_MAX_CONNECTIONS"
        case .connectionsPerClient: "HOGA_CONNECTIONS_PER_CLIENT"
        case .requestsPerClient: "HOGA_REQUESTS_PER_CLIENT"
        case .requestsPerToken: "HOGA_REQUESTS_PER_TOKEN"
        case .notModifiedPerClient: "HOGA_NOT_MODIFIED_PER_CLIENT"
        case .streamsPerUser: "HOGA_STREAMS_PER_USER"
        case .topics: "HOGA_TOPICS"
        case .requireToken: "HOGA_REQUIRE_TOKEN"
        case .trustedProxies: "HOGA_TRUSTED_PROXIES"
        case .corsOrigins: "HOGA_CORS_ORIGINS"
        case .accessLog: "HOGA_ACCESS_LOG"
        case .logFormat: "HOGA_LOG_FORMAT"
        case .store: "HOGA_STORE"
        case .databaseURL: "HOGA_DATABASE_URL"
        case .databaseSessionURL: "HOGA_DATABASE_SESSION_URL"
        case .databasePool: "HOGA_DATABASE_POOL"
        case .server: "HOGA_SERVER"
        case .token: "HOGA_TOKEN"
        case .period: "HOGA_PERIOD"
        case .language: "HOGA_LANG"
        case .theme: "HOGA_THEME"
        case .colors: "HOGA_COLORS"
        case .colorDepth: "HOGA_COLOR_DEPTH"
        case .ascii: "HOGA_ASCII"
        case .mouse: "HOGA_MOUSE"
        }
    }

    /// What stands for the value in help texts.
    var valueName: String {
        switch self {
        case .exchange: "bithumb|simulated|replay:PATH"
        case .restURL, .wsURL, .databaseURL, .databaseSessionURL, .server: "URL"
        case .caFile: "FILE"
        case .proxy: "URL|none"
        case .replaySpeed: "N|max"
        case .simulatorSeed, .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate: "N"
        case .simulatorBookRate: "auto|N"
        case .listen, .adminListen: "HOST:PORT"
        case .cutInterval: "DURATION"
        case .serverThreads: "auto|N"
        case .maxConnections, .connectionsPerClient, .requestsPerClient, .requestsPerToken,
            .notModifiedPerClient, .streamsPerUser, .topics:
            "N"
        case .requireToken: "true|false"
        case .trustedProxies: "CIDR,…"
        case .corsOrigins: "URL,…"
        case .accessLog: "errors|all|off"
        case .logFormat: "text|json"
        case .store: "PATH|none"
        case .databasePool: "N"
        case .token: "TOKEN"
        case .period: "24H|MID|12H|1H|30M"
        case .language: "ko|en"
        case .theme: "auto|light|dark|high-contrast"
        case .colors: "korean|western"
        case .colorDepth: "auto|true|256|16|8|none"
        case .ascii: "auto|true|false"
        case .mouse: "on|off"
        }
    }

    /// What it is for, in a line.
    var summary: String {
        switch self {
        case .exchange: "where data come from"
        case .restURL: "address of the exchange's REST API"
        case .wsURL: "address of the exchange's stream"
        case .caFile: "PEM file of a private authority, trusted besides the system's"
        case .proxy: "HTTP proxy on the way to the exchange; else what https_proxy names"
        case .replaySpeed: "speed of a recording; 1 is as recorded"
        case .simulatorSeed: "seed of the simulated exchange"
        case .simulatorMarketsKRW: "simulated won markets"
        case .simulatorMarketsBTC: "simulated bitcoin markets"
        case .simulatorRate: "simulated stream frames a second"
        case .simulatorBookRate: "simulated book frames a second; auto is as the exchange"
        case .listen: "where documents, or the simulated exchange, are served"
        case .adminListen: "where health and readiness are served"
        case .cutInterval: "shortest time between two revisions, 100ms to 10s"
        case .serverThreads: "threads that answer requests, 1 to 64; auto is one a processor"
        case .maxConnections: "connections at one time, less if fewer files may be open"
        case .connectionsPerClient: "connections of one address; raise it for a proxy's"
        case .requestsPerClient: "requests of one client in a minute"
        case .requestsPerToken: "requests with one token in a minute"
        case .notModifiedPerClient: "more of them in a minute, if nothing has changed"
        case .streamsPerUser: "open streams of one user, or of one client without a token"
        case .topics: "different questions that streams may follow at one time"
        case .requireToken: "whether public data, too, need a token"
        case .trustedProxies: "proxies that are believed whom they forward"
        case .corsOrigins: "origins whose pages may read answers in a browser"
        case .accessLog: "which requests are logged; errors are slow ones, too"
        case .logFormat: "how log lines are written"
        case .store: "file that keeps favourites, settings and more; else below $XDG_DATA_HOME"
        case .databaseURL: "PostgreSQL database that keeps them instead, for many people"
        case .databaseSessionURL: "the same past any pooler, for news of changes at once"
        case .databasePool: "connections to the database, 1 to 64"
        case .server: "a running `hoga serve` that is looked at instead of the exchange"
        case .token: "opens what a database, or the server, keeps for its user"
        case .period: "period of the price change"
        case .language: "language of texts for people; else as kept, else as LANG says"
        case .theme: "colours for the terminal's background; auto asks the terminal"
        case .colors: "korean: red is up, blue is down; western: green and red"
        case .colorDepth: "colours at the most; auto is the terminal's, none with NO_COLOR"
        case .ascii: "ASCII alone, and English; auto where a screen's locale names another set"
        case .mouse: "click and wheel; the terminal's own marking of text then needs Shift"
        }
    }
}
