/// Why a request or connection failed.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The transport does not support the address.
        case badAddress
        /// The address of the host is not permitted.
        case forbiddenAddress
        /// The name was not found.
        case nameNotResolved
        /// The connection was refused or is blocked.
        case cannotConnect
        /// The proxy is unreachable or refuses the connection.
        case proxy
        /// The peer's certificate is missing, expired, for another name, or of an unknown issuer.
        case untrusted
        /// The time limit passed.
        case timedOut
        /// The connection ended; a WebSocket with the peer's close code, if it sent one.
        case closed(code: Int?, reason: String)
        /// The server refused the WebSocket with this HTTP status.
        case upgradeRefused(status: Int)
        /// The peer broke the protocol: a masked frame, bad UTF-8.
        case protocolViolation
        /// The response or message exceeds the limit.
        case tooLarge
        /// The calling task was cancelled.
        case cancelled
        /// Any other failure of the library.
        case other
    }

    /// The kind of failure.
    public var code: Code
    /// The library's text for logs, without bodies or credentials.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .badAddress, .forbiddenAddress, .untrusted, .tooLarge, .cancelled: false
        case .nameNotResolved, .cannotConnect, .proxy, .timedOut, .closed, .upgradeRefused,
            .protocolViolation, .other:
            true
        }
    }

    /// The kind and the library's text.
    public var description: String { "\(code): \(detail)" }
}
