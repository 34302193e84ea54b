/// The stable codes of `application/problem+json` answers.
enum ProblemCode: String, Sendable, CaseIterable {
    case invalidParameter = "invalid_parameter"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case cursorExpired = "cursor_expired"
    case `internal` = "internal"
    case overloaded = "overloaded"

    /// The HTTP status of the code.
    var status: Int {
        switch self {
        case .invalidParameter: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .cursorExpired: 410
        case .internal: 500
        case .overloaded: 503
        }
    }

    /// What the code means, the same for every occurrence.
    var title: String {
        switch self {
        case .invalidParameter: "A parameter has a value that is not allowed"
        case .notFound: "There is nothing at this address"
        case .methodNotAllowed: "This address does not take this method"
        case .cursorExpired: "The named place is no longer, or not yet, known here"
        case .internal: "The server failed"
        case .overloaded: "The server follows as much as it can"
        }
    }

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .invalidParameter, .notFound, .methodNotAllowed, .cursorExpired: false
        case .internal, .overloaded: true
        }
    }

    /// When a retry may succeed, in seconds; nil where nobody can say.
    var retryAfterSeconds: Int? {
        switch self {
        case .invalidParameter, .notFound, .methodNotAllowed, .cursorExpired, .internal: nil
        // Some of what is followed is given up every second.
        case .overloaded: 5
        }
    }
}
