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
    init(rules: ServiceRules) {
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
        uses.map { "\"\($0.name)\";r=\($0.taken.remaining);t=\($0.taken.fullInSeconds)" }
            .joined(separator: ", ")
    }
}
