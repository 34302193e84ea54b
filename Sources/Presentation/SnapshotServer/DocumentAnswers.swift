import Domain
import HTTPServer
import Presentation
import Synchronization

/// Documents that are ready to send: the same bytes for every reader of a revision.
final class DocumentAnswers: Sendable {
    /// Documents that are kept; when full, all are forgotten and made again.
    static let documentsMax = 1_024
    /// The bytes of those documents together, uncompressed; when full, as above.
    static let bytesMax = 64 << 20

    private struct Kept {
        let revision: String
        let document: EncodedDocument
        /// The cut, or one before it, that the document was last made of.
        var sequence: UInt64
    }

    private struct Content {
        var kept: [DocumentQuery: Kept] = [:]
        var byteCount = 0
    }

    private let documents: DocumentCutters
    private let latest: LatestCut
    private let content = Mutex(Content())

    init(documents: DocumentCutters, latest: LatestCut) {
        self.documents = documents
        self.latest = latest
    }

    /// The answer to a question that was answered from the newest cut before, and that cut's
    /// number; nil if it was not.
    func standing(_ query: DocumentQuery) -> (document: EncodedDocument, sequence: UInt64)? {
        let sequence = latest.sequence
        return content.withLock { content in
            guard let kept = content.kept[query], kept.sequence == sequence else { return nil }
            return (kept.document, sequence)
        }
    }

    /// The answer to a question, from the newest cut.
    ///
    /// The tag holds the question beside the revision: two questions may have documents of one
    /// revision, and a tag of one must never pass for the other's. The hash is another in each
    /// process, as the revision's epoch is.
    func answer(_ query: DocumentQuery) -> EncodedDocument {
        // Read first: a cut that comes in between has the question looked into again.
        let sequence = latest.sequence
        let (bytes, revision) = documents.bytes(query)
        return content.withLock { content in
            let old = content.kept[query]
            if let old, old.revision == revision {
                content.kept[query]?.sequence = max(old.sequence, sequence)
                return old.document
            }
            content.byteCount += bytes.count - (old?.document.identity.byteCount ?? 0)
            let isFull = old == nil && content.kept.count >= Self.documentsMax
            if isFull || content.byteCount > Self.bytesMax {
                content.kept.removeAll(keepingCapacity: true)
                content.byteCount = bytes.count
            }
            let question = String(UInt(bitPattern: query.hashValue), radix: 36)
            let document = EncodedDocument(
                bytes: bytes,
                tag: revision + "." + question,
                cacheControl: EncodedDocument.publicCacheControl,
                isCompressible: true
            )
            content.kept[query] = Kept(
                revision: revision,
                document: document,
                sequence: sequence
            )
            return document
        }
    }
}
