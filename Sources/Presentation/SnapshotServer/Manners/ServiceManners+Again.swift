import HTTPServer

extension ServiceManners {
    /// Has a connection's next questions answered by ``answerAgain(_:)`` while this answer stands.
    ///
    /// - Parameters:
    ///   - document: what was answered to everybody who asks so.
    ///   - sequence: the cut, or one before it, that the document was made of.
    ///   - pass: of the request, which needed no token.
    func remember(_ document: EncodedDocument, _ sequence: UInt64, _ pass: RequestPass) {
        guard pass.request.method == "GET", pass.request.body.isEmpty else { return }
        let ready = ready(document, .document(document), pass)
        pass.request.memory.remember(
            RepeatedQuestion(
                manners: self,
                answered: answered(
                    pass,
                    status: ready.status,
                    byteCount: ready.status == 304 || pass.request.isHead
                        ? 0 : ready.body.byteCount,
                    isWhole: true,
                    isStream: false
                ),
                startedAt: pass.startedAt,
                keptID: RequestName.kept(pass.request.header("x-request-id")),
                ready: ready,
                sequence: sequence,
                account: limits.account(of: RateLimits.Key(pass.client))
            )
        )
    }

    /// The answer to a question that the same connection put a moment ago: nothing of it is looked
    /// into, and no lock is shared with others.
    ///
    /// - Parameters:
    ///   - request: as it came.
    ///   - sequence: the newest cut.
    /// - Returns: nil if it is another question, another cut, too long ago, or too much.
    func answerAgain(_ request: HTTPServerRequest, _ sequence: UInt64) -> HTTPServerResponse? {
        guard let known = request.memory.recall(RepeatedQuestion.self),
            known.sequence == sequence
        else { return nil }
        let now = uptime()
        guard now - known.startedAt < RepeatedQuestion.validity else { return nil }
        let kind: RateLimits.Kind = known.ready.status == 304 ? .notModified : .request
        let taken = limits.take(kind, of: known.account, at: now.nanoseconds)
        guard taken.isAllowed else { return nil }
        let id = known.keptID ?? makeRequestID()
        // Refers to what is this connection's own: others do the same on other processors.
        let told = { @Sendable (isWhole: Bool) in known.tell(id, since: now, isWhole: isWhole) }
        return HTTPServerResponse(
            status: known.ready.status,
            headers: [
                (name: "X-Request-Id", value: id),
                (
                    name: "RateLimit",
                    value: RateFields.limit([(name: Self.clientQuota(kind), taken: taken)])
                ),
            ],
            behind: known.ready.fields,
            sharing: known.ready.body,
            ended: told
        )
    }
}

/// A question that a connection has put, with all that was found out about it: programs ask the
/// same again and again.
///
/// Bound: one for each connection, in its ``HTTPServerMemory``.
final class RepeatedQuestion: Sendable {
    /// How long it is answered so: after that what is followed, and whose quota it is, is looked up
    /// again.
    static let validity: Duration = .seconds(1)

    private let manners: ServiceManners
    /// What observers are told of an answer, but for its name, its time and its end.
    private let answered: AnsweredRequest
    /// When it was first put.
    let startedAt: Duration
    /// The name that the client gives its requests; nil if each gets one.
    let keptID: String?
    /// The answer.
    let ready: ReadyAnswer
    /// The cut, or one before it, that the answer was made of: with the next one it is over.
    let sequence: UInt64
    /// Whose quota is charged.
    let account: RateAccount

    init(
        manners: ServiceManners,
        answered: AnsweredRequest,
        startedAt: Duration,
        keptID: String?,
        ready: ReadyAnswer,
        sequence: UInt64,
        account: RateAccount
    ) {
        self.manners = manners
        self.answered = answered
        self.startedAt = startedAt
        self.keptID = keptID
        self.ready = ready
        self.sequence = sequence
        self.account = account
    }

    /// Tells the observers of an answer that has ended.
    func tell(_ id: String, since startedAt: Duration, isWhole: Bool) {
        var answered = answered
        answered.requestID = id
        answered.duration = manners.uptime() - startedAt
        answered.isWhole = isWhole
        for observer in manners.observers { observer.observe(answered) }
    }
}
