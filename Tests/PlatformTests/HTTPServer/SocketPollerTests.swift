@testable import HTTPServer
import TestSupport
import Testing

@Suite("Socket poller", .tags(.threads))
struct SocketPollerTests {
    @Test("readability, writability and the end are reported; a wake-up is not an event")
    func events() throws {
        let mailbox = Mailbox()
        let server = try HTTPServer(.local()) { _ in
            .upgrade(HTTPServerUpgrade(headers: [("Upgrade", "raw")]) { mailbox.put($0) })
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n")
        _ = try client.receiveHeader()
        let socket = mailbox.take()
        let poller = try SocketPoller()
        let isWatched = poller.watch(socket, token: 42)
        #expect(isWatched)
        #expect(poller.wait(milliseconds: 0).isEmpty)

        poller.wake()
        #expect(poller.wait(milliseconds: 30_000).isEmpty)

        try client.send("x")
        let readable = SocketPoller.Event(token: 42, isReadable: true, isWritable: false)
        #expect(poller.wait(milliseconds: 30_000) == [readable])
        // Still unread, so it is reported again.
        #expect(poller.wait(milliseconds: 30_000) == [readable])
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(socket.read(into: &buffer) == .bytes(1))
        #expect(poller.wait(milliseconds: 0).isEmpty)

        poller.setAwaitsRoom(true, of: socket, token: 42)
        #expect(poller.wait(milliseconds: 30_000).map(\.isWritable) == [true])
        poller.setAwaitsRoom(false, of: socket, token: 42)
        #expect(poller.wait(milliseconds: 0).isEmpty)

        client.finishSending()
        #expect(poller.wait(milliseconds: 30_000) == [readable])
        #expect(socket.read(into: &buffer) == .closed)
    }
}
