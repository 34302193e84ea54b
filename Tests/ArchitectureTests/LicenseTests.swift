import Testing

@Suite("Licenses of linked libraries")
struct LicenseTests {
    @Test("the table of libraries lists exactly what manifest and module maps link")
    func linkedLibraries() throws {
        let asked = try Checkout.file("Package.swift")
            .matches(#"linkedLibrary\("([^"]+)"\)"#, inComments: true, group: 1).map(\.words)
        let mapped = try Checkout.files.filter { $0.name == "module.modulemap" }.flatMap { map in
            try map.matches(#"link "([^"]+)""#, inComments: true, group: 1).map(\.words)
        }
        try #require(!asked.isEmpty && !mapped.isEmpty)
        let rows =
            try Checkout
            .file("Sources/Presentation/ViewStates/Presenters/LinkedLibrary.swift")
            .matches(#"case \.\w+: (\[("[\w+.-]+"(?:, )?)+\])"#, inComments: true, group: 1)
        let named = rows.flatMap { row in
            row.words.split(separator: "\"").map(String.init).filter { word in
                word.first?.isLetter ?? false
            }
        }
        #expect(Set(named) == Set(asked + mapped))
        #expect(Set(named).count == named.count)
    }
}
