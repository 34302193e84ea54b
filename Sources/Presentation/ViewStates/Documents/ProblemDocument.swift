/// A failed request as RFC 9457 describes it, with hoga's own members.
public struct ProblemDocument: Sendable, Equatable, Decodable {
    /// A reference to the kind of problem: `/problems/invalid_parameter`.
    public var type: String
    /// What the kind means.
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// This occurrence in a sentence.
    public var detail: String
    /// The stable word for programs.
    public var code: String
    /// Which parameter; only with `invalid_parameter`.
    public var parameter: String?
    /// What the parameter may be; only with `invalid_parameter`.
    public var allowed: [String]?
    /// Whether the same request may succeed later.
    public var retryable: Bool
    /// Names the request in logs.
    public var requestID: String

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, code, parameter, allowed, retryable
        case requestID = "requestId"
    }

    /// Makes a problem.
    public init(
        type: String,
        title: String,
        status: Int,
        detail: String,
        code: String,
        parameter: String?,
        allowed: [String]?,
        retryable: Bool,
        requestID: String
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.parameter = parameter
        self.allowed = allowed
        self.retryable = retryable
        self.requestID = requestID
    }
}
