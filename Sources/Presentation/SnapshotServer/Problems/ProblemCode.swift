/// The stable codes of `application/problem+json` answers.
enum ProblemCode: String, Sendable, CaseIterable {
    case invalidParameter = "invalid_parameter"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case `internal` = "internal"

    /// The HTTP status of the code.
    var status: Int {
        switch self {
        case .invalidParameter: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .internal: 500
        }
    }

    /// What the code means, the same for every occurrence.
    var title: String {
        switch self {
        case .invalidParameter: "A parameter has a value that is not allowed"
        case .notFound: "There is nothing at this address"
        case .methodNotAllowed: "This address does not take this method"
        case .internal: "The server failed"
        }
    }

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .invalidParameter, .notFound, .methodNotAllowed: false
        case .internal: true
        }
    }
}
