import Domain
import ViewStates

/// Documents that never change while the process runs.
struct StaticDocuments: Sendable {
    /// `about` by feed: the kind of a configured exchange is known only once it has answered.
    private let abouts: [FeedLabel: CacheableDocument]
    private let description: CacheableDocument

    /// Encodes all of them.
    init(about: AboutDocument) {
        abouts = Dictionary(
            uniqueKeysWithValues: Self.byFeed(about).map { about in
                (
                    about.source.feed,
                    Self.document(about.revision) { about.json }
                )
            }
        )
        let version = about.state.version
        description = Self.document("\(about.revision).openapi") {
            OpenAPIDocument.bytes(version: version)
        }
    }

    private static func document(
        _ tag: String,
        _ makeJSON: @escaping @Sendable () -> [UInt8]
    ) -> CacheableDocument {
        CacheableDocument(
            document: EncodedDocument(revision: tag, tag: tag, makeJSON: makeJSON),
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

    /// The document `about`; `lang` is accepted and has no effect.
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
        let _: Language? = try known.choice("lang")
        guard let about = abouts[FeedLabel(kind)] else {
            preconditionFailure("each kind of feed has a document")
        }
        return about
    }
}
