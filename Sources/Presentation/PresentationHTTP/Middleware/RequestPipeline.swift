import Compression
import Domain
import HTTPServer

/// What every request goes through, wherever it goes: its name, its client, the limits; and what
/// every answer gets.
final class RequestPipeline: Sendable {
    private let clients: ClientAddress
    let limits: RateLimits
    private let rateFields: RateFields
    /// Answers to pages in browsers.
    let crossOrigin: CrossOriginPolicy
    let observers: [any RequestObserver]
    let uptime: @Sendable () -> Duration
    /// Names a request; different at each call.
    let makeRequestID: @Sendable () -> String

    /// Makes them.
    ///
    /// - Parameters:
    ///   - rules: the limits and switches.
    ///   - observers: are told of every request that was answered.
    ///   - uptime: a clock that never goes back, since any fixed moment.
    ///   - makeRequestID: names a request; different at each call.
    init(
        rules: ServiceConfiguration,
        observers: [any RequestObserver],
        uptime: @escaping @Sendable () -> Duration,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        clients = ClientAddress(trustedProxies: rules.trustedProxies)
        limits = RateLimits(rules: rules)
        rateFields = RateFields(rules: rules)
        crossOrigin = CrossOriginPolicy(rules.corsOrigins)
        self.observers = observers
        self.uptime = uptime
        self.makeRequestID = makeRequestID
    }

    /// Takes a request in.
    func begin(_ request: HTTPServerRequest) -> RequestContext {
        RequestContext(
            request: request,
            id: ClientRequestID.kept(request.header("x-request-id")) ?? makeRequestID(),
            client: clients.client(of: request.remoteAddress) {
                request.header("x-forwarded-for")
            },
            startedAt: uptime(),
            ifNoneMatch: request.method == "GET" ? request.header("if-none-match") : nil,
            acceptsGzip: Self.acceptsGzip(request.header("accept-encoding")),
            route: nil
        )
    }

    /// What browsers and programs send; anything else is looked into.
    private static let commonEncodings: Set<String> = [
        "gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd",
    ]

    private static func acceptsGzip(_ codings: String?) -> Bool {
        guard let codings else { return false }
        return commonEncodings.contains(codings) || Gzip.isAccepted(by: codings)
    }

    /// Charges a request that is unconditional, and sees whether a conditional one may go on.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func admit(_ pass: inout RequestContext) throws(Problem) {
        if pass.ifNoneMatch == nil { return try charge(&pass, .request, of: pass.keys) }
        let now = uptime().nanoseconds
        let account = limits.account(of: RateLimits.Key(pass.client))
        if !limits.hasAny(of: account, at: now) { try charge(&pass, .request, of: pass.keys) }
    }

    /// Takes note of whose token it was, and charges that.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func admit(
        _ pass: inout RequestContext,
        _ grant: TokenGrant,
        _ token: AccessToken
    ) throws(Problem) {
        pass.user = grant.user
        let key = RateLimits.Key.token(token.hashValue)
        pass.tokenKey = key
        if pass.ifNoneMatch == nil {
            try charge(&pass, .request, of: [(name: "token", key: key)])
        }
    }

    private func charge(
        _ pass: inout RequestContext,
        _ kind: RateLimits.Kind,
        of keys: [(name: String, key: RateLimits.Key)]
    ) throws(Problem) {
        let now = uptime().nanoseconds
        for (name, key) in keys {
            let taken = limits.take(kind, of: limits.account(of: key), at: now)
            let name = name == Self.clientQuota ? Self.clientQuota(kind) : name
            pass.uses.append((name: name, taken: taken))
            guard !taken.isAllowed else { continue }
            throw Self.exceeded(name, taken)
        }
    }

    private static func exceeded(_ name: String, _ taken: TokenBucket.Taken) -> Problem {
        Problem(
            code: .rateLimited,
            detail: "more than the limit \"\(name)\" allows in"
                + " \(RateQuota.windowSeconds) seconds; RateLimit-Policy tells the limits",
            retryAfterSeconds: taken.nextInSeconds
        )
    }

    /// The quota that is charged for a client's requests.
    static let clientQuota = "client"

    /// What that of a client is called for each kind.
    static func clientQuota(_ kind: RateLimits.Kind) -> String {
        kind == .notModified ? "not-modified" : clientQuota
    }

    /// Charges a conditional request, whose answer is known now: of the 304s there may be more.
    private func settle(_ pass: inout RequestContext, isKnown: Bool) throws(Problem) {
        guard pass.ifNoneMatch != nil, pass.uses.isEmpty else { return }
        try charge(&pass, isKnown ? .notModified : .request, of: pass.keys)
    }
}

