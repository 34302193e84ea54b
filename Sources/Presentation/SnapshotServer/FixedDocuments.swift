import Domain
import Presentation

/// Documents that are the same for as long as the process lives.
struct FixedDocuments: Sendable {
    private let about: EncodedDocument
    private let description: EncodedDocument

    /// Makes them all at once: they are short.
    init(about: AboutDocument) {
        self.about = EncodedDocument(
            bytes: about.json,
            tag: about.revision,
            cacheControl: EncodedDocument.publicCacheControl,
            isCompressible: true
        )
        description = EncodedDocument(
            bytes: OpenAPIDocument.bytes(version: about.state.version),
            tag: "\(about.revision).openapi",
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

    /// What the program tells of itself: `lang` is taken, and decides nothing of it.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    func about(_ query: [(name: String, value: String)]) throws(Problem) -> EncodedDocument {
        let known = try RequestParameters(query, known: ["lang"])
        let _: Language? = try known.choice("lang")
        return about
    }
}
