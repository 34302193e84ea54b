import HTTPServer

/// The CORS fields that let pages of configured origins read responses.
struct CrossOriginPolicy: Sendable {
    private let origins: Set<String>

    /// The response fields that scripts may read.
    private static let exposed = "Age, ETag, RateLimit, Retry-After, X-Request-Id"
    /// The request fields that scripts may send.
    private static let accepted =
        "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
    /// How long a browser caches the permission, in seconds.
    private static let permissionSeconds = "600"

    /// Allows origins; without any, CORS is off.
    init(_ origins: [CrossOrigin]) {
        self.origins = Set(origins.map(\.description))
    }

    /// Whether responses depend on the origin, which `Vary` then names.
    var isOn: Bool { !origins.isEmpty }

    /// The fields of the response to a request.
    func fields(_ request: HTTPServerRequest) -> [(name: String, value: String)] {
        guard let origin = allowedOrigin(of: request) else { return [] }
        return [
            (name: "Access-Control-Allow-Origin", value: origin),
            (name: "Access-Control-Expose-Headers", value: Self.exposed),
        ]
    }

    /// Whether a request is a CORS preflight.
    func isPreflight(_ request: HTTPServerRequest) -> Bool {
        isOn && request.method == "OPTIONS" && request.header("origin") != nil
            && request.header("access-control-request-method") != nil
    }

    /// The fields of the response to a preflight beside ``fields(_:)``; none for an unknown origin.
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
