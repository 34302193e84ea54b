import HTTPServer
import SharedMemory
import TestSupport
import Testing

@Suite("HTTP/1.1 over sockets", .tags(.threads))
struct HTTPServerWireTests {
    private static func echo(_ request: HTTPServerRequest) -> HTTPServerReply {
        .response(.text("\(request.method) \(request.path) \(request.body.count)"))
    }

    private static func server(threads: Int = 1) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = threads
        return try HTTPServer(configuration, handler: echo)
    }

    @Test("pipelined requests are answered in order, with and without bodies")
    func pipelined() throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        let pair =
            "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            + "PUT /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\nab\r\n2;odd=1\r\ncd\r\n0\r\nTrailer: x\r\n\r\n"
            + "\r\nGET /c HTTP/1.1\r\nHost: h\r\n\r\n"
        // More than are answered in a row before others have their turn.
        try client.send(String(repeating: pair, count: 40))
        for _ in 0..<40 {
            #expect(try client.receiveAnswer().body == Array("PUT /a 3".utf8))
            #expect(try client.receiveAnswer().body == Array("PUT /b 4".utf8))
            #expect(try client.receiveAnswer().body == Array("GET /c 0".utf8))
        }
    }

    @Test("a request split at any byte is the same request")
    func pieces() throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        let text =
            "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        for cut in text.utf8.indices.dropFirst() {
            try client.send(String(text[..<cut]))
            try client.send(String(text[cut...]))
            #expect(try client.receiveAnswer().body == Array("PUT /a 3".utf8))
        }
    }

    @Test(
        "any case of the scheme, any token as method and empty lines before a request are accepted",
        arguments: [
            ("\r\n\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a 0"),
            ("GET HTTP://h/a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a 0"),
            ("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 0"),
            ("FETCH /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab", "FETCH /a 2"),
            ("M-SEARCH /a HTTP/1.1\r\nHost: h\r\n\r\n", "M-SEARCH /a 0"),
            ("CONNECT2 /a HTTP/1.1\r\nHost: h\r\n\r\n", "CONNECT2 /a 0"),
            ("CONNECT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab", "CONNECT /a 2"),
            ("get /a HTTP/1.1\r\nHost: h\r\n\r\n", "get /a 0"),
            ("1!#$%&'*+-.^_`|~ /a HTTP/1.1\r\nHost: h\r\n\r\n", "1!#$%&'*+-.^_`|~ /a 0"),
        ]
    )
    func latitude(request: String, body: String) throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try client.send(request)
            #expect(try client.receiveAnswer().body == Array(body.utf8))
        }
    }

    @Test("the date of a response is the caller's time")
    func date() throws {
        let server = try HTTPServer(.local(), second: { 784_111_777 }) { _ in
            .response(.text("yes"))
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        let header = try client.receiveHeader()
        #expect(header.contains("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
    }

    @Test("a long body that many readers share arrives whole, also at slow ones and behind others")
    func sharedBody() throws {
        let body = SharedBytes((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * 31 / 7) })
        let server = try HTTPServer(.local()) { _ in
            .response(HTTPServerResponse(status: 200, headers: [], sharedBody: body))
        }
        defer { server.stop() }
        let clients = try (0..<8).map { _ in try TCPClient(port: server.port) }
        // More than a socket holds: the rest waits for the reader.
        for client in clients {
            for method in ["GET", "GET", "HEAD"] {
                try client.send("\(method) /a HTTP/1.1\r\nHost: h\r\n\r\n")
            }
        }
        for client in clients {
            for _ in 0..<2 { #expect(try client.receiveAnswer().body == body.bytes) }
            #expect(try client.receiveHeader().contains("Content-Length: 1000000\r\n"))
        }
    }

    @Test("a reader that leaves within a shared body ends its connection only")
    func abandonedBody() throws {
        let body = SharedBytes([UInt8](repeating: 7, count: 8_000_000))
        let server = try HTTPServer(.local()) { _ in
            .response(HTTPServerResponse(status: 200, headers: [], sharedBody: body))
        }
        defer { server.stop() }
        for _ in 0..<20 {
            // Closed with unread bytes, which resets the connection.
            let leaving = try TCPClient(port: server.port)
            try leaving.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try leaving.receiveHeader()
        }
        let client = try TCPClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveAnswer().body == body.bytes)
    }

    @Test(
        "a host is a name or an address, with or without a port",
        arguments: [
            "h", "h:", "h:80", "127.0.0.1:8080", "[::1]", "[::1]:8080", "[::ffff:1.2.3.4]",
            "[v1.fe80::a+en1]", "a_b-c.d~e", "%41b", "a,b", "h \t",
        ]
    )
    func hosts(host: String) throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(try client.receiveAnswer().body == Array("GET /a 0".utf8))
    }

    @Test("Expect: 100-continue gets 100, unless the request is rejected")
    func expectation() throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        let head = "PUT /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
        try client.send(head + "2\r\n\r\n")
        #expect(try client.receiveHeader() == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("ab")
        #expect(try client.receiveAnswer().body == Array("PUT /a 2".utf8))
        try client.send(head + "5000\r\n\r\n")
        #expect(try client.receiveAnswer().header.hasPrefix("HTTP/1.1 413 "))
    }

    @Test("an HTTP/1.0 response states whether the connection stays open")
    func old() throws {
        let server = try Self.server()
        defer { server.stop() }
        let kept = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try kept.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try kept.receiveAnswer().header.contains("Connection: keep-alive\r\n"))
        }
        let closed = try TCPClient(port: server.port)
        try closed.send("GET /a HTTP/1.0\r\n\r\n")
        let answer = String(decoding: try closed.receiveAll(), as: UTF8.self)
        #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("GET /a 0"))
    }

    @Test(
        "`close` anywhere in the Connection field closes the connection",
        arguments: ["close", "Close", "x ,\tCLOSE , y", "\u{e9}, close", "x\r\nConnection: close"]
    )
    func closeOption(value: String) throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: \(value)\r\n\r\n")
        #expect(String(decoding: try client.receiveAll(), as: UTF8.self).hasSuffix("GET /a 0"))
    }

    @Test("a half-closed client still gets its response, deferred or not")
    func halfClosed() throws {
        let server = try HTTPServer(.local()) { request in
            request.path == "/slow" ? .delayed(.text("late"), milliseconds: 20) : Self.echo(request)
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(try client.receiveAnswer().body == Array("GET /a 0".utf8))
        #expect(try client.receiveAnswer().body == Array("late".utf8))
        #expect(try client.receiveAll().isEmpty)
    }

    @Test("statuses without a body have no Content-Length", arguments: [204, 304])
    func bodyless(status: Int) throws {
        let server = try HTTPServer(.local()) { _ in
            .response(HTTPServerResponse(status: status, headers: [], body: [1, 2, 3]))
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let header = try client.receiveHeader()
            #expect(header.hasPrefix("HTTP/1.1 \(status) ") && !header.contains("Length"))
        }
    }

    @Test("one thread answers many concurrent connections", arguments: [128, 256])
    func crowd(count: Int) throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        (configuration.connectionsMax, configuration.connectionsPerClientMax) = (count, count)
        let server = try HTTPServer(configuration, handler: Self.echo)
        defer { server.stop() }
        let clients = try (0..<count).map { _ in try TCPClient(port: server.port) }
        for _ in 0..<3 {
            for client in clients { try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n") }
            for client in clients {
                #expect(try client.receiveAnswer().body == Array("GET /a 0".utf8))
            }
        }
    }

    @Test("a dropped stream frees its connection at once")
    func places() throws {
        let source = StreamSource()
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        configuration.connectionsPerClientMax = 4
        let server = try HTTPServer(configuration) { request in
            request.path == "/stream" ? .stream(source.stream) : Self.echo(request)
        }
        defer { server.stop() }
        // Idle connections, and one that reads nothing of its response.
        let quiet = try (0..<2).map { _ in try TCPClient(port: server.port, from: 2) }
        try quiet[0].send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        for _ in 0..<20 {
            do {
                let streams = try (0..<4).map { _ in try TCPClient(port: server.port, from: 3) }
                for stream in streams {
                    try stream.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
                    _ = try stream.receiveHeader()
                }
            }
            for _ in 0..<4 { source.awaitEnd() }
        }
        #expect(source.endCount == 80)
    }
}
