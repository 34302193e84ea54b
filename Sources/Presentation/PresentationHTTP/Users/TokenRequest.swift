import Domain
import ViewStates

/// A request about the tokens of a user.
enum TokenRequest: Sendable, Equatable {
    /// Lists the valid ones.
    case list
    /// Makes one.
    case make(Wanted)
    /// Revokes the one of a number.
    case revoke(Int64)

    /// A token to make.
    struct Wanted: Sendable, Equatable {
        /// The permissions.
        var scope: TokenScope
        /// The expiry; nil for that of the token in use.
        var expiresAt: Timestamp?
        /// The note on the token; nil for none.
        var note: String?
    }

    /// Parses a request; nil for one about another resource.
    ///
    /// - Throws: ``Problem``: `invalid_parameter`, `not_found`, `unsupported_media_type`.
    init?(_ call: RoutedRequest, _ resource: PersonalResource) throws(Problem) {
        switch (resource, call.method) {
        case (.tokens, .get): self = .list
        case (.tokens, .post):
            try RequestedChange.refuseConditions(call, resource)
            self = .make(try UserRequestBody(call).token())
        case (.token, .delete):
            try RequestedChange.refuseConditions(call, resource)
            self = .revoke(try Self.number(call.place ?? ""))
        default: return nil
        }
    }

    private static func number(_ text: String) throws(Problem) -> Int64 {
        guard let number = Int64(canonical: text) else {
            throw Problem(
                code: .notFound,
                detail: "the path names no token; GET /v1/me/tokens lists their numbers"
            )
        }
        return number
    }
}

extension TokenRequest.Wanted {
    /// The problem of a token that would have more rights than the one that makes it, or that
    /// would never be valid; nil for any other.
    ///
    /// The store also lets no token outlast the one that makes it.
    func refusal(by grant: TokenGrant, at time: Timestamp) -> Problem? {
        guard scope == .read || grant.scope.allowsChanges else {
            return Problem(
                code: .forbiddenScope,
                detail: "the token has scope read and makes no token of scope write"
            )
        }
        guard let expiresAt else { return nil }
        let latest =
            [grant.expiresAt, time.advanced(by: TokenLifetime.longest)]
            .compactMap(\.self).min() ?? time
        let allowed = ["a time from now to \(TimeText.iso(latest))", "null"]
        if expiresAt <= time {
            return .invalidParameter("expiresAt", "has passed", allowed: allowed)
        }
        if let end = grant.expiresAt, expiresAt > end {
            return .invalidParameter(
                "expiresAt",
                "is after the end of the token in use",
                allowed: allowed
            )
        }
        return expiresAt > latest
            ? .invalidParameter("expiresAt", "is too far ahead", allowed: allowed) : nil
    }
}
