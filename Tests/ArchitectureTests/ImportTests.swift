import Testing

@Suite("Each room imports only what its row in the table allows")
struct ImportTests {
    /// Attributes, an access level and a kind of declaration may stand around the word.
    static let importPattern =
        #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"#
        + #"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)"#

    @Test("A file imports what its folder may", arguments: HouseRules.imports)
    func importsOfFolder(rule: ImportRule) throws {
        let files = Checkout.swiftFiles(below: rule.folder)
            .filter { HouseRules.importRule(for: $0.path)?.folder == rule.folder }
        try #require(!files.isEmpty, "no file lies below \(rule.folder)")
        for file in files {
            for found in try file.matches(Self.importPattern, group: 1) {
                #expect(rule.modules.contains(found.words), "\(found) is not for this folder")
            }
        }
    }

    @Test("Every folder of the program has a row")
    func everyFolderHasRule() throws {
        let files = Checkout.swiftFiles(below: "Sources/")
        try #require(!files.isEmpty)
        for file in files {
            #expect(HouseRules.importRule(for: file.path) != nil, "\(file.path)")
        }
    }

    @Test("No test reaches past a wrapper to its C module")
    func testsImportNoCModule() throws {
        let files = Checkout.swiftFiles(below: "Tests/")
        let modules = HouseRules.cModules
        try #require(!files.isEmpty && !modules.isEmpty)
        for file in files {
            for found in try file.matches(Self.importPattern, group: 1) {
                #expect(!modules.contains(found.words), "\(found)")
            }
        }
    }

    @Test(
        "An import is seen behind attributes, access levels and kinds",
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

extension HouseRules {
    /// The row that a path falls under: the one with the longest prefix.
    static func importRule(for path: String) -> ImportRule? {
        imports
            .filter { path.hasPrefix($0.folder) }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }
    }

    /// The modules that come from C: a C, then a capital.
    static var cModules: Set<String> {
        Set(
            arrows.keys.filter { $0.hasPrefix("C") && ($0.dropFirst().first?.isUppercase ?? false) }
        )
    }
}
