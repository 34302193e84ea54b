/// Why a request is refused before a handler sees it; its connection is closed behind the answer.
public enum HTTPServerRejection: Int, Sendable, Hashable, CaseIterable {
    /// It is no request, its target is no path or no text, or headers contradict each other.
    case badRequest = 400
    /// The body is longer than the configuration allows.
    case bodyTooLarge = 413
    /// The header is longer than the configuration allows.
    case headerTooLarge = 431

    /// A short answer in plain text, which tells nothing of the request.
    public static let plain: @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse =
        {
            refusal,
            _ in
            let reason =
                switch refusal {
                case .badRequest: "Bad Request"
                case .bodyTooLarge: "Content Too Large"
                case .headerTooLarge: "Request Header Fields Too Large"
                }
            return HTTPServerResponse(
                status: refusal.rawValue,
                headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array("\(refusal.rawValue) \(reason)\n".utf8)
            )
        }
}
