import Compression
import Domain
import HTTPServer
import NetworkAddresses
import SharedMemory

/// The steps that all requests and responses share: id, client, limits, CORS, conditional
/// requests, header fields and observers.
final class RequestPipeline: Sendable {
    private let clients: ClientAddress
    private let limits: RateLimits
    private let rateFields: RateFields
    let crossOrigin: CrossOriginPolicy
    private let observers: [any RequestObserver]
    private let uptime: @Sendable () -> Duration
    private let makeRequestID: @Sendable () -> String

    /// Makes a pipeline.
    ///
    /// - Parameters:
    ///   - configuration: the limits and switches.
    ///   - observers: receive a record of every finished request.
    ///   - uptime: a monotonic clock.
    ///   - makeRequestID: a new id at each call.
    init(
        configuration: ServiceConfiguration,
        observers: [any RequestObserver],
        uptime: @escaping @Sendable () -> Duration,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        clients = ClientAddress(trustedProxies: configuration.trustedProxies)
        limits = RateLimits(configuration: configuration)
        rateFields = RateFields(configuration: configuration)
        crossOrigin = CrossOriginPolicy(configuration.corsOrigins)
        self.observers = observers
        self.uptime = uptime
        self.makeRequestID = makeRequestID
    }

    /// The context of a new request.
    func begin(_ request: HTTPServerRequest) -> RequestContext {
        RequestContext(
            request: request,
            id: ClientRequestID.accepted(request.header("x-request-id")) ?? makeRequestID(),
            client: clients.client(of: request.remoteAddress) {
                request.header("x-forwarded-for")
            },
            startedAt: uptime(),
            ifNoneMatch: request.method == "GET" ? request.header("if-none-match") : nil,
            acceptsGzip: Self.acceptsGzip(request.header("accept-encoding")),
            route: nil
        )
    }

    /// The values that browsers and most programs send: they need no parsing.
    private static let commonEncodings: Set<String> = [
        "gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd",
    ]

    private static func acceptsGzip(_ codings: String?) -> Bool {
        guard let codings else { return false }
        return commonEncodings.contains(codings) || Gzip.isAccepted(by: codings)
    }

    // MARK: - Limits

    /// Charges a request to its client, before any work is done for it.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func admit(_ context: inout RequestContext) throws(Problem) {
        try charge(&context, Self.clientQuota, context.clientKey)
    }

    /// Records the user of a verified token, and charges the request to the token.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func admit(
        _ context: inout RequestContext,
        _ grant: TokenGrant,
        _ token: AccessToken
    ) throws(Problem) {
        context.user = grant.user
        // Swift's hash, seeded per process; not the stored `TokenHash`.
        let key = RateLimits.Key.token(token.hashValue)
        context.tokenKey = key
        try charge(&context, "token", key)
    }

    /// Charges the look-up of a token that is not known to be valid.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func admitUnknownToken(_ context: RequestContext) throws(Problem) {
        let account = limits.account(of: context.clientKey)
        let charge = limits.acquire(1, .unknownToken, of: account, at: uptime().nanoseconds)
        guard charge.isAllowed else { throw Self.exceeded("unknown-token", charge) }
    }

    /// Gives back the charge of a look-up that found a valid token, or that could not be made.
    func refundKnownToken(_ context: RequestContext) {
        let account = limits.account(of: context.clientKey)
        _ = limits.refund(1, .unknownToken, to: account, at: uptime().nanoseconds)
    }

    private func charge(
        _ context: inout RequestContext,
        _ name: String,
        _ key: RateLimits.Key
    ) throws(Problem) {
        let charge = limits.acquire(
            context.cost.units,
            .request,
            of: limits.account(of: key),
            at: uptime().nanoseconds
        )
        context.charges.append((name: name, key: key, charge: charge))
        guard charge.isAllowed else { throw Self.exceeded(name, charge) }
    }

    private static func exceeded(_ name: String, _ charge: TokenBucket.Charge) -> Problem {
        Problem(
            code: .rateLimited,
            detail: "the limit \"\(name)\" for \(RateQuota.windowSeconds) seconds is used up;"
                + " see RateLimit-Policy",
            retryAfterSeconds: charge.nextInSeconds
        )
    }

    /// The name of a client's quota for requests.
    static let clientQuota = "client"
    /// The name of a client's quota for requests that are answered with 304.
    private static let notModifiedQuota = "not-modified"

    /// Charges a 304 to the quota of 304s in place of what the request was charged; once that quota
    /// is used up, a 304 costs as much as any answer.
    private func settleNotModified(_ context: inout RequestContext) {
        let now = uptime().nanoseconds
        let account = limits.account(of: context.clientKey)
        let notModified = limits.acquire(1, .notModified, of: account, at: now)
        guard notModified.isAllowed else { return }
        let charges = context.charges.map { name, key, _ in
            let account = limits.account(of: key)
            let charge = limits.refund(context.cost.units, .request, to: account, at: now)
            return (name: name, key: key, charge: charge)
        }
        context.charges =
            [(name: Self.notModifiedQuota, key: context.clientKey, charge: notModified)]
            + charges.filter { $0.name != Self.clientQuota }
    }
}

// MARK: - Responses

extension RequestPipeline {
    /// The HTTP response to a request.
    func response(_ response: RouteResponse, _ context: RequestContext) -> HTTPServerResponse {
        switch response.content {
        case .document(let document): self.document(document, response, context)
        case .nothing: finished(response.status, response.headers, .empty, context)
        case .problem(let problem): self.problem(problem, response.headers, context)
        }
    }

    /// The HTTP response to a failed request.
    func response(_ problem: Problem, _ context: RequestContext) -> HTTPServerResponse {
        response(.problem(problem), context)
    }

