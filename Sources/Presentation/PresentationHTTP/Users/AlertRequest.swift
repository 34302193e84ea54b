import Domain
import ViewStates

/// A request about a user's alerts that needs more than the user's record: the exchange's time and
/// markets, or older rows of the log.
enum AlertRequest: Sendable, Equatable {
    /// Makes a rule of a text.
    case add(String, Language)
    /// Replaces the rule of a number.
    case replace(Int64, by: String, RequestedChange.Precondition, Language)
    /// Reads a page of the log.
    case log(LogPage)

    /// A page of the log, newest first.
    struct LogPage: Sendable, Equatable {
        /// Only alerts before this one; nil for the newest.
        var before: Int64?
        /// The most rows.
        var limit: Int
        /// The language of texts.
        var language: Language
    }

    /// The most rows of a page of the log.
    static let logRowsMax = 200
    /// The rows of a page without `limit`.
    static let logRowsDefault = 100
    /// The longest text of a rule, in characters.
    static let ruleLengthMax = 500

    /// Parses a request; nil for one about another resource.
    ///
    /// - Throws: ``Problem``: `invalid_parameter`, `not_found`, `precondition_required`,
    ///   `unsupported_media_type`.
    init?(
        _ call: RoutedRequest,
        _ resource: PersonalResource,
        _ parameters: RequestParameters,
        user: UserID
    ) throws(Problem) {
        switch (resource, call.method) {
        case (.alerts, .post):
            try RequestedChange.refuseConditions(call, resource)
            let language: Language = try parameters.choice("lang") ?? .korean
            self = .add(try UserRequestBody(call).alertRule(), language)
        case (.alert, .put):
            try RequestedChange.refuseConditions(call, resource)
            let number = try call.alertNumber()
            let condition = try RequestedChange.condition(call, user)
            let language: Language = try parameters.choice("lang") ?? .korean
            let text = try UserRequestBody(call).alertRule()
            self = .replace(number, by: text, condition, language)
        case (.alertLog, .get): self = .log(try LogPage(parameters))
        default: return nil
        }
    }
}

extension AlertRequest.LogPage {
    /// Parses the parameters.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    fileprivate init(_ parameters: RequestParameters) throws(Problem) {
        before = try parameters.value(
            "before",
            "not the id of an alert",
            allowed: ["an id, e.g. 12"]
        ) { Int64(canonical: $0) }
        limit =
            try parameters.integer("limit", in: 1...AlertRequest.logRowsMax)
            ?? AlertRequest.logRowsDefault
        language = try parameters.choice("lang") ?? .korean
    }
}

extension RoutedRequest {
    /// The number of the alert rule in the path.
    ///
    /// - Throws: ``Problem`` `not_found`.
    func alertNumber() throws(Problem) -> Int64 {
        guard let number = Int64(canonical: place ?? "") else {
            throw Problem(
                code: .notFound,
                detail: "the path names no alert; GET /v1/me/alerts lists their ids"
            )
        }
        return number
    }
}

extension Int64 {
    /// Parses a number from 1 without a sign or leading zeros; nil for any other text.
    init?(canonical text: String) {
        guard let number = Int64(text), number > 0, "\(number)" == text else { return nil }
        self = number
    }
}
