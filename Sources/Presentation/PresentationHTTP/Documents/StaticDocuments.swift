import Domain
import ViewStates

/// Documents that never change while the process runs.
struct StaticDocuments: Sendable {
    private struct AboutKey: Hashable {
        let feed: FeedLabel
        let language: Language
    }

    /// `about` by language and feed: the kind of a configured exchange is known only once it has
    /// answered.
    private let abouts: [AboutKey: CacheableDocument]
    private let description: CacheableDocument

    /// Makes all of them; each is encoded on first use.
    init(about: (Language) -> AboutDocument) {
        var abouts: [AboutKey: CacheableDocument] = [:]
        for language in Language.allCases {
            for about in Self.byFeed(about(language)) {
                let key = AboutKey(feed: about.source.feed, language: language)
                let tag = "\(about.revision).\(language.rawValue)"
                abouts[key] = Self.document(about.revision, tag: tag) { about.json }
            }
        }
        self.abouts = abouts
        let korean = about(.korean)
        let (revision, version) = (korean.revision, korean.state.version)
        description = Self.document(revision, tag: "\(revision).openapi") {
            OpenAPIDocument.bytes(version: version)
        }
    }

    private static func document(
        _ revision: String,
        tag: String,
        _ makeJSON: @escaping @Sendable () -> [UInt8]
    ) -> CacheableDocument {
        CacheableDocument(
            document: EncodedDocument(revision: revision, tag: tag, makeJSON: makeJSON),
            scope: .anyone
        )
    }

    /// The document for each feed, the given one first; each has a revision of its own.
    private static func byFeed(_ about: AboutDocument) -> [AboutDocument] {
        let parts = about.revision.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let counter = Int(parts[1]) else {
            preconditionFailure("a revision is an epoch and a counter")
        }
        let others = FeedLabel.allCases.filter { $0 != about.source.feed }
        return [about]
            + zip(1..., others).map { place, feed in
                var other = about
                other.revision = "\(parts[0])-\(counter + place)"
                other.source.feed = feed
                return other
            }
    }

    /// The OpenAPI description.
    ///
    /// - Throws: ``Problem`` `invalid_parameter` for any parameter.
    func openAPI(_ query: [(name: String, value: String)]) throws(Problem) -> CacheableDocument {
        _ = try RequestParameters(query, known: [])
        return description
    }

    /// The document `about` in the language of `lang`.
    ///
    /// - Parameters:
    ///   - query: the request's parameters.
    ///   - kind: the kind of the feed, which the document names.
    /// - Returns: the document of the service as it runs.
    /// - Throws: ``Problem`` `invalid_parameter`.
    func about(
        _ query: [(name: String, value: String)],
        of kind: FeedKind
    ) throws(Problem) -> CacheableDocument {
        let known = try RequestParameters(query, known: ["lang"])
        let language: Language = try known.choice("lang") ?? .korean
        guard let about = abouts[AboutKey(feed: FeedLabel(kind), language: language)] else {
            preconditionFailure("each kind of feed has a document in each language")
        }
        return about
    }
}
