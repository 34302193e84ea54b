// swift-tools-version: 6.3
import PackageDescription

// Dependencies point inward: Domain depends on nothing. ARCHITECTURE.md describes each target.
// A target lies in the folder of its name, below the folder of its layer.

// MARK: Domain

let domain: [Target] = [
    .target(name: "Domain", exclude: ["UseCases"]),
    .target("UseCases", in: "Sources/Domain", ["Concurrency", "Domain"]),
]

// MARK: Platform (wrappers that more than one layer needs; they know nothing of markets)

let platform: [Target] = [
    .target("BuildInfo", in: "Sources/Platform", ["CBuildInfo"]),
    .target(
        name: "CBuildInfo",
        path: "Sources/Platform/CBuildInfo",
        cSettings: [.define("HOGA_BUILD_COMMIT", to: "\"\(buildCommit)\"")]
    ),
    .systemLibrary(
        name: "CCrypto",
        path: "Sources/Platform/CCrypto",
        pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"])]
    ),
    .systemLibrary(
        name: "CDeflate",
        path: "Sources/Platform/CDeflate",
        pkgConfig: "libdeflate",
        providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(name: "CChildProgram", path: "Sources/Platform/CChildProgram"),
    .systemLibrary(name: "CEvent", path: "Sources/Platform/CEvent"),
    .systemLibrary(name: "CMemoryFile", path: "Sources/Platform/CMemoryFile"),
    .systemLibrary(name: "CHeap", path: "Sources/Platform/CHeap"),
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
    .systemLibrary(
        name: "CZlib",
        path: "Sources/Platform/CZlib",
        pkgConfig: "zlib",
        providers: [.apt(["zlib1g-dev"])]
    ),
    .target(
        "ChildPrograms",
        in: "Sources/Platform",
        ["CChildProgram", "Concurrency", "SharedMemory"]
    ),
    .target("Compression", in: "Sources/Platform", ["CDeflate", "CZlib", "HeapMemory"]),
    .target("Concurrency", in: "Sources/Platform", ["CEvent"]),
    .target("Cryptography", in: "Sources/Platform", ["CCrypto", "HeapMemory"]),
    .target("FileOutput", in: "Sources/Platform"),
    .target("HeapMemory", in: "Sources/Platform", ["CHeap"]),
    .target(
        "HTTPServer",
        in: "Sources/Platform",
        ["CHTTPParser", "Concurrency", "NetworkAddresses", "SharedMemory"]
    ),
    .target("JSON", in: "Sources/Platform"),
    .target("NetworkAddresses", in: "Sources/Platform"),
    .target("SharedMemory", in: "Sources/Platform", ["CMemoryFile"]),
    .target(
        "WebSocketFraming",
        in: "Sources/Platform",
        ["Compression", "CWSLay", "Cryptography", "HeapMemory"]
    ),
]

// MARK: Data sources

let dataSources: [Target] = [
    .target(
        name: "CBithumbJSON",
        path: "Sources/DataSources/CBithumbJSON",
        linkerSettings: [.linkedLibrary("simdjson")]
    ),
    .systemLibrary(
        name: "CLibCurl",
        path: "Sources/DataSources/CLibCurl",
        pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"])]
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
    .target("DataSourceContracts", in: "Sources/DataSources"),
    .target(
        "DataSourcesBithumb",
        in: "Sources/DataSources",
        ["CBithumbJSON", "Concurrency", "DataSourceContracts", "HeapMemory", "JSON"]
    ),
    .target(
        "DataSourcesCurl",
        in: "Sources/DataSources",
        ["CLibCurl", "DataSourceContracts", "NetworkAddresses"]
    ),
    .target(
        "DataSourcesHTTP",
        in: "Sources/DataSources",
        ["CLibCurl", "Concurrency", "DataSourceContracts", "DataSourcesCurl", "NetworkAddresses"]
    ),
    .target(
        "DataSourcesPostgreSQL",
        in: "Sources/DataSources",
        [
            "CPostgreSQL", "ChildPrograms", "Concurrency", "DataSourceContracts",
            "DataSourcesSchema", "Migrations", "NetworkAddresses",
        ]
    ),
    .target("DataSourcesRecording", in: "Sources/DataSources", ["DataSourceContracts"]),
    .target(
        "DataSourcesRemote",
        in: "Sources/DataSources",
        ["Concurrency", "DataSourceContracts"]
    ),
    .target("DataSourcesSchema", in: "Sources/DataSources", ["DataSourceContracts", "Migrations"]),
    .target(
        "DataSourcesSQLite",
        in: "Sources/DataSources",
        [
            "CSQLite", "Concurrency", "Cryptography", "DataSourceContracts", "DataSourcesSchema",
            "Migrations",
        ]
    ),
    .target(
        "DataSourcesWebSocket",
        in: "Sources/DataSources",
        ["CLibCurl", "Concurrency", "DataSourceContracts", "DataSourcesCurl", "WebSocketFraming"]
    ),
    // The schema of both stores. Embedded files are found only below the target's folder.
    .target(
        name: "Migrations",
        dependencies: ["Cryptography"],
        path: "migrations",
        resources: [
            .embedInCode("postgresql/0001_people.sql"),
            .embedInCode("postgresql/0002_tokens.sql"),
            .embedInCode("postgresql/0003_market_data.sql"),
            .embedInCode("postgresql/0004_lease.sql"),
            .embedInCode("postgresql/0005_changes_by_transaction.sql"),
            .embedInCode("postgresql/0006_candle_partitions.sql"),
            .embedInCode("postgresql/0007_news.sql"),
            .embedInCode("postgresql/0008_audit_and_news_age.sql"),
            .embedInCode("postgresql/0009_journal_terms.sql"),
            .embedInCode("postgresql/0010_own_tokens.sql"),
            .embedInCode("postgresql/0011_journal_plans.sql"),
            .embedInCode("postgresql/0012_record_functions.sql"),
            .embedInCode("postgresql/0013_market_layout.sql"),
            .embedInCode("postgresql/0014_alerts.sql"),
            .embedInCode("postgresql/0015_webhooks.sql"),
            .embedInCode("postgresql/0016_repeated_alerts.sql"),
            .embedInCode("sqlite/0001_people.sqlite.sql"),
            .embedInCode("sqlite/0002_market_data.sqlite.sql"),
            .embedInCode("sqlite/0003_names_and_marks.sqlite.sql"),
            .embedInCode("sqlite/0004_users_and_tokens.sqlite.sql"),
            .embedInCode("sqlite/0005_token_notes.sqlite.sql"),
            .embedInCode("sqlite/0006_market_layout.sqlite.sql"),
            .embedInCode("sqlite/0007_alerts.sqlite.sql"),
            .embedInCode("sqlite/0008_webhooks.sqlite.sql"),
        ]
    ),
]

// MARK: Repositories

let repositories: [Target] = [
    .target(
        name: "Repositories",
        dependencies: ["Concurrency", "DataSourceContracts", "Domain", "UseCases"],
        resources: [.embedInCode("Resources/coins.csv")]
    )
]

// MARK: Presentation

let presentation: [Target] = [
    // Not a system library: the signal handlers that restore the terminal are a C file.
    .target(
        name: "CNCurses",
        path: "Sources/Presentation/CNCurses",
        linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]
    ),
    .target(
        "ViewStates",
        in: "Sources/Presentation",
        ["Concurrency", "Domain", "JSON", "SharedMemory", "UseCases"]
    ),
    .target(
        "PresentationTerminal",
        in: "Sources/Presentation",
        ["CNCurses", "Concurrency", "Cryptography", "Domain", "UseCases", "ViewStates"]
    ),
    // Embeds the files of the page, which lie in the folder of WebPage.
    .target(name: "CWebPage", path: "Sources/Presentation/CWebPage"),
    .target(
        name: "WebPage",
        dependencies: ["CWebPage", "Cryptography"],
        path: "Sources/Presentation/WebPage",
        exclude: ["Assets"]
    ),
    .target(
        name: "PresentationHTTP",
        dependencies: [
            "Compression", "Concurrency", "Cryptography", "Domain", "HTTPServer", "JSON",
            "NetworkAddresses", "SharedMemory", "UseCases", "ViewStates", "WebPage",
        ],
        path: "Sources/Presentation/PresentationHTTP",
        resources: [
            .embedInCode("OpenAPI/Examples/about.json"),
            .embedInCode("OpenAPI/Examples/alert.json"),
            .embedInCode("OpenAPI/Examples/alert-log.json"),
            .embedInCode("OpenAPI/Examples/alerts.json"),
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
            .embedInCode("OpenAPI/Examples/token.json"),
            .embedInCode("OpenAPI/Examples/tokens.json"),
            .embedInCode("OpenAPI/Examples/trades.json"),
        ]
    ),
]

// MARK: The simulated exchange and the composition root

let appDependencies: [Target.Dependency] = [
    "BuildInfo", "ChildPrograms", "Concurrency", "Cryptography", "DataSourceContracts",
    "DataSourcesBithumb", "DataSourcesHTTP", "DataSourcesPostgreSQL", "DataSourcesRecording",
    "DataSourcesRemote", "DataSourcesSQLite", "DataSourcesWebSocket", "Domain", "ExchangeSimulator",
    "FileOutput", "HTTPServer", "HeapMemory", "JSON", "NetworkAddresses", "PresentationHTTP",
    "PresentationTerminal", "Repositories", "UseCases", "ViewStates", "WebPage",
]

/// Whether `make fuzz` reads the package, in a build folder of its own: the program is a library
/// then, whose parsers the fuzzer reaches.
let isFuzzed = Context.environment["HOGA_FUZZ"] != nil

let programs: [Target] = [
    .target(
        "ExchangeSimulator",
        in: "Sources",
        [
            "Compression", "Concurrency", "Domain", "HTTPServer", "JSON", "NetworkAddresses",
            "WebSocketFraming",
        ]
    ),
    isFuzzed
        ? .target(
            name: "App",
            dependencies: appDependencies,
            exclude: ["HogaProgram.swift"]
        ) : .executableTarget(name: "App", dependencies: appDependencies),
]

// MARK: Benchmarks

let benchmarks: [Target] = [
    .target(
        name: "CWalk",
        path: "Benchmarks/CWalk",
        linkerSettings: [.linkedLibrary("simdjson")]
    ),
    .executableTarget(
        name: "Measure",
        dependencies: [
            "CWalk", "Concurrency", "Cryptography", "DataSourceContracts", "DataSourcesBithumb",
            "DataSourcesPostgreSQL", "DataSourcesWebSocket", "Domain", "PresentationHTTP",
            "PresentationTerminal", "Repositories", "TestSupport", "Trials", "UseCases",
            "ViewStates",
        ],
        path: "Benchmarks/Measure"
    ),
    // Reads thousands of event streams on one thread. Not part of the product.
    .executableTarget(
        name: "StreamReaders",
        dependencies: ["CZlib"],
        path: "Benchmarks/StreamReaders"
    ),
]

// MARK: Tests

let testSupport: [Target] = [
    .target(
        "TestSupport",
        in: "Tests",
        ["Compression", "Concurrency", "CPostgreSQL", "DataSourceContracts", "Domain", "UseCases"]
    ),
    .target(
        "Trials",
        in: "Tests",
        [
            "CTrialDisk", "Concurrency", "DataSourceContracts", "DataSourcesBithumb",
            "DataSourcesSQLite", "Domain", "ExchangeSimulator", "HTTPServer", "Migrations",
            "NetworkAddresses", "PresentationHTTP", "Repositories", "TestSupport", "UseCases",
            "ViewStates", "WebSocketFraming",
        ]
    ),
    // A VFS of SQLite with faults. Not part of the product.
    .target(
        name: "CTrialDisk",
        path: "Tests/CTrialDisk",
        linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    // Writes to a store until a test kills it. Not part of the product.
    .executableTarget(
        name: "StoreWriter",
        dependencies: ["DataSourceContracts", "DataSourcesSQLite"],
        path: "Tests/StoreWriter"
    ),
]

let tests: [Target] = [
    .testTarget(
        name: "AppTests",
        dependencies: [
            "App", "ChildPrograms", "Concurrency", "Cryptography", "DataSourceContracts",
            "DataSourcesHTTP", "DataSourcesPostgreSQL", "DataSourcesRecording", "DataSourcesRemote",
            "DataSourcesSQLite", "Domain", "FileOutput", "HTTPServer", "JSON", "NetworkAddresses",
            "PresentationHTTP", "PresentationTerminal", "TestSupport", "UseCases", "ViewStates",
        ]
    ),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(
        name: "DataSourcesTests",
        dependencies: [
            "Compression", "Concurrency", "DataSourceContracts", "DataSourcesBithumb",
            "DataSourcesHTTP", "DataSourcesPostgreSQL", "DataSourcesRecording",
            "DataSourcesRemote", "DataSourcesSQLite", "DataSourcesSchema", "DataSourcesWebSocket",
            "HTTPServer", "Migrations", "NetworkAddresses", "TestSupport", "Trials",
            "WebSocketFraming",
        ],
        exclude: ["PostgreSQL/Releases"]
    ),
    .testTarget(name: "DomainTests", dependencies: ["Domain", "TestSupport"]),
    .testTarget(
        name: "ExchangeSimulatorTests",
        dependencies: [
            "Compression", "Concurrency", "Domain", "ExchangeSimulator", "HTTPServer",
            "NetworkAddresses", "TestSupport", "WebSocketFraming",
        ]
    ),
    // A program is linked into the tests only where a test target names it.
    .testTarget(name: "FuzzingTests", dependencies: ["App", "Fuzzing"]),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "App", "BuildInfo", "Concurrency", "Cryptography", "DataSourceContracts",
            "DataSourcesBithumb", "DataSourcesHTTP", "DataSourcesRemote", "DataSourcesWebSocket",
            "Domain", "ExchangeSimulator", "HTTPServer", "PresentationHTTP", "PresentationTerminal",
            "Repositories", "TestSupport", "UseCases", "ViewStates",
        ],
        exclude: ["Fixtures"]
    ),
    .testTarget(
        name: "PlatformTests",
        dependencies: [
            "BuildInfo", "ChildPrograms", "Compression", "Concurrency", "Cryptography",
            "FileOutput", "HTTPServer", "HeapMemory", "JSON", "NetworkAddresses", "SharedMemory",
            "TestSupport", "WebSocketFraming",
        ]
    ),
    .testTarget(
        name: "PresentationHTTPTests",
        dependencies: [
            "Compression", "Concurrency", "Domain", "HTTPServer", "HeapMemory", "JSON",
            "NetworkAddresses", "PresentationHTTP", "PresentationTerminal", "SharedMemory",
            "TestSupport", "UseCases", "ViewStates", "WebPage",
        ],
        resources: [.embedInCode("Fixtures/problem.json")]
    ),
    .testTarget(
        name: "PresentationTerminalTests",
        dependencies: [
            "Concurrency", "Domain", "PresentationTerminal", "TestSupport", "UseCases",
            "ViewStates",
        ]
    ),
    .testTarget(
        name: "RepositoriesTests",
        dependencies: [
            "Concurrency", "DataSourceContracts", "Domain", "ExchangeSimulator", "Repositories",
            "TestSupport", "Trials", "UseCases",
        ]
    ),
    .testTarget(name: "UseCasesTests", dependencies: ["Domain", "TestSupport", "UseCases"]),
    .testTarget(
        name: "ViewStatesTests",
        dependencies: ["Concurrency", "Domain", "JSON", "TestSupport", "UseCases", "ViewStates"],
        exclude: ["Fixtures/Frozen"],
        resources: [
            .embedInCode("Fixtures/assets.json"),
            .embedInCode("Fixtures/market-detail.json"),
            .embedInCode("Fixtures/market-list.json"),
            .embedInCode("Fixtures/portfolio.json"),
            .embedInCode("Fixtures/settings.json"),
        ]
    ),
]

