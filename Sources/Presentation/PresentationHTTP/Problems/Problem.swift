import Domain
import HTTPServer
import ViewStates

/// A failed request, reported as RFC 9457 problem details.
struct Problem: Error, Sendable, Equatable {
    /// The kind of failure.
    var code: ProblemCode
    /// The failure and its remedy.
    var detail: String
    /// The parameter, for `invalid_parameter`.
    var parameter: String?
    /// The allowed values or a description of them, for `invalid_parameter`.
    var allowed: [String]?
    /// The value of `Allow`, for `method_not_allowed`.
    var allowedMethods: String?
    /// Seconds until a retry may succeed; nil for the default of the code.
    var retryAfterSeconds: Int?

    /// A parameter with an invalid value.
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

    /// A text of the request, without tokens and short enough to be repeated in a response.
    ///
    /// Counts scalars: a character may have any number of combining marks.
    static func short(_ text: String) -> String {
        let text = AccessToken.masked(text)
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: 64, limitedBy: scalars.endIndex)
        guard let end, end != scalars.endIndex else { return text }
        return text[..<end] + "…"
    }

    /// A request with a method that the resource does not have.
    static func methodNotAllowed(_ method: String, allowed: String) -> Problem {
        Problem(
            code: .methodNotAllowed,
            detail: "\(short(method)) is not allowed here",
            allowedMethods: allowed
        )
    }

    /// The header fields of the response.
    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "Content-Type", value: "application/problem+json"),
            (name: "Cache-Control", value: "no-store"),
        ]
        if let allowedMethods { headers.append((name: "Allow", value: allowedMethods)) }
        if let seconds = retryAfterSeconds ?? code.retryAfterSeconds {
            headers.append((name: "Retry-After", value: "\(seconds)"))
        }
        // RFC 9110, 11.6.1: a 401 names the authentication scheme.
        if code == .unauthorized {
            headers.append((name: "WWW-Authenticate", value: "Bearer"))
        }
        return headers
    }

    /// The complete response, without the pipeline's fields.
    func response(requestID: String) -> HTTPServerResponse {
        HTTPServerResponse(
            status: code.status,
            headers: headers + ContentProtection.ofData
                + [(name: "X-Request-Id", value: requestID)],
            body: json(requestID: requestID)
        )
    }

    /// The body of the response.
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