extension RequestPipeline {
    /// The answer on the wire, with everything that each answer has.
    func response(_ answer: RouteResponse, _ pass: RequestContext) -> HTTPServerResponse {
        var pass = pass
        do throws(Problem) {
            switch answer.content {
            case .document(let document): return try self.document(document, answer, &pass)
            case .nothing:
                try settle(&pass, isKnown: false)
                return made(answer.status, answer.headers, Self.noBytes, pass)
            case .problem(let problem):
                try settle(&pass, isKnown: false)
                return self.problem(problem, answer.headers, pass)
            }
        } catch {
            return self.problem(error, [], pass)
        }
    }

    /// The answer on the wire to a request that failed.
    func response(_ problem: Problem, _ pass: RequestContext) -> HTTPServerResponse {
        response(.problem(problem), pass)
    }

    /// The answer to a request that cannot be read, which is charged, counted and logged as one of
    /// nowhere.
    func response(_ problem: Problem, to peer: NetworkAddress) -> HTTPServerResponse {
        let (id, startedAt) = (makeRequestID(), uptime())
        let account = limits.account(of: RateLimits.Key(peer))
        let taken = limits.take(.request, of: account, at: startedAt.nanoseconds)
        let problem =
            taken.isAllowed ? problem : Self.exceeded(Self.clientQuota, taken)
        let body = HTTPServerBody(problem.json(requestID: id))
        let told = { @Sendable [observers, uptime] (isWhole: Bool) in
            let answered = RequestRecord(
                requestID: id,
                method: "other",
                route: nil,
                path: "",
                status: problem.code.status,
                byteCount: body.byteCount,
                duration: uptime() - startedAt,
                client: peer,
                user: nil,
                isWhole: isWhole,
                isStream: false
            )
            for observer in observers { observer.observe(answered) }
        }
        return HTTPServerResponse(
            status: problem.code.status,
            headers: problem.headers + [(name: "X-Request-Id", value: id)],
            sharing: body,
            ended: told
        )
    }

