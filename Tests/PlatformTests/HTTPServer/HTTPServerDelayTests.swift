import HTTPServer
import TestSupport
import Testing

@Suite("An answer may be held back without holding up anybody else")
struct HTTPServerDelayTests {
    @Test("A held-back answer comes when its time is over, and the connection serves on")
    func due() throws {
        let server = try Self.server(milliseconds: 20)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            try client.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveAnswer().body == Array("later".utf8))
            #expect(try client.receiveAnswer().body == Array("now".utf8))
        }
    }

    @Test("Others are answered meanwhile by the only thread; stopping hands out what is held back")
    func stop() throws {
        let arrived = Signal()
        let server = try Self.server(milliseconds: 3_600_000) { arrived.send() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        arrived.wait()
        let other = try TCPClient(port: server.port)
        try other.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try other.receiveAnswer().body == Array("now".utf8))
        server.stop()
        #expect(try client.receiveAnswer().body == Array("later".utf8))
    }

    private static func server(
        milliseconds: Int,
        onSlow: @escaping @Sendable () -> Void = {}
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        return try HTTPServer(configuration) { request in
            guard request.path == "/slow" else { return .response(.text("now")) }
            onSlow()
            return .delayed(.text("later"), milliseconds: milliseconds)
        }
    }
}
