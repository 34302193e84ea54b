import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Clients that read nothing", .tags(.threads))
struct UnsentBytesTests {
    /// Far more than the kernel's buffers hold.
    private static let bodyBytes = 16_000_000

    @Test("a client beyond its share loses the response that is unsent longest")
    func share() throws {
        let unsent = UnsentBytes(bytesMax: 200_000_000, clientBytesMax: 40_000_000)
        let server = try Self.server(unsent)
        defer { server.stop() }
        let neighbor = try Self.request(from: 9, server)
        let first = try Self.request(from: 8, server)
        let second = try Self.request(from: 8, server)
        #expect(unsent.status.closedByClientLimit == 0)
        #expect(unsent.status.byteCount > 3 * Self.bodyBytes)
        let third = try Self.request(from: 8, server)
        #expect(throws: TCPClient.Failure.self) { try first.receive(count: Self.bodyBytes) }
        for client in [neighbor, second, third] {
            #expect(try client.receive(count: Self.bodyBytes).count == Self.bodyBytes)
        }
        // The next answer of the only loop follows the end of those.
        _ = try Self.answer(server)
        let end = unsent.status
        #expect(end.byteCount == 0 && end.closedByClientLimit == 1 && end.closedByTotalLimit == 0)
    }

    @Test("beyond the total the client with the most loses first, streams too")
    func total() throws {
        let unsent = UnsentBytes(bytesMax: 50_000_000, clientBytesMax: 40_000_000)
        let server = try Self.server(unsent)
        defer { server.stop() }
        let neighbor = try Self.request(from: 9, server)
        let stream = try Self.request(from: 8, path: "/stream", server)
        let second = try Self.request(from: 8, server)
        #expect(unsent.status.closedByTotalLimit == 0)
        let other = try Self.request(from: 7, server)
        #expect(throws: TCPClient.Failure.self) { try stream.receive(count: Self.bodyBytes) }
        for client in [neighbor, second, other] {
            #expect(try client.receive(count: Self.bodyBytes).count == Self.bodyBytes)
        }
        #expect(unsent.status.closedByClientLimit == 0 && unsent.status.closedByTotalLimit == 1)
    }

    /// A server with one loop: an answer to another client comes after all that it did before.
    private static func server(_ unsent: UnsentBytes) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        return try HTTPServer(configuration, unsent: unsent) { request in
            // A body of its own for each request.
            let body = [UInt8](repeating: 7, count: bodyBytes)
            switch request.path {
            case "/stream":
                return .stream(
                    HTTPServerStream(
                        headers: [],
                        begin: { _ in },
                        next: { .bytes(body) },
                        ended: {}
                    )
                )
            case "/long": return .response(HTTPServerResponse(status: 200, headers: [], body: body))
            default: return .response(.text("short"))
            }
        }
    }

    /// Requests bytes that the client does not read; returns once the server's socket is full.
    private static func request(
        from sourceByte: UInt8,
        path: String = "/long",
        _ server: HTTPServer
    ) throws -> TCPClient {
        let client = try TCPClient(port: server.port, from: sourceByte)
        client.shrinkReceiveBuffer(to: 65_536)
        try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHeader()
        _ = try answer(server)
        return client
    }

    private static func answer(_ server: HTTPServer) throws -> [UInt8] {
        let client = try TCPClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return try client.receiveAnswer().body
    }
}
