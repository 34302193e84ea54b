import Foundation
import Testing

@Suite("Documents and scripts")
struct DocumentTests {
    @Test("README begins with make run and make test")
    func readmeCommands() throws {
        let commands = try Checkout.file("README.md")
            .matches(#"\bmake [a-z]+"#, inComments: true).map(\.words)
        #expect(commands.prefix(2) == ["make run", "make test"])
    }

    @Test("every target of the Makefile has a line of help")
    func makefileHelp() throws {
        let makefile = try Checkout.file("Makefile")
        let targets = try makefile.matches(#"^[a-z][\w-]*(?=:(?!=| export))"#, inComments: true)
        try #require(!targets.isEmpty)
        for target in targets {
            let line = makefile.lines[target.line - 1]
            #expect(line.contains(" ## "), "\(target)")
        }
    }

    @Test("every make command in the documents is a target of the Makefile")
    func documentedTargetsExist() throws {
        let targets = try Checkout.file("Makefile")
            .matches(#"^[a-z][\w-]*(?=:(?!=| export))"#, inComments: true).map(\.words)
        for page in try Checkout.pages() {
            let named = try page.matches(#"(?:^|`)make ([a-z-]+)"#, inComments: true, group: 1)
            for name in named {
                #expect(targets.contains(name.words), "\(name)")
            }
        }
    }

    @Test(
        "README and ARCHITECTURE stay within their line limits",
        arguments: [("README.md", 150), ("ARCHITECTURE.md", 200)]
    )
    func pagesStayShort(path: String, linesMax: Int) throws {
        #expect(try Checkout.file(path).lines.count <= linesMax)
    }

    @Test("every link between pages leads to a file, and to a heading that exists")
    func linksLeadToFiles() throws {
        for page in try Checkout.pages() {
            let folder = Checkout.root.appending(path: page.path).deletingLastPathComponent()
            let links = try page.matches(#"\]\(([^)#:]+)(?=[#)])"#, inComments: true, group: 1)
            for link in links {
                let file = folder.appending(path: link.words).path()
                #expect(FileManager.default.fileExists(atPath: file), "\(link)")
            }
            let places = try page.matches(
                #"\]\(([^):]*#[^)]+)\)"#,
                inComments: true,
                group: 1
            )
            for place in places {
                let parts = place.words.split(separator: "#", omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? page : try Checkout.page(String(parts[0]), linkedFrom: page.path)
                #expect(try target.anchors().contains(String(parts[1])), "\(place)")
            }
        }
    }

    @Test("every suite that a page names exists")
    func namedSuites() throws {
        let types = try Checkout.swiftFiles(below: "Tests/").flatMap { file in
            try file.matches(#"\b(?:struct|class|enum) (\w+Tests)\b"#, group: 1).map(\.words)
        }
        var count = 0
        for page in try Checkout.pages() {
            for suite in try page.matches(#"`(\w+Tests)`"#, inComments: true, group: 1) {
                count += 1
                #expect(types.contains(suite.words), "\(suite)")
            }
        }
        #expect(count > 100)
    }

    @Test("README links every page of docs")
    func readmeLinksPages() throws {
        let readme = try Checkout.file("README.md").text
        for page in try Checkout.pages() where page.path.hasPrefix("docs/") {
            #expect(readme.contains("(\(page.path))"), "\(page.path)")
        }
    }

    @Test("every case and file that docs/security.md names exists")
    func securityPageNamesTests() throws {
        let page = try Checkout.file("docs/security.md")
        let check = try Checkout.file("scripts/page/check.py")
        let cases = try page.matches(#"^- P\d+: "(.+)"$"#, inComments: true, group: 1)
        try #require(!cases.isEmpty)
        for name in cases {
            #expect(check.text.contains("Case(\"\(name.words)\""), "\(name)")
        }
        let files = try page.matches(
            #"`((?:\.ci|clients|deploy|docs|packaging|scripts|Sources|Tests)/[\w./-]+)`"#,
            inComments: true,
            group: 1
        )
        for file in files {
            let path = Checkout.root.appending(path: file.words).path()
            #expect(FileManager.default.fileExists(atPath: path), "\(file)")
        }
    }

    @Test("every case of the page that docs/security.md refers to is in its list")
    func securityPageListsCases() throws {
        let page = try Checkout.file("docs/security.md")
        let listed = try page.matches(#"^- (P\d+): "#, inComments: true, group: 1).map(\.words)
        let named = try page.matches(#"\bP\d+\b"#, inComments: true)
        for name in named {
            #expect(listed.contains(name.words), "\(name)")
        }
    }

    @Test("CONTRIBUTING names every script")
    func contributingNamesTools() throws {
        let named = try Checkout.file("CONTRIBUTING.md")
            .matches(#"`([\w.]+/[\w.-]+)"#, inComments: true, group: 1).map(\.words)
        let tools = Checkout.scripts.filter { $0.path.hasPrefix("scripts/") }
            .filter { !$0.path.hasPrefix("scripts/tests/") }
        try #require(!tools.isEmpty)
        for tool in tools {
            #expect(named.contains(tool.path))
        }
    }

    @Test("a script stops at the first error")
    func scriptsAreStrict() throws {
        try #require(!Checkout.scripts.isEmpty)
        for script in Checkout.scripts {
            #expect(script.lines.first == "#!/usr/bin/env bash", "\(script.path)")
            #expect(script.lines.contains("set -euo pipefail"), "\(script.path)")
        }
    }
}

extension Checkout {
    /// The page that a link names, seen from the folder of the page with the link.
    fileprivate static func page(_ link: String, linkedFrom path: String) throws -> CheckedFile {
        let folder = root.appending(path: path).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: link), encoding: .utf8)
        return CheckedFile(path: link, text: text)
    }
}

extension CheckedFile {
    /// The names by which links lead to the headings of a page.
    fileprivate func anchors() throws -> [String] {
        try matches(#"^#+ (.+)$"#, inComments: true, group: 1).map { heading in
            heading.words.lowercased().replacing(" ", with: "-")
                .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
    }
}
