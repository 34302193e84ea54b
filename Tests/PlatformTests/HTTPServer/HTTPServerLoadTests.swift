import Glibc
import HTTPServer
import TestSupport
import Testing

@Suite("Many connections", .tags(.threads), .serialized)
struct HTTPServerLoadTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("ten thousand idle connections delay nobody")
    func idleCrowd() throws {
        let count = Self.roomForConnections(atMost: 10_000)
        var configuration = HTTPServer.Configuration.local()
        configuration.connectionsMax = 20_000
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        let crowd = try (0..<count).map { number in
            try TCPClient(port: server.port, from: UInt8(2 + number % 160))
        }
        let client = try TCPClient(port: server.port)
        for _ in 0..<100 {
            try client.send(Self.request)
            #expect(try client.receiveAnswer().body == Array("yes".utf8))
        }
        // The first and the last of them are connections like any other.
        for idle in [crowd[0], crowd[count - 1]] {
            try idle.send(Self.request)
            #expect(try idle.receiveAnswer().body == Array("yes".utf8))
        }
    }

    @Test("beyond the limit a client waits until a connection is closed")
    func full() throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        configuration.connectionsMax = 2
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        var clients = try (0..<2).map { _ in try TCPClient(port: server.port) }
        for client in clients {
            try client.send(Self.request)
            #expect(try client.receiveAnswer().body == Array("yes".utf8))
        }
        let third = try TCPClient(port: server.port)
        try third.send(Self.request)
        third.limitReceiveWait(milliseconds: 200)
        #expect(throws: TCPClient.Failure.self) { try third.receiveAnswer() }
        clients.removeLast()
        third.limitReceiveWait(milliseconds: 30_000)
        #expect(try third.receiveAnswer().body == Array("yes".utf8))
    }

    @Test("silent connections are closed after the header time-out")
    func silence() throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.requestSecondsMax = 1
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        let crowd = try (0..<50).map { _ in try TCPClient(port: server.port) }
        for client in crowd { #expect(try client.receiveAll().isEmpty) }
    }

    /// How many connections with both ends in this process its limit of descriptors leaves room
    /// for.
    private static func roomForConnections(atMost count: Int) -> Int {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let reserve = 1_000
        return min(count, (Int(clamping: limit.rlim_max) - reserve) / 2)
    }
}