// MARK: Fuzzing

/// Judges one input of a parser, for the fuzzer and for the test of its corpus.
let fuzzing: [Target] = [
    .target(
        name: "Fuzzing",
        dependencies: [
            "App", "Compression", "DataSourceContracts", "DataSourcesBithumb", "DataSourcesHTTP",
            "Domain", "ExchangeSimulator", "HTTPServer", "JSON", "NetworkAddresses",
            "PresentationHTTP", "PresentationTerminal", "UseCases", "ViewStates",
            "WebSocketFraming",
        ],
        path: "Tests/Fuzzing",
        exclude: ["Corpus", "Dictionaries"]
    )
]
let fuzzer: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
    .executableTarget(
        name: "Fuzzer",
        dependencies: ["CLibFuzzer", "Fuzzing"],
        path: "Tests/Fuzzer"
    ),
]

/// The test targets to build: those that `HOGA_TEST_TARGETS` names, separated by commas, or all.
///
/// All test targets are linked into one bundle, so leaving some out saves their compilation.
let selectedTests =
    Context.environment["HOGA_TEST_TARGETS"].map { names in
        tests.filter { names.split(separator: ",").contains($0.name[...]) }
    } ?? tests

/// The files of tests that `HOGA_OMITTED_TESTS` names, `Target/Path.swift` separated by commas.
///
/// A sanitizer runs a fifth of the tests, and tests take most of the time to compile.
/// scripts/test-suites.py says which files a run does not need.
let omittedTests = (Context.environment["HOGA_OMITTED_TESTS"] ?? "").split(separator: ",")
for test in selectedTests {
    let folder = "\(test.name)/"
    test.exclude += omittedTests.filter { $0.hasPrefix(folder) }
        .map { String($0.dropFirst(folder.count)) }
}

