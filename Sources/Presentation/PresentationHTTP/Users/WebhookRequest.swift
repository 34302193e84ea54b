/// A request about the webhook of a user.
enum WebhookRequest: Sendable, Equatable {
    /// Reads it, without its secret.
    case look
    /// Sets its address, and a new secret.
    case set(url: String)
    /// Removes it.
    case remove

    /// Parses a request; nil for one about another resource.
    ///
    /// - Throws: ``Problem``: `invalid_parameter`, `unsupported_media_type`.
    init?(_ call: RoutedRequest, _ resource: PersonalResource) throws(Problem) {
        guard resource == .webhook else { return nil }
        if call.method == .get {
            self = .look
            return
        }
        try RequestedChange.refuseConditions(call, resource)
        self = call.method == .delete ? .remove : .set(url: try UserRequestBody(call).webhookURL())
    }
}
