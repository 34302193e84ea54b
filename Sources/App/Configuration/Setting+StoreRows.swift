/// Settings of the store and of remote mode.
extension Setting {
    static let store = Setting(
        "store",
        "--store",
        "HOGA_STORE",
        .path(or: ["none"]),
        "SQLite file of user and market data; default: below $XDG_DATA_HOME"
    )
    static let databaseURL = Setting(
        "databaseURL",
        "--database-url",
        "HOGA_DATABASE_URL",
        .text("URL"),
        "PostgreSQL database shared by many users, instead of the SQLite file",
        isSecret: true
    )
    static let databaseSessionURL = Setting(
        "databaseSessionURL",
        "--database-session-url",
        "HOGA_DATABASE_SESSION_URL",
        .text("URL"),
        "direct (unpooled) address of the same database, for instant updates",
        isSecret: true
    )
    static let databaseReadURL = Setting(
        "databaseReadURL",
        "--database-read-url",
        "HOGA_DATABASE_READ_URL",
        .text("URL"),
        "address of standbys of the same database, for candles",
        isSecret: true
    )
    static let databaseReadAge = Setting(
        "databaseReadAge",
        "--database-read-age",
        "HOGA_DATABASE_READ_AGE",
        .duration(.seconds(2)...(.seconds(600))),
        default: "10s",
        "maximum age of candles from a standby, 2s to 10m"
    )
    static let databasePool = Setting(
        "databasePool",
        "--database-pool",
        "HOGA_DATABASE_POOL",
        .number(1...64),
        default: "8",
        "maximum database connections, 1 to 64"
    )
    static let administrator = Setting(
        "administrator",
        "--administrator",
        "HOGA_ADMINISTRATOR",
        .text("NAME"),
        "your name in the audit trail; default: the user of the operating system"
    )
    static let server = Setting(
        "server",
        "--server",
        "HOGA_SERVER",
        .text("URL"),
        "show the data of a running `hoga serve` instead of the exchange"
    )
    static let token = Setting(
        "token",
        "--token",
        "HOGA_TOKEN",
        .text("TOKEN"),
        "access token of the database or server",
        isSecret: true
    )
}
