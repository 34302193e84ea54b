import Testing

@Suite("The manifest draws the arrows of the design and nothing else")
struct ManifestTests {
    @Test("Targets and their dependencies are those of the table")
    func arrows() throws {
        let manifest = try Manifest.load()
        #expect(manifest.dependencies.isEmpty, "no package comes from outside")
        let names = Set(manifest.targets.map(\.name))
        #expect(names == Set(HouseRules.arrows.keys))
        for target in manifest.targets {
            let arrows = Set(target.dependencies.compactMap { $0.byName.first ?? nil })
            #expect(arrows == HouseRules.arrows[target.name], "\(target.name)")
        }
    }

    @Test("Every Debian package that a target names is installed by the bootstrap")
    func providersAreInstalled() throws {
        let named = try Manifest.load().targets
            .flatMap { $0.providers ?? [] }.flatMap { $0["apt"] ?? [] }.flatMap(\.self)
        try #require(!named.isEmpty)
        let installed = try Checkout.file("scripts/bootstrap")
            .matches(#"^    ([a-z0-9+.-]+) +# "#, inComments: true, group: 1).map(\.words)
        for package in named {
            #expect(installed.contains(package))
        }
    }

    @Test("The map names every room")
    func mapNamesRooms() throws {
        let rooms = try Manifest.load().targets
            .filter { ["regular", "executable"].contains($0.type) }.map(\.name)
            .filter { $0 != "TestSupport" && !HouseRules.cModules.contains($0) }
        try #require(!rooms.isEmpty)
        let named = try Checkout.file("ARCHITECTURE.md")
            .matches(
                #"^\| `(?:Sources|Benchmarks|Tests)/?[\w/]*` \| `(\w+)` \|"#,
                inComments: true,
                group: 1
            )
        #expect(Set(named.map(\.words)) == Set(rooms))
    }

    @Test("Upcoming features are spelled as the compiler spells them")
    func upcomingFeatures() throws {
        // A misspelt name is accepted without a word and switches nothing on.
        let manifest = try Checkout.file("Package.swift")
        let pattern = #"enable(?:Upcoming|Experimental)Feature\(\s*"(\w+)""#
        let used = try manifest.matches(pattern, inComments: true, group: 1).map(\.words)
        try #require(!used.isEmpty)
        let features = try CompilerFeatures.load().features
        let known = Set((features.upcoming + features.experimental).map(\.name))
        for name in used {
            #expect(known.contains(name), "\(name)")
        }
    }
}
