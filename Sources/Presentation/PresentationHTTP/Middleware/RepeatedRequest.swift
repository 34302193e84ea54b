import HTTPServer

extension RequestPipeline {
    /// Has this question, put again in the same words, answered by ``RepeatedRequest`` while this
    /// answer stands.
    ///
    /// - Parameters:
    ///   - standing: what was answered to everybody who asks so, and the cut that it is of.
    ///   - answers: where the document comes from.
    ///   - pass: of the request, which needed no token.
    func remember(
        _ standing: DocumentPrefetcher.Standing,
        of answers: DocumentPrefetcher,
        _ pass: RequestContext
    ) {
        guard pass.request.method == "GET", pass.request.body.isEmpty else { return }
        let document = standing.document
        let ready = ready(document, .document(document), pass)
        pass.request.memory.remember(
            RepeatedRequest(
                manners: self,
                answers: answers,
                answered: answered(
                    pass,
                    status: ready.status,
                    byteCount: ready.byteCount(isHead: pass.request.isHead),
                    isWhole: true,
                    isStream: false
                ),
                startedAt: pass.startedAt,
                keptID: ClientRequestID.kept(pass.request.header("x-request-id")),
                ready: ready,
                sequence: standing.sequence,
                account: limits.account(of: RateLimits.Key(pass.client))
            )
        )
    }
}

/// A question that a client has put, with all that was found out about it: programs ask the same
/// again and again.
///
/// Nothing of it is looked into when it is put again, no lock is shared with others, and nothing is
/// allocated.
final class RepeatedRequest: CachedResponse {
    /// How long it is answered so: after that what is followed, and whose quota it is, is looked up
    /// again.
    static let validity: Duration = .seconds(1)

    let head: StandingHead
    private let manners: RequestPipeline
    private let answers: DocumentPrefetcher
    /// What observers are told of an answer, but for its name, its time and its end.
    private let answered: RequestRecord
    /// When it was first put.
    private let startedAt: Duration
    /// The name that the client gives its requests; nil if each gets one.
    private let keptID: String?
    /// The cut, or one before it, that the answer was made of: with the next one it is over.
    private let sequence: UInt64
    /// What is charged.
    private let kind: RateLimits.Kind
    /// Whose quota is charged.
    private let account: RateAccount

    init(
        manners: RequestPipeline,
        answers: DocumentPrefetcher,
        answered: RequestRecord,
        startedAt: Duration,
        keptID: String?,
        ready: ReadyAnswer,
        sequence: UInt64,
        account: RateAccount
    ) {
        head = StandingHead(status: ready.status, fields: ready.fields, body: ready.body)
        self.manners = manners
        self.answers = answers
        self.answered = answered
        self.startedAt = startedAt
        self.keptID = keptID
        self.sequence = sequence
        kind = ready.status == 304 ? .notModified : .request
        self.account = account
    }

    var isOver: Bool {
        sequence < answers.sequence || manners.uptime() - startedAt >= Self.validity
    }

    /// Nothing if it is another cut, too long ago, or too much.
    func begin(_ fields: inout HTTPFieldWriter) -> BegunAnswer? {
        guard sequence >= answers.sequence else { return nil }
        let now = manners.uptime()
        guard now - startedAt < Self.validity else { return nil }
        let taken = manners.limits.take(kind, of: account, at: now.nanoseconds)
        guard taken.isAllowed else { return nil }
        let id = keptID ?? manners.makeRequestID()
        fields.begin("X-Request-Id")
        fields.add(id)
        fields.end()
        fields.begin("RateLimit")
        RateFields.add(RequestPipeline.clientQuota(kind), taken, to: &fields)
        fields.end()
        return BegunAnswer(name: id, startedAt: now)
    }

    /// Tells the observers.
    func end(_ answer: BegunAnswer, isWhole: Bool) {
        if manners.observers.isEmpty { return }
        var answered = answered
        answered.requestID = answer.name
        answered.duration = manners.uptime() - answer.startedAt
        answered.isWhole = isWhole
        for observer in manners.observers { observer.observe(answered) }
    }
}
