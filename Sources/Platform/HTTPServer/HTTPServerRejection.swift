public import NetworkAddresses

/// Why the server rejects a request without asking the handler; the connection is closed after
/// the response.
public enum HTTPServerRejection: Int, Sendable, Hashable, CaseIterable {
    /// A malformed request, an invalid target, or contradictory header fields.
    case badRequest = 400
    /// The body exceeds the configured limit.
    case bodyTooLarge = 413
    /// The header exceeds the configured limit.
    case headerTooLarge = 431

    /// A short response in plain text that repeats nothing of the request.
    public static let plain: @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse =
        { rejection, _ in
            let reason =
                switch rejection {
                case .badRequest: "Bad Request"
                case .bodyTooLarge: "Content Too Large"
                case .headerTooLarge: "Request Header Fields Too Large"
                }
            return HTTPServerResponse(
                status: rejection.rawValue,
                headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array("\(rejection.rawValue) \(reason)\n".utf8)
            )
        }
}
