import Testing

/// The rules of the architecture as tables: which layer may depend on which, which system modules
/// a folder may import, and where unsafe code is allowed.
///
/// A row that matches no file is an error, so a rule cannot outlive the folder it names. A wider
/// row is a decision about the design: explain it in the commit and in ARCHITECTURE.md.
enum ArchitectureRules {
    // MARK: Layers

    /// The layers by folder, each with the layers that its targets may depend on.
    ///
    /// The longest prefix of a target's path decides. A layer that does not list itself keeps its
    /// targets independent of each other: the two outlets, for example.
    static let layers: [LayerRule] = [
        LayerRule("Sources/Domain", .domain, dependsOn: []),
        LayerRule("Sources/Domain/UseCases", .useCases, dependsOn: [.domain, .platform]),
        LayerRule("Sources/Platform", .platform, dependsOn: [.platform]),
        LayerRule("Sources/DataSources/DataSourceContracts", .contracts, dependsOn: []),
        LayerRule(
            "Sources/DataSources",
            .dataSources,
            dependsOn: [.contracts, .dataSources, .platform]
        ),
        LayerRule("migrations", .dataSources, dependsOn: [.platform]),
        LayerRule(
            "Sources/Repositories",
            .repositories,
            dependsOn: [.contracts, .domain, .platform, .useCases]
        ),
        LayerRule(
            "Sources/Presentation/ViewStates",
            .viewStates,
            dependsOn: [.domain, .platform, .useCases]
        ),
        LayerRule("Sources/Presentation/CNCurses", .platform, dependsOn: []),
        LayerRule("Sources/Presentation/CWebPage", .platform, dependsOn: []),
        LayerRule("Sources/Presentation/WebPage", .platform, dependsOn: [.platform]),
        LayerRule(
            "Sources/Presentation",
            .outlets,
            dependsOn: [.domain, .platform, .useCases, .viewStates]
        ),
        // Speaks the exchange's protocol only: what hoga believes about it is tested against it.
        LayerRule("Sources/ExchangeSimulator", .simulator, dependsOn: [.domain, .platform]),
        LayerRule("Sources/App", .app, dependsOn: Set(Layer.allCases).subtracting([.app, .tests])),
        LayerRule("Tests", .tests, dependsOn: Set(Layer.allCases)),
        LayerRule("Benchmarks", .tests, dependsOn: Set(Layer.allCases)),
    ]

    // MARK: Imports

