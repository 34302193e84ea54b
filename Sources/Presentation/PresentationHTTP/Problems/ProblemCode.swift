/// The stable codes of `application/problem+json` answers.
enum ProblemCode: String, Sendable, CaseIterable {
    case invalidParameter = "invalid_parameter"
    case unauthorized = "unauthorized"
    case forbiddenScope = "forbidden_scope"
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
        case .forbiddenScope: 403
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

    /// What the code means, the same for every occurrence.
    var title: String {
        switch self {
        case .invalidParameter: "A parameter has a value that is not allowed"
        case .unauthorized: "A token is needed that opens this"
        case .forbiddenScope: "The token opens reading alone"
        case .notFound: "There is nothing at this address"
        case .methodNotAllowed: "This address does not take this method"
        case .cursorExpired: "The named place is no longer, or not yet, known here"
        case .preconditionFailed: "What is kept is not what the condition expects"
        case .bodyTooLarge: "The body is longer than is taken"
        case .unsupportedMediaType: "The body is in a format that is not taken"
        case .preconditionRequired: "The request must say which revision it changes"
        case .rateLimited: "More was asked for than the limits allow"
        case .headerTooLarge: "The header is longer than is taken"
        case .internal: "The server failed"
        case .storeUnavailable: "What is kept cannot be reached"
        }
    }

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .invalidParameter, .unauthorized, .forbiddenScope, .notFound, .methodNotAllowed,
            .cursorExpired, .preconditionFailed, .bodyTooLarge, .unsupportedMediaType,
            .preconditionRequired, .headerTooLarge:
            false
        case .rateLimited, .internal, .storeUnavailable: true
        }
    }

    /// When a retry may succeed, in seconds, where the problem itself does not know better; nil
    /// where nobody can say.
    var retryAfterSeconds: Int? {
        switch self {
        case .invalidParameter, .unauthorized, .forbiddenScope, .notFound, .methodNotAllowed,
            .cursorExpired, .preconditionFailed, .bodyTooLarge, .unsupportedMediaType,
            .preconditionRequired, .headerTooLarge, .internal:
            nil
        // Some of what is followed is given up every second.
        case .rateLimited: 5
        // Connections to a store are tried again within a few seconds.
        case .storeUnavailable: 2
        }
    }
}
