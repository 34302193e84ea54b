import Domain
import UseCases
import ViewStates

extension UserService {
    /// Lists, makes or revokes tokens of the owner of the token in use.
    ///
    /// The store verifies that token again; nothing is answered from memory.
    func answer(
        _ request: TokenRequest,
        _ call: RoutedRequest,
        _ grant: TokenGrant
    ) async throws(StoreFailure) -> RouteResponse {
        guard let token = call.token else { preconditionFailure("The route needs a token.") }
        let asking = hash(token)
        do throws(StoreFailure) {
            switch request {
            case .list:
                let state = TokensViewState(try await ownTokens.tokens(ofOwnerOf: asking))
                return .document(UserDocuments.digested(state, of: grant.user, scope: .stored))
            case .make(let wanted):
                return try await make(wanted, asking, call, grant)
            case .revoke(let number):
                return try await revoke(number, asking, call)
            }
        } catch {
            if error.code == .unauthorized { tokens.invalidate(asking) }
            throw error
        }
    }

    private func make(
        _ wanted: TokenRequest.Wanted,
        _ asking: TokenHash,
        _ call: RoutedRequest,
        _ grant: TokenGrant
    ) async throws(StoreFailure) -> RouteResponse {
        if let refusal = wanted.refusal(by: grant, at: now()) { return .problem(refusal) }
        guard call.permit?.begin() ?? true else { return .problem(.storeAway) }
        let text = makeToken()
        let new = NewUserToken(
            hash: hash(text),
            scope: wanted.scope,
            expiresAt: wanted.expiresAt,
            note: wanted.note
        )
        let made = try await ownTokens.make(new, forOwnerOf: asking)
        let state = NewTokenViewState(made, text: text)
        return RouteResponse(
            status: 201,
            content: .document(UserDocuments.digested(state, of: grant.user, scope: .secret)),
            headers: [(name: "Location", value: "\(call.route.template)/\(made.number)")]
        )
    }

    private func revoke(
        _ number: Int64,
        _ asking: TokenHash,
        _ call: RoutedRequest
    ) async throws(StoreFailure) -> RouteResponse {
        guard call.permit?.begin() ?? true else { return .problem(.storeAway) }
        guard try await ownTokens.revoke(number, ofOwnerOf: asking) else {
            return .problem(
                Problem(
                    code: .notFound,
                    detail: "no token \(number); GET /v1/me/tokens lists your tokens"
                )
            )
        }
        // It may be the token in use.
        tokens.invalidate(asking)
        return RouteResponse(status: 204, content: .nothing)
    }
}
