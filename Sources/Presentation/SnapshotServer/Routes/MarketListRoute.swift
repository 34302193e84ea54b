import HTTPServer
import Presentation
import Synchronization

/// `GET /v1/markets`: the same bytes for every reader of a revision.
final class MarketListRoute: Sendable {
    /// Answers that are kept ready to send; when full, all are forgotten and made again.
    static let answersMax = MarketListCutter.queriesMax

    private struct Answer {
        let revision: String
        let response: HTTPServerResponse
    }

    private let cutter: MarketListCutter
    private let answers = Mutex<[MarketListQuery: Answer]>([:])

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
            if let answer = answers[query], answer.revision == revision { return answer.response }
            if answers.count >= Self.answersMax { answers.removeAll(keepingCapacity: true) }
            let response = HTTPServerResponse(
                status: 200,
                headers: [
                    (name: "Content-Type", value: "application/json"),
                    (name: "Cache-Control", value: "no-cache"),
                ],
                body: bytes
            )
            answers[query] = Answer(revision: revision, response: response)
            return response
        }
    }
}
