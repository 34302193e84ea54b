import Domain
import HTTPServer
import ViewStates

extension SnapshotService {
    /// Verifies the token of a request that needs one, and continues with its route.
    func authorize(
        _ call: RoutedRequest,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        switch call.route.access {
        case .anyone: return try answer(call, nil, context)
        case .data:
            return configuration.requiresToken
                ? try verifyToken(call, context) : try answer(call, nil, context)
        case .user: return try verifyToken(call, context)
        }
    }

    private func verifyToken(
        _ call: RoutedRequest,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        guard let personal else {
            throw Problem(
                code: .storeUnavailable,
                detail: "this service runs without a store, so no token is valid"
            )
        }
        let token = try AccessToken(call.request)
        let grant = DeferredValue<Result<TokenGrant, Problem>>()
        var isCharged = false
        personal.grant(
            of: token,
            admit: { () throws(Problem) in
                try pipeline.admitUnknownToken(context)
                isCharged = true
            },
            reply: { grant.fulfill($0) }
        )
        let wasUnknown = isCharged
        return grant.reply(within: configuration.storeTimeout) { [self] grant in
            var (call, context) = (call, context)
            call.token = token
            do throws(Problem) {
                guard let grant else { throw .storeTimedOut }
                // Many people may share an address; a restart makes all their tokens unknown.
                if wasUnknown, !grant.isUnauthorized { pipeline.refundKnownToken(context) }
                let valid = try grant.get()
                try pipeline.admit(&context, valid, token)
                guard call.method.scope == .read || valid.scope.allowsChanges else {
                    throw Problem(
                        code: .forbiddenScope,
                        detail: "the token has scope read; changes need scope write"
                    )
                }
                guard call.method.scope == .read || !personal.isReadOnly else {
                    throw Problem(
                        code: .readOnly,
                        detail: "this instance reads from a standby; "
                            + "send changes to an instance on the primary server"
                    )
                }
                return try answer(call, valid, context)
            } catch {
                return .response(pipeline.response(error, context))
            }
        }
    }

    /// Responds with a user's data.
    ///
    /// Documents that can be streamed are made by the workers, all others are small.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func personalAnswer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ personal: any UserAPI,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        if case .user(let query) = call.query, query.isStreamed {
            return try onWorkers(nil, context, late: .storeTimedOut) { completion in
                personal.answer(call, grant) { response in
                    if case .document(let document) = response.content {
                        _ = document.body(isGzip: context.acceptsGzip)
                    }
                    completion(response)
                }
            }
        }
        let permit = call.method.scope == .read ? nil : ChangePermit()
        var call = call
        call.permit = permit
        let response = DeferredValue<RouteResponse>()
        personal.answer(call, grant) { response.fulfill($0) }
        return response.reply(within: configuration.storeTimeout) { [self] response in
            reply(response ?? .problem(Self.timeout(of: permit)), context)
        }
    }

    /// The store timed out: says whether the requested change was made.
    private static func timeout(of permit: ChangePermit?) -> Problem {
        var problem = Problem.storeTimedOut
        guard let permit else { return problem }
        problem.detail +=
            permit.withdraw()
            ? "; nothing was changed"
            : "; the change may have been made: read the resource before repeating it"
        return problem
    }
}

extension Problem {
    /// The store did not answer in time.
    static var storeTimedOut: Problem {
        Problem(code: .storeUnavailable, detail: "the store did not answer in time")
    }
}

extension AccessToken {
    /// Reads the token of a request.
    ///
    /// - Throws: ``Problem`` `unauthorized`, which repeats nothing of the header.
    fileprivate init(_ request: HTTPServerRequest) throws(Problem) {
        guard let header = request.header("authorization") else {
            throw Problem(
                code: .unauthorized,
                detail: "send Authorization: Bearer with a token; `hoga user token new` makes one"
            )
        }
        // RFC 9110, 11.4 requires one space, but some clients send a tab.
        let parts = header.split { $0 == " " || $0 == "\t" }
        guard parts.count == 2, parts[0].lowercased() == "bearer",
            let token = AccessToken(String(parts[1]))
        else {
            throw Problem(
                code: .unauthorized,
                detail: "Authorization must be Bearer and a token of `hoga user token new`"
            )
        }
        self = token
    }
}

extension Result where Success == TokenGrant, Failure == Problem {
    /// Whether the token was looked up and is not valid.
    fileprivate var isUnauthorized: Bool {
        switch self {
        case .success: false
        case .failure(let problem): problem.code == .unauthorized
        }
    }
}
