import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// A loop that a test turns by hand, and its only connection, to a real client.
struct ManualEventLoop {
    /// EPOLLIN and EPOLLOUT, which are in no module that tests import.
    static let readable: UInt32 = 1
    static let writable: UInt32 = 4

    let loop: EventLoop
    let connection: ServerConnection
    let client: TCPClient

    init(_ rules: ServerContext) throws {
        let socket = try ListenSocket(host: "127.0.0.1", port: 0)
        let port = socket.port
        let acceptor = ConnectionAcceptor(socket)
        let loop = try EventLoop(rules, acceptor: acceptor)
        acceptor.mailboxes = [loop.mailbox]
        client = try TCPClient(port: port)
        var mails: [LoopMessage] = []
        while mails.isEmpty {
            loop.accept(from: acceptor)
            mails = loop.mailbox.take()
        }
        mails.forEach(loop.handle)
        self.loop = loop
        connection = try #require(loop.connections.compactMap { $0 }.first)
    }

    /// Tells the loop what happened to the connection.
    func happened(_ bits: UInt32) { loop.happened(to: connection, bits) }

    /// Handles what lies in the mailbox; how many letters there were.
    @discardableResult
    func takeMail() -> Int {
        let mails = loop.mailbox.take()
        mails.forEach(loop.handle)
        return mails.count
    }

    /// Waits until what a client sent, or its end, is in the socket, and tells nobody.
    func awaitArrival() throws {
        var state = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&state, 1, 30_000)
        try #require(count == 1)
    }
}
