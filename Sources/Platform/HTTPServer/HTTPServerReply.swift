/// What a handler answers.
public enum HTTPServerReply: Sendable {
    /// A complete answer.
    case response(HTTPServerResponse)
    /// A complete answer that is held back for a time; no thread waits for it meanwhile.
    case delayed(HTTPServerResponse, milliseconds: Int)
    /// An answer that is not made yet.
    case awaited(HTTPServerDeferredReply)
    /// An answer that is sent piece by piece for as long as it lasts.
    case stream(HTTPServerStream)
    /// The connection leaves HTTP and its socket is handed over.
    case upgrade(HTTPServerUpgrade)
}

/// An answer of 101 Switching Protocols, after which the connection belongs to the caller.
public struct HTTPServerUpgrade: Sendable {
    /// Headers of the answer, `Upgrade` among them; `Connection: Upgrade` is added.
    public var headers: [(name: String, value: String)]
    /// Takes the socket over once the answer is on its way.
    ///
    /// It runs on a thread of the server and must not block: hand the socket to whoever serves it.
    /// It is not called if the client left.
    public var takeOver: @Sendable (consuming UpgradedSocket) -> Void

    /// Makes an answer.
    ///
    /// - Precondition: names and values as
    ///   ``HTTPServerResponse/init(status:headers:behind:sharing:ended:)`` says.
    public init(
        headers: [(name: String, value: String)],
        takeOver: @escaping @Sendable (consuming UpgradedSocket) -> Void
    ) {
        self.headers = headers
        self.takeOver = takeOver
    }
}
