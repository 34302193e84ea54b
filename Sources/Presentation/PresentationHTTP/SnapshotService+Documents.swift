import Domain
import HTTPServer
import UseCases
import ViewStates

extension SnapshotService {
    /// Answers a document that everybody gets, as soon as there is something to tell.
    func document(_ call: RoutedRequest, _ pass: RequestContext) throws(Problem) -> HTTPServerReply
    {
        let query = try DocumentQuery(call.route.target, call.place, call.request.query)
        guard let query else { throw Self.notFound(call.request) }
        // Most questions have been put to this very cut before.
        if let standing = answers.standing(query) {
            // It may have been made without a question, of a cut that has no answer to it.
            if let problem = query.refusal(in: latest.value.board) { throw problem }
            try glance(at: query)
            if call.token == nil { manners.remember(standing, of: answers, pass) }
            return reply(.document(standing.document), pass)
        }
        return try whenReady(query, pass) { () throws(Problem) in
            self.reply(.document(try self.document(query)), pass)
        }
    }

    /// Goes on when a question has an answer, or has waited for one as long as it may.
    ///
    /// - Parameters:
    ///   - query: is followed from now on.
    ///   - pass: of the request.
    ///   - next: is called at once, or later on a thread of the server.
    /// - Returns: what the server is to answer.
    /// - Throws: ``Problem`` `rate_limited`, and what `next` throws.
    func whenReady(
        _ query: DocumentQuery,
        _ pass: RequestContext,
        _ next: @escaping @Sendable () throws(Problem) -> HTTPServerReply
    ) throws(Problem) -> HTTPServerReply {
        let cut = latest.value
        try glance(at: query, cut.board)
        if query.isSettled(in: cut.board) { return try next() }
        return .awaited(
            HTTPServerDeferredReply(
                milliseconds: Int(rules.firstDataTimeout.wholeMicroseconds / 1_000),
                continuesDuringStop: false,
                begin: { [waiters] end in waiters.wait(for: query, since: cut.capturedAt, end: end)
                },
                reply: { [manners] in
                    do throws(Problem) {
                        return try next()
                    } catch {
                        return .response(manners.response(error, pass))
                    }
                }
            )
        )
    }

    /// Sees to it that what is asked for is followed from now on.
    private func glance(at query: DocumentQuery, _ board: MarketBoard) throws(Problem) {
        // Nobody can follow a market that does not exist.
        if query.isUnknown(in: board) { return }
        try glance(at: query)
    }

    private func glance(at query: DocumentQuery) throws(Problem) {
        if query.includesTransfers { assetInterests.glance(now: now()) }
        if query.interests.isEmpty { return }
        guard interests.glance(at: query.interests, now: now()) else {
            throw Problem(
                code: .rateLimited,
                detail: "too many different markets and intervals are being followed;"
                    + " those that nobody asks for are given up within a minute"
            )
        }
    }

    private func document(_ query: DocumentQuery) throws(Problem) -> EncodedDocument {
        if let problem = query.refusal(in: latest.value.board) { throw problem }
        let document = answers.answer(query)
        // Asked again, of a board that is not older: a trade that it knows, the document knew.
        if let problem = query.refusal(in: latest.value.board) { throw problem }
        return document
    }
}