/// The benchmarks, which a build of some test targets does not need.
let selectedBenchmarks = Context.environment["HOGA_TEST_TARGETS"] == nil ? benchmarks : []

/// Whether a selected test uses the program, which else need not be compiled.
let isProgramTested = selectedTests.contains { test in
    test.dependencies.contains { dependency in
        if case .byNameItem(name: "App", _) = dependency { true } else { false }
    }
}
let selectedPrograms =
    isProgramTested ? programs + fuzzing : programs.filter { $0.name != "App" }

let package = Package(
    name: "hoga",
    products: isFuzzed || !isProgramTested ? [] : [.executable(name: "hoga", targets: ["App"])],
    targets: domain + platform + dataSources + repositories + presentation
        + (isFuzzed
            ? programs + fuzzing + fuzzer
            : selectedPrograms + selectedBenchmarks + testSupport + selectedTests),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// MARK: Compiler settings

let commonSettings: [SwiftSetting] = [
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

/// The targets of which a sanitizer runs few tests or none.
let littleTestedTargets =
    ["PresentationTerminal"]
    + ["ExchangeSimulator", "ViewStates"].filter { name in
        !selectedTests.contains { $0.name == "\(name)Tests" }
    }

/// The targets in which tests spend most of their time.
///
/// Optimized in debug builds too, they take a quarter of that time, and the simulated
/// exchange leaves the processors to the program under test. To optimize all targets would double
/// the time to compile, which is more than tests save. Where tests are left out, targets of which
/// few remain would cost more than they save, too.
let optimizedTargets = Set([
    "Compression", "ExchangeSimulator", "HTTPServer", "JSON", "PresentationTerminal",
    "SharedMemory", "ViewStates", "WebSocketFraming",
]).subtracting(omittedTests.isEmpty ? [] : littleTestedTargets)
let optimized: SwiftSetting = .unsafeFlags(["-O"], .when(configuration: .debug))
precondition(optimizedTargets.isSubset(of: package.targets.map(\.name)))

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + commonSettings + strictSettings
        + (target.type == .test ? [] : [.treatWarning("ExplicitSendable", as: .error)])
        + (optimizedTargets.contains(target.name) ? [optimized] : [])
}

extension Target {
    /// A target in the folder `group/name`.
    static func target(
        _ name: String,
        in group: String,
        _ dependencies: [Target.Dependency] = []
    ) -> Target {
        .target(name: name, dependencies: dependencies, path: "\(group)/\(name)")
    }
}

/// The commit that `hoga --version` prints: from the environment when the package is built
/// outside git, else from the checkout.
var buildCommit: String {
    if let commit = Context.environment["HOGA_COMMIT"], !commit.isEmpty { return commit }
    guard let git = Context.gitInformation else { return "unknown" }
    return String(git.currentCommit.prefix(12)) + (git.hasUncommittedChanges ? "+changes" : "")
}
