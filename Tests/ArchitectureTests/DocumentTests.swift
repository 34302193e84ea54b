import Testing

@Suite("The documents name what there is")
struct DocumentTests {
    @Test("README begins with the two commands")
    func readmeCommands() throws {
        let commands = try Checkout.file("README.md")
            .matches(#"\bmake [a-z]+"#, inComments: true).map(\.words)
        #expect(commands.prefix(2) == ["make run", "make test"])
    }

    @Test("Every target of the Makefile has a line of help")
    func makefileHelp() throws {
        let makefile = try Checkout.file("Makefile")
        let targets = try makefile.matches(#"^[a-z][\w-]*(?=:(?!=))"#, inComments: true)
        try #require(!targets.isEmpty)
        for target in targets {
            let line = makefile.lines[target.line - 1]
            #expect(line.contains(" ## "), "\(target)")
        }
    }

    @Test("Every command that the documents name is a target of the Makefile")
    func documentedTargetsExist() throws {
        let targets = try Checkout.file("Makefile")
            .matches(#"^[a-z][\w-]*(?=:(?!=))"#, inComments: true).map(\.words)
        for path in ["README.md", "CONTRIBUTING.md"] {
            let named = try Checkout.file(path)
                .matches(#"(?:^|`)make ([a-z-]+)"#, inComments: true, group: 1)
            try #require(!named.isEmpty, "\(path) names no command")
            for name in named {
                #expect(targets.contains(name.words), "\(name)")
            }
        }
    }

    @Test("CONTRIBUTING names every tool in scripts")
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

    @Test("A script stops at the first error")
    func scriptsAreStrict() throws {
        try #require(!Checkout.scripts.isEmpty)
        for script in Checkout.scripts {
            #expect(script.lines.first == "#!/usr/bin/env bash", "\(script.path)")
            #expect(script.lines.contains("set -euo pipefail"), "\(script.path)")
        }
    }
}
