/// The fields `RateLimit-Policy` (quota `q`, window `w`) and `RateLimit` (remaining `r`, seconds
/// `t` until full).
///
/// Source: draft-ietf-httpapi-ratelimit-headers-10 (2026-11-21).
struct RateFields: Sendable {
    /// The policy without a token.
    private let policy: String
    /// The policy with a token.
    private let policyWithToken: String

    /// Formats the policies of a service.
    init(configuration: ServiceConfiguration) {
        let window = ";w=\(RateQuota.windowSeconds)"
        policy =
            "\"client\";q=\(configuration.requestsPerClient)\(window), "
            + "\"not-modified\";q=\(configuration.notModifiedPerClient)\(window)"
        policyWithToken = policy + ", \"token\";q=\(configuration.requestsPerToken)\(window)"
    }

    /// The value of `RateLimit-Policy`.
    func policy(hasToken: Bool) -> String { hasToken ? policyWithToken : policy }

    /// The value of `RateLimit` after these charges.
    static func limit(
        _ charges: [(name: String, key: RateLimits.Key, charge: TokenBucket.Charge)]
    ) -> String {
        var text = ""
        for (name, _, charge) in charges {
            if !text.isEmpty { text += ", " }
            text += "\"\(name)\";r=\(charge.remaining);t=\(charge.fullInSeconds)"
        }
        return text
    }
}