    /// The system modules that Swift files below a folder may import; the longest prefix counts.
    ///
    /// Modules of this package follow from the manifest. The import check of the build sees
    /// neither Foundation and Glibc nor C modules that arrive through another target.
    static let systemImports: [ImportRule] = [
        ImportRule("Sources/", ["Synchronization"]),
        ImportRule("Sources/Domain/", []),
        ImportRule("Sources/Domain/UseCases/", ["Synchronization"]),
        ImportRule("Sources/Platform/", system),
        ImportRule("Sources/DataSources/DataSourceContracts/", []),
        ImportRule("Sources/DataSources/DataSourcesCurl/", system),
        ImportRule("Sources/DataSources/DataSourcesHTTP/", system),
        ImportRule("Sources/DataSources/DataSourcesWebSocket/", system),
        ImportRule(
            "Sources/DataSources/DataSourcesRemote/",
            ["FoundationEssentials", "Synchronization"]
        ),
        ImportRule("Sources/DataSources/DataSourcesSQLite/", ["FoundationEssentials"] + system),
        ImportRule("Sources/DataSources/DataSourcesPostgreSQL/", ["FoundationEssentials"] + system),
        ImportRule(
            "Sources/Presentation/ViewStates/",
            ["FoundationEssentials", "Synchronization"]
        ),
        ImportRule("Sources/Presentation/PresentationTerminal/Device/", system),
        ImportRule(
            "Sources/Presentation/PresentationHTTP/",
            ["FoundationEssentials", "Synchronization"]
        ),
        ImportRule("Sources/ExchangeSimulator/", ["FoundationEssentials", "Synchronization"]),
        ImportRule(
            "Sources/App/",
            ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]
        ),
    ]

    /// The only folders that import C modules and touch C memory.
    static let wrappers = [
        "Sources/Platform/",
        "Sources/DataSources/DataSourcesBithumb/",
        "Sources/DataSources/DataSourcesCurl/",
        "Sources/DataSources/DataSourcesHTTP/",
        "Sources/DataSources/DataSourcesPostgreSQL/",
        "Sources/DataSources/DataSourcesSQLite/",
        "Sources/DataSources/DataSourcesWebSocket/",
        "Sources/Presentation/PresentationTerminal/Device/",
        "Sources/Presentation/WebPage/",
        "Tests/TestSupport/PostgreSQL/",
        "Tests/Trials/Store/Disk/",
    ]

    /// The system modules that a wrapper around a C library may import.
    private static let system = ["Dispatch", "Glibc", "Synchronization"]

    // MARK: Forbidden tokens

    /// Patterns that code below Sources does not contain, outside the listed folders and files.
    static let forbiddenTokens: [TokenRule] = [
        TokenRule("unsafe", pattern: #"\bunsafe\b"#, allowedIn: wrappers),
        TokenRule("OpaquePointer", pattern: #"\bOpaquePointer\b"#, allowedIn: wrappers),
        TokenRule("Unsafe…", pattern: #"\bUnsafe\w*"#, allowedIn: wrappers),
        TokenRule("@unchecked", pattern: #"@unchecked\b"#, allowedIn: wrappers),
        // Unstructured tasks: only the lifecycle starts them, and it cancels them.
        TokenRule(
            "Task { }",
            pattern: #"\bTask\s*(<[^>\n]*>)?\s*(\([^)]*\))?\s*\{"#,
            allowedIn: ["Sources/App/Lifecycle.swift"]
        ),
        TokenRule(
            "Task.detached",
            pattern: #"\bTask\s*(<[^>\n]*>)?\s*\.\s*(detached|immediate)\b"#,
            allowedIn: ["Sources/App/Lifecycle.swift"]
        ),
        // Time is passed in by the composition root.
        TokenRule(
            "Date()",
            pattern: #"\bDate\s*(\(\s*\)|\.now\b)"#,
            allowedIn: ["Sources/App/"]
        ),
        TokenRule(
            "ContinuousClock()",
            pattern: #"\b(Continuous|Suspending)Clock\s*(\(\s*\)|\.now\b)"#,
            allowedIn: ["Sources/App/"]
        ),
        // A stream without a buffering policy grows without bound.
        TokenRule(
            "an unbounded stream",
            pattern:
                #"(?<!-> )(?<!: )\bAsync(Throwing)?Stream\b\s*(<[^>\n]*>)?\s*(\.makeStream\s*)?"#
                + #"(\((?![^{}]*?\bbufferingPolicy:)|\{)|\bbufferingPolicy:\s*\.unbounded\b"#
        ),
        // Only the console writes to standard output.
        TokenRule(
            "print()",
            pattern: #"(?<![\w.])(print|debugPrint|dump)\s*\("#,
            allowedIn: []
        ),
        TokenRule("a singleton", pattern: #"\bstatic\s+(let|var)\s+shared\b"#),
        // Passes one target's imports to another without the manifest.
        TokenRule("@_exported", pattern: #"@_exported\b"#),
        TokenRule(
            "Codable in Domain",
            pattern: #"\b(Codable|Decodable|Encodable|CodingKey)\b"#,
            within: ["Sources/Domain/"]
        ),
        // Money is never a binary fraction. A literal such as 0.5 is one by default.
        TokenRule(
            "a binary fraction",
            pattern: #"\b(Double|Float\d*|CGFloat)\b|(?<![\w.])\d[\d_]*\.\d"#,
            within: ["Sources/Domain/", "Sources/Repositories/"]
        ),
    ]

    /// Unchecked promises to the compiler: each has a comment on its line or above it.
    static let promises: [TokenRule] = [
        TokenRule("@unchecked", pattern: #"@unchecked\b"#),
        TokenRule("nonisolated(unsafe)", pattern: #"\bnonisolated\s*\(\s*unsafe\s*\)"#),
        TokenRule("a disabled formatter", pattern: #"//\s*swift-format-ignore"#, inComments: true),
    ]

    // MARK: Sizes

    /// Limits in lines and columns for every Swift, C and C++ file and every script.
    static let sourceFileLinesMax = 400
    static let testFileLinesMax = 500
    static let functionLinesMax = 70
    static let lineColumnsMax = 100
}

/// The layers of the architecture, inner ones first.
enum Layer: CaseIterable {
    case domain, useCases, platform, contracts, dataSources, repositories, viewStates, outlets
    case simulator, app, tests
}

/// The layer of the targets in one folder and the layers that they may depend on.
struct LayerRule: CustomTestStringConvertible {
    let folder: String
    let layer: Layer
    let dependencies: Set<Layer>

    init(_ folder: String, _ layer: Layer, dependsOn dependencies: Set<Layer>) {
        self.folder = folder
        self.layer = layer
        self.dependencies = dependencies
    }

    var testDescription: String { folder }
}

/// The system modules that files below one folder may import.
struct ImportRule: CustomTestStringConvertible {
    let folder: String
    let modules: Set<String>

    init(_ folder: String, _ modules: [String]) {
        self.folder = folder
        self.modules = Set(modules)
    }

    var testDescription: String { folder }
}

/// A pattern that code does not contain, within or outside some folders.
struct TokenRule: CustomTestStringConvertible {
    let name: String
    /// A regular expression over a file without its comments and string literals.
    let pattern: String
    /// The path prefixes where the rule holds.
    let scope: [String]
    /// The path prefixes that are exempt.
    let exceptions: [String]
    /// Whether the pattern is searched in the whole text, comments included.
    let inComments: Bool

    init(
        _ name: String,
        pattern: String,
        within scope: [String] = ["Sources/"],
        allowedIn exceptions: [String] = [],
        inComments: Bool = false
    ) {
        self.name = name
        self.pattern = pattern
        self.scope = scope
        self.exceptions = exceptions
        self.inComments = inComments
    }

    var testDescription: String { name }
}
