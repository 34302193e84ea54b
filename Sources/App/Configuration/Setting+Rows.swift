import DataSourceContracts
import DataSourcesBithumb
import Domain
import PresentationHTTP
import PresentationTerminal

/// Settings of the exchange connection and of the simulator.
extension Setting {
    static let exchange = Setting(
        "exchange",
        "--exchange",
        "HOGA_EXCHANGE",
        .words(["bithumb", "simulated", "replay:PATH"]),
        default: "bithumb",
        "source of market data"
    )
    static let restURL = Setting(
        "restURL",
        "--rest-url",
        "HOGA_BITHUMB_REST_URL",
        .text("URL"),
        default: BithumbAddresses.rest,
        "address of the exchange's REST API"
    )
    static let wsURL = Setting(
        "wsURL",
        "--ws-url",
        "HOGA_BITHUMB_WS_URL",
        .text("URL"),
        default: BithumbAddresses.streamV1,
        "address of the WebSocket of the exchange's API 1.x"
    )
    static let ws2URL = Setting(
        "ws2URL",
        "--ws2-url",
        "HOGA_BITHUMB_WS2_URL",
        .text("URL"),
        default: BithumbAddresses.streamV2,
        "address of the WebSocket of the exchange's API 2.x"
    )
    static let api = Setting(
        "api",
        "--api",
        "HOGA_API",
        .words(["auto"] + APIGeneration.allCases.map(\.rawValue)),
        default: "auto",
        "generation of the exchange's API; auto: both, each for what it does better"
    )
    static let caFile = Setting(
        "caFile",
        "--ca-file",
        "HOGA_CA_FILE",
        .path("FILE"),
        "PEM file of an additional certificate authority"
    )
    static let proxy = Setting(
        "proxy",
        "--proxy",
        "HOGA_PROXY",
        .text("URL", or: ["none"]),
        "HTTP proxy for outgoing connections; default: https_proxy"
    )
    static let replaySpeed = Setting(
        "replaySpeed",
        "--replay-speed",
        "HOGA_REPLAY_SPEED",
        .text("N", or: ["max"]),
        "speed of a replay; 1 is the recorded speed"
    )
    static let simulatorSeed = Setting(
        "simulatorSeed",
        "--seed",
        "HOGA_SIMULATOR_SEED",
        .number(0...(.max)),
        default: "1",
        "seed of the simulated exchange"
    )
    static let simulatorMarketsKRW = Setting(
        "simulatorMarketsKRW",
        "--krw-markets",
        "HOGA_SIMULATOR_KRW_MARKETS",
        .number(1...2_000),
        default: "480",
        "number of simulated KRW markets"
    )
    static let simulatorMarketsBTC = Setting(
        "simulatorMarketsBTC",
        "--btc-markets",
        "HOGA_SIMULATOR_BTC_MARKETS",
        .number(0...500),
        default: "13",
        "number of simulated BTC markets"
    )
    static let simulatorRate = Setting(
        "simulatorRate",
        "--rate",
        "HOGA_SIMULATOR_RATE",
        .number(1...1_000_000),
        default: "500",
        "simulated stream frames per second"
    )
    static let simulatorBookRate = Setting(
        "simulatorBookRate",
        "--book-rate",
        "HOGA_SIMULATOR_BOOK_RATE",
        .number(1...1_000_000, or: "auto"),
        default: "auto",
        "simulated order book frames per second; auto: the exchange's rate"
    )
}

