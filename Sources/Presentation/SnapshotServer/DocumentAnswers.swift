import HTTPServer
import Presentation
import Synchronization

/// Answers that are ready to send: the same bytes for every reader of a revision.
final class DocumentAnswers: Sendable {
    /// Answers that are kept; when full, all are forgotten and made again.
    static let answersMax = 1_024
    /// The bytes of those answers together; when full, as above.
    static let bytesMax = 64 << 20

    private struct Answer {
        let revision: String
        let response: HTTPServerResponse
    }

    private struct Answers {
        var kept: [DocumentQuery: Answer] = [:]
        var byteCount = 0
    }

    private let documents: DocumentCutters
    private let answers = Mutex(Answers())

    init(documents: DocumentCutters) {
        self.documents = documents
    }

    /// The answer to a question, from the newest cut.
    func answer(_ query: DocumentQuery) -> HTTPServerResponse {
        let (bytes, revision) = documents.bytes(query)
        return answers.withLock { answers in
            let old = answers.kept[query]
            if let old, old.revision == revision { return old.response }
            answers.byteCount += bytes.count - (old?.response.bodyByteCount ?? 0)
            let isFull = old == nil && answers.kept.count >= Self.answersMax
            if isFull || answers.byteCount > Self.bytesMax {
                answers.kept.removeAll(keepingCapacity: true)
                answers.byteCount = bytes.count
            }
            let response = HTTPServerResponse(
                status: 200,
                headers: [
                    (name: "Content-Type", value: "application/json"),
                    (name: "Cache-Control", value: "no-cache"),
                ],
                body: bytes
            )
            answers.kept[query] = Answer(revision: revision, response: response)
            return response
        }
    }
}
