import Domain
import UseCases
import ViewStates

extension UserService {
    /// Reads, sets or removes the webhook of a user; nothing is answered from memory.
    func answer(
        _ request: WebhookRequest,
        _ call: RoutedRequest,
        _ grant: TokenGrant
    ) async throws(StoreFailure) -> RouteResponse {
        let user = grant.user
        switch request {
        case .look:
            guard let webhook = try await webhooks?.repository.webhook(of: user) else {
                return .problem(.noWebhook)
            }
            let state = WebhookViewState(webhook)
            return .document(UserDocuments.digested(state, of: user, scope: .stored))
        case .set(let url): return try await set(url, of: user, call)
        case .remove:
            guard let webhooks else { return .problem(.noWebhook) }
            guard call.permit?.begin() ?? true else { return .problem(.storeAway) }
            guard try await webhooks.repository.remove(of: user, at: now()) else {
                return .problem(.noWebhook)
            }
            onChange(nil)
            return RouteResponse(status: 204, content: .nothing)
        }
    }

    private func set(
        _ url: String,
        of user: UserID,
        _ call: RoutedRequest
    ) async throws(StoreFailure) -> RouteResponse {
        guard let webhooks, let makeSecret = webhooks.makeSecret else {
            return .problem(.noWebhookKey)
        }
        if let reason = webhooks.refusal(url) {
            return .problem(
                .invalidParameter(
                    "url",
                    AccessToken.masked(reason),
                    allowed: UserRequestBody.webhookURLs
                )
            )
        }
        let isNew = try await webhooks.repository.webhook(of: user) == nil
        // The client may have given up while the store was asked.
        guard call.permit?.begin() ?? true else { return .problem(.storeAway) }
        let secret = makeSecret(user)
        let new = NewWebhook(url: url, sealedSecret: secret.sealed, at: now())
        try await webhooks.repository.set(new, of: user)
        onChange(nil)
        // Alerts that wait stay with the user's webhook. Another request may have replaced it.
        // The secret is set and shown here alone, whatever this reading does.
        let present = try? await webhooks.repository.webhook(of: user)
        let made = present.flatMap { $0.url == url ? $0 : nil }
        let state = NewWebhookViewState(
            made ?? Webhook(url: url, createdAt: new.at),
            secret: secret.text
        )
        var response = RouteResponse.document(
            UserDocuments.digested(state, of: user, scope: .secret)
        )
        if isNew { response.status = 201 }
        return response
    }
}

extension Problem {
    /// The user has no webhook.
    fileprivate static let noWebhook = Problem(
        code: .notFound,
        detail: "you have no webhook; PUT /v1/me/webhook sets one"
    )

    /// Secrets cannot be encrypted.
    fileprivate static let noWebhookKey = Problem(
        code: .notFound,
        detail: "this service has no key for webhooks. "
            + "Ask its operator to set HOGA_WEBHOOK_KEY_FILE"
    )
}
