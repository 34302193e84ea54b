public import Domain
public import HTTPServer
public import Presentation

/// The public listener: documents for programs.
///
/// Paths, methods and statuses are decided here and in the routes.
public final class SnapshotService: Sendable {
    private let answers: DocumentAnswers
    private let latest: LatestCut
    private let interests: DetailInterests
    private let assetInterests: AssetInterests
    private let waiters: CutWaiters
    private let now: @Sendable () -> Timestamp
    private let makeRequestID: @Sendable () -> String

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - documents: makes the documents.
    ///   - latest: where boards come from: the same as the documents'.
    ///   - interests: who looks at which details; every question of a market is a glance at it.
    ///   - assetInterests: who looks at deposits and withdrawals, likewise.
    ///   - now: the local wall clock.
    ///   - makeRequestID: names a request in answers and logs; different at each call.
    public init(
        documents: DocumentCutters,
        latest: LatestCut,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        now: @escaping @Sendable () -> Timestamp,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        answers = DocumentAnswers(documents: documents)
        waiters = CutWaiters(latest: latest)
        self.latest = latest
        self.interests = interests
        self.assetInterests = assetInterests
        self.now = now
        self.makeRequestID = makeRequestID
    }

    /// Answers one request; never blocks.
    ///
    /// The answer to the first question of a market, and of deposits and withdrawals, waits,
    /// without a thread, until its data are there.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        do throws(Problem) {
            guard let query = try DocumentQuery(request) else {
                throw Problem(
                    code: .notFound,
                    detail: "\(Problem.short(request.path)) is not an address here"
                )
            }
            let board = latest.value.board
            try glance(at: query, board)
            if query.isSettled(in: board) { return .response(try document(query)) }
            return .awaited(awaited(query))
        } catch {
            return .response(error.response(requestID: makeRequestID()))
        }
    }

    /// Sees to it that what is asked for is followed from now on.
    private func glance(at query: DocumentQuery, _ board: MarketBoard) throws(Problem) {
        // Nobody can follow a market that does not exist.
        if query.isUnknown(in: board) { return }
        if query.tellsOfTransfers { assetInterests.glance(now: now()) }
        if query.interests.isEmpty { return }
        guard interests.glance(at: query.interests, now: now()) else {
            throw Problem(
                code: .rateLimited,
                detail: "too many different markets and intervals are being followed;"
                    + " those that nobody asks for are given up within a minute"
            )
        }
    }

    private func awaited(_ query: DocumentQuery) -> HTTPServerAwaited {
        HTTPServerAwaited(
            milliseconds: Int(DocumentQuery.patience.wholeMicroseconds / 1_000),
            begin: { [waiters] end in waiters.wait(for: query, end: end) },
            answer: { [self] in
                do throws(Problem) {
                    return try document(query)
                } catch {
                    return error.response(requestID: makeRequestID())
                }
            }
        )
    }

    private func document(_ query: DocumentQuery) throws(Problem) -> HTTPServerResponse {
        if let problem = query.refusal(in: latest.value.board) { throw problem }
        let answer = answers.answer(query)
        // Asked again, of a board that is not older: a trade that it knows, the document knew.
        if let problem = query.refusal(in: latest.value.board) { throw problem }
        return answer
    }

    static func requireGet(_ request: HTTPServerRequest) throws(Problem) {
        guard request.method == "GET" else {
            throw Problem(
                code: .methodNotAllowed,
                detail: "\(Problem.short(request.method)) is not taken here",
                allowedMethods: "GET, HEAD"
            )
        }
    }
}
