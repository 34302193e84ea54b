import Domain
import ViewStates
import PresentationHTTP
import Testing

@Suite("Parameters of users' documents")
struct UserDocumentQueryTests {
    @Test("each name is a document; public documents are not among them")
    func names() throws {
        let documents: [UserDocumentQuery] = [
            .portfolio(.korean), .alerts(.korean), .settings, .favorites, .holdings, .cash, .me,
        ]
        for (name, document) in zip(UserDocumentQuery.names, documents) {
            #expect(try query(name) == document)
        }
        #expect(UserDocumentQuery.names.count == documents.count)
        for name in DocumentQuery.names + ["about", "x", ""] { #expect(try query(name) == nil) }
        #expect(try query("portfolio", ("lang", "en")) == .portfolio(.english))
        #expect(try query("alerts", ("lang", "en")) == .alerts(.english))
    }

    @Test("a list of favorites is a user's, in the user's order unless sorted")
    func favorites() throws {
        #expect(try query("market-list", ("tab", "popular")) == nil)
        var list = MarketListQuery()
        list.tab = .favorites
        list.quote = nil
        list.sort = nil
        list.direction = .ascending
        #expect(try query("market-list", ("tab", "favorites")) == .marketList(list))
        list.sort = .price
        list.direction = .descending
        list.limit = 3
        let sorted = try query(
            "market-list",
            ("tab", "favorites"),
            ("sort", "price"),
            ("limit", "3")
        )
        #expect(sorted == .marketList(list))
    }

    @Test(
        "errors name the parameter",
        arguments: [
            ("cash", "lang", "ko", "lang: cash takes no parameters; allowed: none"),
            ("portfolio", "q", "x", "q: unknown parameter; allowed: lang"),
            ("portfolio", "lang", "fr", "lang: \"fr\" is not an allowed value; allowed: ko, en"),
        ]
    )
    func wrong(document: String, name: String, value: String, text: String) {
        let error = #expect(throws: ParameterError.self) { try query(document, (name, value)) }
        #expect(error?.description == text)
    }

    private func query(
        _ document: String,
        _ parameters: (String, String)...
    ) throws -> UserDocumentQuery? {
        try UserDocumentQuery(
            document: document,
            parameters: parameters.map { (name: $0.0, value: $0.1) }
        )
    }
}
