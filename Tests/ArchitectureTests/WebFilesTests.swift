import Testing

@Suite("Files of the page")
struct WebFilesTests {
    @Test("each file of the page is embedded once, under its name")
    func embedded() throws {
        let source = try Checkout.file("Sources/Presentation/CWebPage/WebFiles.c")
        let included = try source.matches(
            #"#embed "\.\./WebPage/Assets/([^"]+)""#,
            inComments: true,
            group: 1
        )
        let listed = try source.matches(#"\{"([^"]+)", "#, inComments: true, group: 1)
        let names = try Checkout.names(in: "Sources/Presentation/WebPage/Assets")
        #expect(included.map(\.words).sorted() == names.sorted())
        #expect(listed.map(\.words).sorted() == names.sorted())
    }
}
