import HTTPServer

/// What browsers are told, so that pages of configured origins may read answers.
struct CrossOriginPolicy: Sendable {
    private let origins: Set<String>

    /// What scripts may read of an answer beside its body.
    private static let exposed = "ETag, RateLimit, Retry-After, X-Request-Id"
    /// What scripts may send.
    private static let accepted =
        "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
    /// How long a browser need not ask again, in seconds.
    private static let permissionSeconds = "600"

    /// Allows origins; without any, nothing is told at all.
    init(_ origins: [CrossOrigin]) {
        self.origins = Set(origins.map(\.description))
    }

    /// Whether anything depends on the origin of a request: then every answer says so in `Vary`.
    var isOn: Bool { !origins.isEmpty }

    /// The fields that an answer to this request gets.
    func fields(_ request: HTTPServerRequest) -> [(name: String, value: String)] {
        guard let origin = allowedOrigin(of: request) else { return [] }
        return [
            (name: "Access-Control-Allow-Origin", value: origin),
            (name: "Access-Control-Expose-Headers", value: Self.exposed),
        ]
    }

    /// Whether a request is a browser's question whether another one may be sent.
    func isPreflight(_ request: HTTPServerRequest) -> Bool {
        isOn && request.method == "OPTIONS" && request.header("origin") != nil
            && request.header("access-control-request-method") != nil
    }

    /// The fields that answer such a question beside those that every answer has; none for a
    /// stranger.
    func permission(
        _ request: HTTPServerRequest,
        _ route: Route
    ) -> [(name: String, value: String)] {
        guard allowedOrigin(of: request) != nil else { return [] }
        return [
            (name: "Access-Control-Allow-Methods", value: route.allow),
            (name: "Access-Control-Allow-Headers", value: Self.accepted),
            (name: "Access-Control-Max-Age", value: Self.permissionSeconds),
        ]
    }

    private func allowedOrigin(of request: HTTPServerRequest) -> String? {
        guard isOn, let origin = request.header("origin")?.lowercased(), origins.contains(origin)
        else { return nil }
        return origin
    }
}
