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
        guard case .document(let parsed) = call.query else { throw Self.notFound(call.request) }
        let query = try parsed.get()
        if let known = try known(query, context) {
            let document = CacheableDocument(document: known, scope: .anyone)
            if document.isMade(isGzip: context.acceptsGzip)
                || pipeline.isNotModified(document, context)
            {
                return reply(.document(document), context)
            }
            return try make(query, context)
        }
        return try whenReady(query, context) { () throws(Problem) in
            try self.make(query, context)
        }
    }

    /// The document of a query, if it needs not be compared with a newer snapshot.
    ///
    /// - Throws: ``Problem``: `cursor_expired`, and those of ``DocumentQuery/check(_:)``.
    private func known(
        _ query: DocumentQuery,
        _ context: RequestContext
    ) throws(Problem) -> EncodedDocument? {
        if let page = try page(query) { return page }
        // Most queries were answered from this snapshot before.
        guard let cached = documents.cached(query) else { return nil }
        // A prefetched document may exist for a query that the snapshot has no answer to.
        if let problem = query.rejection(in: latest.value.board) { throw problem }
        try registerInterest(in: query, context)
        return cached
    }

    /// The page of a query that names a revision; nil if it names none.
    ///
    /// - Throws: ``Problem`` `cursor_expired`.
    private func page(_ query: DocumentQuery) throws(Problem) -> EncodedDocument? {
        guard case .marketList(let list) = query, let revision = list.revision else { return nil }
        guard let page = documents.page(list) else { throw .revisionExpired(revision) }
        return page
    }

    /// Makes a document on a thread of the workers.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    private func make(
        _ query: DocumentQuery,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        let isGzip = context.acceptsGzip
        let product = DocumentWorkers.Product(
            query: query,
            isGzip: isGzip,
            sequence: documents.sequence
        )
        return try onWorkers(product, context) { [self] completion in
            do throws(Problem) {
                let document = CacheableDocument(
                    document: try self.document(query),
                    scope: .anyone
                )
                _ = document.body(isGzip: isGzip)
                completion(.document(document))
            } catch {
                completion(.problem(error))
            }
        }
    }

    /// Responds with what a job of the workers makes.
    ///
    /// - Parameters:
    ///   - product: what is made; nil if no other request can share it.
    ///   - context: the request.
    ///   - late: the response if it takes too long.
    ///   - make: called on a thread of the workers; calls its argument once, on any thread.
    /// - Returns: the wait for the response.
    /// - Throws: ``Problem`` `rate_limited` if too many jobs wait.
    func onWorkers(
        _ product: DocumentWorkers.Product?,
        _ context: RequestContext,
        late: Problem = .tooManyWaitingDocuments,
        _ make: @escaping @Sendable (@escaping DocumentWorkers.Completion) -> Void
    ) throws(Problem) -> HTTPServerReply {
        let response = DeferredValue<RouteResponse>()
        let isTaken = workers.submit(product, for: context.clientKey, make) {
            response.fulfill($0)
        }
        guard isTaken else { throw .tooManyWaitingDocuments }
        return response.reply(within: configuration.storeTimeout) { [self] response in
            reply(response ?? .problem(late), context)
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
        if !query.isUnknown(in: snapshot.board) { try registerInterest(in: query, context) }
        if query.isReady(in: snapshot.board) { return try next() }
        return .deferred(
            HTTPServerDeferredReply(
                milliseconds: Int(configuration.firstDataTimeout.wholeMicroseconds / 1_000),
                continuesDuringStop: false,
                begin: { [waiters] end in
                    waiters.wait(
                        for: query,
                        by: context.clientKey,
                        since: snapshot.capturedAt,
                        end: end
                    )
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
    private func registerInterest(
        in query: DocumentQuery,
        _ context: RequestContext
    ) throws(Problem) {
        if query.includesTransfers { assetInterests.touch(now: now()) }
        if query.interests.isEmpty { return }
        let client = InterestClient(context.tokenKey ?? context.clientKey)
        guard interests.touch(query.interests, by: client, now: now()) else {
            throw .tooManyInterests
        }
    }

    private func document(_ query: DocumentQuery) throws(Problem) -> EncodedDocument {
        if let page = try page(query) { return page }
        if let problem = query.rejection(in: latest.value.board) { throw problem }
        let document = documents.document(query)
        // Checked again: the document may be of a newer snapshot, which no longer has the trade.
        if let problem = query.rejection(in: latest.value.board) { throw problem }
        return document
    }
}

extension Problem {
    /// No pages of a list's revision can be read, or no longer.
    static func revisionExpired(_ revision: String) -> Problem {
        Problem(
            code: .cursorExpired,
            detail: "pages of the revision \(short(revision)) are not available; read the first"
                + " page again without revision, and the others within a minute, with the same"
                + " parameters"
        )
    }

    /// Too many documents are being made, or one takes too long.
    static var tooManyWaitingDocuments: Problem {
        Problem(
            code: .rateLimited,
            detail: "too many documents are being made; ask again in a moment",
            retryAfterSeconds: 1
        )
    }

    /// The limit on followed details is reached.
    static var tooManyInterests: Problem {
        Problem(
            code: .rateLimited,
            detail: "too many markets and intervals are followed;"
                + " unused ones are released within a minute"
        )
    }
}
