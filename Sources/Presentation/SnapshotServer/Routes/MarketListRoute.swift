import HTTPServer
import Presentation
import Synchronization

/// `GET /v1/markets`: the same bytes for every reader of a revision.
final class MarketListRoute: Sendable {
    /// Answers that are kept ready to send; when full, all are forgotten and made again.
    static let answersMax = MarketListCutter.queriesMax
    /// The bytes of those answers together; when full, as above.
    static let answerBytesMax = 32 << 20

    private struct Answer {
        let revision: String
        let response: HTTPServerResponse
    }

    private struct Answers {
        var kept: [MarketListQuery: Answer] = [:]
        var byteCount = 0
    }

    private let cutter: MarketListCutter
    private let answers = Mutex(Answers())

    init(cutter: MarketListCutter) {
        self.cutter = cutter
    }

    /// Answers a request.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    func answer(_ request: HTTPServerRequest) throws(Problem) -> HTTPServerResponse {
        let parameters = try RequestParameters(request, known: MarketListQuery.parameterNames)
        let query = try MarketListQuery(parameters)
        let (bytes, revision) = cutter.bytes(query)
        return answers.withLock { answers in
            let old = answers.kept[query]
            if let old, old.revision == revision { return old.response }
            answers.byteCount += bytes.count - (old?.response.bodyByteCount ?? 0)
            let isFull = old == nil && answers.kept.count >= Self.answersMax
            if isFull || answers.byteCount > Self.answerBytesMax {
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
