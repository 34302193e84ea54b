import Testing

/// The rules of the house as tables: what each folder may import, who may use the sharp tools, and
/// which target may depend on which.
///
/// This file is documentation that a machine reads. A row that no file falls under is an error, so
/// a folder that moves cannot leave its rule behind. Adding to a row is a decision about the
/// design: say why in the commit, and change ARCHITECTURE.md with it.
enum HouseRules {
    // MARK: Imports

    /// What the Swift files below a folder may import, tests apart; the longest prefix counts.
    ///
    /// The import check of the build sees only targets of this package that were not declared. It
    /// sees neither Foundation and Glibc nor C modules that arrive through another target.
    static let imports: [ImportRule] = [
        // The core: no JSON, no SQL, no HTTP, no screen, no Foundation.
        ImportRule("Sources/Domain/", ["Synchronization"]),

        // Shapes of the wire and the protocols of the sources: plain values, no C.
        ImportRule("Sources/DataSources/Contracts/", []),
        // The owners of libcurl's handles, which both transports use.
        ImportRule("Sources/DataSources/Curl/", ["CLibCurl", "DataSources"] + system),
        ImportRule(
            "Sources/DataSources/HTTP/",
            ["BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl"] + system
        ),
        ImportRule(
            "Sources/DataSources/WebSocket/",
            [
                "BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl",
                "WebSocketFraming",
            ] + system
        ),
        // Takes down what any transport brings; where it is kept is the App's business.
        ImportRule("Sources/DataSources/Recording/", ["DataSources"]),
        // What both stores know of migrations; no SQL.
        ImportRule("Sources/DataSources/Schema/", ["Cryptography", "DataSources"]),
        // The embedded store: SQL and SQLite's handles, rows in and out.
        ImportRule(
            "Sources/DataSources/SQLite/",
            [
                "BlockingExecutor", "CSQLite", "Cryptography", "DataSources", "DataSourcesSchema",
                "FoundationEssentials",
            ] + system
        ),
        // The shared store: SQL and libpq's handles, rows in and out.
        ImportRule(
            "Sources/DataSources/PostgreSQL/",
            [
                "BlockingExecutor", "CPostgreSQL", "DataSources", "DataSourcesSchema",
                "FoundationEssentials",
            ] + system
        ),
        ImportRule("Sources/DataSources/Wire/", ["CWireJSON", "DataSources", "Synchronization"]),

        // The one place where a wire shape becomes an entity.
        ImportRule("Sources/Repositories/", ["DataSources", "Domain", "Synchronization"]),

        // View states and the outlets that show them.
        ImportRule(
            "Sources/Presentation/ViewStates/",
            ["Domain", "FoundationEssentials", "Synchronization"]
        ),
        ImportRule(
            "Sources/Presentation/Terminal/",
            ["Domain", "Presentation", "Synchronization"]
        ),
        ImportRule(
            "Sources/Presentation/Terminal/Device/",
            ["BlockingExecutor", "CNCurses", "Domain", "Presentation"] + system
        ),
        ImportRule(
            "Sources/Presentation/SnapshotServer/",
            [
                "BlockingExecutor", "Compression", "Domain", "FoundationEssentials",
                "HTTPServer", "Presentation", "Synchronization",
            ]
        ),

        // Wrappers without knowledge of markets: each sees its own C module.
        ImportRule("Sources/Platform/BlockingExecutor/", system),
        ImportRule("Sources/Platform/BuildInfo/", ["CBuildInfo"]),
        ImportRule("Sources/Platform/Compression/", ["CDeflate"] + system),
        ImportRule("Sources/Platform/Cryptography/", ["CCrypto"] + system),
        ImportRule("Sources/Platform/FileOutput/", system),
        ImportRule("Sources/Platform/HeapMemory/", ["CHeap"]),
        ImportRule("Sources/Platform/HTTPServer/", ["CHTTPParser"] + system),
        ImportRule(
            "Sources/Platform/WebSocketFraming/",
            ["CWSLay", "Cryptography"] + system
        ),

        // Speaks wire only, so it knows neither data sources nor repositories.
        ImportRule(
            "Sources/ExchangeSimulator/",
            [
                "BlockingExecutor", "Compression", "Domain", "FoundationEssentials",
                "HTTPServer", "Synchronization", "WebSocketFraming",
            ]
        ),

        // The composition root: everything of ours, never a C module.
        ImportRule(
            "Sources/App/",
            [
                "BlockingExecutor", "BuildInfo", "Cryptography", "DataSources",
                "DataSourcesHTTP",
                "DataSourcesPostgreSQL", "DataSourcesRecording", "DataSourcesSQLite",
                "DataSourcesWebSocket", "DataSourcesWire", "Dispatch", "Domain",
                "ExchangeSimulator", "FileOutput",
                "FoundationEssentials", "Glibc",
                "HTTPServer", "HeapMemory", "Presentation", "PresentationHTTP",
                "PresentationTerminal", "Repositories", "Synchronization",
            ]
        ),
    ]

