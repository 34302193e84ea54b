import HTTPServer

/// What an answer tells of limits.
///
/// Source: draft-ietf-httpapi-ratelimit-headers-10, "RateLimit header fields for HTTP" (seen
/// 2026-11-21): policies with quota `q` and window `w`, and what is left `r` with the seconds `t`
/// until all of it is there again.
struct RateFields: Sendable {
    /// The value of `RateLimit-Policy` for whoever comes without a token.
    private let policy: String
    /// The same for whoever comes with one.
    private let policyWithToken: String

    /// Writes the policies of a service.
    init(rules: ServiceConfiguration) {
        let window = ";w=\(RateQuota.windowSeconds)"
        policy =
            "\"client\";q=\(rules.requestsPerClient)\(window), "
            + "\"not-modified\";q=\(rules.notModifiedPerClient)\(window)"
        policyWithToken = policy + ", \"token\";q=\(rules.requestsPerToken)\(window)"
    }

    /// The value of `RateLimit-Policy`.
    func policy(hasToken: Bool) -> String { hasToken ? policyWithToken : policy }

    /// The value of `RateLimit`: what is left of each quota that something was taken from.
    static func limit(_ uses: [(name: String, taken: TokenBucket.Taken)]) -> String {
        var text = ""
        text.reserveCapacity(Self.lengthExpected)
        for (name, taken) in uses {
            if !text.isEmpty { text += ", " }
            text += "\"\(name)\";r=\(taken.remaining);t=\(taken.fullInSeconds)"
        }
        return text
    }

    /// Adds what is left of one quota to a field.
    static func add(
        _ name: String,
        _ taken: TokenBucket.Taken,
        to fields: inout HTTPFieldWriter
    ) {
        fields.add("\"")
        fields.add(name)
        fields.add("\";r=")
        fields.add(taken.remaining)
        fields.add(";t=")
        fields.add(taken.fullInSeconds)
    }

    /// Room for what is left to a client and a token.
    private static let lengthExpected = 64
}
