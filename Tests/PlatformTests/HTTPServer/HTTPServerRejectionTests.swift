import HTTPServer
import NetworkAddresses
import TestSupport
import Testing

@Suite("Rejected requests", .tags(.threads))
struct HTTPServerRejectionTests {
    @Test(
        "a malformed request gets its status and the connection is closed",
        arguments: MalformedRequest.all
    )
    func refusal(request: MalformedRequest) throws {
        let server = try HTTPServer(.local(bodyBytesMax: 1_024)) { _ in .response(.text("no")) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send(request.text)
        let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 \(request.status) "), "\(answer)")
        #expect(!answer.contains("secret"), "an answer repeats nothing of a request")
    }

    @Test(
        "a header of the maximum length is accepted, one byte more is 431",
        arguments: [(8_192, 1), (8_193, 1), (8_192, 40), (8_193, 40)]
    )
    func headerLength(count: Int, lines: Int) throws {
        let server = try HTTPServer(.local()) { request in
            .response(.text("\(request.header("x-1")?.utf8.count ?? 0)"))
        }
        defer { server.stop() }
        var text = "GET / HTTP/1.1\r\nHost: h\r\n"
        for number in (1...lines).reversed() {
            let name = "X-\(number): "
            let rest = count - text.utf8.count - 4 - name.utf8.count
            text += name + String(repeating: "x", count: rest / number) + "\r\n"
        }
        text += "\r\n"
        // Division leaves a few bytes over.
        let missing = count - text.utf8.count
        text = text.replacing("Host: h", with: "Host: h" + String(repeating: "h", count: missing))
        let client = try TCPClient(port: server.port)
        try client.send(text)
        let answer = try client.receiveAnswer()
        #expect(answer.header.hasPrefix(count > 8_192 ? "HTTP/1.1 431 " : "HTTP/1.1 200 "))
    }

    @Test("the rejection closure makes the response, and the connection is closed")
    func ownWords() throws {
        let server = try HTTPServer(
            .local(),
            rejection: { refusal, peer in
                HTTPServerResponse(
                    status: refusal.rawValue,
                    headers: [("X-Own", "1"), ("X-Peer", peer.description)],
                    body: Array("own \(refusal.rawValue)".utf8)
                )
            },
            handler: { _ in .response(.text("no")) }
        )
        defer { server.stop() }
        for request in MalformedRequest.all {
            let client = try TCPClient(port: server.port)
            try client.send(request.text)
            let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
            #expect(answer.contains("X-Own: 1\r\n"), "\(request.testDescription)")
            #expect(answer.contains("X-Peer: 127.0.0.1\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.hasSuffix("own \(request.status)"))
        }
    }

    @Test(
        "a path is decoded once and never normalized",
        arguments: [
            ("/a/../b", "/a/../b"), ("/a/%2e%2e/b", "/a/../b"), ("//a", "//a"),
            ("/a%2Fb", "/a%2Fb"), ("/%2f%41", "/%2fA"), ("/%252e", "/%2e"), ("/a//b/.", "/a//b/."),
            ("/a;b", "/a;b"),
            ("http://other/a", "/a"),
        ]
    )
    func pathTricks(target: String, path: String) throws {
        let server = try HTTPServer(.local()) { .response(.text($0.path)) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveAnswer().body == Array(path.utf8))
    }

    @Test("bytes behind a malformed request are never answered")
    func smuggling() throws {
        let server = try HTTPServer(.local()) { _ in .response(.text("smuggled")) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
                + "\r\n0\r\n\r\nGET /secret HTTP/1.1\r\nHost: h\r\n\r\n"
        )
        let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("smuggled"))
    }

    @Test("a slow body is cut off in time")
    func slowBody() throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.requestSecondsMax = 1
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n")
        #expect(throws: Never.self) { try Self.trickle("b", to: client) }
    }

    /// Sends a text again and again until the server has had enough.
    private static func trickle(_ text: String, to client: TCPClient) throws {
        // Each failed receive takes one interval.
        client.limitReceiveWait(milliseconds: 100)
        while true {
            do {
                try client.send(text)
                if try client.receive().isEmpty { return }
            } catch TCPClient.Failure.silent {
                continue
            } catch TCPClient.Failure.closed {
                return
            }
        }
    }

    @Test("a chunked body is counted while it arrives", arguments: [(1_024, 200), (1_025, 413)])
    func chunkedBody(count: Int, status: Int) throws {
        let server = try HTTPServer(.local(bodyBytesMax: 1_024)) { request in
            .response(.text("\(request.body.count)"))
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in [1_000, count - 1_000] {
            try client.send(String(piece, radix: 16) + "\r\n")
            try client.send(String(repeating: "b", count: piece) + "\r\n")
        }
        try client.send("0\r\n\r\n")
        let answer = try client.receiveAnswer()
        #expect(answer.header.hasPrefix("HTTP/1.1 \(status) "))
        if status == 200 { #expect(answer.body == Array("1024".utf8)) }
    }

    @Test("an endless body is cut off")
    func endlessBody() throws {
        let server = try HTTPServer(.local(bodyBytesMax: 1_024)) { _ in .response(.text("no")) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "400\r\n" + String(repeating: "b", count: 1_024) + "\r\n"
        #expect(throws: TCPClient.Failure.self) {
            // Far more than the kernel's buffers hold: sending fails once the server is gone.
            for _ in 0..<100_000 { try client.send(chunk) }
        }
    }

    @Test("an endless header is cut off in time", arguments: [0, 1])
    func slowHeader(requestsBefore: Int) throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.requestSecondsMax = 1
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<requestsBefore {
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveAnswer().body == Array("yes".utf8))
        }
        try client.send("GET / HTTP/1.1\r\n")
        #expect(throws: Never.self) { try Self.trickle("X-Slow: 1\r\n", to: client) }
    }
}
