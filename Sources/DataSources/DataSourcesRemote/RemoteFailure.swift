public import DataSourceContracts
import FoundationEssentials

/// A failed request to a hoga server.
public struct RemoteFailure: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The server cannot be reached.
        case unreachable
        /// The proxy is unreachable or refuses the connection.
        case proxy
        /// The certificate is not trusted.
        case untrusted
        /// No answer arrived in time.
        case timedOut = "timed_out"
        /// The connection ended.
        case disconnected
        /// The server closed the stream: it shuts down or is full.
        case leaving
        /// The stream sent nothing for too long, not even a bookmark.
        case silent
        /// The answer is not from a hoga server.
        case notHoga = "not_hoga"
        /// The server sends documents of another version.
        case otherVersion = "other_version"
        /// The token is missing, unknown, expired or revoked.
        case unauthorized
        /// The token has only the scope read.
        case forbidden = "forbidden_scope"
        /// A request limit is exceeded.
        case rateLimited = "rate_limited"
        /// The server cannot reach its store.
        case storeAway = "store_unavailable"
        /// The data changed since it was read.
        case changed = "precondition_failed"
        /// The resource does not exist.
        case missing = "not_found"
        /// The server refused the request.
        case refused
        /// The server failed.
        case failed
    }

    /// The kind of failure.
    public var code: Code
    /// Details for logs, in English and without secrets.
    public var detail: String
    /// The wait that the server asked for.
    public var retryAfter: Duration?

    /// Makes a failure.
    public init(_ code: Code, _ detail: String, retryAfter: Duration? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .unreachable, .proxy, .timedOut, .disconnected, .leaving, .silent, .rateLimited,
            .storeAway, .failed:
            true
        case .untrusted, .notHoga, .otherVersion, .unauthorized, .forbidden, .changed, .missing,
            .refused:
            false
        }
    }

    /// Whether the connection failed, not the request.
    public var isOfConnection: Bool {
        switch code {
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .leaving, .silent: true
        case .notHoga, .otherVersion, .unauthorized, .forbidden, .rateLimited, .storeAway,
            .changed, .missing, .refused, .failed:
            false
        }
    }
}

extension RemoteFailure {
    /// Translates a failure of the network.
    public init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .badAddress, .forbiddenAddress, .nameNotResolved, .cannotConnect, .other:
                .unreachable
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .closed, .cancelled: .disconnected
            case .upgradeRefused, .protocolViolation, .tooLarge: .notHoga
            }
        self.init(code, error.detail)
    }

    /// Translates an error answer.
    ///
    /// - Parameters:
    ///   - status: the status, not 200 or 204.
    ///   - headers: values by lower-case name.
    ///   - body: a problem document, if the server is a hoga.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        let wait = headers["retry-after"].flatMap { Int($0) }.map {
            Duration.seconds(min(max($0, 0), Self.retryAfterSecondsMax))
        }
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(body)) else {
            switch status {
            // Proxies answer these with pages of their own.
            case 429: self.init(.rateLimited, "status 429", retryAfter: wait)
            case 502, 503, 504: self.init(.unreachable, "status \(status)", retryAfter: wait)
            default: self.init(.notHoga, "status \(status) without a hoga problem document")
            }
            return
        }
        let code: Code =
            switch problem.status {
            case 401: .unauthorized
            // The token may change things, but not on this instance.
            case 403 where problem.code == "read_only": .refused
            case 403: .forbidden
            case 404: .missing
            case 412: .changed
            case 429: .rateLimited
            case 503: .storeAway
            case 500...: .failed
            default: .refused
            }
        self.init(code, problem.detail, retryAfter: wait)
    }

    /// The longest wait that is honored: a user sits in front of the screen.
    private static let retryAfterSecondsMax = 300

    /// The required fields of a problem document; other JSON lacks some of them.
    private struct Problem: Decodable {
        let type, title, detail, code, requestId: String
        let status: Int
        let retryable: Bool
    }
}
