internal import Synchronization

/// What the event loops of one server share.
final class ServerContext: Sendable {
    let limits: HTTPServer.Configuration
    let room: ConnectionCounts
    let refusal: @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse
    let handler: @Sendable (HTTPServerRequest) -> HTTPServerReply
    /// Whom a word about room is for: the loop that takes connections.
    private let listener = Mutex<LoopQueue?>(nil)

    init(
        _ limits: HTTPServer.Configuration,
        refusal: @escaping @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) {
        self.limits = limits
        self.refusal = refusal
        self.handler = handler
        room = ConnectionCounts(limits)
    }

    /// Has a loop told when there is room again.
    func listen(_ mailbox: LoopQueue) { listener.withLock { $0 = mailbox } }

    /// Tells that a connection has ended where there was no room for another.
    func notifyCapacity() { listener.withLock { $0 }?.post(.takeMore) }
}