    /// The fields that a stream has beside those of its own.
    func fields(_ pass: RequestContext) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        add(to: &fields, pass, isCompressible: false)
        return fields + ownFields(pass)
    }

    /// Tells the observers of a request whose answer has ended.
    func tell(_ pass: RequestContext, status: Int, byteCount: Int, isWhole: Bool, isStream: Bool) {
        if observers.isEmpty { return }
        let answered = answered(
            pass,
            status: status,
            byteCount: byteCount,
            isWhole: isWhole,
            isStream: isStream
        )
        for observer in observers { observer.observe(answered) }
    }

    /// What observers are told of a request, now that its answer has ended.
    func answered(
        _ pass: RequestContext,
        status: Int,
        byteCount: Int,
        isWhole: Bool,
        isStream: Bool
    ) -> RequestRecord {
        RequestRecord(
            requestID: pass.id,
            method: Self.method(of: pass.request),
            route: pass.route?.template,
            path: pass.request.path,
            status: status,
            byteCount: byteCount,
            duration: uptime() - pass.startedAt,
            client: pass.client,
            user: pass.user,
            isWhole: isWhole,
            isStream: isStream
        )
    }

    private static let noBytes = HTTPServerBody([])

    private func document(
        _ document: EncodedDocument,
        _ answer: RouteResponse,
        _ pass: inout RequestContext
    ) throws(Problem) -> HTTPServerResponse {
        let ready = ready(document, answer, pass)
        try settle(&pass, isKnown: ready.status == 304)
        return made(ready, pass)
    }

    /// What a document's answer is for one who asks so, but for what each answer has of its own.
    func ready(
        _ document: EncodedDocument,
        _ answer: RouteResponse,
        _ pass: RequestContext
    ) -> ReadyAnswer {
        let coding = document.coding(acceptsGzip: pass.acceptsGzip)
        let tag = document.tag(coding)
        var fields = answer.headers
        fields.reserveCapacity(fields.count + 10)
        fields.append((name: "ETag", value: tag))
        fields.append((name: "Cache-Control", value: document.cacheControl))
        let isKnown =
            answer.status == 200
            && (pass.ifNoneMatch.map { EntityTagList.holds($0, tag) } ?? false)
        if !isKnown {
            fields.append((name: "Content-Type", value: "application/json"))
            if coding == .gzip { fields.append((name: "Content-Encoding", value: "gzip")) }
        }
        add(to: &fields, pass, isCompressible: document.isCompressible)
        return ReadyAnswer(
            status: isKnown ? 304 : answer.status,
            fields: HTTPServerFields(fields),
            body: document.body(coding)
        )
    }

    private func problem(
        _ problem: Problem,
        _ headers: [(name: String, value: String)],
        _ pass: RequestContext
    ) -> HTTPServerResponse {
        made(
            problem.code.status,
            headers + problem.headers,
            HTTPServerBody(problem.json(requestID: pass.id)),
            pass
        )
    }

    private func made(
        _ status: Int,
        _ headers: [(name: String, value: String)],
        _ body: HTTPServerBody,
        _ pass: RequestContext
    ) -> HTTPServerResponse {
        var headers = headers
        add(to: &headers, pass, isCompressible: false)
        let fields = HTTPServerFields(headers)
        return made(ReadyAnswer(status: status, fields: fields, body: body), pass)
    }

    private func made(_ ready: ReadyAnswer, _ pass: RequestContext) -> HTTPServerResponse {
        let byteCount = ready.byteCount(isHead: pass.request.isHead)
        let told = { @Sendable (isWhole: Bool) in
            self.tell(
                pass,
                status: ready.status,
                byteCount: byteCount,
                isWhole: isWhole,
                isStream: false
            )
        }
        return HTTPServerResponse(
            status: ready.status,
            headers: ownFields(pass),
            behind: ready.fields,
            sharing: ready.body,
            ended: observers.isEmpty ? nil : told
        )
    }

    /// Adds the fields that are the same for everybody who asks so.
    private func add(
        to headers: inout [(name: String, value: String)],
        _ pass: RequestContext,
        isCompressible: Bool
    ) {
        let vary = vary(isPersonal: pass.route?.access == .user, isCompressible: isCompressible)
        if let vary { headers.append((name: "Vary", value: vary)) }
        let policy = rateFields.policy(hasToken: pass.tokenKey != nil)
        headers.append((name: "RateLimit-Policy", value: policy))
        if crossOrigin.isOn { headers += crossOrigin.fields(pass.request) }
    }

    /// The fields that each answer has of its own.
    private func ownFields(_ pass: RequestContext) -> [(name: String, value: String)] {
        let id = (name: "X-Request-Id", value: pass.id)
        if pass.uses.isEmpty { return [id] }
        return [id, (name: "RateLimit", value: RateFields.limit(pass.uses))]
    }

    /// What an answer depends on beside the address.
    private func vary(isPersonal: Bool, isCompressible: Bool) -> String? {
        switch (isPersonal, isCompressible, crossOrigin.isOn) {
        case (false, false, false): nil
        case (false, false, true): "Origin"
        case (false, true, false): "Accept-Encoding"
        case (false, true, true): "Accept-Encoding, Origin"
        case (true, false, false): "Authorization"
        case (true, false, true): "Authorization, Origin"
        case (true, true, false): "Authorization, Accept-Encoding"
        case (true, true, true): "Authorization, Accept-Encoding, Origin"
        }
    }

    static func method(of request: HTTPServerRequest) -> String {
        if request.isHead { return "HEAD" }
        if request.method == "OPTIONS" { return "OPTIONS" }
        return Route.Method(rawValue: request.method)?.rawValue ?? "other"
    }
}

extension Duration {
    /// Whole nanoseconds; a process does not live for the centuries that do not fit.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
