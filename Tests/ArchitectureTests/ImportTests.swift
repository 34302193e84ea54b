import Testing

@Suite("Imports")
struct ImportTests {
    /// Attributes, an access level and a kind of declaration may stand around the word.
    static let importPattern =
        #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"#
        + #"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)"#

    @Test("a file imports only its target's dependencies and the system modules of its folder")
    func importsAreAllowed() throws {
        let manifest = try Manifest.current.get()
        let files = Checkout.swiftFiles(below: "Sources/")
        try #require(!files.isEmpty)
        for file in files {
            let target = try #require(manifest.target(of: file.path), "\(file.path)")
            let rule = try #require(ArchitectureRules.importRule(for: file.path), "\(file.path)")
            let allowed = target.dependencyNames.union(rule.modules)
            for found in try file.matches(Self.importPattern, group: 1) {
                #expect(allowed.contains(found.words), "\(found) is not for this folder")
            }
        }
    }

    @Test("a rule matches a file", arguments: ArchitectureRules.systemImports)
    func ruleMatchesFile(rule: ImportRule) {
        let files = Checkout.swiftFiles(below: rule.folder)
            .filter { ArchitectureRules.importRule(for: $0.path)?.folder == rule.folder }
        #expect(!files.isEmpty)
    }

    @Test("only wrappers import C modules")
    func onlyWrappersImportCModules() throws {
        let modules = Set(try Manifest.current.get().targets.filter(\.isCModule).map(\.name))
        let files =
            Checkout.swiftFiles(below: "Sources/") + Checkout.swiftFiles(below: "Tests/")
        try #require(!files.isEmpty && !modules.isEmpty)
        for file in files
        where !ArchitectureRules.wrappers.contains(where: file.path.hasPrefix) {
            for found in try file.matches(Self.importPattern, group: 1) {
                #expect(!modules.contains(found.words), "\(found)")
            }
        }
    }

    @Test(
        "an import is found behind attributes, access levels and kinds",
        arguments: [
            "import Name", "  public import Name", "@testable import Name",
            "@_spi(Test) internal import struct Name.Part", "import Name // why",
        ]
    )
    func importIsSeen(line: String) throws {
        let file = CheckedFile(path: "File.swift", text: "// import Other\n\(line)\n")
        let found = try file.matches(Self.importPattern, group: 1)
        #expect(found.map(\.words) == ["Name"])
        #expect(found.map(\.line) == [2])
    }
}

extension ArchitectureRules {
    /// The rule for a file: the one with the longest folder.
    static func importRule(for path: String) -> ImportRule? {
        systemImports
            .filter { path.hasPrefix($0.folder) }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }
    }

    /// The layer of a target's folder: the rule with the longest folder.
    static func layer(of folder: String) -> LayerRule? {
        layers
            .filter { folder == $0.folder || folder.hasPrefix($0.folder + "/") }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }
    }
}
