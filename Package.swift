// swift-tools-version: 6.3
import PackageDescription

// Arrows point inward: Domain depends on nothing. ARCHITECTURE.md explains each room.

// MARK: Domain

let domain: [Target] = [
    .target(name: "Domain")
]

// MARK: Platform (wrappers that more than one layer needs; they know nothing of markets)

let platform: [Target] = [
    .target(name: "BlockingExecutor", path: "Sources/Platform/BlockingExecutor"),
    .target(name: "FileOutput", path: "Sources/Platform/FileOutput"),
    .target(name: "HeapMemory", dependencies: ["CHeap"], path: "Sources/Platform/HeapMemory"),
    .systemLibrary(name: "CHeap", path: "Sources/Platform/CHeap"),
    .target(
        name: "HTTPServer",
        dependencies: ["CHTTPParser"],
        path: "Sources/Platform/HTTPServer"
    ),
    .target(
        name: "WebSocketFraming",
        dependencies: ["CWSLay", "Cryptography"],
        path: "Sources/Platform/WebSocketFraming"
    ),
    .target(
        name: "Cryptography",
        dependencies: ["CCrypto"],
        path: "Sources/Platform/Cryptography"
    ),
    .target(
        name: "BuildInfo",
        dependencies: ["CBuildInfo"],
        path: "Sources/Platform/BuildInfo"
    ),
    .target(
        name: "CBuildInfo",
        path: "Sources/Platform/CBuildInfo",
        cSettings: [.define("HOGA_BUILD_COMMIT", to: "\"\(buildCommit)\"")]
    ),
    // libhttp-parser-dev ships no .pc file: its module map links it.
    .systemLibrary(
        name: "CHTTPParser",
        path: "Sources/Platform/CHTTPParser",
        providers: [.apt(["libhttp-parser-dev"])]
    ),
    // libwslay-dev ships no .pc file: its module map links it.
    .systemLibrary(
        name: "CWSLay",
        path: "Sources/Platform/CWSLay",
        providers: [.apt(["libwslay-dev"])]
    ),
    .target(
        name: "Compression",
        dependencies: ["CDeflate"],
        path: "Sources/Platform/Compression"
    ),
    .systemLibrary(
        name: "CDeflate",
        path: "Sources/Platform/CDeflate",
        pkgConfig: "libdeflate",
        providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(
        name: "CCrypto",
        path: "Sources/Platform/CCrypto",
        pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"])]
    ),
]

// MARK: Data sources

let dataSources: [Target] = [
    .target(name: "DataSources", path: "Sources/DataSources/Contracts"),
    .target(
        name: "DataSourcesCurl",
        dependencies: ["CLibCurl", "DataSources"],
        path: "Sources/DataSources/Curl"
    ),
    .target(
        name: "DataSourcesHTTP",
        dependencies: ["BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl"],
        path: "Sources/DataSources/HTTP"
    ),
    .target(
        name: "DataSourcesWebSocket",
        dependencies: [
            "BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl", "WebSocketFraming",
        ],
        path: "Sources/DataSources/WebSocket"
    ),
    .target(
        name: "DataSourcesRecording",
        dependencies: ["DataSources"],
        path: "Sources/DataSources/Recording"
    ),
    .target(
        name: "DataSourcesWire",
        dependencies: ["CWireJSON", "DataSources"],
        path: "Sources/DataSources/Wire"
    ),
    .target(
        name: "CWireJSON",
        path: "Sources/DataSources/CWireJSON",
        linkerSettings: [.linkedLibrary("simdjson")]
    ),
    .target(
        name: "DataSourcesSchema",
        dependencies: ["Cryptography", "DataSources"],
        path: "Sources/DataSources/Schema"
    ),
    .target(
        name: "DataSourcesSQLite",
        dependencies: [
            "BlockingExecutor", "CSQLite", "Cryptography", "DataSources", "DataSourcesSchema",
        ],
        path: "Sources/DataSources/SQLite",
        resources: [
            .embedInCode("Migrations/0001_people.sql"),
            .embedInCode("Migrations/0002_market_data.sql"),
            .embedInCode("Migrations/0003_names_and_marks.sql"),
            .embedInCode("Migrations/0004_users_and_tokens.sql"),
        ]
    ),
    .target(
        name: "DataSourcesPostgreSQL",
        dependencies: ["BlockingExecutor", "CPostgreSQL", "DataSources", "DataSourcesSchema"],
        path: "Sources/DataSources/PostgreSQL",
        resources: [
            .embedInCode("Migrations/0001_people.sql"),
            .embedInCode("Migrations/0002_tokens.sql"),
            .embedInCode("Migrations/0003_market_data.sql"),
            .embedInCode("Migrations/0004_lease.sql"),
            .embedInCode("Migrations/0005_changes_by_transaction.sql"),
        ]
    ),
    .systemLibrary(
        name: "CPostgreSQL",
        path: "Sources/DataSources/CPostgreSQL",
        pkgConfig: "libpq",
        providers: [.apt(["libpq-dev"])]
    ),
    .systemLibrary(
        name: "CSQLite",
        path: "Sources/DataSources/CSQLite",
        pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(
        name: "CLibCurl",
        path: "Sources/DataSources/CLibCurl",
        pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"])]
    ),
]

// MARK: Repositories

let repositories: [Target] = [
    .target(
        name: "Repositories",
        dependencies: ["DataSources", "Domain"],
        resources: [.embedInCode("Resources/coins.csv")]
    )
]

// MARK: Presentation

let presentation: [Target] = [
    .target(
        name: "Presentation",
        dependencies: ["Domain"],
        path: "Sources/Presentation/ViewStates"
    ),
    .target(
        name: "PresentationTerminal",
        dependencies: ["BlockingExecutor", "CNCurses", "Domain", "Presentation"],
        path: "Sources/Presentation/Terminal"
    ),
    .target(
        name: "PresentationHTTP",
        dependencies: [
            "BlockingExecutor", "Compression", "Domain", "HTTPServer", "Presentation",
        ],
        path: "Sources/Presentation/SnapshotServer",
        resources: [
            .embedInCode("OpenAPI/Examples/about.json"),
            .embedInCode("OpenAPI/Examples/assets.json"),
            .embedInCode("OpenAPI/Examples/candles.json"),
            .embedInCode("OpenAPI/Examples/cash.json"),
            .embedInCode("OpenAPI/Examples/favorites.json"),
            .embedInCode("OpenAPI/Examples/holdings.json"),
            .embedInCode("OpenAPI/Examples/market-detail.json"),
            .embedInCode("OpenAPI/Examples/market-list.json"),
            .embedInCode("OpenAPI/Examples/me.json"),
            .embedInCode("OpenAPI/Examples/order-book.json"),
            .embedInCode("OpenAPI/Examples/personal-market-list.json"),
            .embedInCode("OpenAPI/Examples/portfolio.json"),
            .embedInCode("OpenAPI/Examples/settings.json"),
            .embedInCode("OpenAPI/Examples/snapshot.json"),
            .embedInCode("OpenAPI/Examples/trades.json"),
        ]
    ),
    // No system library: signal handlers that give the terminal back need a C file of their own.
    .target(
        name: "CNCurses",
        path: "Sources/Presentation/CNCurses",
        linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]
    ),
]

// MARK: The exchange look-alike and the composition root

let programs: [Target] = [
    .target(
        name: "ExchangeSimulator",
        dependencies: [
            "BlockingExecutor", "Compression", "Domain", "HTTPServer", "WebSocketFraming",
        ]
    ),
    .executableTarget(
        name: "App",
        dependencies: [
            "BlockingExecutor", "BuildInfo", "Cryptography", "DataSources", "DataSourcesHTTP",
            "DataSourcesPostgreSQL", "DataSourcesRecording", "DataSourcesSQLite",
            "DataSourcesWebSocket", "DataSourcesWire", "Domain", "ExchangeSimulator", "FileOutput",
            "HTTPServer", "HeapMemory",
            "Presentation", "PresentationHTTP",
            "PresentationTerminal", "Repositories",
        ]
    ),
]

// MARK: Measurements

let benchmarks: [Target] = [
    .executableTarget(
        name: "Measure",
        dependencies: [
            "CWalk", "DataSources", "DataSourcesPostgreSQL", "DataSourcesWire", "Domain",
            "Presentation", "PresentationHTTP", "PresentationTerminal", "Repositories",
            "TestSupport", "Trials",
        ],
        path: "Benchmarks/Measure"
    ),
    // Reads thousands of event streams on one thread; it is no part of the program.
    .executableTarget(name: "StreamReaders", path: "Benchmarks/StreamReaders"),
    .target(
        name: "CWalk",
        path: "Benchmarks/CWalk",
        linkerSettings: [.linkedLibrary("simdjson")]
    ),
]

// MARK: Tests

let tests: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["DataSources", "Domain"],
        path: "Tests/TestSupport"
    ),
    .target(
        name: "Trials",
        dependencies: ["DataSources", "Domain", "Repositories", "TestSupport"],
        path: "Tests/Trials"
    ),
    // Writes to a store until a test kills it; it is no part of the program.
    .executableTarget(
        name: "StoreWriter",
        dependencies: ["DataSources", "DataSourcesSQLite"],
        path: "Tests/StoreWriter"
    ),
    .testTarget(name: "DomainTests", dependencies: ["Domain", "TestSupport"]),
    .testTarget(
        name: "PlatformTests",
        dependencies: [
            "BlockingExecutor", "BuildInfo", "Compression", "Cryptography", "FileOutput",
            "HTTPServer", "HeapMemory", "TestSupport", "WebSocketFraming",
        ]
    ),
    .testTarget(
        name: "DataSourcesTests",
        dependencies: [
            "BuildInfo", "DataSources", "DataSourcesHTTP", "DataSourcesPostgreSQL",
            "DataSourcesRecording",
            "DataSourcesSQLite", "DataSourcesSchema", "DataSourcesWebSocket", "DataSourcesWire",
            "HTTPServer", "TestSupport", "WebSocketFraming",
        ],
        exclude: ["PostgreSQL/Releases"]
    ),
    .testTarget(
        name: "RepositoriesTests",
        dependencies: ["DataSources", "Domain", "Repositories", "TestSupport", "Trials"]
    ),
    .testTarget(
        name: "PresentationTests",
        dependencies: ["Domain", "Presentation", "TestSupport"],
        exclude: ["Fixtures/Frozen"],
        resources: [
            .embedInCode("Fixtures/assets.json"),
            .embedInCode("Fixtures/market-detail.json"),
            .embedInCode("Fixtures/market-list.json"),
            .embedInCode("Fixtures/portfolio.json"),
            .embedInCode("Fixtures/settings.json"),
        ]
    ),
    .testTarget(
        name: "PresentationTerminalTests",
        dependencies: ["Domain", "Presentation", "PresentationTerminal", "TestSupport"]
    ),
    .testTarget(
        name: "PresentationHTTPTests",
        dependencies: [
            "Compression", "Domain", "HTTPServer", "Presentation", "PresentationHTTP",
            "PresentationTerminal", "TestSupport",
        ],
        resources: [.embedInCode("Fixtures/problem.json")]
    ),
    .testTarget(
        name: "ExchangeSimulatorTests",
        dependencies: [
            "Compression", "Domain", "ExchangeSimulator", "HTTPServer", "TestSupport",
            "WebSocketFraming",
        ]
    ),
    .testTarget(
        name: "AppTests",
        dependencies: [
            "App", "DataSources", "DataSourcesRecording", "DataSourcesSQLite", "Domain",
            "FileOutput", "HTTPServer", "Presentation", "PresentationHTTP",
            "PresentationTerminal", "TestSupport",
        ]
    ),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "App", "BuildInfo", "DataSources", "Domain", "ExchangeSimulator", "Presentation",
            "PresentationTerminal", "Repositories",
            "TestSupport",
        ],
        exclude: ["Fixtures"]
    ),
    .testTarget(name: "ArchitectureTests"),
]

let package = Package(
    name: "hoga",
    products: [.executable(name: "hoga", targets: ["App"])],
    targets: domain + platform + dataSources + repositories + presentation + programs
        + benchmarks + tests,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// MARK: House settings

let houseSettings: [SwiftSetting] = [
    .defaultIsolation(nil),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let strictSettings: [SwiftSetting] =
    Context.environment["CI"] == nil
    ? [] : [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + houseSettings + strictSettings
        + (target.type == .test ? [] : [.treatWarning("ExplicitSendable", as: .error)])
}

/// The commit that `hoga --version` names: from the environment when a package is built outside
/// git, else from the checkout.
var buildCommit: String {
    if let commit = Context.environment["HOGA_COMMIT"], !commit.isEmpty { return commit }
    guard let git = Context.gitInformation else { return "unknown" }
    return String(git.currentCommit.prefix(12)) + (git.hasUncommittedChanges ? "+changes" : "")
}
