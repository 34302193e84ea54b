import Domain
import HTTPServer
import ViewStates

/// A failure of a request, as RFC 9457 describes it.
struct Problem: Error, Sendable, Equatable {
    /// What kind of failure it is.
    var code: ProblemCode
    /// This occurrence in a sentence.
    var detail: String
    /// For `invalid_parameter`: which one.
    var parameter: String?
    /// For `invalid_parameter`: the values that are allowed, or a description of their range.
    var allowed: [String]?
    /// For `method_not_allowed`: the methods that are.
    var allowedMethods: String?
    /// When a retry may succeed, in seconds; nil where the code's own answer counts.
    var retryAfterSeconds: Int?

    /// A parameter with a value that is not allowed; the value itself is cut short.
    static func invalidParameter(
        _ name: String,
        _ detail: String,
        allowed: [String]
    ) -> Problem {
        Problem(
            code: .invalidParameter,
            detail: "\(short(name)): \(detail)",
            parameter: short(name),
            allowed: allowed
        )
    }

    /// A text of the request that is short enough to be repeated in an answer, without tokens.
    ///
    /// Scalars are counted, not characters: a character has as many marks as somebody puts on it.
    static func short(_ text: String) -> String {
        let text = AccessToken.masked(text)
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: 64, limitedBy: scalars.endIndex)
        guard let end, end != scalars.endIndex else { return text }
        return text[..<end] + "…"
    }

    /// The header fields that tell of the failure.
    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "Content-Type", value: "application/problem+json"),
            (name: "Cache-Control", value: "no-store"),
        ]
        if let allowedMethods { headers.append((name: "Allow", value: allowedMethods)) }
        if let seconds = retryAfterSeconds ?? code.retryAfterSeconds {
            headers.append((name: "Retry-After", value: "\(seconds)"))
        }
        // RFC 9110, 11.6.1: whoever is refused for lack of a token is told that one is taken.
        if code == .unauthorized {
            headers.append((name: "WWW-Authenticate", value: "Bearer"))
        }
        return headers
    }

    /// The answer that tells of the failure, where nothing else is added to it.
    func response(requestID: String) -> HTTPServerResponse {
        HTTPServerResponse(
            status: code.status,
            headers: headers + [(name: "X-Request-Id", value: requestID)],
            body: json(requestID: requestID)
        )
    }

    /// The body of the answer.
    func json(requestID: String) -> [UInt8] {
        ProblemDocument(
            type: "/problems/" + code.rawValue,
            title: code.title,
            status: code.status,
            detail: detail,
            code: code.rawValue,
            parameter: parameter,
            allowed: allowed,
            retryable: code.isRetryable,
            requestID: requestID
        ).json
    }
}
