import Domain
import HTTPServer

extension SnapshotService {
    /// Lets in whoever may come in.
    func enter(_ call: RoutedRequest, _ pass: RequestContext) throws(Problem) -> HTTPServerReply {
        switch call.route.access {
        case .everybody: return try answer(call, nil, pass)
        case .data:
            return rules.requiresToken
                ? try enterWithToken(call, pass) : try answer(call, nil, pass)
        case .user: return try enterWithToken(call, pass)
        }
    }

    private func enterWithToken(
        _ call: RoutedRequest,
        _ pass: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        guard let personal else {
            throw Problem(
                code: .storeUnavailable,
                detail: "this service was started without a store, so no token opens anything"
            )
        }
        let token = try AccessToken(call.request)
        let word = DeferredValue<Result<TokenGrant, Problem>>()
        personal.grant(of: token) { word.put($0) }
        return word.reply(within: rules.storeTimeout) { [self] word in
            var (call, pass) = (call, pass)
            call.token = token
            do throws(Problem) {
                let grant = try Self.grant(word)
                try manners.admit(&pass, grant, token)
                guard call.method.scope == .read || grant.scope.allowsChanges else {
                    throw Problem(
                        code: .forbiddenScope,
                        detail: "the token opens reading alone; changes need one of scope write"
                    )
                }
                return try answer(call, grant, pass)
            } catch {
                return .response(manners.response(error, pass))
            }
        }
    }

    private static func grant(
        _ word: Result<TokenGrant, Problem>?
    ) throws(Problem) -> TokenGrant {
        guard let word else { throw storeTimedOut }
        return try word.get()
    }

    /// Answers from the room of what is kept for users.
    func personalAnswer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ personal: any UserAPI,
        _ pass: RequestContext
    ) -> HTTPServerReply {
        let permit = call.method.scope == .read ? nil : ChangePermit()
        var call = call
        call.permit = permit
        let answer = DeferredValue<RouteResponse>()
        personal.answer(call, grant) { answer.put($0) }
        return answer.reply(within: rules.storeTimeout) { [self] answer in
            reply(answer ?? .problem(Self.silence(about: permit)), pass)
        }
    }

    /// The store did not answer: what became of the change, if one was asked for.
    private static func silence(about permit: ChangePermit?) -> Problem {
        guard let permit else { return storeTimedOut }
        var problem = storeTimedOut
        problem.detail +=
            permit.withdraw()
            ? "; nothing was changed"
            : "; the change may have been made, or be made yet: read it before repeating it"
        return problem
    }

    static var storeTimedOut: Problem {
        Problem(code: .storeUnavailable, detail: "the store did not answer in time")
    }
}

extension AccessToken {
    /// Reads the token of a request.
    ///
    /// - Throws: ``Problem`` `unauthorized`, which repeats nothing of what came.
    fileprivate init(_ request: HTTPServerRequest) throws(Problem) {
        guard let header = request.header("authorization") else {
            throw Problem(
                code: .unauthorized,
                detail: "send Authorization: Bearer with a token;"
                    + " `hoga user token new` makes one"
            )
        }
        // RFC 9110, 11.4 wants one space; what stands between words of a header is often a tab.
        let parts = header.split { $0 == " " || $0 == "\t" }
        guard parts.count == 2, parts[0].lowercased() == "bearer",
            let token = AccessToken(String(parts[1]))
        else {
            throw Problem(
                code: .unauthorized,
                detail: "Authorization must be Bearer and a token as"
                    + " `hoga user token new` prints it"
            )
        }
        self = token
    }
}
