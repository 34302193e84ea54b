import Testing

@Suite("Dependencies of targets")
struct ManifestTests {
    @Test("no package comes from outside")
    func noOutsidePackages() throws {
        #expect(try Manifest.current.get().dependencies.isEmpty)
    }

    @Test("a target depends only on layers that its layer may use")
    func layers() throws {
        let manifest = try Manifest.current.get()
        let rules = Dictionary(
            uniqueKeysWithValues: try manifest.targets.map { target in
                (target.name, try #require(ArchitectureRules.layer(of: target.folder)))
            }
        )
        for target in manifest.targets {
            let rule = try #require(rules[target.name])
            for name in target.dependencyNames {
                let layer = try #require(rules[name]).layer
                #expect(rule.dependencies.contains(layer), "\(target.name) depends on \(name)")
            }
        }
    }

    @Test("each layer has a target", arguments: ArchitectureRules.layers)
    func layerHasTarget(rule: LayerRule) throws {
        let folders = try Manifest.current.get().targets.map(\.folder)
        #expect(
            folders.contains { ArchitectureRules.layer(of: $0)?.folder == rule.folder }
        )
    }

    @Test("a target lies in the folder of its name")
    func foldersAreNamedAfterTargets() throws {
        for target in try Manifest.current.get().targets {
            let last = target.folder.split(separator: "/").last.map(String.init) ?? ""
            #expect(last.lowercased() == target.name.lowercased(), "\(target.folder)")
        }
    }

    @Test("scripts/bootstrap installs every Debian package of a target")
    func providersAreInstalled() throws {
        let named = try Manifest.current.get().targets
            .flatMap { $0.providers ?? [] }.flatMap { $0["apt"] ?? [] }.flatMap(\.self)
        try #require(!named.isEmpty)
        let installed = try Checkout.file("scripts/bootstrap")
            .matches(#"^    ([a-z0-9+.-]+) +# "#, inComments: true, group: 1).map(\.words)
        for package in named {
            #expect(installed.contains(package))
        }
    }

    @Test("ARCHITECTURE.md lists every target and no other")
    func targetsAreListed() throws {
        let targets = try Manifest.current.get().targets
            .filter { ["regular", "executable"].contains($0.type) }
            .filter { $0.name != "TestSupport" && !$0.isCModule }.map(\.name)

        try #require(!targets.isEmpty)
        let named = try Checkout.file("ARCHITECTURE.md")
            .matches(
                #"^\| `(?:Sources|Benchmarks|Tests|migrations)/?[\w/]*` \| `(\w+)` \|"#,
                inComments: true,
                group: 1
            )
        #expect(Set(named.map(\.words)) == Set(targets))
    }

    @Test("the compiler knows every upcoming feature of the manifest")
    func upcomingFeatures() throws {
        // A misspelled name is accepted without a word and switches nothing on.
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
