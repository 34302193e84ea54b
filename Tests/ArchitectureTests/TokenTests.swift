import Testing

@Suite("Forbidden tokens")
struct TokenTests {
    @Test(
        "code outside the listed folders does not contain the token",
        arguments: ArchitectureRules.forbiddenTokens
    )
    func tokenIsAbsent(rule: TokenRule) throws {
        let files = Checkout.swiftFiles(below: "Sources/").filter { rule.applies(to: $0.path) }
        try #require(!files.isEmpty, "no file falls under this rule")
        for file in files {
            let found = try file.matches(rule.pattern)
            #expect(found.isEmpty, "\(rule.name): \(found)")
        }
    }

    @Test("every scope and exception matches a file", arguments: ArchitectureRules.forbiddenTokens)
    func exceptionsExist(rule: TokenRule) {
        for prefix in rule.scope + rule.exceptions {
            #expect(!Checkout.swiftFiles(below: prefix).isEmpty, "no file lies below \(prefix)")
        }
    }

    @Test(
        "an unchecked promise has a comment with its reason",
        arguments: ArchitectureRules.promises
    )
    func uncheckedHasReason(rule: TokenRule) throws {
        let files = Checkout.swiftFiles(below: "Sources/")
        try #require(!files.isEmpty)
        for file in files {
            for found in try file.matches(rule.pattern, inComments: rule.inComments) {
                #expect(file.hasReason(atLine: found.line), "\(found)")
            }
        }
    }

    @Test("no text announces later work")
    func noUnfinishedWork() throws {
        // Spelled in halves, or this file would break its own rule.
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
        let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        let files =
            try Checkout.files + Checkout.scripts
            + (documents + ["Makefile", "Package.swift"]).map(Checkout.file)
        try #require(files.count > documents.count + 2)
        for file in files {
            let pattern = "\\b(" + words.joined(separator: "|") + ")\\b"
            let found = try file.matches(pattern, inComments: true)
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test(
        "a rule matches the code that it forbids",
        arguments: [
            ("unsafe", "let x = unsafe f()"), ("unsafe", "nonisolated(unsafe) var x = 1"),
            ("Unsafe…", "let p: UnsafeRawPointer"), ("@unchecked", "class A: @unchecked Sendable"),
            ("Task { }", "Task { work() }"), ("Task { }", "Task(priority: .high) {"),
            ("Task { }", "let t: Task<Void, Never> = Task<Void, Never> {"),
            ("Task.detached", "Task.detached {"), ("Date()", "let now = Date()"),
            ("Date()", "Date.now"), ("ContinuousClock()", "SuspendingClock()"),
            ("print()", "print(1)"), ("a singleton", "static let shared = A()"),
            ("Codable in Domain", "struct A: Codable"), ("a binary fraction", "let a = 0.5"),
            ("a binary fraction", "let a: Double"),
            ("an unbounded stream", "AsyncStream<Int> { continuation in }"),
            ("an unbounded stream", "AsyncStream<(Int, Int)>.makeStream(of: Int.self)"),
            ("an unbounded stream", "AsyncStream(Int.self, bufferingPolicy: .unbounded)"),
        ]
    )
    func ruleSees(name: String, line: String) throws {
        let rule = try #require(ArchitectureRules.forbiddenTokens.first { $0.name == name })
        let file = CheckedFile(path: "File.swift", text: line)
        #expect(try file.matches(rule.pattern).count == 1)
    }

    @Test(
        "a rule does not match similar code",
        arguments: [
            ("unsafe", "// unsafe"), ("unsafe", "let text = \"unsafe\""),
            ("unsafe", "isUnsafe = true"), ("Task { }", "TaskBoard { }"),
            ("Task { }", "withTaskGroup { }"), ("Date()", "Date(from: x)"),
            ("print()", "fingerprint(1)"), ("print()", "frame.print(1)"),
            ("an unbounded stream", "AsyncStream.makeStream(of: A.self, bufferingPolicy: b)"),
            ("an unbounded stream", "let a: AsyncStream<Int>.Continuation"),
            ("an unbounded stream", "func a() -> AsyncStream<Int> {"),
            ("an unbounded stream", "var a: AsyncStream<Int> {"),
            ("a binary fraction", "pair.0.1"), ("a binary fraction", "1...5"),
            ("a binary fraction", "1_000"),
        ]
    )
    func ruleIgnores(name: String, line: String) throws {
        let rule = try #require(ArchitectureRules.forbiddenTokens.first { $0.name == name })
        let file = CheckedFile(path: "File.swift", text: line)
        #expect(try file.matches(rule.pattern).isEmpty)
    }
}

extension TokenRule {
    /// Whether a file at this path falls under the rule.
    func applies(to path: String) -> Bool {
        scope.contains { path.hasPrefix($0) } && !exceptions.contains { path.hasPrefix($0) }
    }
}

extension CheckedFile {
    /// Whether a comment stands on a line, or on the nearest line above that is no attribute.
    func hasReason(atLine line: Int) -> Bool {
        let lines = lines
        if lines[line - 1].contains("// ") { return true }
        let above = lines[..<(line - 1)].map { $0.drop { $0 == " " } }
        return above.last { !$0.hasPrefix("@") }?.hasPrefix("//") ?? false
    }
}
