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
