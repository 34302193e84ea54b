/// Why a network exchange did not complete.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// The address is not one this transport understands.
        case badAddress
        /// The name was not found.
        case nameNotResolved
        /// Nobody listens there, or the way is blocked.
        case cannotConnect
        /// The proxy is not there, or does not let this connection through.
        case proxy
        /// The peer's certificate is missing, expired, for another name, or of an unknown issuer.
        case untrusted
        /// The time allowed ran out.
        case timedOut
        /// The connection ended; for a WebSocket with the peer's close code, if it gave one.
        case closed(code: Int?, reason: String)
        /// The peer broke the protocol: no upgrade, a masked frame, bad UTF-8.
        case protocolViolation
        /// The answer or message is larger than the limit in force.
        case tooLarge
        /// The calling task was cancelled.
        case cancelled
        /// The library failed in a way none of the others names.
        case other
    }

    /// What kind of failure it was.
    public var code: Code
    /// What the library said, for logs: no bodies, no credentials.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .badAddress, .untrusted, .tooLarge, .cancelled: false
        case .nameNotResolved, .cannotConnect, .proxy, .timedOut, .closed, .protocolViolation,
            .other:
            true
        }
    }

    /// The kind and the library's words.
    public var description: String { "\(code): \(detail)" }
}
