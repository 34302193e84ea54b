import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// An event loop without a thread, and its only connection, to a real client.
struct ManualEventLoop {
    /// EPOLLIN and EPOLLOUT, which no module imported by tests declares.
    static let readable: UInt32 = 1
    static let writable: UInt32 = 4

    let loop: EventLoop
    let connection: ServerConnection
    let client: TCPClient

    init(_ context: ServerContext) throws {
        let socket = try ListenSocket(host: "127.0.0.1", port: 0)
        let port = socket.port
        let acceptor = ConnectionAcceptor(socket)
        let loop = try EventLoop(context, acceptor: acceptor)
        acceptor.queues = [loop.queue]
        client = try TCPClient(port: port)
        var messages: [LoopMessage] = []
        while messages.isEmpty {
            loop.accept(from: acceptor)
            messages = loop.queue.drain()
        }
        messages.forEach(loop.handle)
        self.loop = loop
        connection = try #require(loop.connections.compactMap { $0 }.first)
    }

    /// Delivers epoll events of the connection.
    func deliver(_ bits: UInt32) { loop.handleEvents(bits, on: connection) }

    /// Handles the queued messages; returns how many there were.
    @discardableResult
    func deliverMessages() -> Int {
        let messages = loop.queue.drain()
        messages.forEach(loop.handle)
        return messages.count
    }

    /// Waits until the socket has input, without handling it.
    func awaitArrival() throws {
        var state = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&state, 1, 30_000)
        try #require(count == 1)
    }
}