    /// The HTTP response to a malformed request, which is charged and recorded without a route.
    func response(_ problem: Problem, to peer: NetworkAddress) -> HTTPServerResponse {
        let (id, startedAt) = (makeRequestID(), uptime())
        let account = limits.account(of: RateLimits.Key(peer))
        let charge = limits.acquire(1, .request, of: account, at: startedAt.nanoseconds)
        let problem =
            charge.isAllowed ? problem : Self.exceeded(Self.clientQuota, charge)
        let body = problem.json(requestID: id)
        return HTTPServerResponse(
            status: problem.code.status,
            headers: problem.headers + ContentProtection.ofData
                + [(name: "X-Request-Id", value: id)],
            body: body,
            ended: { [observers, uptime] isComplete in
                let record = RequestRecord(
                    requestID: id,
                    method: "other",
                    route: nil,
                    path: "",
                    status: problem.code.status,
                    byteCount: body.count,
                    duration: uptime() - startedAt,
                    client: peer,
                    user: nil,
                    isComplete: isComplete,
                    isStream: false
                )
                for observer in observers { observer.observe(record) }
            }
        )
    }

    /// The header fields that a stream has beside its own.
    func streamFields(_ context: RequestContext) -> [(name: String, value: String)] {
        fields(context, isCompressible: true)
    }

    /// Reports a finished request to the observers.
    func record(
        _ context: RequestContext,
        status: Int,
        byteCount: Int,
        isComplete: Bool,
        isStream: Bool
    ) {
        if observers.isEmpty { return }
        let record = RequestRecord(
            requestID: context.id,
            method: Self.method(of: context.request),
            route: context.route?.template,
            path: context.request.path,
            status: status,
            byteCount: byteCount,
            duration: uptime() - context.startedAt,
            client: context.client,
            user: context.user,
            isComplete: isComplete,
            isStream: isStream
        )
        for observer in observers { observer.observe(record) }
    }

    /// Whether a request is answered with 304: the document's tag is compared with `If-None-Match`.
    func isNotModified(_ document: CacheableDocument, _ context: RequestContext) -> Bool {
        guard let known = context.ifNoneMatch else { return false }
        let isGzip = context.acceptsGzip && document.isCompressible
        return EntityTagList.contains(known, document.tag(isGzip: isGzip))
    }

    /// Decides between 200 and 304.
    private func document(
        _ document: CacheableDocument,
        _ response: RouteResponse,
        _ context: RequestContext
    ) -> HTTPServerResponse {
        let isGzip = context.acceptsGzip && document.isCompressible
        var headers = response.headers
        if document.scope != .secret {
            headers.append((name: "ETag", value: document.tag(isGzip: isGzip)))
        }
        headers.append((name: "Cache-Control", value: document.cacheControl))
        if let age = document.age {
            headers.append((name: "Age", value: "\(max(0, age.components.seconds))"))
        }
        if response.status == 200, isNotModified(document, context) {
            var context = context
            settleNotModified(&context)
            return finished(304, headers, .empty, context, isCompressible: document.isCompressible)
        }
        headers.append((name: "Content-Type", value: document.mediaType))
        if isGzip { headers.append((name: "Content-Encoding", value: "gzip")) }
        return finished(
            response.status,
            headers,
            document.body(isGzip: isGzip),
            context,
            isCompressible: document.isCompressible
        )
    }

    private func problem(
        _ problem: Problem,
        _ headers: [(name: String, value: String)],
        _ context: RequestContext
    ) -> HTTPServerResponse {
        finished(
            problem.code.status,
            headers + problem.headers,
            SharedBytes(problem.json(requestID: context.id)),
            context
        )
    }

    private func finished(
        _ status: Int,
        _ headers: [(name: String, value: String)],
        _ body: SharedBytes,
        _ context: RequestContext,
        isCompressible: Bool = false
    ) -> HTTPServerResponse {
        let byteCount = context.request.isHead ? 0 : body.bytes.count
        let ended = { @Sendable (isComplete: Bool) in
            self.record(
                context,
                status: status,
                byteCount: byteCount,
                isComplete: isComplete,
                isStream: false
            )
        }
        // Files of the page bring a policy of their own.
        let policy = ContentProtection.noContent
        let policies = headers.contains { $0.name == policy.name } ? [] : [policy]
        return HTTPServerResponse(
            status: status,
            headers: headers + policies + fields(context, isCompressible: isCompressible),
            sharedBody: body,
            ended: observers.isEmpty ? nil : ended
        )
    }

    /// The header fields of every response.
    private func fields(
        _ context: RequestContext,
        isCompressible: Bool
    ) -> [(name: String, value: String)] {
        var fields = [ContentProtection.noSniffing]
        let isPersonal = context.route?.access == .user
        if let vary = vary(isPersonal: isPersonal, isCompressible: isCompressible) {
            fields.append((name: "Vary", value: vary))
        }
        let policy = rateFields.policy(hasToken: context.tokenKey != nil)
        fields.append((name: "RateLimit-Policy", value: policy))
        if crossOrigin.isOn { fields += crossOrigin.fields(context.request) }
        fields.append((name: "X-Request-Id", value: context.id))
        if !context.charges.isEmpty {
            fields.append((name: "RateLimit", value: RateFields.limit(context.charges)))
        }
        return fields
    }

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

    private static func method(of request: HTTPServerRequest) -> String {
        if request.isHead { return "HEAD" }
        if request.method == "OPTIONS" { return "OPTIONS" }
        return Route.Method(rawValue: request.method)?.rawValue ?? "other"
    }
}

extension Duration {
    /// Whole nanoseconds; overflows after 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
