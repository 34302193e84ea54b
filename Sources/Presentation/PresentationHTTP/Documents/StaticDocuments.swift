import Domain
import ViewStates

/// Documents that are the same for as long as the process lives, or data come from one kind of
/// feed.
struct StaticDocuments: Sendable {
    /// What the program tells of itself, by where its data come from: at an address that somebody
    /// named, that is known once the exchange there has answered.
    private let abouts: [FeedLabel: EncodedDocument]
    private let description: EncodedDocument

    /// Makes them all at once: they are short.
    init(about: AboutDocument) {
        abouts = Dictionary(
            uniqueKeysWithValues: Self.byFeed(about).map { about in
                (
                    about.source.feed,
                    EncodedDocument(
                        bytes: about.json,
                        tag: about.revision,
                        cacheControl: EncodedDocument.publicCacheControl,
                        isCompressible: true
                    )
                )
            }
        )
        description = EncodedDocument(
            bytes: OpenAPIDocument.bytes(version: about.state.version),
            tag: "\(about.revision).openapi",
            cacheControl: EncodedDocument.publicCacheControl,
            isCompressible: true
        )
    }

    /// The document for each feed, the given one first: each is a revision of its own.
    private static func byFeed(_ about: AboutDocument) -> [AboutDocument] {
        let parts = about.revision.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let counter = Int(parts[1]) else {
            preconditionFailure("A revision is an epoch and a counter.")
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

    /// The description of the whole service.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`: it takes none.
    func openAPI(_ query: [(name: String, value: String)]) throws(Problem) -> EncodedDocument {
        _ = try RequestParameters(query, known: [])
        return description
    }

    /// What the program tells of itself: `lang` is taken, and decides nothing of it.
    ///
    /// - Parameters:
    ///   - query: the request's parameters.
    ///   - kind: of the feed that is followed.
    /// - Returns: the document, which names that feed.
    /// - Throws: ``Problem`` `invalid_parameter`.
    func about(
        _ query: [(name: String, value: String)],
        of kind: FeedKind
    ) throws(Problem) -> EncodedDocument {
        let known = try RequestParameters(query, known: ["lang"])
        let _: Language? = try known.choice("lang")
        guard let about = abouts[SourceViewState(kind).feed] else {
            preconditionFailure("There is a document for each kind of feed.")
        }
        return about
    }
}
