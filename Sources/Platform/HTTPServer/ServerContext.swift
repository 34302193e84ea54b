internal import NetworkAddresses
internal import Synchronization

/// The state shared by the event loops of one server.
final class ServerContext: Sendable {
    let limits: HTTPServer.Configuration
    let counts: ConnectionCounts
    let unsent: UnsentBytes
    let second: @Sendable () -> Int
    let rejection: @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse
    let handler: @Sendable (HTTPServerRequest) -> HTTPServerReply
    /// The queue of the loop that accepts connections.
    private let listener = Mutex<LoopQueue?>(nil)

    init(
        _ limits: HTTPServer.Configuration,
        unsent: UnsentBytes = UnsentBytes(bytesMax: HTTPServer.unsentBytesMax),
        second: @escaping @Sendable () -> Int = HTTPServer.systemSecond,
        rejection: @escaping @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) {
        self.limits = limits
        self.unsent = unsent
        self.second = second
        self.rejection = rejection
        self.handler = handler
        counts = ConnectionCounts(limits)
    }

    /// Sets the loop that accepts connections.
    func setListener(_ queue: LoopQueue) { listener.withLock { $0 = queue } }

    /// Resumes accepting after a connection of a full server was closed.
    func notifyCapacity() { listener.withLock { $0 }?.post(.listen) }
}
