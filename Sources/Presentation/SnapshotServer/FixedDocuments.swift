import Domain
import Presentation

/// Documents that are the same for as long as the process lives.
struct FixedDocuments: Sendable {
    private let about: [Language: EncodedDocument]
    private let description: EncodedDocument

    /// Makes them all at once: they are short.
    init(about: (Language) -> AboutDocument) {
        var pages: [Language: EncodedDocument] = [:]
        for language in Language.allCases {
            let page = about(language)
            pages[language] = EncodedDocument(
                bytes: page.json,
                tag: "\(page.revision).\(language.rawValue)",
                cacheControl: EncodedDocument.publicCacheControl,
                isCompressible: true
            )
        }
        self.about = pages
        let page = about(.english)
        description = EncodedDocument(
            bytes: OpenAPIDocument.bytes(version: page.state.version),
            tag: "\(page.revision).openapi",
            cacheControl: EncodedDocument.publicCacheControl,
            isCompressible: true
        )
    }

    /// The description of the whole service.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`: it takes none.
    func openAPI(_ query: [(name: String, value: String)]) throws(Problem) -> EncodedDocument {
        _ = try RequestParameters(query, known: [])
        return description
    }

    /// What the program tells of itself.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    func about(_ query: [(name: String, value: String)]) throws(Problem) -> EncodedDocument {
        let known = try RequestParameters(query, known: ["lang"])
        let language: Language = try known.choice("lang") ?? .korean
        guard let page = about[language] else {
            throw Problem(code: .internal, detail: "the server failed")
        }
        return page
    }
}
