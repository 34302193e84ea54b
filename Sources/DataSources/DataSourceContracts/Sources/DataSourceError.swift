/// Why a data source gave no answer.
public struct DataSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// The source could not be reached.
        case unreachable
        /// The proxy on the way is not there, or does not let the connection through.
        case proxy
        /// The source's certificate is not to be trusted.
        case untrusted
        /// The source did not answer in time.
        case timedOut
        /// The connection was lost.
        case disconnected
        /// The source answered with an HTTP status other than 200.
        case httpStatus(Int)
        /// The source answered with a status code of its own, as it stands on the wire.
        case refused(status: String, message: String)
        /// The category is paused after 429 or status 5600; it opens again at that monotonic delay.
        case rateLimited(retryAfter: Duration)
        /// The answer is not what the protocol says: HTML, truncated JSON, wrong types.
        case malformed
        /// A recording was played to its end.
        case ended
        /// The calling task was cancelled.
        case cancelled
    }

    /// What kind of failure it was.
    public var code: Code
    /// Where and what, for people: names and codes, never bodies.
    public var detail: String
    /// What the server that answered says it serves, as in ``TickerAllDTO/feedLabel``; nil where
    /// it said nothing.
    public var feedLabel: String?

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .unreachable, .proxy, .timedOut, .disconnected, .httpStatus, .refused,
            .rateLimited, .malformed:
            true
        case .untrusted, .ended, .cancelled: false
        }
    }

    /// The kind and the detail.
    public var description: String { "\(code): \(detail)" }
}
