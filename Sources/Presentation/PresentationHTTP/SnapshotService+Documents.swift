import Domain
import HTTPServer
import UseCases
import ViewStates

extension SnapshotService {
    /// Responds with a public document, once it has data.
    func document(
        _ call: RoutedRequest,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        let query = try DocumentQuery(call.route.target, call.place, call.request.query)
        guard let query else { throw Self.notFound(call.request) }
        // Most queries were answered from this snapshot before.
        if let cached = documents.cached(query) {
            // A prefetched document may exist for a query that the snapshot has no answer to.
            if let problem = query.rejection(in: latest.value.board) { throw problem }
            try registerInterest(in: query)
            return reply(.document(.init(document: cached, scope: .anyone)), context)
        }
        return try whenReady(query, context) { () throws(Problem) in
            let document = try self.document(query)
            return self.reply(.document(.init(document: document, scope: .anyone)), context)
        }
    }

    /// Continues when a query has data, or after its longest wait.
    ///
    /// - Parameters:
    ///   - query: followed from now on.
    ///   - context: the request.
    ///   - next: called at once, or later on a thread of the server.
    /// - Returns: the reply of `next`, or the wait for data.
    /// - Throws: ``Problem`` `rate_limited`, and the errors of `next`.
    func whenReady(
        _ query: DocumentQuery,
        _ context: RequestContext,
        _ next: @escaping @Sendable () throws(Problem) -> HTTPServerReply
    ) throws(Problem) -> HTTPServerReply {
        let snapshot = latest.value
        if !query.isUnknown(in: snapshot.board) { try registerInterest(in: query) }
        if query.isReady(in: snapshot.board) { return try next() }
        return .deferred(
            HTTPServerDeferredReply(
                milliseconds: Int(configuration.firstDataTimeout.wholeMicroseconds / 1_000),
                continuesDuringStop: false,
                begin: { [waiters] end in
                    waiters.wait(for: query, since: snapshot.capturedAt, end: end)
                },
                reply: { [pipeline] in
                    do throws(Problem) {
                        return try next()
                    } catch {
                        return .response(pipeline.response(error, context))
                    }
                }
            )
        )
    }

    /// Has the data of a query followed for a minute.
    private func registerInterest(in query: DocumentQuery) throws(Problem) {
        if query.includesTransfers { assetInterests.touch(now: now()) }
        if query.interests.isEmpty { return }
        guard interests.touch(query.interests, now: now()) else { throw .tooManyInterests }
    }

    private func document(_ query: DocumentQuery) throws(Problem) -> EncodedDocument {
        if let problem = query.rejection(in: latest.value.board) { throw problem }
        let document = documents.document(query)
        // Checked again: the document may be of a newer snapshot, which no longer has the trade.
        if let problem = query.rejection(in: latest.value.board) { throw problem }
        return document
    }
}

extension Problem {
    /// The limit on followed details is reached.
    static var tooManyInterests: Problem {
        Problem(
            code: .rateLimited,
            detail: "too many markets and intervals are followed;"
                + " unused ones are released within a minute"
        )
    }
}