/// Settings of a service.
extension Setting {
    static let listen = Setting(
        "listen",
        "--listen",
        "HOGA_LISTEN",
        .text("HOST:PORT"),
        default: "127.0.0.1:8080",
        "address of the public listener, or of the simulated exchange"
    )
    static let adminListen = Setting(
        "adminListen",
        "--admin-listen",
        "HOGA_ADMIN_LISTEN",
        .text("HOST:PORT"),
        default: "127.0.0.1:8081",
        "address of the admin listener (health, readiness, metrics)"
    )
    static let snapshotInterval = Setting(
        "cutInterval",
        "--cut-interval",
        "HOGA_CUT_INTERVAL",
        .duration(.milliseconds(100)...(.seconds(10))),
        default: "100ms",
        "minimum time between two snapshots, 100ms to 10s"
    )
    static let serverThreads = Setting(
        "serverThreads",
        "--server-threads",
        "HOGA_SERVER_THREADS",
        .number(1...64, or: "auto"),
        default: "auto",
        "server threads, 1 to 64; auto: one per processor"
    )
    static let maxConnections = Setting(
        "maxConnections",
        "--max-connections",
        "HOGA_MAX_CONNECTIONS",
        .number(1...1_000_000),
        default: "20000",
        "maximum open connections; lowered to fit the open file limit"
    )
    static let connectionsPerClient = Setting(
        "connectionsPerClient",
        "--connections-per-client",
        "HOGA_CONNECTIONS_PER_CLIENT",
        .number(1...1_000_000),
        default: "64",
        "maximum connections per address; raise it behind a proxy"
    )
    static let requestsPerClient = Setting(
        "requestsPerClient",
        "--requests-per-client",
        "HOGA_REQUESTS_PER_CLIENT",
        .number(perMinute),
        default: "1200",
        "requests per minute and client"
    )
    static let requestsPerToken = Setting(
        "requestsPerToken",
        "--requests-per-token",
        "HOGA_REQUESTS_PER_TOKEN",
        .number(perMinute),
        default: "1200",
        "requests per minute and token"
    )
    static let notModifiedPerClient = Setting(
        "notModifiedPerClient",
        "--not-modified-per-client",
        "HOGA_NOT_MODIFIED_PER_CLIENT",
        .number(perMinute),
        default: "6000",
        "304 answers per minute and client, in a quota of their own"
    )
    static let streamsPerUser = Setting(
        "streamsPerUser",
        "--streams-per-user",
        "HOGA_STREAMS_PER_USER",
        .number(1...1_000_000),
        default: "16",
        "open streams per user, or per client without a token"
    )
    static let topics = Setting(
        "topics",
        "--topics",
        "HOGA_TOPICS",
        .number(1...100_000),
        default: "4096",
        "maximum distinct queries of open streams"
    )
    static let cacheMegabytes = Setting(
        "cacheMegabytes",
        "--cache-mb",
        "HOGA_CACHE_MB",
        .number(1...65_536),
        default: "64",
        "megabytes for cached documents and for streams without readers"
    )
    static let streamMegabytes = Setting(
        "streamMegabytes",
        "--stream-mb",
        "HOGA_STREAM_MB",
        .number(1...65_536),
        default: "256",
        "megabytes for streamed documents, shared out among clients"
    )
    static let unsentMegabytes = Setting(
        "unsentMegabytes",
        "--unsent-mb",
        "HOGA_UNSENT_MB",
        .number(1...65_536),
        default: "128",
        "megabytes that clients have not taken; a client may use a quarter"
    )
    static let userMegabytes = Setting(
        "userMegabytes",
        "--user-mb",
        "HOGA_USER_MB",
        .number(1...65_536),
        default: "64",
        "megabytes for the data of users in memory, about 4 KB a user"
    )
    static let webPage = Setting(
        "web",
        "--web",
        "HOGA_WEB",
        .words(["on", "off"]),
        default: "on",
        "the page at / for browsers"
    )
    static let requireToken = Setting(
        "requireToken",
        "--require-token",
        "HOGA_REQUIRE_TOKEN",
        .words(["true", "false"]),
        default: "false",
        "require a token for market data too"
    )
    static let trustedProxies = Setting(
        "trustedProxies",
        "--trusted-proxies",
        "HOGA_TRUSTED_PROXIES",
        .text("CIDR,…"),
        "proxies whose X-Forwarded-For is trusted"
    )
    static let corsOrigins = Setting(
        "corsOrigins",
        "--cors-origins",
        "HOGA_CORS_ORIGINS",
        .text("URL,…"),
        "origins whose pages may read answers (CORS)"
    )
    static let accessLog = Setting(
        "accessLog",
        "--access-log",
        "HOGA_ACCESS_LOG",
        .words(of: AccessLogMode.self),
        default: "errors",
        "requests to log; errors includes slow requests"
    )
    static let logFormat = Setting(
        "logFormat",
        "--log-format",
        "HOGA_LOG_FORMAT",
        .words(of: LogFormat.self),
        default: "text",
        "format of log lines"
    )
    static let webhookKey = Setting(
        "webhookKey",
        "--webhook-key",
        "HOGA_WEBHOOK_KEY",
        .text("KEY"),
        "keys of the secrets of webhooks, Base64 of 32 bytes, one a line; without one no webhooks",
        isSecret: true,
        hasLines: true
    )
    static let webhookAllow = Setting(
        "webhookAllow",
        "--webhook-allow",
        "HOGA_WEBHOOK_ALLOW",
        .text("CIDR,…"),
        "addresses that webhooks may reach although they are not public"
    )