    /// What a wrapper around a C library may take from the system.
    private static let system = ["Dispatch", "Glibc", "Synchronization"]

    // MARK: Sharp tools

    /// The only folders that touch C memory.
    private static let wrappers = [
        "Sources/Platform/",
        "Sources/DataSources/Curl/",
        "Sources/DataSources/HTTP/",
        "Sources/DataSources/PostgreSQL/",
        "Sources/DataSources/SQLite/",
        "Sources/DataSources/WebSocket/",
        "Sources/DataSources/Wire/",
        "Sources/Presentation/Terminal/Device/",
    ]

    /// What code below Sources does not say, outside the listed folders and files.
    static let forbiddenTokens: [TokenRule] = [
        TokenRule("unsafe", pattern: #"\bunsafe\b"#, allowedIn: wrappers),
        TokenRule("OpaquePointer", pattern: #"\bOpaquePointer\b"#, allowedIn: wrappers),
        TokenRule("Unsafe…", pattern: #"\bUnsafe\w*"#, allowedIn: wrappers),
        TokenRule("@unchecked", pattern: #"@unchecked\b"#, allowedIn: wrappers),
        // Work that nobody waits for: only the lifecycle may start it, and it ends it again.
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
        // Time is passed in; the composition root is where it comes from.
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
        // A stream without a policy keeps everything that nobody has read yet.
        TokenRule(
            "an unbounded stream",
            pattern:
                #"(?<!-> )(?<!: )\bAsync(Throwing)?Stream\b\s*(<[^>\n]*>)?\s*(\.makeStream\s*)?"#
                + #"(\((?![^{}]*?\bbufferingPolicy:)|\{)|\bbufferingPolicy:\s*\.unbounded\b"#
        ),
        // Standard output belongs to the program, not to its parts.
        TokenRule(
            "print()",
            pattern: #"(?<![\w.])(print|debugPrint|dump)\s*\("#,
            allowedIn: []
        ),
        TokenRule("a singleton", pattern: #"\bstatic\s+(let|var)\s+shared\b"#),
        // Would hand one target's imports to another behind the manifest's back.
        TokenRule("@_exported", pattern: #"@_exported\b"#),
        TokenRule(
            "Codable in Domain",
            pattern: #"\b(Codable|Decodable|Encodable|CodingKey)\b"#,
            within: ["Sources/Domain/"]
        ),
        // Money is never a binary fraction; a literal such as 0.5 would be one unless told.
        TokenRule(
            "a binary fraction",
            pattern: #"\b(Double|Float\d*|CGFloat)\b|(?<![\w.])\d[\d_]*\.\d"#,
            within: ["Sources/Domain/", "Sources/Repositories/"]
        ),
    ]

    /// Promises the compiler cannot check: each has a comment on its line or above it.
    static let promises: [TokenRule] = [
        TokenRule("@unchecked", pattern: #"@unchecked\b"#),
        TokenRule("nonisolated(unsafe)", pattern: #"\bnonisolated\s*\(\s*unsafe\s*\)"#),
        TokenRule("a disabled formatter", pattern: #"//\s*swift-format-ignore"#, inComments: true),
    ]

    // MARK: Sizes

    /// Caps in lines and columns: every Swift, C and C++ file, and the scripts.
    static let sourceFileLinesMax = 400
    static let testFileLinesMax = 500
    static let functionLinesMax = 70
    static let lineColumnsMax = 100

    // MARK: Arrows

    /// Every target of the manifest and what it depends on: arrows point inward.
    static let arrows: [String: Set<String>] = [
        "Domain": [],

        "BlockingExecutor": [],
        "BuildInfo": ["CBuildInfo"],
        "CBuildInfo": [],
        "CCrypto": [],
        "CHeap": [],
        "CHTTPParser": [],
        "CWSLay": [],
        "CDeflate": [],
        "Compression": ["CDeflate"],
        "Cryptography": ["CCrypto"],
        "FileOutput": [],
        "HeapMemory": ["CHeap"],
        "HTTPServer": ["CHTTPParser"],
        "WebSocketFraming": ["CWSLay", "Cryptography"],

        "CLibCurl": [],
        "CWireJSON": [],
        "DataSources": [],
        "DataSourcesCurl": ["CLibCurl", "DataSources"],
        "DataSourcesHTTP": ["BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl"],
        "DataSourcesWebSocket": [
            "BlockingExecutor", "CLibCurl", "DataSources", "DataSourcesCurl", "WebSocketFraming",
        ],
        "DataSourcesRecording": ["DataSources"],
        "DataSourcesWire": ["CWireJSON", "DataSources"],
        "CPostgreSQL": [],
        "DataSourcesPostgreSQL": [
            "BlockingExecutor", "CPostgreSQL", "DataSources", "DataSourcesSchema",
        ],
        "CSQLite": [],
        "DataSourcesSQLite": [
            "BlockingExecutor", "CSQLite", "Cryptography", "DataSources", "DataSourcesSchema",
        ],
        "DataSourcesSchema": ["Cryptography", "DataSources"],

        "Repositories": ["DataSources", "Domain"],

        "CNCurses": [],
        "Presentation": ["Domain"],
        "PresentationTerminal": ["BlockingExecutor", "CNCurses", "Domain", "Presentation"],
        "PresentationHTTP": [
            "BlockingExecutor", "Compression", "Domain", "HTTPServer", "Presentation",
        ],

        "ExchangeSimulator": [
            "BlockingExecutor", "Compression", "Domain", "HTTPServer", "WebSocketFraming",
        ],
        "App": [
            "BlockingExecutor", "BuildInfo", "Cryptography", "DataSources", "DataSourcesHTTP",
            "DataSourcesPostgreSQL", "DataSourcesRecording", "DataSourcesSQLite",
            "DataSourcesWebSocket", "DataSourcesWire", "Domain", "ExchangeSimulator", "FileOutput",
            "HTTPServer", "HeapMemory",
            "Presentation", "PresentationHTTP",
            "PresentationTerminal", "Repositories",
        ],

        // Tests see their own layer, TestSupport, and the servers that answer them.
        "TestSupport": ["DataSources", "Domain"],
        // Whole runs of the real parts that tests and measurements share.
        "Trials": ["DataSources", "Domain", "Repositories", "TestSupport"],
        // Measurements look into every layer, and take their material from the fakes.
        "CWalk": [],
        "StreamReaders": [],
        "Measure": [
            "CWalk", "DataSources", "DataSourcesPostgreSQL", "DataSourcesWire", "Domain",
            "Presentation", "PresentationHTTP", "PresentationTerminal", "Repositories",
            "TestSupport", "Trials",
        ],
        // Writes to a store until a test kills it.
        "StoreWriter": ["DataSources", "DataSourcesSQLite"],
        "AppTests": [
            "App", "DataSources", "DataSourcesRecording", "DataSourcesSQLite", "Domain",
            "FileOutput", "HTTPServer", "Presentation", "PresentationHTTP",
            "PresentationTerminal", "TestSupport",
        ],
        "ArchitectureTests": [],
        "DataSourcesTests": [
            "BuildInfo", "DataSources", "DataSourcesHTTP", "DataSourcesPostgreSQL",
            "DataSourcesRecording",
            "DataSourcesSQLite", "DataSourcesSchema", "DataSourcesWebSocket", "DataSourcesWire",
            "HTTPServer", "TestSupport", "WebSocketFraming",
        ],
        "DomainTests": ["Domain", "TestSupport"],
        "ExchangeSimulatorTests": [
            "Compression", "Domain", "ExchangeSimulator", "HTTPServer", "TestSupport",
            "WebSocketFraming",
        ],
        "IntegrationTests": [
            "App", "BuildInfo", "DataSources", "Domain", "ExchangeSimulator", "Presentation",
            "PresentationTerminal", "Repositories",
            "TestSupport",
        ],
        "PlatformTests": [
            "BlockingExecutor", "BuildInfo", "Compression", "Cryptography", "FileOutput",
            "HTTPServer", "HeapMemory", "TestSupport", "WebSocketFraming",
        ],
        "PresentationHTTPTests": [
            "Compression", "Domain", "HTTPServer", "Presentation", "PresentationHTTP",
            "PresentationTerminal", "TestSupport",
        ],
        "PresentationTerminalTests": [
            "Domain", "Presentation", "PresentationTerminal", "TestSupport",
        ],
        "PresentationTests": ["Domain", "Presentation", "TestSupport"],
        "RepositoriesTests": ["DataSources", "Domain", "Repositories", "TestSupport", "Trials"],
    ]
}

/// What the files below one folder may import.
struct ImportRule: CustomTestStringConvertible {
    let folder: String
    let modules: Set<String>

    init(_ folder: String, _ modules: [String]) {
        self.folder = folder
        self.modules = Set(modules)
    }

    var testDescription: String { folder }
}

/// A pattern that code does not contain: within some folders, or anywhere but in some.
struct TokenRule: CustomTestStringConvertible {
    let name: String
    /// A regular expression over a file without its comments and string literals.
    let pattern: String
    /// Where the rule holds: prefixes of paths.
    let scope: [String]
    /// Where it does not: prefixes of paths.
    let exceptions: [String]
    /// Whether the pattern is looked for in the whole text instead, comments included.
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
