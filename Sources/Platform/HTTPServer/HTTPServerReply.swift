/// The answer of a handler.
public enum HTTPServerReply: Sendable {
    /// A complete response.
    case response(HTTPServerResponse)
    /// A complete response that is sent after a delay; no thread waits.
    case delayed(HTTPServerResponse, milliseconds: Int)
    /// A response that is not available yet.
    case deferred(HTTPServerDeferredReply)
    /// A response that is sent in chunks for any length of time.
    case stream(HTTPServerStream)
    /// The socket is handed over after `101 Switching Protocols`.
    case upgrade(HTTPServerUpgrade)
}

/// A reply that is made later; no thread waits.
///
/// The reply is made when its event happens, when its time is over, or when the server stops.
public struct HTTPServerDeferredReply: Sendable {
    /// The longest wait.
    public var milliseconds: Int
    /// Whether a stopping server waits for it, as for any request in flight.
    public var continuesDuringStop: Bool
    /// Begins the wait, on a thread of the server; it must not block.
    ///
    /// `end` ends the wait. Any thread may call it, at once or never, and any number of times.
    public var begin: @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
    /// Makes the reply, on a thread of the server; not called if the client disconnected.
    ///
    /// The reply may be deferred again.
    public var reply: @Sendable () -> HTTPServerReply

    /// Makes a deferred reply.
    public init(
        milliseconds: Int,
        continuesDuringStop: Bool,
        begin: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void,
        reply: @escaping @Sendable () -> HTTPServerReply
    ) {
        self.milliseconds = milliseconds
        self.continuesDuringStop = continuesDuringStop
        self.begin = begin
        self.reply = reply
    }
}

/// A response of `101 Switching Protocols`, after which the caller owns the socket.
public struct HTTPServerUpgrade: Sendable {
    /// The header fields, `Upgrade` among them; `Connection: Upgrade` is added.
    public var headers: [(name: String, value: String)]
    /// Receives the socket once the response is sent; not called if the client disconnected.
    ///
    /// The closure runs on a thread of the server and must not block.
    public var takeOver: @Sendable (consuming UpgradedSocket) -> Void

    /// Makes an upgrade.
    ///
    /// - Precondition: as for the fields of ``HTTPServerFields``.
    public init(
        headers: [(name: String, value: String)],
        takeOver: @escaping @Sendable (consuming UpgradedSocket) -> Void
    ) {
        self.headers = headers
        self.takeOver = takeOver
    }
}
