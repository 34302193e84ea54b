/// Why a call of a data source failed.
public struct DataSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The source could not be reached.
        case unreachable
        /// The name of the source's host was not found.
        case unknownHost
        /// The proxy is unreachable or refuses the connection.
        case proxy
        /// The source's certificate is not trusted.
        case untrusted
        /// The source did not answer in time.
        case timedOut
        /// The connection was lost.
        case disconnected
        /// The source answered with an HTTP status other than 200.
        case httpStatus(Int)
        /// The source refused the request with a status code of its own, as on the wire.
        case refused(status: String, message: String)
        /// The category is paused after HTTP 429 or status 5600, for `retryAfter`.
        case rateLimited(retryAfter: Duration)
        /// The API does not have the requested data; another one may.
        case unserved
        /// The response is not as documented: HTML, truncated JSON, wrong types.
        case malformed
        /// A recording ended.
        case ended
        /// The calling task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public var code: Code
    /// The place and cause for messages: names and codes, never bodies.
    public var detail: String
    /// The feed label of the responding server, as in ``TickerAllDTO/feedLabel``; nil without one.
    public var feedLabel: String?

    /// Whether it ended a WebSocket handshake.
    public var isOfHandshake = false

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .unreachable, .unknownHost, .proxy, .timedOut, .disconnected, .httpStatus, .refused,
            .rateLimited, .unserved, .malformed:
            true
        case .untrusted, .ended, .cancelled: false
        }
    }

    /// The kind and the detail.
    public var description: String { "\(code): \(detail)" }
}
