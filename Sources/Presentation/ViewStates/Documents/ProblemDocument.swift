import JSON

/// A failed request as RFC 9457 describes it, with hoga's own members.
public struct ProblemDocument: DocumentObject {
    /// A reference to the problem type: `/problems/invalid_parameter`.
    public var type: String
    /// The meaning of the type.
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// This occurrence in a sentence.
    public var detail: String
    /// The stable code for programs.
    public var code: String
    /// The parameter in question; only with `invalid_parameter`.
    public var parameter: String?
    /// The allowed values; only with `invalid_parameter`.
    public var allowed: [String]?
    /// Whether the same request may succeed later.
    public var retryable: Bool
    /// The request's id in logs.
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

    /// The problem as JSON; `parameter` and `allowed` are absent if nil.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Problem", "A failed request (RFC 9457).")
        fields.add("type", \.type, .text(pattern: "^/problems/[a-z_]+$"))
        fields.add("title", \.title, note: "The meaning of the code.")
        fields.add("status", \.status, .integer(in: 400...599))
        fields.add("detail", \.detail, note: "This occurrence in a sentence.")
        fields.add("code", \.code, .schema("ProblemCode"))
        fields.optional(
            "parameter",
            \.parameter,
            note: "With `invalid_parameter`: the parameter."
        )
        fields.optional(
            "allowed",
            \.allowed,
            note: "With `invalid_parameter`: the allowed values."
        )
        fields.add("retryable", \.retryable, note: "Whether the same request may succeed later.")
        fields.add("requestId", \.requestID, note: "The request's id in logs.")
    }
}
