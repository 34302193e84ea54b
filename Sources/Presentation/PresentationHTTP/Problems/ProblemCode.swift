/// The stable codes of `application/problem+json` responses.
enum ProblemCode: String, Sendable, CaseIterable {
    case invalidParameter = "invalid_parameter"
    case unauthorized = "unauthorized"
    case forbiddenScope = "forbidden_scope"
    case readOnly = "read_only"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case cursorExpired = "cursor_expired"
    case preconditionFailed = "precondition_failed"
    case bodyTooLarge = "body_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case preconditionRequired = "precondition_required"
    case rateLimited = "rate_limited"
    case headerTooLarge = "header_too_large"
    case `internal` = "internal"
    case storeUnavailable = "store_unavailable"

    /// The HTTP status of the code.
    var status: Int {
        switch self {
        case .invalidParameter: 400
        case .unauthorized: 401
        case .forbiddenScope, .readOnly: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .cursorExpired: 410
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .preconditionRequired: 428
        case .rateLimited: 429
        case .headerTooLarge: 431
        case .internal: 500
        case .storeUnavailable: 503
        }
    }

    /// The meaning of the code, the same for every occurrence.
    var title: String {
        switch self {
        case .invalidParameter: "A parameter has a value that is not allowed"
        case .unauthorized: "A valid token is required"
        case .forbiddenScope: "The token may only read"
        case .readOnly: "This instance makes no changes"
        case .notFound: "The resource does not exist"
        case .methodNotAllowed: "The method is not allowed for this resource"
        case .cursorExpired: "The cursor is unknown or no longer available"
        case .preconditionFailed: "The revision in If-Match is not the current one"
        case .bodyTooLarge: "The body is too long"
        case .unsupportedMediaType: "The body has an unsupported media type"
        case .preconditionRequired: "The request needs If-Match"
        case .rateLimited: "A rate limit is exceeded"
        case .headerTooLarge: "The header is too long"
        case .internal: "Internal server error"
        case .storeUnavailable: "The store is unavailable"
        }
    }

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .invalidParameter, .unauthorized, .forbiddenScope, .readOnly, .notFound,
            .methodNotAllowed, .cursorExpired, .preconditionFailed, .bodyTooLarge,
            .unsupportedMediaType,
            .preconditionRequired, .headerTooLarge:
            false
        case .rateLimited, .internal, .storeUnavailable: true
        }
    }

    /// Seconds until a retry may succeed, unless the problem has a value of its own; nil if
    /// unknown.
    var retryAfterSeconds: Int? {
        switch self {
        case .invalidParameter, .unauthorized, .forbiddenScope, .readOnly, .notFound,
            .methodNotAllowed, .cursorExpired, .preconditionFailed, .bodyTooLarge,
            .unsupportedMediaType,
            .preconditionRequired, .headerTooLarge, .internal:
            nil
        // Unused interests and topics are released every second.
        case .rateLimited: 5
        // A store is reconnected within a few seconds.
        case .storeUnavailable: 2
        }
    }
}