    /// Requests per minute; the upper bound means no limit in practice.
    private static let perMinute = 1...1_000_000_000
}

/// Settings of the terminal.
extension Setting {
    static let period = Setting(
        "period",
        "--period",
        "HOGA_PERIOD",
        .words(of: ChangePeriod.self),
        default: "24H",
        "period of the price change"
    )
    static let language = Setting(
        "language",
        "--lang",
        "HOGA_LANG",
        .words(of: Language.self),
        default: "ko",
        "language of screens and printed data; default: the saved setting, then LANG"
    )
    static let theme = Setting(
        "theme",
        "--theme",
        "HOGA_THEME",
        .words(of: UserSettings.Theme.self),
        default: "auto",
        "color theme; auto: ask the terminal for its background"
    )
    static let colors = Setting(
        "colors",
        "--colors",
        "HOGA_COLORS",
        .words(of: UserSettings.Colors.self),
        default: "korean",
        "price colors; korean: red up, blue down; western: green up, red down"
    )
    static let colorDepth = Setting(
        "colorDepth",
        "--color-depth",
        "HOGA_COLOR_DEPTH",
        .words(["auto", "true", "256", "16", "8", "none"]),
        default: "auto",
        "maximum colors; auto: what the terminal supports, none with NO_COLOR"
    )
    static let ascii = Setting(
        "ascii",
        "--ascii",
        "HOGA_ASCII",
        .words(["auto", "true", "false"]),
        default: "auto",
        "ASCII characters and English only; auto: if the locale is not UTF-8",
        bareValue: "true"
    )
    static let clipboard = Setting(
        "clipboard",
        "--clipboard",
        "HOGA_CLIPBOARD",
        .words(["auto", "osc52", "off"]),
        default: "auto",
        "copy to the terminal's clipboard (OSC 52); auto: if terminfo or the name says it can"
    )
    static let alertNotice = Setting(
        "alertNotice",
        "--notify",
        "HOGA_NOTIFY",
        .words(["auto"] + NotificationMethod.allCases.map(\.rawValue)),
        default: "auto",
        "how the terminal tells alerts; auto: as its name says that it can, else the bell"
    )
    static let alertCommand = Setting(
        "alertCommand",
        "--alert-command",
        "HOGA_ALERT_COMMAND",
        .text("COMMAND"),
        "command to run for each alert, without a shell, with the alert as JSON on standard input"
    )
    static let mouse = Setting(
        "mouse",
        "--mouse",
        "HOGA_MOUSE",
        .words(["on", "off"]),
        default: "off",
        "mouse clicks, wheel and dragging; selecting text then needs Shift"
    )
}
